"""Trying out what a backend promises, here and now: attack each dimension and see what stops it."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from chardesk.broker.sandbox import child, host, payload
from chardesk.broker.sandbox.outcome import Failed, Finished, Outcome
from chardesk.tools.run.backend import Dimension

PROBE_S = 10.0
"""A child that was not stopped by then will not be."""

# In a worker's place: confined as every worker, then it does what no worker should be able to.
_TAKEN_OVER = """
import os, socket, sys
from chardesk.broker.sandbox.confine import confine

def main(prelude):
    confine(int(sys.argv[3]))
    DEED
    os._exit(0)
"""
_DEEDS: Mapping[Dimension, str] = {
    "read": "os.open('/dev/zero', os.O_RDONLY)",
    "write": "os.open('/dev/null', os.O_WRONLY)",
    "command": "os.fork() or os._exit(0)",
    "network": "socket.socket()",
    # The interpreter itself sets LC_CTYPE where no locale is set.
    "env": "os._exit(9 if os.environ.keys() - {'LC_CTYPE'} else 0)",
}

_SCRIPTS: Mapping[Dimension, tuple[str, Callable[[Outcome], bool]]] = {
    "cpu": ("for (;;);", lambda outcome: isinstance(outcome, Failed) and outcome.code == "timeout"),
    "memory": ("return new ArrayBuffer(1e9).byteLength", lambda outcome: _is_over(outcome)),
    "stack": ("const f = () => f() + 1; return f()", lambda outcome: _is_over(outcome)),
    "output": ("return 'x'.repeat(2e5)", lambda outcome: isinstance(outcome, Finished) and outcome.truncated),
}
_TIMEOUT_MS = 300


def _is_over(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed) and outcome.code == "limit_exceeded"


@dataclass(frozen=True, slots=True)
class Finding:
    """`is_held`: the attack was stopped from outside the engine. `how` says by what, or what came of it."""

    dimension: Dimension
    is_held: bool
    how: str


async def probe(box: host.Sandbox, engine: Path) -> list[Finding]:
    """Attack every dimension once, each in a child of its own. Takes about half a second."""
    with child.starter() as by:
        found = [await _deed(engine, by, dimension, deed) for dimension, deed in _DEEDS.items()]
    async with _started(box) as run:
        for dimension, (script, is_held) in _SCRIPTS.items():
            outcome = await run(script)
            found.append(Finding(dimension, is_held(outcome), _told(outcome)))
    return found


async def _deed(engine: Path, by: Executor, dimension: Dimension, deed: str) -> Finding:
    one = await child.start(engine, by)
    try:
        with anyio.move_on_after(PROBE_S):
            await one.pipe.send(payload.packed(_TAKEN_OVER.replace("DEED", deed).encode()))
            await one.gone()
    finally:
        one.kill()
        with anyio.CancelScope(shield=True):
            status = await one.gone()
        one.pipe.close()
    if dimension == "env":
        return Finding(dimension, status == 0, "it is empty" if status == 0 else "it is not empty")
    is_held = status == -signal.SIGSYS
    return Finding(
        dimension, is_held, "killed by the kernel (SIGSYS)" if is_held else f"exit status {status}"
    )


@asynccontextmanager
async def _started(box: host.Sandbox) -> AsyncIterator[Callable[[str], Awaitable[Outcome]]]:
    async with anyio.create_task_group() as tasks:
        await box.start(tasks)
        try:
            yield lambda script: box.run(script, _TIMEOUT_MS, 1, lambda operation, args: {"ok": False})
        finally:
            await box.close()


def _told(outcome: Outcome) -> str:
    match outcome:
        case Failed(code, message):
            return f"{code}: {message}"
        case Finished(truncated=truncated):
            return "the result was cut" if truncated else "it returned"
