"""Cells as a page planned them, checked before they touch a sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chardesk.broker.wire import messages as m
from chardesk.tools.draw.place import area
from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import At, Style
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.sheet import Size
from chardesk.tools.text.clusters import Drops, stored

MAX_COLUMNS = 200_000
"""Written columns of one edit: what still fits a frame of 1 MiB in several colours."""


def put_exactly(draft: Draft, rows: Iterable[m.Row], styles: Sequence[Style]) -> None:
    """Writes every piece in its style as it is, and clears where columns are a count.

    Raises Refused `invalid_input` for halves of glyphs, controls, invisible or several characters in one
    column, unknown styles and places beyond 2^53−1; `too_large` over MAX_COLUMNS written columns.
    """
    left = MAX_COLUMNS
    for y, pieces in rows:
        for x, columns, number in pieces:
            if isinstance(columns, int):
                draft.erase(_checked(At(x, y), columns))
                continue
            rect = _checked(At(x, y), len(columns))
            left -= rect.width
            if left < 0:
                raise Refused(
                    "too_large",
                    f"one edit writes at most {MAX_COLUMNS} columns",
                    field="cells",
                    details={"limit": MAX_COLUMNS},
                )
            _refuse_torn(columns)
            draft.restyle(x, y, tuple(columns), (_style(styles, number),) * rect.width)


def _checked(at: At, columns: int) -> Rect:
    if columns < 1 or min(at) < -(2**53 - 1):
        raise Refused("invalid_input", "a piece needs columns, within ±(2^53−1)", field="cells")
    return area(at, Size(columns, 1))


def _style(styles: Sequence[Style], number: int) -> Style:
    if not 0 <= number < len(styles):
        raise Refused("invalid_input", f"style {number} is not among the {len(styles)} given", field="cells")
    return styles[number]


def _refuse_torn(columns: str | list[str]) -> None:
    chars = list(columns)
    known = {char: _columns_of(char) for char in set(chars)}
    whole = [column for char in chars for column in known[char]]
    if whole != chars:
        raise Refused(
            "invalid_input", "columns must be whole, visible glyphs, '' under a right half", field="cells"
        )


def _columns_of(char: str) -> list[str]:
    """The columns that one cluster takes; none for "", which its left half brings along."""
    return [part for kept, width in stored(char, Drops()) for part in (kept, "")[:width]]
