"""Telling a client that its call goes on, if it asked to be told."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

EVERY_S = 0.5
"""The first word comes after this long: a call that is over by then needs none."""

T = TypeVar("T")


async def reporting(context: ServerRequestContext[Any], tool: str, answer: Awaitable[T]) -> T:
    """What `answer` gives. Meanwhile a client that sent a progress token hears how many seconds it has taken.

    Cancelled with the call, and then nothing more is said.
    """
    if "progress_token" not in (context.meta or {}):
        return await answer
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_report, context, tool, name="progress")
        found = await answer
        tasks.cancel_scope.cancel()
    return found


async def _report(context: ServerRequestContext[Any], tool: str) -> None:
    waited_s = 0.0
    while True:
        await anyio.sleep(EVERY_S)
        waited_s += EVERY_S
        await context.session.report_progress(waited_s, message=f"{tool} has been running for {waited_s:g} s")
