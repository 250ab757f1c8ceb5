"""Ways for lines between shapes: in rows and columns, around what stands between, with few bends.

The search does not walk cell by cell but along the rows and columns where a line may want to turn: beside
every shape and through the ends. Its cost depends on the number of shapes, not on how far apart they are.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect
from chardesk.tools.text.shapes.pieces import STEPS

_BEND = 6
_NEAR = 3
_ALONG = 40
_CROSSING = 4
"""Costs in columns of detour: a bend; one right at a shape's side; sharing a line's way; crossing a line."""

_EAGERNESS = 1.5
"""How much the distance that is left counts. More than 1 finds a good way sooner, not always the best."""

_MOST_STEPS = 60_000
"""Places looked at for all lines of a drawing, about a second. Then the lines go straight."""

_CLEARANCES = (2, 4)
"""Distances from a shape's side at which lines may run, so that a few find room beside each other."""


class Port(NamedTuple):
    """Where a line may begin or end: the free place outside, the direction it leaves in, what it costs."""

    at: At
    way: int
    cost: float


class _State(NamedTuple):
    """A place on the grid, by column and row number, and the direction in which it was entered."""

    i: int
    j: int
    way: int


@dataclass(slots=True)
class Streets:
    """The lines that are drawn already; new ones cross them rather than run along them. `steps_left` bounds
    the search for all lines together."""

    rows: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    columns: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    steps_left: int = _MOST_STEPS

    def add(self, points: Sequence[At]) -> None:
        for start, end in pairwise(points):
            (x1, x2), (y1, y2) = sorted((start.x, end.x)), sorted((start.y, end.y))
            if y1 == y2:
                self.rows.setdefault(y1, []).append((x1, x2))
            else:
                self.columns.setdefault(x1, []).append((y1, y2))

    def holds(self, at: At) -> bool:
        """Does a line pass here?"""
        row, column = self.rows.get(at.y, ()), self.columns.get(at.x, ())
        return any(first <= at.x <= last for first, last in row) or any(
            first <= at.y <= last for first, last in column
        )

    def cost(self, start: At, end: At) -> float:
        """What it costs to go from one place to a neighbouring one of the grid."""
        if start.y == end.y:
            taken, across = self.rows.get(start.y, ()), self.columns
            return _toll(taken, start.x, end.x) + _crossings(across, start.x, end.x, end.y)
        taken, across = self.columns.get(start.x, ()), self.rows
        return _toll(taken, start.y, end.y) + _crossings(across, start.y, end.y, end.x)


def _toll(taken: Iterable[tuple[int, int]], start: int, end: int) -> float:
    low, high = sorted((start, end))
    return _ALONG * any(first <= high and low <= last for first, last in taken)


def _crossings(across: dict[int, list[tuple[int, int]]], start: int, end: int, along: int) -> float:
    """The cost of what is crossed between `start`, not counted, and `end`, counted."""
    low, high = (start + 1, end) if start < end else (end, start - 1)
    met = (each for at, each in across.items() if low <= at <= high)
    return _CROSSING * sum(any(first <= along <= last for first, last in each) for each in met)


def route(
    sources: Sequence[Port], targets: Sequence[Port], obstacles: Sequence[Rect], streets: Streets
) -> list[At] | None:
    """The corners of a cheap way from a source's place to a target's, both included; None if there is none,
    or `streets` has no steps left. `targets` have the direction that leaves them, as sources have."""
    grid = _Grid(sources, targets, obstacles, streets)
    found = grid.search()
    return None if found is None else _corners(found)


class _Grid:
    def __init__(
        self, sources: Sequence[Port], targets: Sequence[Port], obstacles: Sequence[Rect], streets: Streets
    ) -> None:
        ends = [port.at for port in (*sources, *targets)]
        self._xs = _lines((at.x for at in ends), ((rect.x, rect.right) for rect in obstacles))
        self._ys = _lines((at.y for at in ends), ((rect.y, rect.bottom) for rect in obstacles))
        self._sources, self._targets = sources, targets
        self._obstacles, self._streets = obstacles, streets
        self._rects_by_row: dict[int, list[Rect]] = {}
        self._open: dict[At, bool] = {}
        self._goal = _around(port.at for port in targets)

    def search(self) -> list[At] | None:
        """A* over places and directions."""
        ends = {self._state(port.at, (port.way + 2) % 4): port.cost for port in self._targets}
        costs: dict[_State, float] = {}
        came: dict[_State, _State | None] = {}
        queue: list[tuple[float, float, _State]] = []
        for port in self._sources:
            self._offer(self._state(port.at, port.way), port.cost, None, costs, came, queue)
        while queue and self._streets.steps_left > 0:
            self._streets.steps_left -= 1
            _, cost, state = heapq.heappop(queue)
            if state.i < 0:
                return self._way_to(came[state], came)
            if cost > costs[state]:
                continue
            if state in ends:
                self._offer(_State(-1, -1, 0), cost + ends[state], state, costs, came, queue)
            for after, step in self._steps(state):
                self._offer(after, cost + step, state, costs, came, queue)
        return None

    def _offer(
        self,
        state: _State,
        cost: float,
        before: _State | None,
        costs: dict[_State, float],
        came: dict[_State, _State | None],
        queue: list[tuple[float, float, _State]],
    ) -> None:
        if cost < costs.get(state, float("inf")) and (state.i < 0 or self._is_open(self._at(state))):
            costs[state] = cost
            came[state] = before
            heapq.heappush(queue, (cost + self._rest(state), cost, state))

    def _steps(self, state: _State) -> Iterator[tuple[_State, float]]:
        here = self._at(state)
        for way, (x, y) in enumerate(STEPS):
            i, j = state.i + x, state.j + y
            if way == (state.way + 2) % 4 or not (0 <= i < len(self._xs) and 0 <= j < len(self._ys)):
                continue
            after = _State(i, j, way)
            there = self._at(after)
            cost = abs(there.x - here.x) + abs(there.y - here.y) + self._streets.cost(here, there)
            if way != state.way:
                cost += _BEND + (_NEAR if self._is_near(here) else 0)
            yield after, cost

    def _rest(self, state: _State) -> float:
        """About what the rest of the way costs: its columns and rows, and the bend between them."""
        if state.i < 0:
            return 0
        at, goal = self._at(state), self._goal
        columns = max(goal.x - at.x, 0, at.x - goal.right + 1)
        rows = max(goal.y - at.y, 0, at.y - goal.bottom + 1)
        return _EAGERNESS * (columns + rows) + (_BEND if columns and rows else 0)

    def _is_open(self, at: At) -> bool:
        if at not in self._open:
            self._open[at] = not any(rect.x <= at.x < rect.right for rect in self._rects_at(at.y))
        return self._open[at]

    def _is_near(self, at: At) -> bool:
        rows = (at.y - 1, at.y, at.y + 1)
        return any(rect.x - 1 <= at.x <= rect.right for y in rows for rect in self._rects_at(y))

    def _rects_at(self, y: int) -> list[Rect]:
        if y not in self._rects_by_row:
            self._rects_by_row[y] = [rect for rect in self._obstacles if rect.y <= y < rect.bottom]
        return self._rects_by_row[y]

    def _at(self, state: _State) -> At:
        return At(self._xs[state.i], self._ys[state.j])

    def _state(self, at: At, way: int) -> _State:
        return _State(bisect_left(self._xs, at.x), bisect_left(self._ys, at.y), way)

    def _way_to(self, state: _State | None, came: dict[_State, _State | None]) -> list[At]:
        found = []
        while state is not None:
            found.append(self._at(state))
            state = came[state]
        return found[::-1]


def _lines(ends: Iterable[int], sides: Iterable[tuple[int, int]]) -> list[int]:
    """Columns (or rows) of the grid. A shape's own sides are among them, so that no step jumps over it."""
    found = set(ends)
    for first, last in sides:
        found |= {first, last - 1}
        for clearance in _CLEARANCES:
            found |= {first - clearance, last - 1 + clearance}
    return sorted(found)


def _around(places: Iterable[At]) -> Rect:
    xs, ys = zip(*places, strict=True)
    return Rect(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)


def _corners(path: Sequence[At]) -> list[At]:
    """The path without the places it goes straight through."""
    found = [path[0]]
    for before, here, after in zip(path, path[1:], path[2:], strict=False):
        if not (before.x == here.x == after.x or before.y == here.y == after.y):
            found.append(here)
    return [*found, path[-1]] if len(path) > 1 else found
