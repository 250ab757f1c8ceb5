"""Rows of columns onto a draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chardesk.tools.draw.place import check_inside
from chardesk.tools.model.cell import At
from chardesk.tools.model.change import Strip
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect, union_of
from chardesk.tools.model.sheet import Size


@dataclass(frozen=True, slots=True)
class Stroke:
    """What came of it, in columns. `bounds` None and `written` 0 if nothing is different now."""

    bounds: Rect | None
    written: int
    skipped: int


class _Piece(NamedTuple):
    y: int
    x: int
    strip: Strip

    @property
    def rect(self) -> Rect:
        return Rect(self.x, self.y, len(self.strip.chars), 1)


def transparent(draft: Draft, size: Size | None, at: At, rows: Sequence[Strip]) -> Stroke:
    """Row i at y + i, without the whitespace whose style can't be seen: what is under it stays.

    Raises Refused as `check_inside` does, before anything is written.
    """
    pieces = [piece for number, row in enumerate(rows) for piece in _visible(row, at.x, at.y + number)]
    written = sum(piece.rect.width for piece in pieces)
    skipped = sum(len(row.chars) for row in rows) - written
    bounds = _put(draft, size, pieces)
    return Stroke(bounds, written if bounds else 0, skipped)


def opaque(draft: Draft, size: Size | None, at: At, rows: Sequence[Strip]) -> Stroke:
    """Row i at y + i, blanks too. Beside short rows, what stands within the picture's width is blanked.

    Blanks keep the background they land on. Raises Refused like `check_inside`, before anything is written.
    """
    pieces = [_Piece(at.y + number, at.x, row) for number, row in enumerate(rows) if row.chars]
    written = sum(piece.rect.width for piece in pieces)
    whole = union_of(piece.rect for piece in pieces)
    check_inside(whole, size)
    blanks = list(_beside(draft, whole, {piece.y: piece.rect.right for piece in pieces})) if whole else []
    bounds = _put(draft, size, [*blanks, *pieces])
    return Stroke(whole if bounds else None, written if bounds else 0, 0)


def _put(draft: Draft, size: Size | None, pieces: Sequence[_Piece]) -> Rect | None:
    """Write the pieces. The rectangle around them; None if nothing is different afterwards."""
    whole = union_of(piece.rect for piece in pieces)
    check_inside(whole, size)
    is_different = False
    for y, x, (chars, styles) in pieces:
        is_different = draft.put(x, y, chars, styles) or is_different
    return whole if is_different else None


def _visible(row: Strip, x: int, y: int) -> Iterator[_Piece]:
    """The stretches of a row that are written; whole glyphs, because a follower goes with its left half."""
    chars, styles = row
    begin: int | None = None
    is_seen = False
    for column, (char, style) in enumerate(zip(chars, styles, strict=True)):
        if char:
            is_seen = not char.isspace() or style.is_worth_a_blank
        if is_seen and begin is None:
            begin = column
        elif not is_seen and begin is not None:
            yield _Piece(y, x + begin, Strip(chars[begin:column], styles[begin:column]))
            begin = None
    if begin is not None:
        yield _Piece(y, x + begin, Strip(chars[begin:], styles[begin:]))


def _beside(draft: Draft, whole: Rect, ends: dict[int, int]) -> Iterator[_Piece]:
    """Blanks over what is stored to the right of each row's end and on empty rows, within `whole`."""
    for y, x, end in draft.scene.spans(whole):
        start = max(x, ends.get(y, whole.x))
        if start < end:
            yield _Piece(y, start, _blanks(end - start))


def _blanks(columns: int) -> Strip:
    return Strip((" ",) * columns, Strip.empty(columns).styles)
