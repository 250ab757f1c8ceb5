"""Cells by place as lines, and how wide words are: what every diagram needs."""

from __future__ import annotations

from collections.abc import Mapping

from chardesk.tools.model.cell import PLAIN, At
from chardesk.tools.text.picture import Findings, Glyph, Line, columns, glyphs

__all__ = ["Line", "rows_of", "width"]


def rows_of(cells: Mapping[At, Glyph]) -> list[Line]:
    """Cells by place as lines that begin at the leftmost column, blanks between them; no cells, no lines."""
    if not cells:
        return []
    left, top = min(at.x for at in cells), min(at.y for at in cells)
    found: list[Line] = [[] for _ in range(max(at.y for at in cells) - top + 1)]
    ends = [left] * len(found)
    for at, glyph in sorted(cells.items()):
        line, number = found[at.y - top], at.y - top
        line += [Glyph(" ", 1, PLAIN)] * (at.x - ends[number])
        line.append(glyph)
        ends[number] = at.x + glyph.width
    return found


def width(text: str) -> int:
    """The columns of a text as it would be drawn."""
    return columns(glyphs(text, PLAIN, Findings().drops))
