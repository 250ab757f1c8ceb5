"""A block of 128×64 columns: what scenes are made of."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from sys import intern
from typing import NamedTuple

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.model.occupancy import Facts, facts_of, mask, own_mask

CHUNK_COLUMNS, CHUNK_ROWS = 128, 64
"""Measured: 8–10 bytes a cell when full, and an 80×24 read touches two to four of them."""

CHUNK_SIZE = CHUNK_COLUMNS * CHUNK_ROWS

_PALETTE_LIMIT = 4 * CHUNK_SIZE
"""A palette that grew past this is rebuilt from the styles in use; a row more and it still fits 16 bits."""


class PackedChunk(NamedTuple):
    """A chunk as two alphabets and one number per column for each, row by row."""

    alphabet: list[str | None]
    chars: array[int]
    palette: list[Style]
    styles: array[int]


class Chunk:
    """Hot: every read and write ends here. A follower's slot holds `''`, an empty one None.

    `owner` is the token of who may write in place, so it also tells when the chunk was last written: see
    `Scene.share`.
    """

    __slots__ = ("_facts", "chars", "counts", "index", "owner", "palette", "stored", "styles")

    def __init__(self, owner: object) -> None:
        self.owner = owner
        self.chars: list[str | None] = [None] * CHUNK_SIZE
        self.styles = array("H", bytes(2 * CHUNK_SIZE))
        self.palette: list[Style] = [PLAIN]
        self.index: dict[Style, int] = {PLAIN: 0}
        self.counts = [0] * CHUNK_ROWS
        self.stored = 0
        self._facts: Facts | None = None

    def copy(self, owner: object) -> Chunk:
        twin = Chunk.__new__(Chunk)
        twin.owner = owner
        twin.chars, twin.styles = self.chars[:], self.styles[:]
        twin.palette, twin.index = self.palette[:], dict(self.index)
        twin.counts, twin.stored, twin._facts = self.counts[:], self.stored, self._facts
        return twin

    def put(self, row: int, column: int, chars: tuple[str | None, ...], styles: tuple[Style, ...]) -> None:
        start = row * CHUNK_COLUMNS + column
        stop = start + len(chars)
        letters, empty = _letters(chars)
        gained = self._empty(row, start, stop) - empty
        if len(self.palette) >= _PALETTE_LIMIT:
            self._rebuild_palette()
        self.chars[start:stop] = letters
        self.styles[start:stop] = self._numbers(styles)
        self.counts[row] += gained
        self.stored += gained
        self._facts = None

    def styles_of(self, start: int, stop: int) -> list[Style]:
        """The styles of columns `start .. stop`, counted over the whole chunk."""
        palette = self.palette
        if len(palette) == 1:
            return palette * (stop - start)
        return [palette[number] for number in self.styles[start:stop]]

    def facts(self) -> Facts:
        """What can be seen of it, remembered until the next `put`. Threads that race find the same."""
        if self._facts is None:
            rows = [row for row in range(CHUNK_ROWS) if self.counts[row]]
            is_plain = not any(style.marks_blank for style in self.palette)
            masks = [(row, self._mask(row, is_plain)) for row in rows]
            torn = (row for row in rows if self.chars[row * CHUNK_COLUMNS] == "")
            self._facts = facts_of(masks, tuple(torn))
        return self._facts

    def _mask(self, row: int, is_plain: bool) -> str:
        start = row * CHUNK_COLUMNS
        stop = start + CHUNK_COLUMNS
        chars = self.chars[start:stop]
        if is_plain and (text := own_mask(chars)) is not None:
            return text
        return mask(chars, self.styles_of(start, stop))

    def _empty(self, row: int, start: int, stop: int) -> int:
        """How many of these columns hold nothing; most rows are all empty or all full."""
        if not self.counts[row]:
            return stop - start
        return 0 if self.counts[row] == CHUNK_COLUMNS else self.chars[start:stop].count(None)

    def _numbers(self, styles: tuple[Style, ...]) -> array[int]:
        """Styles by number. Told apart by identity first: hashing one costs more than the rest of a write."""
        if styles == styles[:1] * len(styles):
            return array("H", (self._style_id(styles[0]),)) * len(styles)
        kinds = dict(zip(map(id, styles), styles, strict=True))
        numbers = {key: self._style_id(style) for key, style in kinds.items()}
        return array("H", map(numbers.__getitem__, map(id, styles)))

    def pack(self) -> PackedChunk:
        """Everything in it; `unpack` is the inverse. Styles that no column uses are left out."""
        alphabet = list(dict.fromkeys(self.chars))
        used = list(dict.fromkeys(self.styles))
        letter = {char: number for number, char in enumerate(alphabet)}
        shade = {old: number for number, old in enumerate(used)}
        return PackedChunk(
            alphabet,
            array("H", map(letter.__getitem__, self.chars)),
            [self.palette[old] for old in used],
            array("H", map(shade.__getitem__, self.styles)),
        )

    @classmethod
    def unpack(cls, packed: PackedChunk, owner: object) -> Chunk:
        """Raises IndexError or ValueError for what `pack` can't have made."""
        alphabet = [char if char is None else intern(char) for char in packed.alphabet]
        if len(packed.chars) != CHUNK_SIZE or len(packed.styles) != CHUNK_SIZE:
            raise ValueError("a chunk has the wrong length")
        if max(packed.styles) >= len(packed.palette):
            raise IndexError("a chunk names a style it does not have")
        chunk = cls(owner)
        chunk.chars = [alphabet[number] for number in packed.chars]
        rows = range(0, CHUNK_SIZE, CHUNK_COLUMNS)
        chunk.counts = [CHUNK_COLUMNS - chunk.chars[at : at + CHUNK_COLUMNS].count(None) for at in rows]
        chunk.stored = sum(chunk.counts)
        chunk.palette, chunk.styles = list(packed.palette), packed.styles
        chunk.index = {style: number for number, style in enumerate(chunk.palette)}
        return chunk

    def _style_id(self, style: Style) -> int:
        known = self.index.get(style)
        if known is not None:
            return known
        self.index[style] = len(self.palette)
        self.palette.append(style)
        return self.index[style]

    def _rebuild_palette(self) -> None:
        used = sorted(set(self.styles))
        moved = {old: new for new, old in enumerate(used)}
        self.palette = [self.palette[old] for old in used]
        self.index = {style: new for new, style in enumerate(self.palette)}
        self.styles = array("H", [moved[old] for old in self.styles])


def _letters(chars: Sequence[str | None]) -> tuple[Sequence[str | None], int]:
    """The columns with equal clusters shared in memory, and how many are empty.

    ASCII needs no sharing: the interpreter keeps one string for each of its characters.
    """
    try:
        if "".join(chars).isascii():  # type: ignore[arg-type]  # an empty column raises: that is the question
            return chars, 0
        return list(map(intern, chars)), 0  # type: ignore[arg-type]
    except TypeError:
        return [char if char is None else intern(char) for char in chars], chars.count(None)
