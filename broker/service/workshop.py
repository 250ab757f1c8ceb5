"""Work that the desk wants done off the loop: pure functions on snapshots, a few at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from chardesk.broker.desk.effects import Work
from chardesk.broker.desk.events import Event, Worked
from chardesk.tools.errors import Refused

log = logging.getLogger("chardesk.workshop")

THREADS = 4
"""More would only take the interpreter from each other."""


class Workshop:
    def __init__(self, tasks: TaskGroup, clock: Callable[[], float]) -> None:
        self._tasks, self._clock = tasks, clock
        self._threads = anyio.CapacityLimiter(THREADS)

    def run(self, wanted: Work, feed: Callable[[Event], None]) -> None:
        """Start it; `feed` gets `Worked` once, with what it gave or the refusal it raised. Work that nobody
        waits for any more is finished too: a thread can't be stopped."""
        self._tasks.start_soon(self._run, wanted, feed, name="work off the loop")

    async def _run(self, wanted: Work, feed: Callable[[Event], None]) -> None:
        outcome = await anyio.to_thread.run_sync(_done, wanted, abandon_on_cancel=True, limiter=self._threads)
        feed(Worked(wanted.job, outcome, self._clock()))


def _done(wanted: Work) -> Any:
    """On a thread. A fault of ours becomes a refusal that names no more than an id."""
    try:
        return wanted.work()
    except Refused as refusal:
        return refusal
    except Exception:
        log.exception("fault %s", wanted.job)
        return Refused("internal", f"a fault of ours, noted as {wanted.job}")
