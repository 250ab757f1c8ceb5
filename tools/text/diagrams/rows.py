"""Cells by place as lines, and how wide words are: what every diagram needs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from chardesk.tools.model.cell import PLAIN, At
from chardesk.tools.text.picture import Findings, Glyph, Line, columns, glyphs

_WIDE = "\u1100-\u115f\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
_PIECE = re.compile(rf"\s*(?:[{_WIDE}][、。，．：；！？）」』】〉》”’]*|[^\s{_WIDE}]+)|\s+")

__all__ = ["Line", "rows_of", "trimmed", "width"]


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


def trimmed(line: Line) -> Line:
    """The line without blanks at its end."""
    end = len(line)
    while end and line[end - 1].char == " ":
        end -= 1
    return line[:end]


def wrapped(text: str, limit: int | None) -> list[str]:
    """The text in rows of at most `limit` columns, at least one. Broken between words and between wide
    characters; a longer word stays whole."""
    if limit is None or width(text) <= limit:
        return [text]
    rows = [""]
    for piece in _PIECE.findall(text):
        longer = f"{rows[-1]}{piece}"
        if rows[-1] and width(longer.rstrip()) > limit:
            rows.append(piece.lstrip())
        else:
            rows[-1] = longer
    return [row.rstrip() for row in rows]


def width(text: str) -> int:
    """The columns of a text as it would be drawn."""
    return columns(glyphs(text, PLAIN, Findings().drops))
