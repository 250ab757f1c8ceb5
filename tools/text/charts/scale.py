"""Numbers to rows and columns: nice ticks, and labels that fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

_LEAST = 1e-9
"""Values that are nearer to each other than this, by their size, count as one: floats have no more digits."""

_STEPS = (1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high` with ticks between, both ends among them."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """0 at `low`, 1 at `high`; values beyond are moved to the nearer end."""
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def nice(
    values: Sequence[float], domain: tuple[float, float] | None, from_zero: bool, intervals: int
) -> Scale:
    """A scale whose ticks are 1, 2 or 5 times a power of ten apart, about `intervals` of them."""
    low, high = domain or (min(values), max(values))
    if from_zero and domain is None:
        low, high = min(low, 0.0), max(high, 0.0)
    if high - low <= _LEAST * max(1.0, abs(low), abs(high)):
        low, high = low - (not from_zero or low < 0), low + 1
    step = _step((high - low) / intervals)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    decimals = max(0, 2 - math.floor(math.log10(step)))
    ticks = tuple(round(number * step, decimals) for number in range(first, last + 1))
    return Scale(ticks[0], ticks[-1], ticks)


def _step(wanted: float) -> float:
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(step * power for step in _STEPS if step * power >= wanted * 0.999)


def number(value: float) -> str:
    """As short as can be: `1500`, `0.25`, `2.5M`."""
    for limit, unit in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if abs(value) >= limit:
            return f"{value / limit:.4g}{unit}"
    return f"{value:.6g}" if abs(value) < 1e-3 and value else f"{round(value, 6):g}"


def date(seconds: float, span: float) -> str:
    """A time for an axis that shows `span` seconds in all."""
    form = "%H:%M" if span <= 2 * 86_400 else "%m-%d" if span <= 700 * 86_400 else "%Y-%m"
    return (datetime(1970, 1, 1) + timedelta(seconds=seconds)).strftime(form)
