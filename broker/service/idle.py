"""When a broker that nobody uses ends."""

from __future__ import annotations

IDLE_S = 30 * 60.0
"""A broker without page or agent ends after half an hour; the next one who needs it starts it."""


class Idle:
    """Told now and then whether anybody is connected."""

    def __init__(self, now: float, limit_s: float = IDLE_S) -> None:
        self._since, self._limit_s = now, limit_s

    def is_over(self, now: float, *, is_anyone_here: bool) -> bool:
        """Has nobody been here for the whole time? Whoever comes starts it anew."""
        if is_anyone_here:
            self._since = now
        return now - self._since >= self._limit_s
