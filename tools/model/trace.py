"""Who last touched each cell, and with which commit: what the conflict rule asks.

For every cell the last commit and its author are kept, and the last commit by *anybody else*. With the two,
"has another author touched this cell since revision B?" is answered exactly and in constant time, however
long the history is.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from chardesk.tools.model.region import Region, Span

TILE_COLUMNS, TILE_ROWS = 128, 64
_SIZE = TILE_COLUMNS * TILE_ROWS
_NOBODY = 0


class Touch(NamedTuple):
    """Cells that `author` touched with commit `seq`."""

    span: Span
    author: str
    seq: int


@dataclass(slots=True)
class _Tile:
    last: array[int]
    by: array[int]
    before: array[int]
    before_by: array[int]

    @classmethod
    def empty(cls) -> _Tile:
        return cls(*(array(kind, bytes(array(kind).itemsize * _SIZE)) for kind in "IHIH"))


class Trace:
    """Per sheet. 12 bytes a cell of the tiles that were ever touched."""

    __slots__ = ("_authors", "_tiles")

    def __init__(self) -> None:
        self._tiles: dict[tuple[int, int], _Tile] = {}
        self._authors: list[str] = [""]

    def mark(self, region: Region, author: str, seq: int) -> Undo:
        """Note a commit. The answer takes the note back (`unmark`), for when the disk refuses the commit."""
        who = self._number(author)
        taken: Undo = []
        for span in region.spans:
            for key, start, stop in _slices(span):
                tile = self._tiles.get(key)
                if tile is None:
                    tile = self._tiles[key] = _Tile.empty()
                taken.append((key, start, [column[start:stop] for column in _columns(tile)]))
                for at in range(start, stop):
                    if tile.by[at] != who:
                        tile.before[at], tile.before_by[at] = tile.last[at], tile.by[at]
                        tile.by[at] = who
                    tile.last[at] = seq
        return taken

    def unmark(self, taken: Undo) -> None:
        """Take a mark back. Marks go newest first."""
        for key, start, columns in reversed(taken):
            tile = self._tiles[key]
            for column, old in zip(_columns(tile), columns, strict=True):
                column[start : start + len(old)] = old

    def others(self, region: Region, author: str, since: int) -> Iterator[Touch]:
        """What authors other than `author` touched in `region` after commit `since`."""
        me = self._authors.index(author) if author in self._authors else -1
        for span in region.spans:
            for key, start, stop in _slices(span):
                tile = self._tiles.get(key)
                if tile is None:
                    continue
                left = (key[0] * TILE_COLUMNS) - start + start % TILE_COLUMNS
                for at in range(start, stop):
                    mine = tile.by[at] == me
                    seq = tile.before[at] if mine else tile.last[at]
                    if seq > since:
                        by = tile.before_by[at] if mine else tile.by[at]
                        yield Touch(Span(span.y, left + at, left + at + 1), self._authors[by], seq)

    def latest(self, x: int, y: int) -> tuple[str, int] | None:
        """Who touched this cell last, and with which commit; None if nobody ever did."""
        tile = self._tiles.get((x // TILE_COLUMNS, y // TILE_ROWS))
        at = (y % TILE_ROWS) * TILE_COLUMNS + x % TILE_COLUMNS
        if tile is None or tile.by[at] == _NOBODY:
            return None
        return self._authors[tile.by[at]], tile.last[at]

    def dump(self) -> dict[str, Any]:
        """Everything as plain data and bytes, for a checkpoint."""
        tiles = {key: [column.tobytes() for column in _columns(tile)] for key, tile in self._tiles.items()}
        return {"authors": self._authors[1:], "tiles": tiles}

    @classmethod
    def load(cls, found: dict[str, Any]) -> Trace:
        """The inverse of `dump`. Raises ValueError for columns of the wrong length."""
        trace = cls()
        trace._authors += found["authors"]
        for key, columns in found["tiles"].items():
            tile = trace._tiles[key] = _Tile.empty()
            for column, raw in zip(_columns(tile), columns, strict=True):
                if len(raw) != len(column) * column.itemsize:
                    raise ValueError("a trace tile has the wrong length")
                column[:] = array(column.typecode, raw)
        return trace

    def _number(self, author: str) -> int:
        if author not in self._authors:
            self._authors.append(author)
        return self._authors.index(author)


Undo = list[tuple[tuple[int, int], int, list["array[int]"]]]


def _columns(tile: _Tile) -> tuple[array[int], array[int], array[int], array[int]]:
    return tile.last, tile.by, tile.before, tile.before_by


def _slices(span: Span) -> Iterator[tuple[tuple[int, int], int, int]]:
    """A row span cut at tile borders: tile key, first and last index within the tile."""
    y, x, end = span
    row = (y % TILE_ROWS) * TILE_COLUMNS
    while x < end:
        upto = min(end, (x // TILE_COLUMNS + 1) * TILE_COLUMNS)
        column = x % TILE_COLUMNS
        yield (x // TILE_COLUMNS, y // TILE_ROWS), row + column, row + column + upto - x
        x = upto
