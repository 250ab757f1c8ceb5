"""The default backend for scripts: a fresh child process for each, with one or two kept warm."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup

from chardesk.broker.sandbox import child as children
from chardesk.broker.sandbox import limits
from chardesk.broker.sandbox.child import Child
from chardesk.broker.sandbox.frames import Malformed
from chardesk.broker.sandbox.levels import levels
from chardesk.broker.sandbox.messages import Ready, TooDeep, parse
from chardesk.broker.sandbox.outcome import Failed, Outcome
from chardesk.broker.sandbox.payload import payload
from chardesk.broker.sandbox.talk import Answer, Talk

BACKEND = "quickjs-process"
# Two distributions give the same module; the first is the one we ask for.
_DISTRIBUTIONS = ("quickjs-ng", "quickjs")


class Unready(Exception):
    """A child that never got as far as taking a script. Its text says why."""


def engine_folder() -> Path | None:
    """Where the engine's module lies; None if it is not installed, or if this system has no socketpairs."""
    spec = importlib.util.find_spec("_quickjs") if os.name == "posix" else None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


class Sandbox:
    """Runs scripts, each in a process of its own that is never used again.

    Any number of runs go on side by side, each with its own clock and limits: how many may is the caller's
    policy. One event loop; `start` before `run`, `close` at the end. If the host is killed without closing,
    the children end with it.
    """

    def __init__(self, *, warm: int = 1, find_engine: Callable[[], Path | None] = engine_folder) -> None:
        self._engine = find_engine()
        self._target = warm if self._engine else 0
        self._ready: deque[Child] = deque()
        self._starting = 0
        self._children: set[Child] = set()
        self._last_start_failed = False
        self._is_closed = False
        self._tasks: TaskGroup | None = None

    async def start(self, tasks: TaskGroup) -> None:
        """Begin to warm children in `tasks`, which must outlive every run. Returns at once."""
        self._tasks = tasks
        self._top_up()

    async def close(self) -> None:
        """Kill every child and wait until all are reaped. Runs, going on or later, end as `cancelled`."""
        self._is_closed = True
        while self._ready:
            self._retire(self._ready.popleft())
        for child in self._children:
            child.kill()
        with anyio.CancelScope(shield=True):
            for child in tuple(self._children):
                await child.gone()

    def available(self) -> bool:
        """Whether scripts can run: the engine is installed, and the last child that was started came up."""
        return self._engine is not None and not self._last_start_failed

    def descriptor(self) -> dict[str, Any]:
        """The backend's name, its engine's version, and what it holds a script to (see `levels`)."""
        return {"backend": BACKEND, "version": _version(), "levels": levels()}

    async def run(self, script: str, timeout_ms: int, seed: int, answer: Answer) -> Outcome:
        """Run one script. Each `canvas.<operation>(args)` in it is a call of `answer`, one at a time.

        The clock of `timeout_ms` starts when a ready child takes the script. `seed` sets Math.random. The
        outcome says how it ended; a script can cause no exception here. If the task is cancelled or `answer`
        raises, the child is killed first.
        """
        if len(script) not in limits.SCRIPT_CHARS or timeout_ms not in limits.TIMEOUT_MS:
            raise ValueError("a script or a time limit outside what the contract allows")
        try:
            child = await self._take()
        except Unready as problem:
            return self._closing(Failed("runtime_unavailable", str(problem), phase="load"))
        try:
            outcome = await Talk(child, answer).run(script, timeout_ms, seed % 2**32)
        finally:
            self._retire(child)
            self._top_up()
        return self._closing(outcome)

    def _closing(self, outcome: Outcome) -> Outcome:
        if self._is_closed and isinstance(outcome, Failed):
            return replace(outcome, code="cancelled", message="the broker is stopping")
        return outcome

    async def _take(self) -> Child:
        while self._ready:
            child = self._ready.popleft()
            if child.is_alive:
                return child
            self._retire(child)
        return await self._fresh()

    async def _fresh(self) -> Child:
        """A new child that has said it is ready. `Unready` if there is none to be had."""
        if self._engine is None:
            raise Unready("the script engine (quickjs-ng) is not installed")
        child = await self._started(self._engine)
        try:
            await _readiness(child)
            # `close` may have been called meanwhile, and does not know this child.
            if self._is_closed:
                raise Unready("the broker is stopping")
        except BaseException as problem:
            self._last_start_failed = isinstance(problem, Unready)
            self._retire(child)
            raise
        self._last_start_failed = False
        return child

    async def _started(self, engine: Path) -> Child:
        try:
            child = await children.start(engine)
        except OSError as problem:
            self._last_start_failed = True
            raise Unready("no process could be started for the script") from problem
        self._children.add(child)
        return child

    def _top_up(self) -> None:
        while not self._is_closed and len(self._ready) + self._starting < self._target:
            self._starting += 1
            self._group().start_soon(self._warm_one, name="warm a script process")

    async def _warm_one(self) -> None:
        try:
            # A broken engine is told to whoever runs a script, not here.
            with suppress(Unready):
                self._ready.append(await self._fresh())
        finally:
            self._starting -= 1

    def _retire(self, child: Child) -> None:
        child.kill()
        self._group().start_soon(self._bury, child, name="reap a script process")

    async def _bury(self, child: Child) -> None:
        with anyio.CancelScope(shield=True):
            await child.gone()
        child.pipe.close()
        self._children.discard(child)

    def _group(self) -> TaskGroup:
        if self._tasks is None:
            raise RuntimeError("the sandbox was not started")
        return self._tasks


_WHY_UNREADY = {
    limits.EXIT_ENGINE_MISSING: "the script engine (quickjs-ng) cannot be loaded",
    limits.EXIT_NOT_CONFINED: "the script process could not be confined",
}


async def _readiness(child: Child) -> None:
    try:
        with anyio.fail_after(limits.START_S):
            await child.pipe.send(payload())
            if isinstance(parse(await child.pipe.receive()), Ready):
                return
    except TimeoutError:
        raise Unready(f"the script process was not ready within {limits.START_S:g} s") from None
    except (EOFError, ConnectionError):
        why = _WHY_UNREADY.get(await child.gone(), "the script process ended while starting")
        raise Unready(why) from None
    except (Malformed, TooDeep):
        pass
    raise Unready("the script process said something else than ready")


def _version() -> str:
    for name in _DISTRIBUTIONS:
        with suppress(importlib.metadata.PackageNotFoundError):
            return f"{name} {importlib.metadata.version(name)}"
    return "unknown"
