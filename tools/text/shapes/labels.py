"""Words beside lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chardesk.tools.model.cell import At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.picture import columns, glyphs
from chardesk.tools.text.shapes.paper import Paper

_FAR = 5
"""Rows from a line within which its label is still seen to belong to it."""

Segment = tuple[At, At]


@dataclass(frozen=True, slots=True)
class Labels:
    """Where labels find room: on `paper`, and outside the `shapes` that their line is outside of."""

    paper: Paper
    shapes: Sequence[Rect]

    def put(self, text: str, points: Sequence[At], style: Style) -> None:
        """The words beside the line where there is room: along its longest row first, as near to its middle
        as can be. Else on it, where they hide neither a head nor another line; else a few rows from it; else
        nowhere. What does not stand beside the line is said."""
        line = glyphs(" ".join(text.split()), style, self.paper.findings.drops)
        for code, at in self._places(points, columns(line)):
            if at is not None:
                self.paper.line(at, line)
            if code is not None:
                words = "".join(glyph.char for glyph in line)
                self.paper.findings.note(code, f"{_SAID[code]}: {words[:60]}")
            return

    def _places(self, points: Sequence[At], width: int) -> Iterator[tuple[str | None, At | None]]:
        segments = sorted(pairwise(points), key=_length, reverse=True) or [(points[0], points[0])]
        walls = [rect for rect in self.shapes if not rect.covers(Rect(*points[0], 1, 1))]
        for at in (at for segment in segments for at in _beside(segment, width)):
            if self._is_free(at, width):
                yield None, at
        for at in (at for segment in segments for at in _upon(segment, width)):
            if all(self.paper.is_straight(At(at.x + column, at.y)) for column in range(width)):
                yield "shapes-label-on-line", at
        for at in _away(segments[0], width):
            words = Rect(at.x, at.y, width, 1)
            if self._is_free(at, width) and not any(wall.clip(words) for wall in walls):
                yield "shapes-label-away", at
        yield "shapes-text-cut", None

    def _is_free(self, at: At, width: int) -> bool:
        return all(self.paper.is_free(At(at.x + column, at.y)) for column in range(-1, width + 1))


_SAID = {
    "shapes-label-on-line": "there is no room beside the line for its label",
    "shapes-label-away": "there is no room at the line for its label, it stands a few rows away",
    "shapes-text-cut": "there is no room near the line for its label",
}


def _beside(segment: Segment, width: int) -> Iterator[At]:
    """Above and below a row, to the right and the left of a column, then beyond a row's ends."""
    start, end = segment
    if start.y == end.y:
        low, high = sorted((start.x, end.x))
        for left in _from_middle(low, max(low, high - width + 1), _centred(segment, width)):
            yield from (At(left, start.y - 1), At(left, start.y + 1))
        yield from (At(high + 2, start.y), At(low - 1 - width, start.y))
    else:
        low, high = sorted((start.y, end.y))
        for y in _from_middle(low, high, (low + high) // 2):
            yield from (At(start.x + 2, y), At(start.x - 1 - width, y))


def _upon(segment: Segment, width: int) -> Iterator[At]:
    """Places on a row that leave a piece of it at both ends."""
    start, end = segment
    low, high = sorted((start.x, end.x))
    if start.y == end.y:
        for left in _from_middle(low + 1, high - width, _centred(segment, width)):
            if low < left <= high - width:
                yield At(left, start.y)


def _away(segment: Segment, width: int) -> Iterator[At]:
    left, y = _centred(segment, width), (segment[0].y + segment[1].y) // 2
    for rows in range(1, _FAR + 1):
        yield from (At(left, y - rows), At(left, y + rows))


def _from_middle(low: int, high: int, middle: int) -> Iterator[int]:
    """The middle, and all that is from `low` to `high`, the nearest first."""
    yield middle
    yield from sorted((n for n in range(low, high + 1) if n != middle), key=lambda n: (abs(n - middle), n))


def _centred(segment: Segment, width: int) -> int:
    return (segment[0].x + segment[1].x - width + 1) // 2


def _length(segment: Segment) -> tuple[bool, int]:
    """Rows before columns: words run along them."""
    start, end = segment
    return start.y == end.y and start != end, abs(start.x - end.x) + abs(start.y - end.y)
