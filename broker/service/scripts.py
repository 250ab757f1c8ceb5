"""Scripts on their way: each runs in the sandbox, its outcome comes back as an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

import anyio
from anyio.abc import TaskGroup

from chardesk.broker.desk.effects import RunScript
from chardesk.broker.desk.events import Event, Ran
from chardesk.broker.desk.world import ScriptRun
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.outcome import Failed, Finished, Outcome
from chardesk.tools.errors import Refused

MAX_RUNNING = 8
"""Script processes at once on this desk; further ones wait, and their own clock has not started yet."""

FALLBACK_TOOLS = ("canvas_write", "canvas_render", "canvas_erase", "canvas_fill")


class Scripts:
    def __init__(self, sandbox: Sandbox, tasks: TaskGroup, clock: Callable[[], float]) -> None:
        self._sandbox = sandbox
        self._tasks = tasks
        self._clock = clock
        self._places = anyio.Semaphore(MAX_RUNNING)
        self._running: dict[str, anyio.CancelScope] = {}

    def run(self, wanted: RunScript, feed: Callable[[Event], None]) -> None:
        """Start it; `feed` gets `Ran` once, whatever happens."""
        scope = anyio.CancelScope()
        self._running[wanted.job] = scope
        self._tasks.start_soon(self._run, wanted, scope, feed, name="script")

    def stop(self, job: str) -> None:
        """Kill a run that nobody waits for. Unknown or finished: nothing happens."""
        if (scope := self._running.get(job)) is not None:
            scope.cancel()

    async def _run(self, wanted: RunScript, scope: anyio.CancelScope, feed: Callable[[Event], None]) -> None:
        run = ScriptRun(refusal=Refused("cancelled", "the script was stopped; nothing was changed"))
        try:
            with scope:
                async with self._places:
                    outcome = await self._sandbox.run(
                        wanted.script, wanted.timeout_ms, wanted.seed, wanted.world.answer
                    )
                run = self._report(outcome, wanted)
        finally:
            del self._running[wanted.job]
        feed(Ran(wanted.job, run, self._clock()))

    def _report(self, outcome: Outcome, wanted: RunScript) -> ScriptRun:
        backend = self._sandbox.descriptor()
        match outcome:
            case Finished(result, truncated, console, operations, duration_ms):
                return ScriptRun(result, truncated, console, operations, duration_ms, backend)
            case Failed():
                return ScriptRun(backend=backend, refusal=_refusal(outcome))
            case _:
                assert_never(outcome)


def _refusal(failed: Failed) -> Refused:
    details = {
        "phase": failed.phase,
        "name": failed.name,
        "line": failed.line,
        "column": failed.column,
        "console": failed.console or None,
        "operations": failed.operations,
        "durationMs": failed.duration_ms,
        "fallbackTools": list(FALLBACK_TOOLS) if failed.code == "runtime_unavailable" else None,
    }
    where = f" (line {failed.line}, column {failed.column})" if failed.line is not None else ""
    message = f"{failed.name}: {failed.message}{where}" if failed.name else f"{failed.message}{where}"
    return Refused(failed.code, message, details={k: v for k, v in details.items() if v is not None})
