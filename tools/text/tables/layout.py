"""Rows of cells to lines: columns as wide as their words, cells wrapped when the whole would be too wide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.text.markdown.wrap import wrap
from chardesk.tools.text.picture import Glyph, Line, columns

_GAP = 2
_NARROWEST = 3
_MAX_AREA = 1_000_000
"""Rows times columns. A table with more rows than `_MAX_AREA` // width is made narrower."""

_SPACE = Glyph(" ", 1, PLAIN)
_LINE = Glyph("━", 1, Style("muted"))

Align = Callable[[int], int]
"""How much of the free columns stands to the left of the words."""


def left(free: int) -> int:
    return 0 * free


def right(free: int) -> int:
    return free


def center(free: int) -> int:
    return free // 2


@dataclass(frozen=True, slots=True)
class Cell:
    line: Line
    align: Align = left


def lines(header: Sequence[Cell], body: Sequence[Sequence[Cell]], width: int) -> list[Line]:
    """Header, a `━` under each of its columns, rows; columns 2 apart. As wide as it must be, else `width`.

    Every row has as many cells as the header, which has at least one.
    """
    widths = _widths([header, *body], min(width, _MAX_AREA // (1 + len(body))))
    rule = _joined([[_LINE] * column for column in widths])
    return [*_row(header, widths), rule, *(line for row in body for line in _row(row, widths))]


def too_wide(rows: Sequence[Line], width: int) -> str | None:
    """What there is to say about a table with so many columns that it is wider than asked for."""
    taken = max(map(columns, rows), default=0)
    return f"the table is {taken} columns wide, {width} were asked for" if taken > width else None


def _widths(rows: Sequence[Sequence[Cell]], width: int) -> list[int]:
    """What each column gets. Too wide: the widest give way first, none below 3 columns."""
    found = [max(1, *(columns(row[at].line) for row in rows)) for at in range(len(rows[0]))]
    over = sum(found) + _GAP * (len(found) - 1) - width
    while over > 0 and max(found) > _NARROWEST:
        widest = max(found)
        at = [number for number, column in enumerate(found) if column == widest]
        next_ = max([column for column in found if column < widest], default=0)
        step = min(widest - max(next_, _NARROWEST), -(-over // len(at)))
        for number in at:
            found[number] -= step
        over -= step * len(at)
    return found


def _row(cells: Sequence[Cell], widths: Sequence[int]) -> list[Line]:
    wrapped = [
        [_placed(line, width, cell.align) for line in wrap(cell.line, width)]
        for cell, width in zip(cells, widths, strict=True)
    ]
    return [
        _joined([part or [_SPACE] * width for part, width in zip(parts, widths, strict=True)])
        for parts in zip_longest(*wrapped)
    ]


def _placed(line: Line, width: int, align: Align) -> Line:
    free = max(0, width - columns(line))
    before = align(free)
    return [_SPACE] * before + line + [_SPACE] * (free - before)


def _joined(parts: Sequence[Line]) -> Line:
    """One row of the table, without blanks at its end."""
    row = [glyph for part in parts for glyph in (*part, *[_SPACE] * _GAP)]
    while row and row[-1] == _SPACE:
        row.pop()
    return row
