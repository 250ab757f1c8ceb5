"""Frames around groups of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chardesk.tools.model.cell import At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams.graph import Group
from chardesk.tools.text.picture import columns, glyphs
from chardesk.tools.text.shapes.paper import Paper, Pen

_FRAME = Style("muted")


def draw(paper: Paper, groups: Sequence[Group], rects: Mapping[str, Rect]) -> None:
    """A frame with its title around each group's nodes; `rects` by id. A group between whose nodes others
    stand has none, and says so."""
    for group in groups:
        own = [rects[id] for id in group.members if id in rects]
        if not own:
            continue
        frame = _clear(paper, _around(own, 1 + _nesting(groups, group)))
        if any(frame.clip(rect) for id, rect in rects.items() if id not in group.members):
            message = f"the group {group.title[:40]} has no frame: other nodes stand between its own"
            paper.findings.note("markdown-diagram-group-not-framed", message)
            continue
        paper.stroke(corners(frame), Pen("light", _FRAME), closed=True)
        title = glyphs(f" {group.title} ", _FRAME, paper.findings.drops)
        if group.title and columns(title) <= frame.width - 2:
            paper.words(At(frame.x + 1, frame.y), "".join(glyph.char for glyph in title), _FRAME)


def corners(rect: Rect) -> list[At]:
    """The four corners, clockwise from the upper left."""
    right, bottom = rect.right - 1, rect.bottom - 1
    return [At(rect.x, rect.y), At(right, rect.y), At(right, bottom), At(rect.x, bottom)]


def _nesting(groups: Sequence[Group], group: Group) -> int:
    """How many groups stand within each other inside this one."""
    inner = [each for each in groups if each is not group and each.members < group.members]
    return 1 + max(_nesting(groups, each) for each in inner) if inner else 0


def _clear(paper: Paper, frame: Rect) -> Rect:
    """The frame, each side moved outwards by up to 3 so that it lies on no line that runs along it."""
    left, top, right, bottom = frame.x, frame.y, frame.right - 1, frame.bottom - 1
    along = paper.has_line_along
    left = next((x for x in range(left, left - 4, -1) if not along(At(x, top), At(x, bottom))), left)
    right = next((x for x in range(right, right + 4) if not along(At(x, top), At(x, bottom))), right)
    top = next((y for y in range(top, top - 4, -1) if not along(At(left, y), At(right, y))), top)
    bottom = next((y for y in range(bottom, bottom + 4) if not along(At(left, y), At(right, y))), bottom)
    return Rect(left, top, right - left + 1, bottom - top + 1)


def _around(rects: Sequence[Rect], margin: int) -> Rect:
    """A frame around rectangles: `margin` rows from them, and a column more."""
    left, top = min(rect.x for rect in rects) - 1 - margin, min(rect.y for rect in rects) - margin
    right, bottom = max(rect.right for rect in rects) + margin, max(rect.bottom for rect in rects) + margin
    return Rect(left, top, right - left + 1, bottom - top)
