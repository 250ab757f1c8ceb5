"""Old commits from the journal, read on another thread and brought back as events."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, assert_never

import anyio.to_thread

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.store.archive import Archive

log = logging.getLogger("chardesk.recall")


async def recall(
    wanted: fx.Fetch | fx.Past,
    archive: Archive,
    clock: Callable[[], float],
    feed: Callable[[e.Event], None],
) -> None:
    """Answer it with its event, once. What can't be read is logged, and told as None."""
    match wanted:
        case fx.Fetch(job, str(operation)):
            feed(e.Fetched(job, await _read(partial(archive.find_operation, operation)), clock()))
        case fx.Fetch(job, int(seq)):
            feed(e.Fetched(job, await _read(partial(archive.commit, seq)), clock()))
        case fx.Fetch():
            raise AssertionError("a commit is named by its seq or its operation id")
        case fx.Past(job, after, upto, pick, limit):
            found = await _read(partial(archive.recall, after, upto, pick, limit))
            feed(e.Recalled(job, found, clock()))
        case _:
            assert_never(wanted)


async def _read(look: Callable[[], Any]) -> Any:
    try:
        return await anyio.to_thread.run_sync(look)
    except Exception:
        log.exception("the journal could not be read back")
        return None
