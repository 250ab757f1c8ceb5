"""What agents used up in the last minute, held against the operator's limits."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from chardesk.broker.desk.rules.policy import Limits, Metered
from chardesk.tools.errors import Refused

WINDOW_S = 60.0

_WORDS: Mapping[Metered, str] = {
    "calls": "calls",
    "cells": "changed cells",
    "script_seconds": "seconds of scripts",
}


@dataclass(slots=True)
class _Meter:
    """Amounts with their times, oldest first, and their sum."""

    spent: deque[tuple[float, float]] = field(default_factory=deque)
    total: float = 0.0

    def add(self, amount: float, at: float) -> None:
        self.spent.append((at, amount))
        self.total += amount

    def forget(self, at: float) -> None:
        """What is older than a minute, or from a time that a corrected clock has not come to yet."""
        while self.spent and not at - WINDOW_S < self.spent[0][0] <= at:
            self.total -= self.spent.popleft()[1]
        if not self.spent:
            self.total = 0.0

    def wait_s(self, limit: float, at: float) -> float:
        """Until less than the limit is left of what was spent."""
        left = self.total
        for when, amount in self.spent:
            left -= amount
            if left < limit:
                return when + WINDOW_S - at
        return WINDOW_S


@dataclass(slots=True)
class Budget:
    """By author. Of what has no limit nothing is kept. The call that goes over a limit is still carried out,
    as the last one until enough of the minute has passed."""

    _meters: dict[tuple[str, Metered], _Meter] = field(default_factory=dict)

    def spend(self, author: str, what: Metered, amount: float, limits: Limits, at: float) -> None:
        if limits.of(what) is None or amount <= 0:
            return
        self._meters.setdefault((author, what), _Meter()).add(amount, at)

    def refuse_over(self, author: str, what: Metered, limits: Limits, at: float) -> None:
        """Raises `budget_exceeded` when the minute's allowance is used up, with how long to wait."""
        limit, meter = limits.of(what), self._meters.get((author, what))
        if meter is None:
            return
        meter.forget(at)
        if limit is None or not meter.spent:
            del self._meters[author, what]
        elif meter.total >= limit:
            actual = round(meter.total, 3)
            raise Refused(
                "budget_exceeded",
                f"{author} used up {actual:g} {_WORDS[what]} within a minute, the limit is {limit:g}",
                retry_after_ms=math.ceil(meter.wait_s(limit, at) * 1000),
                details={"limit": limit, "actual": actual},
            )
