"""Lines and arrows between shapes: where they leave, which way they go, and their heads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chardesk.tools.model.cell import At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.shapes.paper import Paper, Pen
from chardesk.tools.text.shapes.pieces import STEPS
from chardesk.tools.text.shapes.ports import SIDES, side_ports
from chardesk.tools.text.shapes.route import Port, Streets, route
from chardesk.tools.text.shapes.spec import Connector

_HEADS = {True: "^>v<", False: "▲►▼◄"}
"""By direction; the first for lines of ASCII."""

_ON_A_LINE = 100.0
"""What it costs to begin or end where another line passes, in columns of detour: the head would cut it."""


@dataclass(slots=True)
class Wiring:
    """What connectors share: the shapes they join, what stands in the way, and the lines drawn so far.

    `joined` are the ids of shapes with a border that a line can grow out of. `words` are stretches of rows
    that hold the words of shapes.
    """

    paper: Paper
    rects: Mapping[str, Rect]
    obstacles: Sequence[Rect]
    words: Sequence[Rect]
    joined: frozenset[str]
    streets: Streets
    taken: set[At]

    def draw(self, connector: Connector) -> list[At]:
        """Draw the line. Returns its corners, for its heads and its label."""
        points = list(connector.points or self._routed(connector))
        pen = Pen(connector.border, Style(connector.color), connector.join)
        points = _squared(points)
        self.streets.add(points)
        ends = self._grown(connector, points) if connector.points is None else points
        if len(ends) > 1 or connector.type == "line":
            self.paper.stroke(ends, pen)
        return points

    def _routed(self, connector: Connector) -> list[At]:
        start, end = connector.from_, connector.to
        assert start is not None
        assert end is not None
        sources = self._ports(start, end, connector.from_side)
        targets = self._ports(end, start, connector.to_side)
        inside = [self._rect(start), self._rect(end)]
        around = [rect for rect in self.obstacles if any(_holds(rect, each) for each in inside)]
        obstacles = [rect for rect in self.obstacles if rect not in around]
        obstacles += [words for words in self.words if any(rect.covers(words) for rect in around)]
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
        ways = range(4) if side is None else (SIDES[side],)
        if not isinstance(end, str):
            return [Port(end, way, 0) for way in ways]
        rect, towards = self.rects[end], self._rect(other)
        closed = [words for words in self.words if end in self.joined and _is_title(words, rect)]
        ports = [port for way in ways for port in side_ports(rect, towards, way, closed)]
        free = [self._tolled(port) for port in ports if port.at not in self.taken] or ports
        return sorted(free, key=lambda port: (port.cost + _distance(port.at, towards), port.way))

    def _tolled(self, port: Port) -> Port:
        return port._replace(cost=port.cost + _ON_A_LINE) if self.streets.holds(port.at) else port

    def _grown(self, connector: Connector, points: list[At]) -> list[At]:
        """The line's corners, with the border it grows out of at the ends that have no head."""
        found = list(points)
        for at_start, end in ((True, connector.from_), (False, connector.to)):
            if end in self.joined and connector.join and not _has_head(connector, at_start):
                place = found[0] if at_start else found[-1]
                border = _nearest(self.rects[str(end)], place)
                found = [border, *found] if at_start else [*found, border]
        return found

    def draw_heads(self, connector: Connector, points: list[At]) -> None:
        """A head stands on the last place of the line and points on in the line's direction. Heads come after
        all lines: none is crossed out."""
        heads = _HEADS[connector.border == "ascii"]
        for at_start in (True, False):
            if _has_head(connector, at_start):
                line = points[::-1] if at_start else points
                end = connector.from_ if at_start else connector.to
                start = connector.to if at_start else connector.from_
                way = self._pointing(line, start, end)
                self.paper.words(line[-1], heads[way], Style(connector.color))

    def _pointing(self, line: list[At], start: str | At | None, end: str | At | None) -> int:
        if isinstance(end, str):
            border = _nearest(self.rects[end], line[-1])
            return _direction(line[-1], border)
        if len(line) > 1:
            return _direction(line[-2], line[-1])
        return _direction(_nearest(self.rects[start], line[-1]), line[-1]) if isinstance(start, str) else 1


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


def _is_title(words: Rect, rect: Rect) -> bool:
    return words.y == rect.y and rect.covers(words)


def _name(end: str | At) -> str:
    return end if isinstance(end, str) else f"[{end.x}, {end.y}]"
