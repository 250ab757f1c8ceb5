"""The sandbox in tests: one for a test, a script run in it, and its processes as the system sees them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from chardesk.broker.sandbox import child as children
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.outcome import Failed, Finished, Outcome

SANDBOX = Path(children.__file__).parent
BOUND_S = 10


def echo(operation: str, args: Any) -> dict[str, Any]:
    return {"ok": True, "operation": operation, "args": args}


def promised(answer: Callable[[str, Any], Awaitable[dict[str, Any]]]) -> Any:
    """The same answerer, as one that is awaited for each answer."""
    return lambda operation, args: partial(answer, operation, args)


@asynccontextmanager
async def sandbox(**options: Any) -> AsyncIterator[Sandbox]:
    box = Sandbox(**options)
    async with anyio.create_task_group() as tasks:
        await box.start(tasks)
        try:
            yield box
        finally:
            await box.close()


async def run(script: str, *, timeout_ms: int = 2_000, seed: int = 7, answer: Any = echo) -> Outcome:
    async with sandbox(warm=0) as box:
        return await box.run(script, timeout_ms, seed, answer)


def script_processes() -> set[int]:
    """The children of this process that carry the sandbox's boot line or have become zombies."""
    tasks = Path("/proc/self/task")
    found = {int(pid) for task in tasks.iterdir() for pid in _children(task)}
    return {pid for pid in found if is_script_process(pid)}


def _children(task: Path) -> list[str]:
    """Process ids; none of a thread that has ended since it was listed."""
    try:
        return (task / "children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def is_script_process(pid: int) -> bool:
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False
    return b"chardesk.broker.sandbox.worker" in line or line == b""


async def returned(script: str, **options: Any) -> Any:
    outcome = await run(script, **options)
    assert isinstance(outcome, Finished), outcome
    return outcome.result


async def failure(script: str, **options: Any) -> Failed:
    outcome = await run(script, **options)
    assert isinstance(outcome, Failed), outcome
    return outcome


async def ask_while_running(box: Sandbox, question: Callable[[int], Any]) -> Any:
    """What `question` finds out about the child's process while its script waits for an answer."""
    found: list[Any] = []

    def answer(operation: str, args: Any) -> dict[str, Any]:
        found.extend(question(pid) for pid in script_processes())
        return {}

    assert isinstance(await box.run("canvas.read({})", 2_000, 1, answer), Finished)
    return found
