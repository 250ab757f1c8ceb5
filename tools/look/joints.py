"""Lines that hang together, and where their ends are."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from chardesk.tools.look.sketch import Sketch, opposite, step, ways
from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect, union_of


class End(NamedTuple):
    """An arm that meets no other piece; `beyond` is the cell it points to."""

    at: At
    direction: int

    @property
    def beyond(self) -> At:
        return step(self.at, self.direction)


class Line(NamedTuple):
    """Pieces that meet arm to arm, with the heads at their ends. `cells` are by y, then x."""

    cells: tuple[At, ...]
    ends: tuple[End, ...]
    heads: tuple[At, ...]

    @property
    def bounds(self) -> Rect:
        found = union_of(Rect(at.x, at.y, 1, 1) for at in (*self.cells, *self.heads))
        assert found is not None, "a line has a cell"
        return found


def lines(sketch: Sketch, without: Collection[At] = ()) -> Iterator[Line]:
    """The lines of a sketch, by their first cell; cells in `without` are no part of any."""
    left = set(sketch.arms).difference(without)
    for start in sorted(left, key=lambda at: (at.y, at.x)):
        if start in left:
            yield _line(sketch, start, left)


def _line(sketch: Sketch, start: At, left: set[At]) -> Line:
    """Takes the cells of the line that `start` belongs to out of `left`."""
    mine, waiting, ends = {start}, [start], []
    while waiting:
        at = waiting.pop()
        left.discard(at)
        for direction, weight in enumerate(sketch.arms[at]):
            beyond = step(at, direction)
            if not weight or beyond in mine:
                continue
            if sketch.meets(at, direction) and beyond in left:
                mine.add(beyond)
                waiting.append(beyond)
            else:
                ends.append(End(at, direction))
    heads = tuple(end.beyond for end in ends if sketch.heads.get(end.beyond) == end.direction)
    return Line(tuple(sorted(mine, key=lambda at: (at.y, at.x))), tuple(ends), heads)


def touches(sketch: Sketch, end: End) -> At | None:
    """The visible cell that an end leads to: next to it or to its head, or a text that is a blank away. A
    blank between the words of a title in a border counts as the border."""
    near = end.beyond
    if sketch.heads.get(near) == end.direction:
        near = step(near, end.direction)
    if near in sketch.seen or near in sketch.arms:
        return near
    far = step(near, end.direction)
    return far if far in sketch.seen and far not in sketch.arms else None


def is_straight(sketch: Sketch, at: At) -> bool:
    """Does the piece go straight through (so that it can be the end of a line, not of a box)?"""
    arms = sketch.arms[at]
    return any(arms[way] and arms[opposite(way)] for way in (0, 1)) and ways(arms) == 2


def is_corner(sketch: Sketch, at: At) -> bool:
    return ways(sketch.arms[at]) == 2 and not is_straight(sketch, at)
