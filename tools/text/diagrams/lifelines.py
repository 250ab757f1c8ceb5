"""Sequence diagrams to cells: a life line for everyone, events from top to bottom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams.boxes import corners
from chardesk.tools.text.diagrams.events import OPENING, Activation, Event, Frame, Message, Note, Plan
from chardesk.tools.text.diagrams.rows import Line, rows_of, width, wrapped
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.shapes.paper import Paper, Pen

_LINE, _LABEL = Style("muted"), Style("info")
_BAR = Pen("heavy", Style("accent"), joins=False)
_GAP, _NARROW_GAP = 4, 2


def lines(plan: Plan, limit: int | None, findings: Findings) -> list[Line]:
    """The rows of the picture. Names, messages and notes wrap at `limit` columns."""
    return _Drawing(plan, limit, findings).lines()


class _Drawing:
    def __init__(self, plan: Plan, limit: int | None, findings: Findings) -> None:
        self._plan = plan
        self._limit = limit
        self._names = {id: wrapped(name, limit) for id, name in plan.actors.items()}
        self._top = 2 * bool(plan.title)
        self._begin = self._top + 2 + max(map(len, self._names.values()))
        self._paper = Paper(lambda _: None, findings)
        self._order = list(plan.actors)
        self._frames: list[tuple[int, str, int]] = []
        self._margin = 2 * self._depth()
        self._xs = self._columns()
        self._y = self._begin

    def lines(self) -> list[Line]:
        """Life lines and their bars first, so that everything else lies on them; then events from top to
        bottom."""
        bottom = self._begin + sum(self._height(event) for event in self._plan.events)
        for id in self._order:
            ends = [At(self._xs[id], self._begin), At(self._xs[id], bottom)]
            self._paper.stroke(ends, Pen("light", _LINE, is_dashed=True))
            self._box(id)
        for id, top, end in self._bars():
            self._paper.stroke([At(self._xs[id], top), At(self._xs[id], end)], _BAR)
        self._paper.words(At(self._margin, 0), self._plan.title, Style(attrs=BOLD))
        for event in self._plan.events:
            match event:
                case Message():
                    self._message(event)
                case Note():
                    self._note(event)
                case Frame():
                    self._frame(event)
                case Activation():
                    pass
                case _:
                    assert_never(event)
        return rows_of(self._paper.cells)

    def _bars(self) -> Iterator[tuple[str, int, int]]:
        """Who is busy from which row to which. One who is busy twice at once is so until both are over;
        an end without a beginning is none."""
        since: dict[str, list[int]] = {id: [] for id in self._order}
        y = self._begin
        for event in self._plan.events:
            y += self._height(event)
            if isinstance(event, Activation):
                open_ = since[event.id]
                if event.begins:
                    open_.append(max(y - 1, self._begin))
                elif open_:
                    top = open_.pop()
                    yield event.id, top, max(y - 1, top + 1)
        yield from ((id, tops[0], max(y, tops[0] + 1)) for id, tops in since.items() if tops)

    def _depth(self) -> int:
        depth = most = 0
        for event in self._plan.events:
            if isinstance(event, Frame):
                depth += (event.kind in OPENING) - (event.kind == "end")
                most = max(most, depth)
        return most

    def _columns(self) -> dict[str, int]:
        """The life line of each participant: as far from the last one as boxes and messages need."""
        gap = _GAP if self._limit is None else _NARROW_GAP
        needs = {(a, b): self._half(a) + self._half(b) + gap for a, b in self._pairs()}
        place = {id: number for number, id in enumerate(self._order)}
        spans: list[tuple[int, int, int]] = []
        for event in self._plan.events:
            if isinstance(event, Message):
                first, last = sorted((place[event.start], place[event.end]))
                spans.append((first, max(last, first + 1), self._widest(event.text) + 4))
            elif isinstance(event, Note):
                first, last = sorted((place[event.first], place[event.last]))
                spans.append(
                    (first, max(last, first + 1), self._widest(event.text) // 2 + 4 if first == last else 0)
                )
        xs = [self._margin + self._half(self._order[0])]
        for number, pair in enumerate(self._pairs(), 1):
            near = xs[-1] + needs[pair]
            far = (xs[first] + need for first, last, need in spans if last == number)
            xs.append(max(near, *far, near))
        return dict(zip(self._order, xs, strict=True))

    def _pairs(self) -> list[tuple[str, str]]:
        return list(zip(self._order, self._order[1:], strict=False))

    def _height(self, event: Event) -> int:
        match event:
            case Message():
                return 1 + len(self._rows(event.text)) + 2 * (event.start == event.end)
            case Note():
                return 2 + max(1, len(self._rows(event.text)))
            case Frame():
                return 1
            case Activation():
                return 0
            case _:
                assert_never(event)

    def _rows(self, text: str) -> list[str]:
        return wrapped(text, self._limit) if text else []

    def _widest(self, text: str) -> int:
        return max(map(width, self._rows(text)), default=0)

    def _half(self, id: str) -> int:
        return (max(map(width, self._names[id])) + 4) // 2

    def _box(self, id: str) -> None:
        rows = self._names[id]
        wide = max(map(width, rows)) + 4
        rect = Rect(self._xs[id] - self._half(id), self._top, wide, self._begin - self._top)
        y = rect.y + (rect.height - len(rows)) // 2
        self._centred(At(rect.x + 2, y), rows, wide - 4, Style(attrs=BOLD))
        self._paper.stroke(corners(rect), Pen("light"), closed=True)

    def _centred(self, at: At, rows: Sequence[str], room: int, style: Style) -> None:
        for number, row in enumerate(rows):
            left = at.x + max(0, (room - width(row) + 1) // 2)
            self._paper.words(At(left, at.y + number), row, style)

    def _message(self, event: Message) -> None:
        start, end = self._xs[event.start], self._xs[event.end]
        rows = self._rows(event.text)
        if event.start == event.end:
            self._self_message(event, rows, start)
            return
        self._centred(At(min(start, end) + 1, self._y), rows, abs(start - end) - 1, _LABEL)
        self._y += len(rows)
        way = 1 if end > start else -1
        is_dashed = event.arrow.startswith("--") or "-->>" in event.arrow
        pen = Pen("light", _LINE, joins=False, is_dashed=is_dashed)
        self._paper.stroke([At(start + way, self._y), At(end - way, self._y)], pen)
        self._paper.words(At(end - way, self._y), _head(event.arrow, way), PLAIN)
        if event.arrow.startswith("<<"):
            self._paper.words(At(start + way, self._y), _head(event.arrow, -way), PLAIN)
        self._y += 1

    def _self_message(self, event: Message, rows: Sequence[str], x: int) -> None:
        for row in rows:
            self._paper.words(At(x + 2, self._y), row, _LABEL)
            self._y += 1
        pen = Pen("light", _LINE, is_dashed=event.arrow.startswith("--"))
        y = self._y
        self._paper.stroke([At(x + 1, y), At(x + 4, y), At(x + 4, y + 2), At(x + 2, y + 2)], pen)
        self._paper.words(At(x + 1, y + 2), _head(event.arrow, -1), PLAIN)
        self._y += 3

    def _note(self, event: Note) -> None:
        left, right = sorted((self._xs[event.first], self._xs[event.last]))
        rows = self._rows(event.text) or [""]
        need = self._widest(event.text) + 4
        middle = (left + right) // 2
        begin = {"left of": left - need - 1, "right of": right + 2}.get(event.side, middle - need // 2)
        end = begin + need - 1
        if event.side == "over" and left != right:
            begin, end = min(begin, left - 2), max(end, right + 2)
        rect = Rect(begin, self._y, end - begin + 1, len(rows) + 2)
        self._paper.blank(rect)
        self._paper.stroke(corners(rect), Pen("round", Style("warning"), joins=False), closed=True)
        self._centred(At(begin + 2, self._y + 1), rows, rect.width - 4, PLAIN)
        self._y += rect.height

    def _frame(self, event: Frame) -> None:
        """A frame is drawn when it ends, when its last row is known; its title and dividers at once."""
        inset = 2 * len(self._frames)
        if event.kind == "end":
            top, title, _ = self._frames.pop()
            self._close(top, title, inset - 2)
        elif event.kind in OPENING:
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
        left = self._xs[self._order[0]] - self._half(self._order[0]) - self._margin + inset
        right = self._xs[self._order[-1]] + self._half(self._order[-1]) + self._margin - inset
        widest = max(
            (event for event in self._plan.events if isinstance(event, Frame)), key=lambda e: width(e.text)
        )
        return left, max(right, left + width(widest.text) + 14 - inset, self._behind() + self._margin - inset)

    def _behind(self) -> int:
        """One past the words that the last participant says to itself."""
        last = self._order[-1]
        own = (e for e in self._plan.events if isinstance(e, Message) and e.start == e.end == last)
        return max((self._xs[last] + 3 + self._widest(event.text) for event in own), default=0)


def _head(arrow: str, way: int) -> str:
    if arrow.endswith("x"):
        return "×"
    if arrow.endswith(")"):
        return ">" if way > 0 else "<"
    return ("►" if way > 0 else "◄") if ">>" in arrow else "─"
