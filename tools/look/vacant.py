"""Free space: where a rectangle fits between what can be seen, nearest first."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections.abc import Iterator

from chardesk.tools.look.budget import Budget
from chardesk.tools.look.occupied import occupied
from chardesk.tools.model.cell import MAX_COORDINATE, At
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size

MAX_PLACES = 5
MARGIN = 1
"""Columns and rows left free around a place, so that what is drawn there touches nothing."""

_ROW_WEIGHT = 2
"""A row is about as high as two columns are wide: what is near is near to the eye."""

_WIDE = 10_000
"""Blanks that a pattern counts; a longer stretch of them may part two obstacles where it need not."""

_ENDLESS = Rect(-MAX_COORDINATE, -MAX_COORDINATE, 2 * MAX_COORDINATE, 2 * MAX_COORDINATE)


class Obstacles:
    """Occupied stretches by row: what a place and its margin must not touch."""

    def __init__(self) -> None:
        self._rows: dict[int, list[tuple[int, int]]] = {}
        self.order: list[int] = []

    def add(self, y: int, x: int, end: int) -> None:
        if y not in self._rows:
            self._rows[y] = []
            insort(self.order, y)
        self._rows[y].append((x, end))

    def between(self, top: int, bottom: int) -> Iterator[tuple[int, int]]:
        """The stretches of rows `top .. bottom`, half-open."""
        for at in range(bisect_left(self.order, top), len(self.order)):
            if self.order[at] >= bottom:
                return
            yield from self._rows[self.order[at]]


def vacant(scene: Scene, within: Rect | None, size: Size, near: At, budget: Budget) -> list[Rect]:
    """Up to 5 places of this size inside `within`, the nearest to `near` first; they don't overlap.

    Distance is measured to a place's corner. Free means: nothing visible inside nor in a margin of one
    around; a margin may reach over the edges of `within`. Empty when it fits nowhere. Raises Refused
    `search_limit`, never a part.
    """
    area = within or _ENDLESS
    if size.columns > area.width or size.rows > area.height:
        return []
    found: list[Rect] = []
    obstacles = _obstacles(scene, within and _grown(within), size.columns, budget)
    while len(found) < MAX_PLACES and (place := _nearest(obstacles, area, size, near, budget)) is not None:
        found.append(place)
        for y in range(place.y, place.bottom):
            budget.spend(1)
            obstacles.add(y, place.x, place.right)
    return found


def _grown(rect: Rect) -> Rect:
    return Rect(rect.x - MARGIN, rect.y - MARGIN, rect.width + 2 * MARGIN, rect.height + 2 * MARGIN)


def _obstacles(scene: Scene, around: Rect | None, columns: int, budget: Budget) -> Obstacles:
    """What can be seen; where no place fits between two stretches of a row, they are one."""
    found = Obstacles()
    room = columns + 2 * MARGIN
    stretch = re.compile(rf"\S+(?:\s{{1,{min(room - 1, _WIDE)}}}\S+)*")
    for y, x, mask in occupied(scene, around, room):
        budget.spend(len(mask))
        for match in stretch.finditer(mask):
            found.add(y, x + match.start(), x + match.end())
    return found


def _nearest(obstacles: Obstacles, area: Rect, size: Size, near: At, budget: Budget) -> Rect | None:
    """The nearest place. Its corner is level with `near` or just clear of a row with something in it."""
    lowest, highest = area.y, area.bottom - size.rows
    start = min(max(near.y, lowest), highest)
    clear = (y for row in obstacles.order for y in (row - size.rows - MARGIN, row + 1 + MARGIN))
    tried = {start, lowest, highest, *(y for y in clear if lowest <= y <= highest)}
    best: tuple[int, int, int] | None = None
    for y in sorted(tried, key=lambda y: (abs(y - near.y), y)):
        away = (_ROW_WEIGHT * (y - near.y)) ** 2
        if best is not None and away > best[0]:
            break
        for x in _columns(obstacles, area, size, near.x, y, budget):
            ranked = ((x - near.x) ** 2 + away, y, x)
            best = ranked if best is None else min(best, ranked)
    return None if best is None else Rect(best[2], best[1], size.columns, size.rows)


def _columns(
    obstacles: Obstacles, area: Rect, size: Size, near_x: int, y: int, budget: Budget
) -> Iterator[int]:
    """The free columns for a corner in row `y` that are nearest to `near_x`, one on each side at most."""
    leftmost, rightmost = area.x, area.right - size.columns
    blocked = sorted(
        (x - size.columns - MARGIN + 1, end + MARGIN)
        for x, end in obstacles.between(y - MARGIN, y + size.rows + MARGIN)
    )
    budget.spend(len(blocked) + 1)
    left = right = min(max(near_x, leftmost), rightmost)
    for begin, end in blocked:
        if begin <= right < end:
            right = end
    for begin, end in sorted(blocked, key=lambda span: span[1], reverse=True):
        if begin <= left < end:
            left = begin - 1
    yield from (x for x in {left, right} if leftmost <= x <= rightmost)
