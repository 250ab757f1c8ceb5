"""Compiling the models of calls and of the page's messages ahead of their first use.

They are declared with pydantic's `defer_build`, since a starting broker should listen before it compiles what
nobody has asked for yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import anyio.lowlevel

from chardesk.broker.wire import codec
from chardesk.tools.registry import OPERATIONS


async def compile_ahead() -> None:
    """Compile them all, 30 ms in slices of at most 4 ms between which others get their turn.

    On the loop and not on a thread: a model must not be compiled twice at once.
    """
    for compile_one in _each():
        compile_one()
        await anyio.lowlevel.checkpoint()


def _each() -> Iterator[Callable[[], object]]:
    for operation in OPERATIONS:
        yield operation.args.model_rebuild
        yield operation.result.model_rebuild
    yield from codec.compilers()
