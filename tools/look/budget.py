"""What one search may cost: cells looked at, and time."""

from __future__ import annotations

import time
from collections.abc import Callable

from chardesk.tools.errors import Refused

Clock = Callable[[], float]
monotonic: Clock = time.monotonic

MAX_CELLS = 2_000_000
MAX_SECONDS = 0.250


class Budget:
    """Raises Refused `search_limit` when it is used up; an answer is whole or none."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._deadline = clock, clock() + MAX_SECONDS
        self._cells = MAX_CELLS

    def spend(self, cells: int) -> None:
        self._cells -= cells
        if self._cells < 0:
            raise over(f"more than {MAX_CELLS} cells")
        if self._clock() > self._deadline:
            raise over(f"more than {round(MAX_SECONDS * 1000)} ms")


def over(actual: str) -> Refused:
    return Refused("search_limit", f"the search needs {actual}; nothing is given of it")
