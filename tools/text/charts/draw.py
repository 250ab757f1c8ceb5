"""Charts to lines: plot, axes, titles and legend."""

from __future__ import annotations

from chardesk.tools.model.cell import BOLD, PLAIN, Style
from chardesk.tools.text.charts import scale
from chardesk.tools.text.charts.axes import (
    INTERVALS,
    NARROWEST,
    ROWS_A_TICK,
    SPACE,
    WORDS,
    below,
    row_of,
    style_of,
    trimmed,
)
from chardesk.tools.text.charts.axes import along as along_of
from chardesk.tools.text.charts.marks import MARKS
from chardesk.tools.text.charts.plot import Plot
from chardesk.tools.text.charts.sideways import horizontal, sparklines
from chardesk.tools.text.charts.spec import Chart, parse
from chardesk.tools.text.charts.stacks import heights
from chardesk.tools.text.diagrams.rows import wrapped
from chardesk.tools.text.picture import Findings, Line, columns, glyphs
from chardesk.tools.text.undrawn import NotDrawn


def lines(source: str, room: int, findings: Findings) -> list[Line]:
    """The rows of a chart that is `room` columns wide. Raises NotDrawn naming what is not supported."""
    chart = parse(source)
    if chart.rows_left_out:
        message = f"{chart.rows_left_out} of the rows lack a number or time that is needed; they are left out"
        findings.note("markdown-chart-rows-left-out", message)
    if chart.mark == "sparkline":
        return _headed(chart, sparklines(chart, room, findings), room, findings)
    if chart.x.kind == "quantitative" and chart.y.kind == "nominal" and chart.mark == "bar":
        return _headed(chart, horizontal(chart, room, findings), room, findings)
    if chart.y.kind != "quantitative":
        raise NotDrawn(f"a {chart.mark} chart needs numbers on y")
    return _headed(chart, _vertical(chart, room, findings), room, findings)


def _headed(chart: Chart, body: list[Line], room: int, findings: Findings) -> list[Line]:
    words = wrapped(chart.title, room) if chart.title else []
    title = [glyphs(row, Style(attrs=BOLD), findings.drops) for row in words]
    has_legend = chart.has_legend and chart.mark != "sparkline"
    return [*title, *([[]] * bool(title)), *body, *(_legend(chart, room, findings) if has_legend else [])]


def _legend(chart: Chart, room: int, findings: Findings) -> list[Line]:
    """The names of the series by colour, as many in a row as there is room for."""
    rows: list[Line] = [[]]
    for name in chart.series:
        entry = glyphs("■ ", style_of(chart, name), findings.drops) + glyphs(name, PLAIN, findings.drops)
        if rows[-1] and columns(rows[-1]) + 2 + columns(entry) > room:
            rows.append([])
        rows[-1] += [SPACE] * (2 * bool(rows[-1])) + entry
    return [[], *rows]


def _vertical(chart: Chart, room: int, findings: Findings) -> list[Line]:
    """Values upwards: y labels, plot, the line of x with its labels, and both titles."""
    values = scale.nice(
        heights(chart), chart.y.domain, chart.y.from_zero or chart.mark in ("bar", "area"), INTERVALS
    )
    labels = {row_of(values, tick): scale.number(tick) for tick in values.ticks} if chart.y.is_shown else {}
    left = max((len(text) for text in labels.values()), default=0)
    plot = Plot(max(NARROWEST, room - left - 2), ROWS_A_TICK * (len(values.ticks) - 1) + 1)
    along = along_of(chart, plot.columns)
    MARKS[chart.mark](chart, plot, values, along)
    rows = [
        _labelled(labels.get(y, ""), left, y in labels, line, findings) for y, line in enumerate(plot.lines())
    ]
    head = [glyphs(chart.y.title, WORDS, findings.drops)] if chart.y.title else []
    return [*head, *rows, *below(chart.x, along, left, plot.columns, findings)]


def _labelled(text: str, left: int, is_tick: bool, line: Line, findings: Findings) -> Line:
    return [*glyphs(text.rjust(left) + " " + "│┤"[is_tick], WORDS, findings.drops), *trimmed(line)]
