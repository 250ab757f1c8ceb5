"""Terminal output to cells: text with SGR, links, and the controls that stay within a row.

LF (and CRLF) begins the next row at its first column, CR goes back to the first column, backspace one column
to the left, tab to the next stop of 4; what is printed there replaces what stood there. Every other sequence
is removed whole and counted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from chardesk.tools.model.cell import PLAIN
from chardesk.tools.text import escapes, sgr
from chardesk.tools.text.links import target
from chardesk.tools.text.picture import Findings, Glyph, Line, Picture, glyphs
from chardesk.tools.text.plain import TAB_STOP


def read(source: str, width: int) -> Picture:
    """The picture of a terminal log. Never raises. `width` has no meaning here: a log is never wrapped."""
    del width
    findings = Findings()
    paper, pen, removed = _Paper(), sgr.Pen(), 0
    for token in escapes.tokens(source):
        match token:
            case escapes.Text(text):
                paper.print(glyphs(text, pen.style, findings.drops))
            case escapes.Move(control):
                paper.move(control)
            case escapes.Graphics(parameters):
                pen = sgr.apply(pen, parameters)
            case escapes.Link(found):
                pen = replace(pen, href=target(found))
            case escapes.Removed():
                removed += 1
            case _:
                assert_never(token)
    if removed:
        findings.note("ansi-sequences-removed", f"removed, because they draw no cells: {removed} sequences")
    return findings.picture(paper.lines())


class _Paper:
    """Rows of columns with a print position. A column is a glyph's left half, None for the right half of the
    one before it, or `_GAP`."""

    def __init__(self) -> None:
        self._rows: list[list[Glyph | None]] = [[]]
        self._column = 0

    def print(self, line: Line) -> None:
        row = self._rows[-1]
        for glyph in line:
            end = self._column + glyph.width
            row += [_GAP] * (end - len(row))
            self._tear(row, self._column)
            self._tear(row, end)
            row[self._column : end] = (glyph, None)[: glyph.width]
            self._column = end

    def move(self, control: str) -> None:
        match control:
            case "\n":
                self._rows.append([])
                self._column = 0
            case "\r":
                self._column = 0
            case "\b":
                self._column = max(0, self._column - 1)
            case _:
                self._column += TAB_STOP - self._column % TAB_STOP

    def lines(self) -> list[Line]:
        """The rows as printed; empty ones at the end are left out."""
        while self._rows and not self._rows[-1]:
            self._rows.pop()
        return [[glyph for glyph in row if glyph is not None] for row in self._rows]

    @staticmethod
    def _tear(row: list[Glyph | None], at: int) -> None:
        """Make column `at` a border between glyphs: a wide one across it becomes two gaps."""
        if at < len(row) and row[at] is None:
            row[at - 1 : at + 1] = (_GAP, _GAP)


_GAP = Glyph(" ", 1, PLAIN)
