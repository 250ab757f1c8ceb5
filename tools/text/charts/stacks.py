"""What stands on what: the values of a chart by place and series."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from chardesk.tools.model.cell import Style
from chardesk.tools.text.charts.axes import style_of
from chardesk.tools.text.charts.spec import Chart, Value

MOST_BARS = 200

Stacks = dict[Value, list[tuple[str, float, float]]]
"""By place: series, from where, up to where."""


def heights(chart: Chart) -> list[float]:
    """The values that the axis must reach: of stacks, the sums."""
    return reach(chart, [(mark.x, float(mark.y)) for mark in chart.marks])


def reach(chart: Chart, pairs: Sequence[tuple[Value, float]]) -> list[float]:
    if chart.stack == "normalize":
        return [0.0, 1.0]
    if chart.stack != "zero":
        return [value for _, value in pairs]
    up: dict[Value, float] = defaultdict(float)
    down: dict[Value, float] = defaultdict(float)
    for at, value in pairs:
        (up if value >= 0 else down)[at] += value
    return [*up.values(), *down.values()]


def stacks_of(chart: Chart, pairs: Sequence[tuple[Value, float, str]]) -> Stacks:
    """What stands on what. Without stacking, everything stands on 0."""
    found: Stacks = defaultdict(list)
    tops: dict[tuple[Value, bool], float] = defaultdict(float)
    sums: dict[Value, float] = defaultdict(float)
    for at, value, _ in pairs:
        sums[at] += abs(value)
    order = {name: number for number, name in enumerate(chart.series)}
    for at, value, series in sorted(pairs, key=lambda pair: order[pair[2]]):
        if chart.stack == "normalize":
            value = value / sums[at] if sums[at] else 0.0
        low = tops[at, value >= 0] if chart.stack in ("zero", "normalize") else 0.0
        tops[at, value >= 0] = low + value
        found[at].append((series, min(low, low + value), max(low, low + value)))
    return found


def columns_of(
    chart: Chart, stack: Sequence[tuple[str, float, float]], wide: int
) -> list[tuple[int, list[tuple[float, float, Style]]]]:
    """What stands in each column (or row) of a band: all of the stack, or one series beside the other."""
    if chart.stack != "grouped":
        ends = [(low, high, style_of(chart, series)) for series, low, high in stack]
        return [(column, ends) for column in range(wide)]
    share = max(1, wide // len(chart.series))
    return [
        (chart.series.index(series) * share + column, [(low, high, style_of(chart, series))])
        for series, low, high in stack
        for column in range(max(1, share - (share > 2)))
    ]
