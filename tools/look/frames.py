"""Boxes found among line pieces: closed rectangles, and the compartments that lines divide them into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from chardesk.tools.look.sketch import Sketch, opposite, step
from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect

UP, RIGHT, DOWN, LEFT = range(4)

_MAX_BOX, _MAX_CELL = 64, 8
"""Junctions along an edge that are tried as the opposite corner, of a whole box and of a compartment."""

_MAX_SORTED = 1000
"""Boxes and compartments that are looked at together; an outline tells of 200."""


def frames(sketch: Sketch) -> tuple[list[Rect], list[Rect]]:
    """Boxes, by y then x, and their compartments: what a grid's or a title's lines make of a box.

    A box begins at a plain corner and is the largest rectangle closed on all sides from there; a compartment
    is the smallest from any corner that is no whole box. One that no box holds is a box too.
    """
    across, along = _reach(sketch, RIGHT), _reach(sketch, DOWN)
    boxes: list[Rect] = []
    cells: list[Rect] = []
    for at, arms in sorted(sketch.arms.items(), key=lambda item: (item[0].y, item[0].x)):
        if not (arms.right and arms.down):
            continue
        if not (arms.up or arms.left):
            boxes += islice(_closed(sketch, at, across, along, _MAX_BOX), 1)
        cells += islice(_closed(sketch, at, across, along, -_MAX_CELL), 1)
    return _sorted(boxes, cells)


def _sorted(boxes: list[Rect], cells: list[Rect]) -> tuple[list[Rect], list[Rect]]:
    """A compartment that is in no box is a box itself: one that hangs from a line, or a cell of a lattice."""
    whole = boxes[:_MAX_SORTED]
    free = {cell for cell in cells[:_MAX_SORTED] if not any(box.covers(cell) for box in whole)}
    found = sorted({*boxes, *free}, key=lambda rect: (rect.y, rect.x))
    known = set(found)
    return found, [cell for cell in cells if cell not in known]


def border(rect: Rect) -> Iterator[At]:
    """The cells of a box's lines."""
    for x in range(rect.x, rect.right):
        yield At(x, rect.y)
        yield At(x, rect.bottom - 1)
    for y in range(rect.y + 1, rect.bottom - 1):
        yield At(rect.x, y)
        yield At(rect.right - 1, y)


def _reach(sketch: Sketch, direction: int) -> Mapping[At, int]:
    """How many cells a line goes on from each piece in a direction, unbroken."""
    found: dict[At, int] = {}
    order = sorted(sketch.arms, key=lambda at: at.x if direction == RIGHT else at.y, reverse=True)
    for at in order:
        found[at] = 1 + found[step(at, direction)] if sketch.meets(at, direction) else 0
    return found


def _closed(
    sketch: Sketch, at: At, across: Mapping[At, int], along: Mapping[At, int], limit: int
) -> Iterator[Rect]:
    """Closed rectangles with their left top corner at `at`: the widest first, or the narrowest first with
    a negative limit."""
    order = 1 if limit < 0 else -1
    rights = list(islice(_corners(sketch, at, RIGHT, across[at], DOWN), abs(limit)))[::order]
    bottoms = list(islice(_corners(sketch, at, DOWN, along[at], RIGHT), abs(limit)))[::order]
    for columns in rights:
        for rows in bottoms:
            is_right_whole = along[step(at, RIGHT, columns)] >= rows
            if is_right_whole and across[step(at, DOWN, rows)] >= columns:
                yield Rect(at.x, at.y, columns + 1, rows + 1)


def _corners(sketch: Sketch, at: At, direction: int, reach: int, turn: int) -> Iterator[int]:
    """How far along the line pieces stand that also go the other way, nearest first."""
    for cells in range(1, reach + 1):
        arms = sketch.arms[step(at, direction, cells)]
        if arms[turn] and arms[opposite(direction)]:
            yield cells
