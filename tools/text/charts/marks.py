"""The marks of charts whose values grow upwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from chardesk.tools.text.charts.axes import Along, row_of, style_of
from chardesk.tools.text.charts.plot import Plot
from chardesk.tools.text.charts.scale import Scale
from chardesk.tools.text.charts.spec import Chart, Mark
from chardesk.tools.text.charts.stacks import MOST_BARS, columns_of, stacks_of
from chardesk.tools.text.undrawn import NotDrawn


def _bars(chart: Chart, plot: Plot, values: Scale, along: Along) -> None:
    stacks = stacks_of(chart, [(mark.x, float(mark.y), mark.series) for mark in chart.marks])
    if len(stacks) > min(MOST_BARS, plot.columns):
        raise NotDrawn(
            f"it has {len(stacks)} bars; {min(MOST_BARS, plot.columns)} can be drawn at this width"
        )
    rows = plot.rows - 1
    band = along.band if chart.x.kind == "nominal" else max(1.0, plot.columns / (2 * len(stacks)))
    wide = max(1, int(band * 0.7))
    for at, stack in stacks.items():
        begin = int(along(at) - wide / 2 + (0.5 if chart.x.kind == "nominal" else 0))
        for column, ends in columns_of(chart, stack, wide):
            blocks = [
                (_height(values, low, rows), _height(values, high, rows), style) for low, high, style in ends
            ]
            if 0 <= begin + column < plot.columns:
                plot.column(begin + column, blocks)


def _height(values: Scale, value: float, rows: int) -> float:
    """Rows from the plot's bottom up to the middle of a value's row, where its tick points; the lowest value
    is the bottom itself."""
    return values.place(value) * rows + 0.5 if value > values.low else 0.0


def _ordered(chart: Chart, along: Along) -> dict[str, list[Mark]]:
    found: dict[str, list[Mark]] = {name: [] for name in chart.series}
    for mark in chart.marks:
        found[mark.series].append(mark)
    return {name: sorted(marks, key=lambda mark: along(mark.x)) for name, marks in found.items()}


def _lines(chart: Chart, plot: Plot, values: Scale, along: Along) -> None:
    for name, marks in _ordered(chart, along).items():
        dots = [_dot(plot, values, along, mark) for mark in marks]
        for start, end in zip(dots, dots[1:] or dots, strict=False):
            plot.segment(start, end, style_of(chart, name))


def _dot(plot: Plot, values: Scale, along: Along, mark: Mark) -> tuple[int, int]:
    """The braille dot of a mark."""
    x = round(along(mark.x) * 2)
    return min(x, 2 * plot.columns - 1), round((1 - values.place(float(mark.y))) * (4 * plot.rows - 1))


def _areas(chart: Chart, plot: Plot, values: Scale, along: Along) -> None:
    """Every column is filled up to the line between the marks to its left and right; series are stacked."""
    rows = plot.rows - 1
    curves = {name: _curve(marks, along, plot.columns) for name, marks in _ordered(chart, along).items()}
    for x in range(plot.columns):
        pairs = [("", curve[x], name) for name, curve in curves.items() if x in curve]
        for stack in stacks_of(chart, pairs).values():
            ends = [
                (_height(values, low, rows), _height(values, high, rows), style_of(chart, name))
                for name, low, high in stack
            ]
            plot.column(x, ends)


def _curve(marks: Sequence[Mark], along: Along, room: int) -> dict[int, float]:
    places = [(along(mark.x), float(mark.y)) for mark in marks]
    found: dict[int, float] = {}
    for (x1, y1), (x2, y2) in zip(places, places[1:] or places, strict=False):
        for x in range(max(0, round(x1)), min(room - 1, round(x2)) + 1):
            share = min(1.0, max(0.0, (x - x1) / (x2 - x1))) if x2 > x1 else 0.0
            found[x] = y1 + (y2 - y1) * share
    return found


def _points(chart: Chart, plot: Plot, values: Scale, along: Along) -> None:
    for mark in chart.marks:
        x = min(plot.columns - 1, round(along(mark.x)))
        plot.point(x, row_of(values, float(mark.y)), "●", style_of(chart, mark.series))


MARKS: Mapping[str, Callable[[Chart, Plot, Scale, Along], None]] = {
    "bar": _bars,
    "line": _lines,
    "area": _areas,
    "point": _points,
}
