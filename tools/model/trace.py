"""Who last touched each cell, and with which commit: what the conflict rule asks.

For every cell the last commit and its author are kept, and the last commit by *anybody else*. With the two,
"has another author touched this cell since revision B?" is answered exactly and in constant time, however
long the history is.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from chardesk.tools.model.region import Region, Span

TILE_COLUMNS, TILE_ROWS = 128, 64
_SIZE = TILE_COLUMNS * TILE_ROWS
_NOBODY = 0


class Touch(NamedTuple):
    """Cells that `author` touched with commit `seq`."""

    span: Span
    author: str
    seq: int


Key = tuple[int, int]
"""Column and row of a tile, counted in tiles."""

_COLUMNS = "IHIH"
"""Of a tile: last commit, its author, the last commit by anybody else, its author. Seqs take four bytes
(four thousand million commits), authors two, numbered per trace."""


class _Tile:
    """`epoch` is the token of the time in which the tile was last marked: see `Trace.epochs`. No commit in it
    is later than `newest`."""

    __slots__ = ("before", "before_by", "by", "epoch", "last", "newest")

    def __init__(self, last: array[int], by: array[int], before: array[int], before_by: array[int]) -> None:
        self.last, self.by, self.before, self.before_by = last, by, before, before_by
        self.epoch: object = None
        self.newest = 0

    @classmethod
    def empty(cls) -> _Tile:
        return cls(*(array(kind, bytes(array(kind).itemsize * _SIZE)) for kind in _COLUMNS))

    def columns(self) -> tuple[array[int], array[int], array[int], array[int]]:
        return self.last, self.by, self.before, self.before_by

    def mark(self, start: int, stop: int, who: int, seq: int) -> None:
        """Hot: once per row of every commit. The common cases, a row that is all mine or all others', are
        comparisons and copies of slices."""
        mine = _filled("H", who)[: stop - start]
        was = self.by[start:stop]
        if was != mine:
            if was == _filled("H", _NOBODY)[: stop - start] or who not in was:
                self.before[start:stop], self.before_by[start:stop] = self.last[start:stop], was
            else:
                self._remember(start, stop, who)
            self.by[start:stop] = mine
        self.last[start:stop] = _filled("I", seq)[: stop - start]
        self.newest = max(self.newest, seq)

    def _remember(self, start: int, stop: int, who: int) -> None:
        for at in range(start, stop):
            if self.by[at] != who:
                self.before[at], self.before_by[at] = self.last[at], self.by[at]


@lru_cache(maxsize=64)
def _filled(kind: str, value: int) -> array[int]:
    """A tile's row of one value. To be sliced, never written."""
    return array(kind, (value,)) * TILE_COLUMNS


class Trace:
    """Per sheet. 12 bytes a cell of the tiles that were ever touched."""

    __slots__ = ("_authors", "_epoch", "_tiles")

    def __init__(self) -> None:
        self._tiles: dict[Key, _Tile] = {}
        self._authors: list[str] = [""]
        self._epoch = object()

    def mark(self, region: Region, author: str, seq: int) -> Undo:
        """Note a commit. The answer takes the note back (`unmark`), for when the disk refuses the commit."""
        who = self._number(author)
        taken: Undo = []
        for span in region.spans:
            for key, start, stop in _slices(span):
                tile = self._tiles.get(key)
                if tile is None:
                    tile = self._tiles[key] = _Tile.empty()
                taken.append((key, start, [column[start:stop] for column in tile.columns()]))
                tile.mark(start, stop, who, seq)
                tile.epoch = self._epoch
        return taken

    def unmark(self, taken: Undo) -> None:
        """Take a mark back. Marks go newest first."""
        for key, start, columns in reversed(taken):
            tile = self._tiles[key]
            tile.epoch = self._epoch
            for column, old in zip(tile.columns(), columns, strict=True):
                column[start : start + len(old)] = old

    def others(self, region: Region, author: str, since: int) -> Iterator[Touch]:
        """What authors other than `author` touched in `region` after commit `since`."""
        me = self._authors.index(author) if author in self._authors else -1
        for span in region.spans:
            for key, start, stop in _slices(span):
                tile = self._tiles.get(key)
                if tile is None or tile.newest <= since or max(tile.last[start:stop]) <= since:
                    continue
                left = (key[0] * TILE_COLUMNS) - start + start % TILE_COLUMNS
                for at in range(start, stop):
                    mine = tile.by[at] == me
                    seq = tile.before[at] if mine else tile.last[at]
                    if seq > since:
                        by = tile.before_by[at] if mine else tile.by[at]
                        yield Touch(Span(span.y, left + at, left + at + 1), self._authors[by], seq)

    def since(self, seq: int) -> Iterator[Touch]:
        """What anybody touched after commit `seq`: stretches of one row and one commit, in no order.

        Cost follows what was touched, and the number of tiles.
        """
        for (column, row), tile in self._tiles.items():
            if tile.newest <= seq:
                continue
            for top in range(TILE_ROWS):
                start = top * TILE_COLUMNS
                last = tile.last[start : start + TILE_COLUMNS]
                if max(last) > seq:
                    by = tile.by[start : start + TILE_COLUMNS]
                    yield from self._touches(row * TILE_ROWS + top, column * TILE_COLUMNS, last, by, seq)

    def _touches(self, y: int, x: int, last: array[int], by: array[int], seq: int) -> Iterator[Touch]:
        for (commit, author), group in groupby(zip(last, by, strict=True)):
            columns = sum(1 for _ in group)
            if commit > seq:
                yield Touch(Span(y, x, x + columns), self._authors[author], commit)
            x += columns

    def latest(self, x: int, y: int) -> tuple[str, int] | None:
        """Who touched this cell last, and with which commit; None if nobody ever did."""
        tile = self._tiles.get((x // TILE_COLUMNS, y // TILE_ROWS))
        at = (y % TILE_ROWS) * TILE_COLUMNS + x % TILE_COLUMNS
        if tile is None or tile.by[at] == _NOBODY:
            return None
        return self._authors[tile.by[at]], tile.last[at]

    @property
    def authors(self) -> list[str]:
        """By number, from 1 on; tiles name authors by number."""
        return self._authors[1:]

    def epochs(self) -> dict[Key, object]:
        """For every tile a token that changes when the tile is marked from now on: that is how a checkpoint
        finds what changed."""
        self._epoch = object()
        return {key: tile.epoch for key, tile in self._tiles.items()}

    def dump(self, key: Key) -> bytes:
        """One tile as plain bytes, lowest first, on every machine."""
        return b"".join(_little(column).tobytes() for column in self._tiles[key].columns())

    @classmethod
    def load(cls, authors: Iterable[str], tiles: Iterable[tuple[Key, bytes]]) -> Trace:
        """The inverse of `authors` and `dump`. Raises ValueError for a tile of the wrong length."""
        trace = cls()
        trace._authors += authors
        for key, raw in tiles:
            tile = trace._tiles[key] = _tile(raw)
            tile.epoch, tile.newest = trace._epoch, max(tile.last)
        return trace

    def _number(self, author: str) -> int:
        if author not in self._authors:
            self._authors.append(author)
        return self._authors.index(author)


Undo = list[tuple[tuple[int, int], int, list["array[int]"]]]


def _tile(raw: bytes) -> _Tile:
    columns: list[array[int]] = []
    at = 0
    for kind in _COLUMNS:
        column = array(kind)
        size = column.itemsize * _SIZE
        column.frombytes(raw[at : at + size])
        columns.append(_little(column))
        at += size
    if at != len(raw):
        raise ValueError("a trace tile has the wrong length")
    return _Tile(*columns)


def _little(column: array[int]) -> array[int]:
    """The same numbers as the disk keeps them; on a big-endian machine a swapped copy."""
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column


def _slices(span: Span) -> Iterator[tuple[tuple[int, int], int, int]]:
    """A row span cut at tile borders: tile key, first and last index within the tile."""
    y, x, end = span
    row = (y % TILE_ROWS) * TILE_COLUMNS
    while x < end:
        upto = min(end, (x // TILE_COLUMNS + 1) * TILE_COLUMNS)
        column = x % TILE_COLUMNS
        yield (x // TILE_COLUMNS, y // TILE_ROWS), row + column, row + column + upto - x
        x = upto
