"""Scripts on their way: each runs in the sandbox, its outcome comes back as an event."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, assert_never

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from chardesk.broker.desk.effects import RunScript
from chardesk.broker.desk.events import Event, Ran
from chardesk.broker.desk.world import MAX_CHANGED_CELLS, OverLimit, ScriptRun
from chardesk.broker.sandbox.backends import Backend
from chardesk.broker.sandbox.outcome import Failed, Finished, Halt
from chardesk.broker.sandbox.talk import Answered
from chardesk.broker.service.calm import Calm
from chardesk.tools.errors import Refused
from chardesk.tools.registry import OPERATIONS
from chardesk.tools.run import backend as contract
from chardesk.tools.run import code
from chardesk.tools.run.evidence import evidence

MAX_RUNNING = 8
"""Script processes at once on this desk; further ones wait, and their own clock has not started yet."""

FALLBACK_TOOLS = sorted(
    (one.name for one in OPERATIONS if one.effect == "change" and one is not code.OPERATION),
    key=lambda name: name != "canvas_batch",
)
"""What draws without scripts. A batch comes nearest to one, so it stands first."""

_NOTHING_STARTED = frozenset({"runtime_unavailable", "sandbox_unenforceable"})


class Scripts:
    def __init__(self, backend: Backend, tasks: TaskGroup, calm: Calm, clock: Callable[[], float]) -> None:
        self._backend = backend
        self._tasks = tasks
        self._calm = calm
        self._clock = clock
        self._places = anyio.Semaphore(MAX_RUNNING)
        # A thread for each running script. More would only take the interpreter from the event loop: work
        # that a stopped script left behind is bounded, and others wait for it.
        self._threads = anyio.CapacityLimiter(MAX_RUNNING)
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
                    run = await self._outcome(wanted)
        finally:
            del self._running[wanted.job]
        feed(Ran(wanted.job, run, self._clock()))

    async def _outcome(self, wanted: RunScript) -> ScriptRun:
        answer = partial(self._answer, wanted)
        outcome = await self._backend.run(wanted.script, wanted.timeout_ms, wanted.seed, answer)
        match outcome:
            case Finished():
                return await self._finished(outcome, wanted)
            case Failed():
                return ScriptRun(refusal=self._refusal(outcome))
            case _:
                assert_never(outcome)

    def _answer(self, wanted: RunScript, verb: str, raw: Any) -> Answered:
        answer = wanted.world.call(verb, raw)
        give = partial(halting, answer.give)
        return partial(self._elsewhere, give) if answer.is_slow else give()

    async def _elsewhere(self, work: Callable[[], Any]) -> Any:
        """A run that is stopped meanwhile does not wait for it: its world is thrown away."""
        calmly = partial(self._calm.during, work)
        return await anyio.to_thread.run_sync(calmly, abandon_on_cancel=True, limiter=self._threads)

    async def _finished(self, done: Finished, wanted: RunScript) -> ScriptRun:
        world = wanted.world

        def about() -> dict[str, Any]:
            return evidence(wanted.script, done.inputs, world.change(), done.operations).fields()

        return ScriptRun(
            result=done.result,
            truncated=done.truncated,
            console=done.console,
            operations=done.operations,
            duration_ms=done.duration_ms,
            backend=self._backend.descriptor().provenance(),
            evidence=(await self._elsewhere(about)) if world.writes else about(),
        )

    def _refusal(self, failed: Failed) -> Refused:
        where = f" (line {failed.line}, column {failed.column})" if failed.line is not None else ""
        message = f"{failed.name}: {failed.message}{where}" if failed.name else f"{failed.message}{where}"
        return Refused(failed.code, message, details={**_details(failed), **self._instead(failed)})

    def _instead(self, failed: Failed) -> dict[str, Any]:
        """Where no script can run: what can be used in its place, and what the policy misses."""
        if failed.code not in _NOTHING_STARTED:
            return {}
        missing: dict[str, Any] = {}
        if failed.code == "sandbox_unenforceable":
            missing = contract.refusal(self._backend.policy, self._backend.descriptor()).details
        return {**missing, "fallbackTools": FALLBACK_TOOLS}


def halting(give: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer. A write that is too much for one script ends the run."""
    try:
        return give()
    except OverLimit as over:
        raise Halt("changed cells", MAX_CHANGED_CELLS, over.actual) from None


def _details(failed: Failed) -> dict[str, Any]:
    found = {
        "phase": failed.phase,
        "name": failed.name,
        "line": failed.line,
        "column": failed.column,
        "limit": failed.limit,
        "actual": failed.actual,
        "console": failed.console or None,
        "operations": failed.operations,
        "durationMs": failed.duration_ms,
    }
    return {name: value for name, value in found.items() if value is not None}
