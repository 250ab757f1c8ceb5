"""The hunt for matches: row by row, within a budget of cells and of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chardesk.tools.look.budget import Budget, over
from chardesk.tools.look.lines import Fold, Line, Row, rows
from chardesk.tools.look.needles import Needle
from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect, Span
from chardesk.tools.model.scene import Scene

MAX_ENVELOPE = 16_384


class Found(NamedTuple):
    origin: At
    bounds: Rect
    content: str


class Hunt:
    """One search. `gap` None makes every row one line, from its first stored cell to its last (a pattern's
    view); a number breaks rows where that many columns or more are empty."""

    def __init__(
        self, scene: Scene, needles: Sequence[Needle], fold: Fold, gap: int | None, budget: Budget
    ) -> None:
        self._scene, self._first, self._rest = scene, needles[0], needles[1:]
        self._fold, self._gap, self._budget = fold, gap, budget

    def matches(self, view: Rect | None, after: At | None) -> Iterator[Found]:
        """By y, then x, behind `after`; matches of one row don't overlap. Raises Refused `search_limit`."""
        for lines, window in self._windows(view, after):
            for line in lines:
                for found in self._on(line, window):
                    if after is None or (found.origin.y, found.origin.x) > (after.y, after.x):
                        yield found

    def _windows(
        self, view: Rect | None, after: At | None
    ) -> Iterator[tuple[list[Line], dict[int, list[Line]]]]:
        """The lines of each row, with those of the rows below that a match from there can reach."""
        height = 1 + len(self._rest)
        held: dict[int, list[Line]] = {}
        for row in rows(self._scene, view, self._gap or 1):
            if after is not None and row.y < after.y:
                continue
            while held and (top := next(iter(held))) + height <= row.y:
                yield held[top], held
                del held[top]
            held[row.y] = [self._line(span) for span in self._lines_of(row)]
        while held:
            top = next(iter(held))
            yield held[top], held
            del held[top]

    def _lines_of(self, row: Row) -> list[Span]:
        if self._gap is not None:
            return row.spans
        envelope = Span(row.y, row.spans[0].x, row.spans[-1].end)
        if envelope.end - envelope.x > MAX_ENVELOPE:
            raise over(f"row {row.y} is {envelope.end - envelope.x} columns wide, limit {MAX_ENVELOPE}")
        return [envelope]

    def _line(self, span: Span) -> Line:
        self._budget.spend(span.end - span.x)
        return Line(span.y, span.x, self._scene.chars(span.y, span.x, span.end), self._fold)

    def _on(self, line: Line, window: dict[int, list[Line]]) -> Iterator[Found]:
        """The matches whose first row is on `line`."""
        start: int | None = 0
        while start is not None and (span := self._next(line, start)) is not None:
            found = self._whole(line, *span, window)
            if found is not None:
                yield found
            start = span[0] + 1 if found is None else line.offset_from(found.bounds.right)

    def _next(self, line: Line, start: int) -> tuple[int, int] | None:
        """Where the first needle occurs next; empty occurrences don't count."""
        self._budget.spend(0)
        return next((span for span in self._first.found(line, start) if span[0] < span[1]), None)

    def _whole(self, line: Line, begin: int, end: int, window: dict[int, list[Line]]) -> Found | None:
        """The match that begins here, if it covers whole cells and the query's other rows stand below it."""
        left, right = line.column(begin), line.column(end)
        if left is None or right is None:
            return None
        x = line.x + left
        parts = [(line.x + right, line.content(left, right))]
        for y, needle in enumerate(self._rest, line.y + 1):
            part = next((p for below in window.get(y, ()) if (p := _part(below, x, needle))), None)
            if part is None:
                return None
            parts.append(part)
        width = max(right for right, _ in parts) - x
        content = "\n".join(content for _, content in parts)
        return Found(At(x, line.y), Rect(x, line.y, width, len(parts)), content)


def _part(line: Line, x: int, needle: Needle) -> tuple[int, str] | None:
    """Where the needle ends on `line` when it begins at column `x`, and what it covers there."""
    begin = line.offset(x)
    end = None if begin is None else needle.end_at(line, begin)
    if begin is None or end is None or end == begin:
        return None
    left, right = line.column(begin), line.column(end)
    return None if left is None or right is None else (line.x + right, line.content(left, right))
