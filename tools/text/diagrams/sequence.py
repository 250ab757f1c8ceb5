"""Mermaid sequence diagrams: who says what to whom, one row below the other."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import assert_never

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.text.diagrams.rows import Line, rows_of, width
from chardesk.tools.text.diagrams.source import statements, words
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.shapes.paper import Paper, Pen
from chardesk.tools.text.undrawn import NotDrawn

_MESSAGE = re.compile(
    r"(?P<start>[^\s:+-][^:]*?)\s*(?P<arrow><<-->>|<<->>|-->>|->>|--\)|-\)|--x|-x|-->|->)\s*[+-]?\s*(?P<end>[^:]+?)\s*(?::(?P<text>.*))?"
)
_ACTOR = re.compile(r"(?:create\s+)?(?:participant|actor)\s+(?P<id>.+?)(?:\s+as\s+(?P<name>.+))?")
_NOTE = re.compile(r"(?i:note)\s+(?P<side>left of|right of|over)\s+(?P<ids>[^:]+):(?P<text>.*)")
_OPENING = ("loop", "alt", "opt", "par", "critical", "break", "rect", "box")
_DIVIDING = ("else", "and", "option")
_UNDRAWN = (
    "activate",
    "deactivate",
    "autonumber",
    "link",
    "links",
    "destroy",
    "title",
    "accTitle",
    "accDescr",
)

_LINE, _LABEL = Style("muted"), Style("info")
_GAP = 4
_MOST_ROWS, _MOST_ACTORS = 2_000, 60


@dataclass(slots=True)
class _Plan:
    """Actors in order, by id; and events: a message, a note, or the edge of a frame."""

    actors: dict[str, str] = field(default_factory=dict)
    events: list[_Event] = field(default_factory=list)

    def actor(self, id: str) -> str:
        self.actors.setdefault(id, id)
        return id


@dataclass(frozen=True, slots=True)
class _Message:
    start: str
    end: str
    arrow: str
    text: str


@dataclass(frozen=True, slots=True)
class _Note:
    first: str
    last: str
    side: str
    text: str


@dataclass(frozen=True, slots=True)
class _Frame:
    """`kind` opens a frame; `else` and the like divide it; `end` closes it."""

    kind: str
    text: str


_Event = _Message | _Note | _Frame


def lines(source: str, findings: Findings, line: int | None) -> list[Line]:
    """The rows of the picture. Raises NotDrawn."""
    plan, undrawn = _Plan(), set[str]()
    depth = 0
    for number, text in list(statements(source))[1:]:
        statement = text.strip()
        word = statement.split(None, 1)[0]
        if word in _UNDRAWN:
            undrawn.add(word)
            continue
        depth += (word in _OPENING) - (statement == "end")
        if depth < 0:
            raise NotDrawn("there is nothing to end", number)
        _read(plan, statement, word, number)
    if depth:
        raise NotDrawn("a frame has no end")
    if not plan.actors or len(plan.actors) > _MOST_ACTORS or len(plan.events) > _MOST_ROWS // 2:
        raise NotDrawn(f"it has {len(plan.actors)} participants and {len(plan.events)} events")
    if undrawn:
        message = f"not drawn: {', '.join(sorted(undrawn))}"
        findings.note("markdown-diagram-statements-left-out", message, line)
    return _Drawing(plan, findings).lines()


def _read(plan: _Plan, text: str, word: str, number: int) -> None:
    rest = words(text.removeprefix(word))
    if word in (*_OPENING, *_DIVIDING) or text == "end":
        plan.events.append(_Frame(word, rest))
    elif found := _ACTOR.fullmatch(text):
        plan.actors[found["id"].strip()] = words(found["name"] or found["id"])
    elif found := _NOTE.fullmatch(text):
        ids = [plan.actor(id.strip()) for id in found["ids"].split(",")]
        plan.events.append(_Note(ids[0], ids[-1], found["side"].lower(), words(found["text"])))
    elif found := _MESSAGE.fullmatch(text):
        start, end = plan.actor(found["start"]), plan.actor(found["end"])
        plan.events.append(_Message(start, end, found["arrow"], words(found["text"] or "")))
    else:
        raise NotDrawn(f"this cannot be read: {text[:40]}", number)


class _Drawing:
    def __init__(self, plan: _Plan, findings: Findings) -> None:
        self._plan = plan
        self._paper = Paper(lambda _: None, findings)
        self._order = list(plan.actors)
        self._frames: list[tuple[int, str, int]] = []
        self._margin = 2 * self._depth()
        self._xs = self._columns()
        self._y = 3

    def lines(self) -> list[Line]:
        """Life lines first, so that everything else lies on them; then events from top to bottom."""
        bottom = 3 + sum(self._height(event) for event in self._plan.events)
        for id in self._order:
            self._paper.stroke(
                [At(self._xs[id], 3), At(self._xs[id], bottom)], Pen("light", _LINE, is_dashed=True)
            )
            self._box(id)
        for event in self._plan.events:
            match event:
                case _Message():
                    self._message(event)
                case _Note():
                    self._note(event)
                case _Frame():
                    self._frame(event)
                case _:
                    assert_never(event)
        return rows_of(self._paper.cells)

    def _depth(self) -> int:
        depth = most = 0
        for event in self._plan.events:
            if isinstance(event, _Frame):
                depth += (event.kind in _OPENING) - (event.kind == "end")
                most = max(most, depth)
        return most

    def _columns(self) -> dict[str, int]:
        """The life line of each participant: as far from the last one as boxes and messages need."""
        needs = {
            (a, b): _half(self._plan.actors[a]) + _half(self._plan.actors[b]) + _GAP for a, b in self._pairs()
        }
        place = {id: number for number, id in enumerate(self._order)}
        spans: list[tuple[int, int, int]] = []
        for event in self._plan.events:
            if isinstance(event, _Message):
                first, last = sorted((place[event.start], place[event.end]))
                spans.append((first, max(last, first + 1), width(event.text) + 4))
            elif isinstance(event, _Note):
                first, last = sorted((place[event.first], place[event.last]))
                spans.append(
                    (first, max(last, first + 1), width(event.text) // 2 + 4 if first == last else 0)
                )
        xs = [self._margin + _half(self._plan.actors[self._order[0]])]
        for number, pair in enumerate(self._pairs(), 1):
            near = xs[-1] + needs[pair]
            far = (xs[first] + need for first, last, need in spans if last == number)
            xs.append(max(near, *far, near))
        return dict(zip(self._order, xs, strict=True))

    def _pairs(self) -> list[tuple[str, str]]:
        return list(zip(self._order, self._order[1:], strict=False))

    def _height(self, event: _Event) -> int:
        match event:
            case _Message():
                return (2 if event.text else 1) + 2 * (event.start == event.end)
            case _Note():
                return 3
            case _Frame():
                return 1
            case _:
                assert_never(event)

    def _box(self, id: str) -> None:
        name = self._plan.actors[id]
        left = self._xs[id] - _half(name)
        right = left + width(name) + 3
        corners = [At(left, 0), At(right, 0), At(right, 2), At(left, 2)]
        self._paper.words(At(left + 2, 1), name, Style(attrs=BOLD))
        self._paper.stroke(corners, Pen("light"), closed=True)

    def _message(self, event: _Message) -> None:
        start, end = self._xs[event.start], self._xs[event.end]
        if event.start == event.end:
            self._self_message(event, start)
            return
        if event.text:
            left = min(start, end) + (abs(start - end) - width(event.text)) // 2 + 1
            self._paper.words(At(max(left, min(start, end) + 1), self._y), event.text, _LABEL)
            self._y += 1
        way = 1 if end > start else -1
        pen = Pen(
            "light", _LINE, joins=False, is_dashed=event.arrow.startswith("--") or "-->>" in event.arrow
        )
        self._paper.stroke([At(start + way, self._y), At(end - way, self._y)], pen)
        self._paper.words(At(end - way, self._y), _head(event.arrow, way), PLAIN)
        if event.arrow.startswith("<<"):
            self._paper.words(At(start + way, self._y), _head(event.arrow, -way), PLAIN)
        self._y += 1

    def _self_message(self, event: _Message, x: int) -> None:
        if event.text:
            self._paper.words(At(x + 2, self._y), event.text, _LABEL)
            self._y += 1
        pen = Pen("light", _LINE, is_dashed=event.arrow.startswith("--"))
        self._paper.stroke(
            [At(x + 1, self._y), At(x + 4, self._y), At(x + 4, self._y + 2), At(x + 2, self._y + 2)], pen
        )
        self._paper.words(At(x + 1, self._y + 2), _head(event.arrow, -1), PLAIN)
        self._y += 3

    def _note(self, event: _Note) -> None:
        left, right = sorted((self._xs[event.first], self._xs[event.last]))
        need = width(event.text) + 4
        middle = (left + right) // 2
        begin = {"left of": left - need - 1, "right of": right + 2}.get(event.side, middle - need // 2)
        end = begin + need - 1
        if event.side == "over" and left != right:
            begin, end = min(begin, left - 2), max(end, right + 2)
        corners = [At(begin, self._y), At(end, self._y), At(end, self._y + 2), At(begin, self._y + 2)]
        for y in range(self._y, self._y + 3):
            self._paper.words(At(begin, y), " " * (end - begin + 1), PLAIN)
        self._paper.stroke(corners, Pen("round", Style("warning"), joins=False), closed=True)
        self._paper.words(
            At(begin + 2 + (end - begin - 3 - width(event.text)) // 2, self._y + 1), event.text, PLAIN
        )
        self._y += 3

    def _frame(self, event: _Frame) -> None:
        """A frame is drawn when it ends, when its last row is known; its title and dividers at once."""
        inset = 2 * len(self._frames)
        if event.kind == "end":
            top, title, _ = self._frames.pop()
            self._close(top, title, inset - 2)
        elif event.kind in _OPENING:
            self._frames.append((self._y, f" {event.kind} {event.text} ".replace("  ", " "), inset))
        elif self._frames:
            left, right = self._sides(inset - 2)
            self._paper.stroke(
                [At(left, self._y), At(right, self._y)], Pen("light", _LINE, joins=False, is_dashed=True)
            )
            self._paper.words(
                At(left + 2, self._y), f" {event.kind} {event.text} ".replace("  ", " "), _LABEL
            )
        self._y += 1

    def _close(self, top: int, title: str, inset: int) -> None:
        left, right = self._sides(inset)
        corners = [At(left, top), At(right, top), At(right, self._y), At(left, self._y)]
        self._paper.stroke(corners, Pen("light", _LINE), closed=True)
        self._paper.words(At(left + 2, top), title, _LABEL)

    def _sides(self, inset: int) -> tuple[int, int]:
        names = self._plan.actors
        left = self._xs[self._order[0]] - _half(names[self._order[0]]) - self._margin + inset
        right = self._xs[self._order[-1]] + _half(names[self._order[-1]]) + self._margin - inset
        widest = max(
            (event for event in self._plan.events if isinstance(event, _Frame)), key=lambda e: width(e.text)
        )
        return left, max(right, left + width(widest.text) + 14 - inset)


def _half(name: str) -> int:
    return (width(name) + 4) // 2


def _head(arrow: str, way: int) -> str:
    if arrow.endswith("x"):
        return "×"
    if arrow.endswith(")"):
        return ">" if way > 0 else "<"
    return ("►" if way > 0 else "◄") if ">>" in arrow else "─"
