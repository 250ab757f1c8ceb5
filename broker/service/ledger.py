"""What the broker has done, in numbers: calls, refusals by code, how long they took. Never what they said."""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chardesk.broker.desk.effects import Reply

log = logging.getLogger("chardesk.calls")

BOUNDS_MS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)
"""Upper ends of the histogram's bars; the last bar has none."""


@dataclass(slots=True)
class Histogram:
    """Latencies of one tool, or of all."""

    bars: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS_MS) + 1))

    def add(self, ms: float) -> None:
        self.bars[bisect_left(BOUNDS_MS, ms)] += 1

    @property
    def count(self) -> int:
        return sum(self.bars)

    def at(self, share: float) -> int | None:
        """The bound below which this share of the calls stayed; None without calls, or beyond the last."""
        wanted, seen = share * self.count, 0
        for bound, bar in zip(BOUNDS_MS, self.bars, strict=False):
            seen += bar
            if seen and seen >= wanted:
                return bound
        return None

    def fields(self) -> dict[str, Any]:
        return {"calls": self.count, "p50Ms": self.at(0.5), "p99Ms": self.at(0.99)}


@dataclass(frozen=True, slots=True)
class _Open:
    author: str
    tool: str
    since: float


class Ledger:
    """Fed by the runner: each call once when it comes and once when its answer leaves."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._open: dict[tuple[str, str], _Open] = {}
        self._tools: dict[str, Histogram] = {}
        self._all = Histogram()
        self._refused: Counter[str] = Counter()

    def called(self, tenant: str, call: str, author: str, tool: str) -> None:
        """A tool that nobody knows is counted under one name: callers must not fill this table."""
        self._open[tenant, call] = _Open(author, tool, self._clock())

    def answered(self, tenant: str, call: str, reply: Reply, tools: frozenset[str]) -> None:
        """One line in the log, and the counts."""
        one = self._open.pop((tenant, call), None)
        if one is None:
            return
        ms = (self._clock() - one.since) * 1000
        tool = one.tool if one.tool in tools else "unknown"
        code = reply.fields["code"] if reply.is_error else "ok"
        self._all.add(ms)
        self._tools.setdefault(tool, Histogram()).add(ms)
        if reply.is_error:
            self._refused[code] += 1
        log.info(
            "call", extra={"said": {"tenant": one.author, "tool": tool, "ms": round(ms, 2), "code": code}}
        )

    def left(self, tenant: str) -> None:
        """Its unanswered calls are answered nowhere."""
        for key in [key for key in self._open if key[0] == tenant]:
            del self._open[key]

    def fields(self) -> dict[str, Any]:
        """As `chardesk status --json` tells it."""
        return {
            **self._all.fields(),
            "open": len(self._open),
            "refused": dict(self._refused),
            "tools": {name: one.fields() for name, one in sorted(self._tools.items())},
            "latencyMs": dict(zip([*map(str, BOUNDS_MS), "more"], self._all.bars, strict=True)),
        }
