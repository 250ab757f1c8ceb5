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
from chardesk.broker.sandbox.pipe import BadSize, Hangup
from chardesk.broker.sandbox.talk import Answer, Talk
from chardesk.tools.run.backend import Descriptor, Policy, unenforceable
from chardesk.tools.run.policy import default

NAME = "quickjs-process"
# Two distributions give the same module; the first is the one we ask for.
_DISTRIBUTIONS = ("quickjs-ng", "quickjs")

# Starting the next child takes a millisecond of the interpreter: the reply to the last script goes first.
_REST_S = 0.003


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

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        warm: int = 1,
        find_engine: Callable[[], Path | None] = engine_folder,
    ) -> None:
        """`policy` None: the platform's default. What this computer lacks of it is found out now."""
        self.policy = policy or default()
        self._engine = find_engine()
        self._descriptor = Descriptor(NAME, _version(self._engine), levels())
        self._unenforceable = unenforceable(self.policy, self._descriptor)
        self._target = warm if self._engine and not self._unenforceable else 0
        self._ready: deque[Child] = deque()
        self._starter = children.starter()
        self._starting = 0
        self._children: set[Child] = set()
        self._problem: str | None = None
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
        self._starter.shutdown(wait=False)

    def descriptor(self) -> Descriptor:
        """The backend as it is now. Its `problem` is the engine's, the policy's or the last start's."""
        missing = None if self._engine else _NO_ENGINE
        return replace(self._descriptor, problem=missing or self._unenforceable or self._problem)

    async def run(self, script: str, timeout_ms: int, seed: int, answer: Answer) -> Outcome:
        """Run one script. Each `canvas.<operation>(args)` in it is a call of `answer`, one at a time.

        The clock of `timeout_ms` starts when a ready child takes the script. `seed` sets Math.random. The
        outcome says how it ended; a script can cause no exception here. If the task is cancelled or `answer`
        raises, the child is killed first.
        """
        if len(script) not in limits.SCRIPT_CHARS or timeout_ms not in limits.TIMEOUT_MS:
            raise ValueError("a script or a time limit outside what the contract allows")
        if self._engine is not None and self._unenforceable is not None:
            return Failed("sandbox_unenforceable", self._unenforceable, phase="load")
        try:
            child = await self._take()
        except Unready as problem:
            return self._closing(Failed("runtime_unavailable", str(problem), phase="load"))
        try:
            outcome = await Talk(child, answer).run(script, timeout_ms, seed % 2**32)
        finally:
            self._retire(child)
            self._top_up(rest_s=_REST_S)
        return self._closing(outcome)

    def _closing(self, outcome: Outcome) -> Outcome:
        if self._is_closed and isinstance(outcome, Failed):
            return replace(outcome, code="cancelled", message=_STOPPING)
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
            raise Unready(_NO_ENGINE)
        child = await self._started(self._engine)
        try:
            await _readiness(child)
            # `close` may have been called meanwhile, and does not know this child.
            if self._is_closed:
                raise Unready(_STOPPING)
        except BaseException as problem:
            self._problem = str(problem) if isinstance(problem, Unready) else self._problem
            self._retire(child)
            raise
        self._problem = None
        return child

    async def _started(self, engine: Path) -> Child:
        if self._is_closed:
            raise Unready(_STOPPING)
        try:
            child = await children.start(engine, self._starter)
        except OSError as problem:
            self._problem = "no process could be started for the script"
            raise Unready(self._problem) from problem
        self._children.add(child)
        return child

    def _top_up(self, rest_s: float = 0.0) -> None:
        while not self._is_closed and len(self._ready) + self._starting < self._target:
            self._starting += 1
            self._group().start_soon(self._warm_one, rest_s, name="warm a script process")

    async def _warm_one(self, rest_s: float) -> None:
        try:
            await anyio.sleep(rest_s)
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


_STOPPING = "the broker is stopping"
_NO_ENGINE = "the script engine (quickjs-ng) is not installed"
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
    except Hangup:
        why = _WHY_UNREADY.get(await child.gone(), "the script process ended while starting")
        raise Unready(why) from None
    except (BadSize, Malformed, TooDeep):
        pass
    raise Unready("the script process said something else than ready")


def _version(engine: Path | None) -> str:
    """The distribution that the engine was installed as, with its version; unknown if it has none."""
    paths = [str(engine)] if engine else []
    for name in _DISTRIBUTIONS:
        for found in importlib.metadata.distributions(name=name, path=paths):
            return f"{name} {found.version}"
    return "unknown"
