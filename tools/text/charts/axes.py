"""The axes of a chart: where values stand in a row, and what is written below it."""

from __future__ import annotations

from collections.abc import Sequence

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.text.charts import scale
from chardesk.tools.text.charts.scale import Scale
from chardesk.tools.text.charts.spec import Axis, Chart, Value
from chardesk.tools.text.diagrams.rows import width as width_of
from chardesk.tools.text.picture import Findings, Glyph, Line, columns, glyphs

INTERVALS = 4
ROWS_A_TICK = 4
"""Ticks of a vertical axis stand four rows apart."""
NARROWEST = 10

WORDS = Style("muted")
SPACE = Glyph(" ", 1, PLAIN)
_COLORS = ("accent", "success", "warning", "info", "danger", "muted")


def style_of(chart: Chart, series: str) -> Style:
    return Style(_COLORS[chart.series.index(series) % len(_COLORS)])


def trimmed(line: Line) -> Line:
    end = len(line)
    while end and line[end - 1] == SPACE:
        end -= 1
    return line[:end]


def row_of(values: Scale, value: float) -> int:
    """The row of the plot, from the top, of a value."""
    rows = ROWS_A_TICK * (len(values.ticks) - 1)
    return rows - round(values.place(value) * rows)


class Along:
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


def along(chart: Chart, room: int) -> Along:
    return Along(chart.x, [mark.x for mark in chart.marks], room)


def below(axis: Axis, along: Along, left: int, room: int, findings: Findings) -> list[Line]:
    """The axis line with a tick over each label that fits, the labels, and the title."""
    if not axis.is_shown:
        return []
    ticks: set[int] = set()
    words: Line = []
    shown = 0
    for at, text in along.labels:
        label = glyphs(text, WORDS, findings.drops)
        begin = max(0, min(at - columns(label) // 2, room - columns(label)))
        if begin > columns(words) or not words:
            words += [SPACE] * (begin - columns(words)) + label
            ticks.add(at)
            shown += 1
    if axis.kind == "nominal" and shown < len(along.labels):
        message = f"{len(along.labels) - shown} of {len(along.labels)} names have no room below the axis"
        findings.note("markdown-chart-names-left-out", f"{message}: a bar chart to the right shows all")
    line = "".join("┬" if column in ticks else "─" for column in range(room))
    rows = [glyphs(" " * (left + 1) + "└" + line, WORDS, findings.drops)]
    rows.append([*[SPACE] * (left + 2), *words])
    if axis.title:
        indent = left + 2 + max(0, (room - width_of(axis.title)) // 2)
        rows.append([*[SPACE] * indent, *glyphs(axis.title, WORDS, findings.drops)])
    return rows
