"""How long to wait before the next attempt."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

FIRST_S = 0.05
LAST_S = 15.0
GROWTH = 2
STEADY_S = 5.0
"""A connection that lived this long was a success: the next loss starts from the bottom. A shorter one was
not, or a broker that accepts and closes would be knocked at twenty times a second.
"""


def chance() -> float:
    """Evenly from [0, 1). `random` would cost 6 ms of start."""
    return int.from_bytes(os.urandom(4), "little") / 2**32


class Backoff:
    """Doubles from 50 ms to 15 s; jitter is upward only (×1 to ×1.5), so attempts have a ceiling."""

    __slots__ = ("_chance", "_next_s")

    def __init__(self, chance: Callable[[], float] = chance) -> None:
        self._chance = chance
        self._next_s = FIRST_S

    def next_s(self) -> float:
        """How long to wait now; the time after that is twice as long."""
        wait_s = self._next_s * (1 + self._chance() / 2)
        self._next_s = min(self._next_s * GROWTH, LAST_S)
        return wait_s

    def reset(self) -> None:
        self._next_s = FIRST_S
