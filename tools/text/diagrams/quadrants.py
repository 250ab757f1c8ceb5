"""Mermaid's quadrant charts: named points on two axes, in four named fields."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams.boxes import corners
from chardesk.tools.text.diagrams.rows import Line, rows_of, width, wrapped
from chardesk.tools.text.diagrams.source import statements, words
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.shapes.paper import Paper, Pen
from chardesk.tools.text.undrawn import NotDrawn

_POINT = re.compile(
    r'(?P<name>"[^"]*"|[^:\["]+?)(?::::?\w+)?'
    r"\s*:\s*\[\s*(?P<x>[\d.]+)\s*,\s*(?P<y>[\d.]+)\s*\].*"
)
_AXIS = re.compile(r"(?P<axis>[xy])-axis\s+(?P<low>.+?)\s*(?:-->\s*(?P<high>.*))?")
_FIELDS = {"1": (1, 0), "2": (0, 0), "3": (0, 1), "4": (1, 1)}
"""Where a quadrant stands: to the right, below."""
_LINE, _NAME, _DOT = Style("muted"), Style("info"), Style("accent")
_MOST_POINTS = 200
_WIDEST, _NARROWEST = 80, 32


@dataclass(slots=True)
class _Reading:
    title: str = ""
    axes: dict[str, tuple[str, str]] = field(default_factory=lambda: {"x": ("", ""), "y": ("", "")})
    fields: dict[str, str] = field(default_factory=dict)
    points: list[tuple[str, float, float]] = field(default_factory=list)

    def read(self, text: str, number: int) -> None:
        word, _, rest = text.partition(" ")
        if word == "title":
            self.title = words(rest)
        elif found := _AXIS.fullmatch(text):
            self.axes[found["axis"]] = words(found["low"]), words(found["high"] or "")
        elif word.startswith("quadrant-") and word[9:] in _FIELDS:
            self.fields[word[9:]] = words(rest)
        elif found := _POINT.fullmatch(text):
            self.points.append((words(found["name"]), _share(found["x"], number), _share(found["y"], number)))
        elif word not in ("classDef", "accTitle:", "accDescr:"):
            raise NotDrawn(f"this cannot be read: {text[:40]}", number)


def quadrant_chart(source: str, room: int, findings: Findings) -> list[Line]:
    """Fields with their names on top, points with theirs beside them; `room` columns wide, 80 at most.
    Raises NotDrawn."""
    reading = _Reading()
    for number, text in list(statements(source))[1:]:
        reading.read(text.strip(), number)
    if not (reading.points or reading.fields) or len(reading.points) > _MOST_POINTS:
        raise NotDrawn(f"it has {len(reading.points)} points; {_MOST_POINTS} can be drawn")
    paper = Paper(lambda _: None, findings)
    left = max(map(width, reading.axes["y"])) + 1 if any(reading.axes["y"]) else 0
    wide = max(_NARROWEST, min(_WIDEST, room) - left) // 2 * 2 - 1
    frame = Rect(left, 2 * bool(reading.title), wide, wide // 6 * 2 + 1)
    _fields(paper, reading, frame)
    _axes(paper, reading, frame)
    for point in reading.points:
        _point(paper, frame, point)
    if reading.title:
        paper.words(
            At(left + max(0, (wide - width(reading.title)) // 2), 0), reading.title, Style(attrs=BOLD)
        )
    return rows_of(paper.cells)


def _fields(paper: Paper, reading: _Reading, frame: Rect) -> None:
    middle = At(frame.x + frame.width // 2, frame.y + frame.height // 2)
    pen = Pen("light", _LINE)
    paper.stroke(corners(frame), pen, closed=True)
    paper.stroke([At(middle.x, frame.y), At(middle.x, frame.bottom - 1)], pen)
    paper.stroke([At(frame.x, middle.y), At(frame.right - 1, middle.y)], pen)
    room = frame.width // 2 - 3
    for name, (right, below) in _FIELDS.items():
        x, y = (middle.x if right else frame.x) + 2, (middle.y if below else frame.y) + 1
        for row in wrapped(reading.fields.get(name, ""), room)[:2]:
            paper.words(At(x + max(0, (room - width(row)) // 2), y), row, _NAME)
            y += 1


def _axes(paper: Paper, reading: _Reading, frame: Rect) -> None:
    low, high = reading.axes["x"]
    paper.words(At(frame.x, frame.bottom), low, PLAIN)
    paper.words(At(max(frame.right - width(high), frame.x + width(low) + 2), frame.bottom), high, PLAIN)
    low, high = reading.axes["y"]
    paper.words(At(frame.x - 1 - width(high), frame.y), high, PLAIN)
    paper.words(At(frame.x - 1 - width(low), frame.bottom - 1), low, PLAIN)


def _point(paper: Paper, frame: Rect, point: tuple[str, float, float]) -> None:
    """The dot, and its name to the right, to the left, above or below: where there is room first."""
    name, x, y = point
    at = At(frame.x + 1 + round(x * (frame.width - 3)), frame.bottom - 2 - round(y * (frame.height - 3)))
    paper.words(at, "●", _DOT)
    wide = width(name)
    beside = [At(at.x + 2, at.y), At(at.x - 1 - wide, at.y)]
    left = max(frame.x + 2, min(at.x - wide // 2, frame.right - 2 - wide))
    places = [*beside, At(left, at.y - 1), At(left, at.y + 1)]
    for place in places:
        is_inside = frame.x < place.x and place.x + wide < frame.right
        if is_inside and all(paper.is_free(At(place.x + column, place.y)) for column in range(-1, wide + 1)):
            paper.words(place, name, PLAIN)
            return
    paper.findings.note("markdown-diagram-label-left-out", f"no room in the chart for: {name[:60]}")


def _share(text: str, number: int) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise NotDrawn(f"a point is at 0 to 1, not {text[:20]}", number)
    return share
