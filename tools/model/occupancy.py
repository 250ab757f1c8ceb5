"""What can be seen of stored columns: the contract's word "occupied", for a row and for a whole chunk.

Occupied is a column with a visible character, or with a background, inverse, underline or strike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from chardesk.tools.model.cell import Style


def mask(chars: Sequence[str | None], styles: tuple[Style, ...] | list[Style]) -> str:
    """One character per column, whitespace where it is not occupied; a follower is like its left half.

    A follower in the first column counts as blank: who has its left half puts that in its place.
    Hot: a sampled read of a full sheet runs it for every row, mostly plain text that is its own mask. Styles
    are told apart by identity, as they come from few palettes and hashing each would cost more than the rest.
    """
    if styles != styles[:1] * len(styles):
        known = dict(zip(map(id, styles), styles, strict=True))
        marked = {key for key, style in known.items() if style.marks_blank}
    elif any(style.marks_blank for style in styles[:1]):
        return "x" * len(styles)
    else:
        marked = set()
    if not marked and (text := own_mask(chars)) is not None:
        return text
    bits: list[str] = []
    seen = " "
    for char, style in zip(chars, styles, strict=True):
        if char != "":
            seen = "x" if char and not char.isspace() else " "
        bits.append("x" if id(style) in marked else seen)
    return "".join(bits)


def own_mask(chars: Sequence[str | None]) -> str | None:
    """The text of the columns, if every column is one code point or empty and so is its own mask."""
    letters = [" " if char is None else char for char in chars]
    text = "".join(letters)
    return text if len(text) == len(letters) and (text.isascii() or "" not in letters) else None


class Facts(NamedTuple):
    """Of one chunk: how many columns are occupied and the half-open box around them (all 0 without any).

    `torn` are rows that begin with the right half of a glyph whose left half stands in the next chunk; they
    are left out here unless their style makes them visible.
    """

    occupied: int
    left: int
    top: int
    right: int
    bottom: int
    torn: tuple[int, ...]


def facts_of(rows: Sequence[tuple[int, str]], torn: tuple[int, ...]) -> Facts:
    """Adds up the masks of a chunk's rows, each with its number; rows that hold nothing are not needed."""
    seen = [(row, line) for row, line in rows if line and not line.isspace()]
    if not seen:
        return Facts(0, 0, 0, 0, 0, torn)
    return Facts(
        occupied=sum(sum(map(len, line.split())) for _, line in seen),
        left=min(len(line) - len(line.lstrip()) for _, line in seen),
        top=seen[0][0],
        right=max(len(line.rstrip()) for _, line in seen),
        bottom=seen[-1][0] + 1,
        torn=torn,
    )
