"""Work that the desk wants done off the loop: pure functions on snapshots, a few at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from chardesk.broker.desk.effects import Work
from chardesk.broker.desk.events import Event, Worked
from chardesk.broker.service.calm import Calm
from chardesk.tools.errors import Refused

log = logging.getLogger("chardesk.workshop")

THREADS = 2
"""They share one interpreter with the event loop, and it is not fair: beside four long renders the loop
waited up to 50 ms for its turn, beside two 12 ms (measured; tests/bench/ping.py)."""


T = TypeVar("T")


class Workshop:
    def __init__(self, tasks: TaskGroup, calm: Calm, clock: Callable[[], float]) -> None:
        self._tasks, self._calm, self._clock = tasks, calm, clock
        self._threads = anyio.CapacityLimiter(THREADS)

    def run(self, wanted: Work, feed: Callable[[Event], None]) -> None:
        """Start it; `feed` gets `Worked` once, with what it gave or the refusal it raised. Work that nobody
        waits for any more is finished too: a thread can't be stopped."""
        self._tasks.start_soon(self._run, wanted, feed, name="work off the loop")

    async def _run(self, wanted: Work, feed: Callable[[Event], None]) -> None:
        outcome = await self.have(partial(_done, wanted))
        feed(Worked(wanted.job, outcome, self._clock()))

    async def have(self, work: Callable[[], T]) -> T:
        """What `work` gives, done on one of the threads."""
        calmly = partial(self._calm.during, work)
        return await anyio.to_thread.run_sync(calmly, abandon_on_cancel=True, limiter=self._threads)


def _done(wanted: Work) -> Any:
    """On a thread. A fault of ours becomes a refusal that names no more than an id."""
    try:
        return wanted.work()
    except Refused as refusal:
        return refusal
    except Exception:
        log.exception("fault %s", wanted.job)
        return Refused("internal", f"a fault of ours, noted as {wanted.job}")
