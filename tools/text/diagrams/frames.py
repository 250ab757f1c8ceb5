"""Frames around groups of nodes."""

from __future__ import annotations

from collections.abc import Iterator

from chardesk.tools.model.cell import At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams.boxes import corners
from chardesk.tools.text.picture import columns, glyphs
from chardesk.tools.text.shapes.paper import Paper, Pen

_FRAME = Style("muted")


def draw(paper: Paper, rect: Rect, *, is_dashed: bool) -> None:
    paper.stroke(corners(rect), Pen("light", _FRAME, is_dashed=is_dashed), closed=True)


def entitle(paper: Paper, rect: Rect, title: str) -> None:
    """The title in the upper side where no line crosses it; the layout sees to it that there is room."""
    found = glyphs(f" {title} ", _FRAME, paper.findings.drops)
    if not title:
        return
    text, taken = "".join(glyph.char for glyph in found), columns(found)
    places = [At(x, rect.y) for x in range(rect.x + 1, rect.right - taken)]
    free = (at for at in places if all(paper.cells[each].char == "─" for each in _row(at, taken)))
    paper.words(next(free, At(rect.x + 1, rect.y)), text, _FRAME)


def _row(at: At, count: int) -> Iterator[At]:
    return (At(at.x + column, at.y) for column in range(count))
