"""The cells of one sheet: sparse, in chunks, cheap to copy.

A chunk is 128×64 columns. Forks share chunks until one side writes, so a plan, a preview or a snapshot for
another thread costs one small dictionary, whatever the sheet holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from chardesk.tools.model.cell import PLAIN, Cell, Style
from chardesk.tools.model.change import Change, Strip
from chardesk.tools.model.chunk import CHUNK_COLUMNS, CHUNK_ROWS, Chunk
from chardesk.tools.model.region import Rect, Span, union_of

_X_BITS, _Y_BITS = 7, 6

Key = tuple[int, int]
"""Column and row of a chunk, counted in chunks."""


class Scene:
    """A mutable grid of cells without limits. Whole glyphs only: callers write strips (see `Draft`)."""

    __slots__ = ("_chunks", "_owner")

    def __init__(self) -> None:
        self._chunks: dict[Key, Chunk] = {}
        self._owner = object()

    @classmethod
    def of(cls, chunks: Mapping[Key, Chunk]) -> Scene:
        """A scene that starts with these chunks and never writes into them."""
        scene = cls()
        scene._chunks = dict(chunks)
        return scene

    def share(self) -> dict[Key, Chunk]:
        """The chunks as they are now; later writes go to copies.

        A chunk that was written (or made) since carries another `owner` than it has now: that is how a
        checkpoint finds what changed, at no cost to the writers.
        """
        self._owner = object()
        return dict(self._chunks)

    def fork(self) -> Scene:
        """A copy that shares chunks until either side writes. Safe to read from another thread."""
        return Scene.of(self.share())

    # -- reading ----------------------------------------------------------

    def strip(self, y: int, x: int, end: int) -> Strip:
        """Columns `x .. end` of row `y` as they are stored; a follower or half at the edge shows as such."""
        chars: list[str | None] = []
        styles: list[Style] = []
        row, top = y >> _Y_BITS, y & CHUNK_ROWS - 1
        while x < end:
            column = x & CHUNK_COLUMNS - 1
            columns = min(end - x, CHUNK_COLUMNS - column)
            chunk = self._chunks.get((x >> _X_BITS, row))
            if chunk is None or not chunk.counts[top]:
                chars += [None] * columns
                styles += [PLAIN] * columns
            else:
                start = top * CHUNK_COLUMNS + column
                chars += chunk.chars[start : start + columns]
                styles += chunk.styles_of(start, start + columns)
            x += columns
        return Strip(tuple(chars), tuple(styles))

    def chars(self, y: int, x: int, end: int) -> list[str | None]:
        """`strip` without the styles, at a quarter of the cost."""
        found: list[str | None] = []
        row, top = y >> _Y_BITS, y & CHUNK_ROWS - 1
        while x < end:
            column = x & CHUNK_COLUMNS - 1
            columns = min(end - x, CHUNK_COLUMNS - column)
            chunk = self._chunks.get((x >> _X_BITS, row))
            if chunk is None or not chunk.counts[top]:
                found += [None] * columns
            else:
                start = top * CHUNK_COLUMNS + column
                found += chunk.chars[start : start + columns]
            x += columns
        return found

    def char(self, x: int, y: int) -> str | None:
        """The cluster at a column, `''` on a follower, None where nothing is stored."""
        chunk = self._chunks.get((x >> _X_BITS, y >> _Y_BITS))
        if chunk is None:
            return None
        return chunk.chars[(y & CHUNK_ROWS - 1) * CHUNK_COLUMNS + (x & CHUNK_COLUMNS - 1)]

    def cell(self, x: int, y: int) -> Cell | None:
        """The cell whose left column is `x`; None for empty slots and followers."""
        (char,), (style,) = self.strip(y, x, x + 1)
        return Cell(char, style) if char else None

    def spans(self, within: Rect | None = None, gap: int = 1) -> Iterator[Span]:
        """Where cells are stored, by y then x; what lies apart by less than `gap` columns is one span, so by
        default only neighbours are. It begins and ends with a stored cell. Cost follows the content, not the
        area."""
        pattern = _stored_within(min(gap, CHUNK_COLUMNS))
        for row, chunks in self._bands(within):
            for top in range(CHUNK_ROWS):
                y = (row << _Y_BITS) + top
                if within is None or within.y <= y < within.bottom:
                    yield from _joined(_row_spans(chunks, y, top, within, pattern), gap)

    def bounds(self) -> Rect | None:
        """The smallest rectangle around the occupied cells: see the contract's "Occupied".

        Cost follows the number of chunks, and what was written since the last time it was asked.
        """
        return union_of((*self._boxes(), *self._torn()))

    def occupied_cells(self) -> int:
        """How many columns are occupied; costs what `bounds` does."""
        return sum(chunk.facts().occupied for chunk in self._chunks.values()) + sum(1 for _ in self._torn())

    def stored_cells(self) -> int:
        """How many columns hold something, seen or not; cost follows the number of chunks."""
        return sum(chunk.stored for chunk in self._chunks.values())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and _cells(self) == _cells(other)

    __hash__ = None  # type: ignore[assignment]

    # -- writing ----------------------------------------------------------

    def put(self, y: int, x: int, strip: Strip) -> None:
        """Store columns as they are. The caller sees to whole glyphs."""
        chars, styles = strip
        done = 0
        while done < len(chars):
            column = (x + done) & CHUNK_COLUMNS - 1
            upto = done + min(len(chars) - done, CHUNK_COLUMNS - column)
            key = ((x + done) >> _X_BITS, y >> _Y_BITS)
            chunk = self._own(key)
            chunk.put(y & CHUNK_ROWS - 1, column, chars[done:upto], styles[done:upto])
            if not chunk.stored:
                del self._chunks[key]
            done = upto

    def apply(self, change: Change) -> None:
        """Write the after side of every run."""
        for run in change.runs:
            self.put(run.y, run.x, run.after)

    def fits(self, change: Change) -> bool:
        """Does the scene still hold the before side of every run?"""
        return all(self.strip(run.y, run.x, run.end) == run.before for run in change.runs)

    def _own(self, key: Key) -> Chunk:
        chunk = self._chunks.get(key)
        if chunk is None:
            chunk = self._chunks[key] = Chunk(self._owner)
        elif chunk.owner is not self._owner:
            chunk = self._chunks[key] = chunk.copy(self._owner)
        return chunk

    def _bands(self, within: Rect | None) -> Iterator[tuple[int, list[tuple[int, Chunk]]]]:
        """Chunks by row of chunks, each row sorted by column."""
        bands: dict[int, list[tuple[int, Chunk]]] = {}
        for (column, row), chunk in self._chunks.items():
            if within is None or within.clip(_chunk_rect(column, row)) is not None:
                bands.setdefault(row, []).append((column, chunk))
        for row in sorted(bands):
            yield row, sorted(bands[row], key=lambda pair: pair[0])

    def _boxes(self) -> Iterator[Rect]:
        """Around what is occupied, chunk by chunk."""
        for (column, row), chunk in self._chunks.items():
            count, left, top, right, bottom, _ = chunk.facts()
            if count:
                x, y = (column << _X_BITS) + left, (row << _Y_BITS) + top
                yield Rect(x, y, right - left, bottom - top)

    def _torn(self) -> Iterator[Rect]:
        """Occupied right halves that a chunk border parts from their left halves. One that its style makes
        visible was counted by its own chunk."""
        for (column, row), chunk in self._chunks.items():
            for top in chunk.facts().torn:
                x, y = column << _X_BITS, (row << _Y_BITS) + top
                ((left, _), (_, style)) = self.strip(y, x - 1, x + 1)
                if left and not left.isspace() and not style.marks_blank:
                    yield Rect(x, y, 1, 1)


def _chunk_rect(column: int, row: int) -> Rect:
    return Rect(column << _X_BITS, row << _Y_BITS, CHUNK_COLUMNS, CHUNK_ROWS)


@lru_cache(maxsize=64)
def _stored_within(gap: int) -> re.Pattern[str]:
    """Finds stretches in a row that is spelled `x` for a stored column and `.` for an empty one."""
    return re.compile("x+" if gap == 1 else rf"x+(?:\.{{1,{gap - 1}}}x+)*")


def _row_spans(
    chunks: list[tuple[int, Chunk]], y: int, top: int, within: Rect | None, pattern: re.Pattern[str]
) -> Iterator[Span]:
    """The stretches of one row, chunk by chunk, only those columns that are in `within`."""
    for column, chunk in chunks:
        if not chunk.counts[top]:
            continue
        left = column << _X_BITS
        first = 0 if within is None else max(0, within.x - left)
        stop = CHUNK_COLUMNS if within is None else min(CHUNK_COLUMNS, within.right - left)
        if chunk.counts[top] == CHUNK_COLUMNS:
            yield Span(y, left + first, left + stop)
            continue
        start = top * CHUNK_COLUMNS
        chars = chunk.chars[start + first : start + stop]
        spelled = "".join(["." if char is None else "x" for char in chars])
        for match in pattern.finditer(spelled):
            yield Span(y, left + first + match.start(), left + first + match.end())


def _joined(spans: Iterator[Span], gap: int) -> Iterator[Span]:
    """Spans of one row; those that a chunk border parts, by less than `gap` columns, become one."""
    held: Span | None = None
    for span in spans:
        if held is not None and span.x - held.end < gap:
            held = Span(span.y, held.x, span.end)
            continue
        if held is not None:
            yield held
        held = span
    if held is not None:
        yield held


def _cells(scene: Scene) -> list[tuple[Span, Strip]]:
    return [(span, scene.strip(span.y, span.x, span.end)) for span in scene.spans()]
