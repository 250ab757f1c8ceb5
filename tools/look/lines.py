"""Rows of a sheet as text that can be searched, and the way back from text to columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from chardesk.tools.model.cell import joined
from chardesk.tools.model.region import Rect, Span
from chardesk.tools.model.scene import Scene

Fold = Callable[[str], str]
"""What makes two clusters equal to a search: NFC, and case if asked."""


class Line:
    """Neighbouring columns of row `y` from column `x` on. Empty columns are spaces in `text`."""

    def __init__(self, y: int, x: int, chars: Sequence[str | None], fold: Fold) -> None:
        self.y, self.x, self.chars = y, x, chars
        raw = joined(chars)
        self._pieces = None if raw.isascii() else [fold(" " if char is None else char) for char in chars]
        self.text = fold(raw) if self._pieces is None else "".join(self._pieces)

    def content(self, begin: int, end: int) -> str:
        """What is stored in columns `begin .. end`, counted from the line's start."""
        return joined(self.chars[begin:end])

    def column(self, offset: int) -> int | None:
        """The column whose cell begins at an offset of `text`; None inside a cluster."""
        if self._pieces is None:
            return offset
        return self._columns.get(offset)

    def offset(self, x: int) -> int | None:
        """Where in `text` the cell at sheet column `x` begins; None outside and on a follower."""
        column = x - self.x
        if not 0 <= column < len(self.chars) or self.chars[column] == "":
            return None
        return column if self._pieces is None else self._offsets[column]

    def offset_from(self, x: int) -> int | None:
        """Like `offset`, or of the next cell when a follower is at `x`; None at the line's end."""
        while x < self.x + len(self.chars):
            if (found := self.offset(x)) is not None:
                return found
            x += 1
        return None

    @cached_property
    def _offsets(self) -> list[int]:
        return list(accumulate(map(len, self._pieces or ()), initial=0))

    @cached_property
    def _columns(self) -> dict[int, int]:
        """A follower shares its offset with the next cell, which comes later and so wins."""
        return {offset: column for column, offset in enumerate(self._offsets)}


class Row(NamedTuple):
    """The stored spans of one row, left to right."""

    y: int
    spans: list[Span]


def rows(scene: Scene, view: Rect | None, gap: int = 1) -> Iterator[Row]:
    """The rows that hold something, top to bottom; spans that lie apart by less than `gap` columns are one.
    Glyphs that the view's edge cuts are left out."""
    row: Row | None = None
    for span in scene.spans(view, gap):
        whole = span if view is None else _whole(scene, view, span)
        if row is not None and row.y != span.y:
            yield row
            row = None
        if whole.x < whole.end:
            row = row or Row(span.y, [])
            row.spans.append(whole)
    if row is not None:
        yield row


def _whole(scene: Scene, view: Rect, span: Span) -> Span:
    y, x, end = span
    cut_left = x == view.x and scene.char(x, y) == ""
    cut_right = end == view.right and scene.char(end, y) == ""
    return Span(y, x + cut_left, end - cut_right)
