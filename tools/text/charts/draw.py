"""Charts to lines: plot, axes, titles and legend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from chardesk.tools.model.cell import BOLD, PLAIN, Style
from chardesk.tools.text.charts import scale
from chardesk.tools.text.charts.plot import UPWARDS, Plot
from chardesk.tools.text.charts.scale import Scale
from chardesk.tools.text.charts.spec import Axis, Chart, Mark, Value, parse
from chardesk.tools.text.diagrams.rows import width as width_of
from chardesk.tools.text.picture import Findings, Glyph, Line, columns, glyphs
from chardesk.tools.text.undrawn import NotDrawn

_INTERVALS = 4
_ROWS_A_TICK = 4
"""Ticks of a vertical axis stand four rows apart."""
_NARROWEST = 10
_MOST_BARS = 200
_COLORS = ("accent", "success", "warning", "info", "danger", "muted")
_LINE, _WORDS = Style("muted"), Style("muted")
_SPACE = Glyph(" ", 1, PLAIN)


def lines(source: str, room: int, findings: Findings) -> list[Line]:
    """The rows of a chart that is `room` columns wide. Raises NotDrawn naming what is not supported."""
    chart = parse(source)
    if chart.mark == "sparkline":
        return _headed(chart, _sparklines(chart, room, findings), findings)
    if chart.x.kind == "quantitative" and chart.y.kind == "nominal" and chart.mark == "bar":
        return _headed(chart, _horizontal(chart, room, findings), findings)
    if chart.y.kind != "quantitative":
        raise NotDrawn(f"a {chart.mark} chart needs numbers on y")
    return _headed(chart, _vertical(chart, room, findings), findings)


def _headed(chart: Chart, body: list[Line], findings: Findings) -> list[Line]:
    title = [glyphs(chart.title, Style(attrs=BOLD), findings.drops), []] if chart.title else []
    return [
        *title,
        *body,
        *(_legend(chart, findings) if chart.has_legend and chart.mark != "sparkline" else []),
    ]


def _legend(chart: Chart, findings: Findings) -> list[Line]:
    line: Line = []
    for name in chart.series:
        line += [_SPACE] * (2 * bool(line))
        line += glyphs("■ ", _style(chart, name), findings.drops) + glyphs(name, PLAIN, findings.drops)
    return [[], line]


def _style(chart: Chart, series: str) -> Style:
    return Style(_COLORS[chart.series.index(series) % len(_COLORS)])


def _vertical(chart: Chart, room: int, findings: Findings) -> list[Line]:
    """Values upwards: y labels, plot, the line of x with its labels, and both titles."""
    values = scale.nice(
        _heights(chart), chart.y.domain, chart.y.from_zero or chart.mark in ("bar", "area"), _INTERVALS
    )
    labels = {_row(values, tick): scale.number(tick) for tick in values.ticks} if chart.y.is_shown else {}
    left = max((len(text) for text in labels.values()), default=0)
    plot = Plot(max(_NARROWEST, room - left - 2), _ROWS_A_TICK * (len(values.ticks) - 1) + 1)
    along = _along(chart, plot.columns)
    _MARKS[chart.mark](chart, plot, values, along)
    rows = [
        _labelled(labels.get(y, ""), left, y in labels, line, findings) for y, line in enumerate(plot.lines())
    ]
    head = [glyphs(chart.y.title, _WORDS, findings.drops)] if chart.y.title else []
    return [*head, *rows, *_below(chart.x, along, left, plot.columns, findings)]


def _labelled(text: str, left: int, is_tick: bool, line: Line, findings: Findings) -> Line:
    return [*glyphs(text.rjust(left) + " " + "│┤"[is_tick], _WORDS, findings.drops), *_trimmed(line)]


def _trimmed(line: Line) -> Line:
    end = len(line)
    while end and line[end - 1] == _SPACE:
        end -= 1
    return line[:end]


def _row(values: Scale, value: float) -> int:
    """The row of the plot, from the top, of a value."""
    rows = _ROWS_A_TICK * (len(values.ticks) - 1)
    return rows - round(values.place(value) * rows)


class _Along:
    """Where values stand along the horizontal axis, in columns; and which labels it has."""

    def __init__(self, axis: Axis, found: Sequence[Value], room: int) -> None:
        self.room = room
        self.labels: list[tuple[int, str]] = []
        self._bands = {name: at for at, name in enumerate(axis.order)}
        if axis.kind == "nominal":
            self.band = room / max(1, len(axis.order))
            self.labels = [(int(self(name)), name) for name in axis.order]
            return
        numbers = [float(value) for value in found]
        self.band = 1.0
        self._scale = scale.nice(numbers, axis.domain, False, 5)
        if axis.kind == "temporal" or len(set(numbers)) == 1:
            low, high = min(numbers), max(numbers)
            self._scale = Scale(low, high if high > low else low + 1, ())
        span = self._scale.high - self._scale.low
        if axis.kind == "temporal":
            count = max(1, min(6, room // 12))
            ticks = [self._scale.low + span * number / count for number in range(count + 1)]
            self.labels = [(round(self(tick)), scale.date(tick, span)) for tick in ticks]
        else:
            self.labels = [
                (round(self(tick)), scale.number(tick)) for tick in self._scale.ticks or numbers[:1]
            ]

    def __call__(self, value: Value) -> float:
        """The column, counted from the left, with a fraction."""
        if isinstance(value, str):
            return (self._bands.get(value, 0) + 0.5) * self.band
        return self._scale.place(value) * (self.room - 1)


def _along(chart: Chart, room: int) -> _Along:
    return _Along(chart.x, [mark.x for mark in chart.marks], room)


def _below(axis: Axis, along: _Along, left: int, room: int, findings: Findings) -> list[Line]:
    """The axis line with a tick over each label that fits, the labels, and the title."""
    if not axis.is_shown:
        return []
    ticks: set[int] = set()
    words: Line = []
    for at, text in along.labels:
        label = glyphs(text, _WORDS, findings.drops)
        begin = max(0, min(at - columns(label) // 2, room - columns(label)))
        if begin > columns(words) or not words:
            words += [_SPACE] * (begin - columns(words)) + label
            ticks.add(at)
    line = "".join("┬" if column in ticks else "─" for column in range(room))
    rows = [glyphs(" " * (left + 1) + "└" + line, _LINE, findings.drops)]
    rows.append([*[_SPACE] * (left + 2), *words])
    if axis.title:
        indent = left + 2 + max(0, (room - width_of(axis.title)) // 2)
        rows.append([*[_SPACE] * indent, *glyphs(axis.title, _WORDS, findings.drops)])
    return rows


def _heights(chart: Chart) -> list[float]:
    """The values that the axis must reach: of stacks, the sums."""
    return _reach(chart, [(mark.x, float(mark.y)) for mark in chart.marks])


def _reach(chart: Chart, pairs: Sequence[tuple[Value, float]]) -> list[float]:
    if chart.stack == "normalize":
        return [0.0, 1.0]
    if chart.stack != "zero":
        return [value for _, value in pairs]
    up: dict[Value, float] = defaultdict(float)
    down: dict[Value, float] = defaultdict(float)
    for at, value in pairs:
        (up if value >= 0 else down)[at] += value
    return [*up.values(), *down.values()]


_Stacks = dict[Value, list[tuple[str, float, float]]]
"""By place: series, from where, up to where."""


def _stacks(chart: Chart, pairs: Sequence[tuple[Value, float, str]]) -> _Stacks:
    """What stands on what. Without stacking, everything stands on 0."""
    found: _Stacks = defaultdict(list)
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


def _bars(chart: Chart, plot: Plot, values: Scale, along: _Along) -> None:
    stacks = _stacks(chart, [(mark.x, float(mark.y), mark.series) for mark in chart.marks])
    if len(stacks) > min(_MOST_BARS, plot.columns):
        raise NotDrawn(
            f"it has {len(stacks)} bars; {min(_MOST_BARS, plot.columns)} can be drawn at this width"
        )
    rows = plot.rows - 1
    band = along.band if chart.x.kind == "nominal" else max(1.0, plot.columns / (2 * len(stacks)))
    wide = max(1, int(band * 0.7))
    for at, stack in stacks.items():
        begin = int(along(at) - wide / 2 + (0.5 if chart.x.kind == "nominal" else 0))
        for column, ends in _columns(chart, stack, wide):
            blocks = [
                (_height(values, low, rows), _height(values, high, rows), style) for low, high, style in ends
            ]
            if 0 <= begin + column < plot.columns:
                plot.column(begin + column, blocks)


def _height(values: Scale, value: float, rows: int) -> float:
    """Rows from the plot's bottom up to the middle of a value's row, where its tick points; the lowest value
    is the bottom itself."""
    return values.place(value) * rows + 0.5 if value > values.low else 0.0


def _columns(
    chart: Chart, stack: Sequence[tuple[str, float, float]], wide: int
) -> list[tuple[int, list[tuple[float, float, Style]]]]:
    """What stands in each column (or row) of a band: all of the stack, or one series beside the other."""
    if chart.stack != "grouped":
        ends = [(low, high, _style(chart, series)) for series, low, high in stack]
        return [(column, ends) for column in range(wide)]
    share = max(1, wide // len(chart.series))
    return [
        (chart.series.index(series) * share + column, [(low, high, _style(chart, series))])
        for series, low, high in stack
        for column in range(max(1, share - (share > 2)))
    ]


def _ordered(chart: Chart, along: _Along) -> dict[str, list[Mark]]:
    found: dict[str, list[Mark]] = {name: [] for name in chart.series}
    for mark in chart.marks:
        found[mark.series].append(mark)
    return {name: sorted(marks, key=lambda mark: along(mark.x)) for name, marks in found.items()}


def _lines(chart: Chart, plot: Plot, values: Scale, along: _Along) -> None:
    for name, marks in _ordered(chart, along).items():
        dots = [_dot(plot, values, along, mark) for mark in marks]
        for start, end in zip(dots, dots[1:] or dots, strict=False):
            plot.segment(start, end, _style(chart, name))


def _dot(plot: Plot, values: Scale, along: _Along, mark: Mark) -> tuple[int, int]:
    """The braille dot of a mark."""
    x = round(along(mark.x) * 2)
    return min(x, 2 * plot.columns - 1), round((1 - values.place(float(mark.y))) * (4 * plot.rows - 1))


def _areas(chart: Chart, plot: Plot, values: Scale, along: _Along) -> None:
    """Every column is filled up to the line between the marks to its left and right; series are stacked."""
    rows = plot.rows - 1
    curves = {name: _curve(marks, along, plot.columns) for name, marks in _ordered(chart, along).items()}
    for x in range(plot.columns):
        pairs = [("", curve[x], name) for name, curve in curves.items() if x in curve]
        for stack in _stacks(chart, pairs).values():
            ends = [
                (_height(values, low, rows), _height(values, high, rows), _style(chart, name))
                for name, low, high in stack
            ]
            plot.column(x, ends)


def _curve(marks: Sequence[Mark], along: _Along, room: int) -> dict[int, float]:
    places = [(along(mark.x), float(mark.y)) for mark in marks]
    found: dict[int, float] = {}
    for (x1, y1), (x2, y2) in zip(places, places[1:] or places, strict=False):
        for x in range(max(0, round(x1)), min(room - 1, round(x2)) + 1):
            share = min(1.0, max(0.0, (x - x1) / (x2 - x1))) if x2 > x1 else 0.0
            found[x] = y1 + (y2 - y1) * share
    return found


def _points(chart: Chart, plot: Plot, values: Scale, along: _Along) -> None:
    for mark in chart.marks:
        x = min(plot.columns - 1, round(along(mark.x)))
        plot.point(x, _row(values, float(mark.y)), "●", _style(chart, mark.series))


_MARKS: Mapping[str, Callable[[Chart, Plot, Scale, _Along], None]] = {
    "bar": _bars,
    "line": _lines,
    "area": _areas,
    "point": _points,
}


def _horizontal(chart: Chart, room: int, findings: Findings) -> list[Line]:
    """Bars to the right: a row for each name (one for each series when they are grouped)."""
    pairs: list[tuple[Value, float, str]] = [(mark.y, float(mark.x), mark.series) for mark in chart.marks]
    if len(pairs) > 5 * _MOST_BARS:
        raise NotDrawn(f"it has {len(pairs)} bars; {5 * _MOST_BARS} can be drawn")
    values = scale.nice(_reach(chart, [pair[:2] for pair in pairs]), chart.x.domain, True, _INTERVALS)
    stacks = _stacks(chart, pairs)
    each = len(chart.series) if chart.stack == "grouped" else 1
    left = max(map(width_of, chart.y.order)) if chart.y.is_shown else 0
    plot = Plot(max(_NARROWEST, room - left - 2), len(chart.y.order) * each)
    for at, name in enumerate(chart.y.order):
        for row, ends in _columns(chart, stacks.get(name, []), each):
            wide = plot.columns - 1
            blocks = [
                (values.place(low) * wide, values.place(high) * wide, style) for low, high, style in ends
            ]
            plot.bar(at * each + row, blocks)
    rows = []
    for y, line in enumerate(plot.lines()):
        name = chart.y.order[y // each] if y % each == 0 and chart.y.is_shown else ""
        text = " " * (left - width_of(name)) + name + " │"
        rows.append([*glyphs(text, _WORDS, findings.drops), *_trimmed(line)])
    along = _Along(Axis("", "quantitative", (), (values.low, values.high)), list(values.ticks), plot.columns)
    head = [glyphs(chart.y.title, _WORDS, findings.drops)] if chart.y.title else []
    return [*head, *rows, *_below(chart.x, along, left, plot.columns, findings)]


def _sparklines(chart: Chart, room: int, findings: Findings) -> list[Line]:
    """A row for each series: its name, a column for each value, the last value."""
    left = max(map(width_of, chart.series))
    rows = []
    for name in chart.series:
        numbers = [
            float(mark.y) for mark in chart.marks if mark.series == name and not isinstance(mark.y, str)
        ]
        if not numbers:
            raise NotDrawn("a sparkline needs numbers")
        low, high = chart.y.domain or (min(numbers), max(numbers))
        tail = f" {scale.number(numbers[-1])}"
        shown = numbers[-max(1, room - left - len(tail) - 1) :]
        span = high - low or 1.0
        blocks = "".join(UPWARDS[1 + round(min(1.0, max(0.0, (value - low) / span)) * 7)] for value in shown)
        head = glyphs(name + " " * (left - width_of(name) + bool(left)), PLAIN, findings.drops)
        body = glyphs(blocks, _style(chart, name), findings.drops)
        rows.append([*head, *body, *glyphs(tail, _WORDS, findings.drops)])
    return rows
