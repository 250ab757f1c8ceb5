"""Tables with borders, as shapes."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.picture import Findings, columns, glyphs
from chardesk.tools.text.shapes.paper import Paper, Pen
from chardesk.tools.text.shapes.spec import Table

_PADDING = 1


def rect(table: Table) -> Rect:
    """Where the table stands, borders and all."""
    return Rect(table.at.x, table.at.y, _borders(table)[-1] + 1, len(table.rows) + 2 + _has_rule(table))


def draw(paper: Paper, table: Table, area: Rect) -> None:
    """Borders, a rule under the header, cells; numbers stand to the right."""
    pen = Pen(table.border, Style(table.color), table.join)
    borders = [area.x + border for border in _borders(table)]
    right, bottom = area.right - 1, area.bottom - 1
    paper.stroke(
        [At(area.x, area.y), At(right, area.y), At(right, bottom), At(area.x, bottom)], pen, closed=True
    )
    for x in borders[1:-1]:
        paper.stroke([At(x, area.y), At(x, bottom)], replace(pen, joins=True))
    if _has_rule(table):
        paper.stroke([At(area.x, area.y + 2), At(right, area.y + 2)], replace(pen, joins=True))
    for number, row in enumerate(table.rows):
        y = area.y + 1 + number + (_has_rule(table) and number > 0)
        is_header = table.header and number == 0
        style = replace(table.words_style, attrs=BOLD) if is_header else table.words_style
        for cell, left, end in zip(row, borders, borders[1:], strict=False):
            _cell(paper, cell, Rect(left + 1, y, end - left - 1, 1), style)


def _cell(paper: Paper, cell: str | float | bool | None, room: Rect, style: Style) -> None:
    words = _words(cell)
    is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
    free = room.width - 2 * _PADDING - _width(words)
    paper.words(At(room.x + _PADDING + (free if is_number else 0), room.y), words, style)


def _borders(table: Table) -> list[int]:
    """The columns of the vertical lines, from the table's left one (0) to its right one."""
    count = max(1, *map(len, table.rows))
    widths = [
        max(1, *(_width(_words(row[at])) if at < len(row) else 0 for row in table.rows))
        for at in range(count)
    ]
    return list(accumulate((width + 2 * _PADDING + 1 for width in widths), initial=0))


def _has_rule(table: Table) -> bool:
    return table.header and len(table.rows) > 1


def _words(cell: str | float | bool | None) -> str:
    match cell:
        case None:
            return ""
        case bool():
            return "true" if cell else "false"
        case _:
            return " ".join(str(cell).split())


def _width(text: str) -> int:
    return columns(glyphs(text, PLAIN, Findings().drops))
