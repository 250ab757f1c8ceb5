"""Lines and arrows between shapes: where they leave, which way they go, their heads and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chardesk.tools.model.cell import At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.picture import columns, glyphs
from chardesk.tools.text.shapes.paper import Paper, Pen
from chardesk.tools.text.shapes.pieces import STEPS
from chardesk.tools.text.shapes.route import Port, Streets, route
from chardesk.tools.text.shapes.spec import Connector

_SIDES = {"top": 0, "right": 1, "bottom": 2, "left": 3}
_HEADS = {True: "^>v<", False: "▲►▼◄"}
"""By direction; the first for lines of ASCII."""

_OFF_CENTRE = 2.0
"""What a port costs for each column from the middle of its side, in columns of detour."""


@dataclass(slots=True)
class Wiring:
    """What connectors share: the shapes they join, what stands in the way, and the lines drawn so far.

    `joined` are the ids of shapes with a border that a line can grow out of.
    """

    paper: Paper
    rects: Mapping[str, Rect]
    obstacles: Sequence[Rect]
    joined: frozenset[str]
    streets: Streets
    taken: set[At]

    def draw(self, connector: Connector) -> list[At]:
        """Draw the line. Returns its corners, for the label."""
        points = list(connector.points or self._routed(connector))
        pen = Pen(connector.border, Style(connector.color), connector.join)
        points = _squared(points)
        self.streets.add(points)
        ends = self._grown(connector, points) if connector.points is None else points
        if len(ends) > 1 or connector.type == "line":
            self.paper.stroke(ends, pen)
        if connector.type == "arrow":
            self._heads(connector, points, pen)
        return points

    def _routed(self, connector: Connector) -> list[At]:
        start, end = connector.from_, connector.to
        assert start is not None
        assert end is not None
        sources = self._ports(start, end, connector.from_side)
        targets = self._ports(end, start, connector.to_side)
        inside = [self._rect(start), self._rect(end)]
        obstacles = [rect for rect in self.obstacles if not any(_holds(rect, each) for each in inside)]
        ends = {port.at for port in (*sources, *targets)}
        obstacles += [Rect(at.x, at.y, 1, 1) for at in self.taken if at not in ends]
        found = route(sources, targets, obstacles, self.streets)
        if found is None:
            name = f"{connector.type} from {_name(start)} to {_name(end)}"
            self.paper.findings.note(
                "shapes-no-way", f"there is no free way for the {name}; it goes straight"
            )
            found = [sources[0].at, targets[0].at]
        self.taken |= {found[0], found[-1]}
        return found

    def _rect(self, end: str | At) -> Rect:
        return self.rects[end] if isinstance(end, str) else Rect(end.x, end.y, 1, 1)

    def _ports(self, end: str | At, other: str | At, side: str | None) -> list[Port]:
        """Places just outside a shape, best first; a point is its own place, left in any direction."""
        ways = range(4) if side is None else (_SIDES[side],)
        if not isinstance(end, str):
            return [Port(end, way, 0) for way in ways]
        rect, towards = self.rects[end], self._rect(other)
        ports = [port for way in ways for port in _side_ports(rect, towards, way)]
        free = [port for port in ports if port.at not in self.taken] or ports
        return sorted(free, key=lambda port: (port.cost + _distance(port.at, towards), port.way))

    def _grown(self, connector: Connector, points: list[At]) -> list[At]:
        """The line's corners, with the border it grows out of at the ends that have no head."""
        found = list(points)
        for at_start, end in ((True, connector.from_), (False, connector.to)):
            if end in self.joined and connector.join and not _has_head(connector, at_start):
                place = found[0] if at_start else found[-1]
                border = _nearest(self.rects[str(end)], place)
                found = [border, *found] if at_start else [*found, border]
        return found

    def _heads(self, connector: Connector, points: list[At], pen: Pen) -> None:
        """A head stands on the last place of the line and points on in the line's direction."""
        heads = _HEADS[connector.border == "ascii"]
        for at_start in (True, False):
            if _has_head(connector, at_start):
                line = points[::-1] if at_start else points
                end = connector.from_ if at_start else connector.to
                start = connector.to if at_start else connector.from_
                way = self._pointing(line, start, end)
                self.paper.words(line[-1], heads[way], pen.style)

    def _pointing(self, line: list[At], start: str | At | None, end: str | At | None) -> int:
        if isinstance(end, str):
            border = _nearest(self.rects[end], line[-1])
            return _direction(line[-1], border)
        if len(line) > 1:
            return _direction(line[-2], line[-1])
        return _direction(_nearest(self.rects[start], line[-1]), line[-1]) if isinstance(start, str) else 1


def label(paper: Paper, text: str, points: Sequence[At], style: Style) -> None:
    """The words where there is room beside the line, above its longest row first; else on it, with a note."""
    line = glyphs(" ".join(text.split()), style, paper.findings.drops)
    words = "".join(glyph.char for glyph in line)
    width = columns(line)
    segments = sorted(pairwise(points), key=_length, reverse=True)
    places = [place for segment in segments for place in _beside(segment, width)]
    for at in places:
        if all(paper.is_free(At(at.x + column, at.y)) for column in range(-1, width + 1)):
            paper.words(at, words, style)
            return
    start, end = segments[0] if segments else (points[0], points[0])
    middle = At((start.x + end.x - width + 1) // 2, (start.y + end.y) // 2)
    paper.findings.note(
        "shapes-label-on-line", f"there is no room beside the line for its label: {words[:60]}"
    )
    paper.words(middle, words, style)


def _beside(segment: tuple[At, At], width: int) -> Iterator[At]:
    start, end = segment
    x, y = (start.x + end.x) // 2, (start.y + end.y) // 2
    if start.y == end.y:
        left = (start.x + end.x - width + 1) // 2
        yield from (At(left, y - 1), At(left, y + 1))
    else:
        yield from (At(x + 2, y), At(x - 1 - width, y))


def _length(segment: tuple[At, At]) -> tuple[bool, int]:
    """Rows before columns: words run along them."""
    start, end = segment
    return start.y == end.y and start != end, abs(start.x - end.x) + abs(start.y - end.y)


def _side_ports(rect: Rect, towards: Rect, way: int) -> Iterator[Port]:
    """Ports on one side of a shape: its middle, its quarters, and where it faces the other shape."""
    is_row = way in (0, 2)
    low, length = (rect.x, rect.width) if is_row else (rect.y, rect.height)
    other, reach = (towards.x, towards.width) if is_row else (towards.y, towards.height)
    first, last = (low + 1, low + length - 2) if length > 2 else (low, low + length - 1)
    facing = (max(first, other) + min(last, other + reach - 1)) // 2
    middle = (first + last) // 2
    wanted = {middle, (first + middle) // 2, (middle + last + 1) // 2, facing, other + reach // 2}
    for place in sorted(wanted):
        if first <= place <= last:
            yield Port(_outside(rect, way, place), way, _OFF_CENTRE * abs(place - middle))


def _outside(rect: Rect, way: int, place: int) -> At:
    match way:
        case 0:
            return At(place, rect.y - 1)
        case 1:
            return At(rect.right, place)
        case 2:
            return At(place, rect.bottom)
        case _:
            return At(rect.x - 1, place)


def _squared(points: Sequence[At]) -> list[At]:
    """The points with a corner wherever two of them share neither row nor column: along the row first."""
    found = [points[0]]
    for point in points[1:]:
        if point.x != found[-1].x and point.y != found[-1].y:
            found.append(At(point.x, found[-1].y))
        if point != found[-1]:
            found.append(point)
    return found


def _has_head(connector: Connector, at_start: bool) -> bool:
    return connector.type == "arrow" and connector.heads in (
        ("start", "both") if at_start else ("end", "both")
    )


def _nearest(rect: Rect, at: At) -> At:
    return At(min(max(at.x, rect.x), rect.right - 1), min(max(at.y, rect.y), rect.bottom - 1))


def _direction(start: At, end: At) -> int:
    x, y = (end.x > start.x) - (end.x < start.x), (end.y > start.y) - (end.y < start.y)
    return STEPS.index((x, y) if (x, y) in STEPS else (x, 0) if x else (0, 1))


def _distance(at: At, rect: Rect) -> int:
    near = _nearest(rect, at)
    return abs(near.x - at.x) + abs(near.y - at.y)


def _holds(outer: Rect, inner: Rect) -> bool:
    return outer != inner and outer.covers(inner)


def _name(end: str | At) -> str:
    return end if isinstance(end, str) else f"[{end.x}, {end.y}]"
