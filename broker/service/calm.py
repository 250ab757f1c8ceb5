"""Heavy work on threads, without the garbage collections that would stop everybody meanwhile."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

MOST_PIECES = 64
"""Pieces of work that may end one after the other, always beside another, before the young are looked at."""

T = TypeVar("T")


class Calm:
    """One for the whole process, as the collector is; any thread may use it.

    Work makes and frees a million small objects; looking through them for cycles stops every thread for up
    to 50 ms, and finds next to none. So nothing is collected while work goes on, a script's that was stopped
    and left some behind included, and the youngest are looked at when all of it is done.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._busy = 0
        self._ended = 0

    def during(self, work: Callable[[], T]) -> T:
        """What `work` gives, or raises. To be called on the thread that does it: who waits may go before."""
        with self._kept():
            return work()

    @contextmanager
    def _kept(self) -> Iterator[None]:
        with self._lock:
            self._busy += 1
            gc.disable()
        try:
            yield
        finally:
            with self._lock:
                self._busy -= 1
                self._ended += 1
                self._look()

    def _look(self) -> None:
        if not self._busy or self._ended >= MOST_PIECES:
            self._ended = 0
            gc.collect(0)
        if not self._busy:
            gc.enable()
