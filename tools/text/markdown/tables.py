"""Tables to rows: columns as wide as their words, cells wrapped when the whole would be too wide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from markdown_it.rules_block.table import escapedSplit

from chardesk.tools.model.cell import BOLD, PLAIN
from chardesk.tools.text.markdown import inline
from chardesk.tools.text.markdown.styles import TABLE_LINE, with_attrs
from chardesk.tools.text.markdown.tree import Block
from chardesk.tools.text.markdown.wrap import wrap
from chardesk.tools.text.picture import Findings, Glyph, Line, columns

_GAP = 2
_NARROWEST = 3
_MAX_AREA = 1_000_000
"""Rows times columns. A table with more rows than `_MAX_AREA` // width is made narrower."""
_SPACE = Glyph(" ", 1, PLAIN)
_LINE = Glyph("━", 1, TABLE_LINE)

_Align = Callable[[int], int]
"""How much of the free columns stands to the left of the words."""

_ALIGNMENTS: dict[str, _Align] = {
    "text-align:right": lambda free: free,
    "text-align:center": lambda free: free // 2,
}


@dataclass(frozen=True, slots=True)
class _Cell:
    line: Line
    align: _Align


def lines(table: Block, width: int, source_lines: Sequence[str], findings: Findings) -> list[Line]:
    """Header, a `━` under each of its columns, rows; columns 2 apart. As wide as it must be, else `width`.

    Cells that GFM leaves out of a row (more than the header has) are named in the findings.
    """
    rows = [row for part in table.children for row in part.children]
    for row in rows:
        _report_surplus(row, source_lines, findings)
    header, *body = [[_cell(cell, findings) for cell in row.children] for row in rows]
    widths = _widths([header, *body], min(width, _MAX_AREA // len(rows)))
    rule = _joined([[_LINE] * column for column in widths])
    return [*_row(header, widths), rule, *(line for row in body for line in _row(row, widths))]


def _cell(block: Block, findings: Findings) -> _Cell:
    base = with_attrs(PLAIN, BOLD) if block.kind == "th" else PLAIN
    line = [glyph for part in inline.lines(block.words, base, findings, block.line) for glyph in part]
    return _Cell(line, _ALIGNMENTS.get(str(block.token.attrGet("style")), lambda _: 0))


def _widths(rows: Sequence[Sequence[_Cell]], width: int) -> list[int]:
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


def _row(cells: Sequence[_Cell], widths: Sequence[int]) -> list[Line]:
    wrapped = [
        [_placed(line, width, cell.align) for line in wrap(cell.line, width)]
        for cell, width in zip(cells, widths, strict=True)
    ]
    return [
        _joined([part or [_SPACE] * width for part, width in zip(parts, widths, strict=True)])
        for parts in zip_longest(*wrapped)
    ]


def _placed(line: Line, width: int, align: _Align) -> Line:
    free = max(0, width - columns(line))
    left = align(free)
    return [_SPACE] * left + line + [_SPACE] * (free - left)


def _joined(parts: Sequence[Line]) -> Line:
    """One row of the table, without blanks at its end."""
    row = [glyph for part in parts for glyph in (*part, *[_SPACE] * _GAP)]
    while row and row[-1] == _SPACE:
        row.pop()
    return row


def _report_surplus(row: Block, source_lines: Sequence[str], findings: Findings) -> None:
    if row.line is None:
        return
    found = escapedSplit(source_lines[row.line - 1].strip(" \t>"))
    cells = found[(found[0] == "") : len(found) - (found[-1] == "")]
    surplus = [cell.strip() for cell in cells[len(row.children) :] if cell.strip()]
    if surplus:
        named = " | ".join(surplus)[:80]
        message = f"a row has more cells than its header; left out: {named}"
        findings.note("markdown-table-cells-left-out", message, row.line)
