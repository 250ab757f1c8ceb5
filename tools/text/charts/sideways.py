"""Charts that grow to the right: bars, and rows of small blocks."""

from __future__ import annotations

from chardesk.tools.model.cell import PLAIN
from chardesk.tools.text.charts import scale
from chardesk.tools.text.charts.axes import INTERVALS, NARROWEST, WORDS, Along, below, style_of, trimmed
from chardesk.tools.text.charts.plot import UPWARDS, Plot
from chardesk.tools.text.charts.spec import Axis, Chart, Value
from chardesk.tools.text.charts.stacks import MOST_BARS, columns_of, reach, stacks_of
from chardesk.tools.text.diagrams.rows import width as width_of
from chardesk.tools.text.picture import Findings, Line, glyphs
from chardesk.tools.text.undrawn import NotDrawn


def horizontal(chart: Chart, room: int, findings: Findings) -> list[Line]:
    """Bars to the right: a row for each name (one for each series when they are grouped)."""
    pairs: list[tuple[Value, float, str]] = [(mark.y, float(mark.x), mark.series) for mark in chart.marks]
    if len(pairs) > 5 * MOST_BARS:
        raise NotDrawn(f"it has {len(pairs)} bars; {5 * MOST_BARS} can be drawn")
    values = scale.nice(reach(chart, [pair[:2] for pair in pairs]), chart.x.domain, True, INTERVALS)
    stacks = stacks_of(chart, pairs)
    each = len(chart.series) if chart.stack == "grouped" else 1
    names = [_shortened(name, max(NARROWEST, room // 2), findings) for name in chart.y.order]
    left = max(map(width_of, names)) if chart.y.is_shown else 0
    plot = Plot(max(NARROWEST, room - left - 2), len(chart.y.order) * each)
    for at, name in enumerate(chart.y.order):
        for row, ends in columns_of(chart, stacks.get(name, []), each):
            wide = plot.columns - 1
            blocks = [
                (values.place(low) * wide, values.place(high) * wide, style) for low, high, style in ends
            ]
            plot.bar(at * each + row, blocks)
    rows = []
    for y, line in enumerate(plot.lines()):
        name = names[y // each] if y % each == 0 and chart.y.is_shown else ""
        text = " " * (left - width_of(name)) + name + " │"
        rows.append([*glyphs(text, WORDS, findings.drops), *trimmed(line)])
    along = Along(Axis("", "quantitative", (), (values.low, values.high)), list(values.ticks), plot.columns)
    head = [glyphs(chart.y.title, WORDS, findings.drops)] if chart.y.title else []
    return [*head, *rows, *below(chart.x, along, left, plot.columns, findings)]


def _shortened(name: str, room: int, findings: Findings) -> str:
    """The name, or what fits of it and `…`, which is said."""
    if width_of(name) <= room:
        return name
    findings.note("markdown-chart-names-cut", f"a name is longer than {room} columns: {name[:80]}")
    kept, taken = "", 0
    for glyph in glyphs(name, WORDS, findings.drops):
        taken += glyph.width
        if taken >= room:
            break
        kept += glyph.char
    return f"{kept}…"


def sparklines(chart: Chart, room: int, findings: Findings) -> list[Line]:
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
        if len(shown) < len(numbers):
            message = f"the sparkline shows the last {len(shown)} of {len(numbers)} values at this width"
            findings.note("markdown-chart-values-left-out", message)
        span = high - low or 1.0
        blocks = "".join(UPWARDS[1 + round(min(1.0, max(0.0, (value - low) / span)) * 7)] for value in shown)
        head = glyphs(name + " " * (left - width_of(name) + bool(left)), PLAIN, findings.drops)
        body = glyphs(blocks, style_of(chart, name), findings.drops)
        rows.append([*head, *body, *glyphs(tail, WORDS, findings.drops)])
    return rows
