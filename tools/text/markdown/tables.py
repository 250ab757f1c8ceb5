"""Tables of Markdown to rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chardesk.tools.model.cell import BOLD, PLAIN
from chardesk.tools.text.markdown import inline
from chardesk.tools.text.markdown.styles import with_attrs
from chardesk.tools.text.markdown.tree import Block
from chardesk.tools.text.picture import Findings, Line
from chardesk.tools.text.tables import layout

_ALIGNMENTS: Mapping[str, layout.Align] = {
    "text-align:right": layout.right,
    "text-align:center": layout.center,
}


def lines(table: Block, width: int, source_lines: Sequence[str], findings: Findings) -> list[Line]:
    """The table as `layout.lines` draws it; cells wrap when the whole would be wider than `width`.

    Cells that GFM leaves out of a row (more than the header has) are named in the findings.
    """
    rows = [row for part in table.children for row in part.children]
    for row in rows:
        _report_surplus(row, source_lines, findings)
    header, *body = [[_cell(cell, findings) for cell in row.children] for row in rows]
    drawn = layout.lines(header, body, width)
    if message := layout.too_wide(drawn, width):
        findings.note("markdown-table-wide", message, table.line)
    return drawn


def _cell(block: Block, findings: Findings) -> layout.Cell:
    base = with_attrs(PLAIN, BOLD) if block.kind == "th" else PLAIN
    line = [glyph for part in inline.lines(block.words, base, findings, block.line) for glyph in part]
    return layout.Cell(line, _ALIGNMENTS.get(str(block.token.attrGet("style")), layout.left))


def _report_surplus(row: Block, source_lines: Sequence[str], findings: Findings) -> None:
    if row.line is None:
        return
    from markdown_it.rules_block.table import escapedSplit

    found = escapedSplit(source_lines[row.line - 1].strip(" \t>"))
    cells = found[(found[0] == "") : len(found) - (found[-1] == "")]
    surplus = [cell.strip() for cell in cells[len(row.children) :] if cell.strip()]
    if surplus:
        named = " | ".join(surplus)[:80]
        message = f"a row has more cells than its header; left out: {named}"
        findings.note("markdown-table-cells-left-out", message, row.line)
