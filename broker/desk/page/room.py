"""Insertion: what stands to the right of the cursor moves over, and no further than it has to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from chardesk.tools.model.cell import MAX_COORDINATE, PLAIN, At, Style
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect


def make_room(draft: Draft, at: At, columns: int) -> None:
    """Push what stands from `at` on `columns` to the right. Gaps of two or more empty columns give way,
    all but one column of each: so words stay apart, and a border stays while there is room before it."""
    x, y = at
    spans = draft.scene.spans(Rect(x, y, MAX_COORDINATE - x, 1))
    end = max((span.end for span in spans), default=x)
    if draft.scene.char(x, y) == "":
        return
    chars, styles = draft.scene.strip(y, x, end)
    kept = _kept([_is_free(char, style) for char, style in zip(chars, styles, strict=True)], columns)
    if kept:
        draft.restyle(x + columns, y, [chars[n] for n in kept], [styles[n] for n in kept])


def _kept(free: Sequence[bool], needed: int) -> list[int]:
    """Which columns move: those before the place where enough has given way, without what gave way."""
    kept: list[int] = []
    at = 0
    for is_free, run in groupby(free):
        if needed <= 0:
            break
        length = len(list(run))
        spare = 0 if not is_free else length if at + length == len(free) else length - 1
        taken = min(spare, needed)
        kept += range(at, at + length - taken)
        at += length
        needed -= taken
    return kept


def _is_free(char: str | None, style: Style) -> bool:
    return char is None or (char == " " and style == PLAIN)
