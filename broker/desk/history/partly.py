"""Undo of what can be undone of an operation: cells that still hold what it wrote; the rest is listed."""

from __future__ import annotations

from typing import Any

from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.fitting import is_structural, refit
from chardesk.tools.errors import Refused
from chardesk.tools.history import still_held
from chardesk.tools.model.change import Change
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.region import Region, Span
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import CellsChanged, Step, cells_changed

MAX_LISTED = 50
"""Rectangles that are listed as left."""


def back(state: State, commit: Commit) -> tuple[tuple[Step, ...], dict[str, Any]]:
    """The steps that take back what still stands, and `left`: rectangles and who changed them since.

    Raises `operation_not_undoable` when nothing stands, and for what came with pages or canvases: those go
    back whole or not at all.
    """
    if any(map(is_structural, commit.steps)):
        raise _not("it changed pages or canvases too, which go back whole")
    steps: list[Step] = []
    left: list[dict[str, Any]] = []
    for sheet_id, change in cells_changed(commit.steps).items():
        sheet = state.contents.sheet(sheet_id)
        if sheet is None:
            continue
        held = still_held(change, sheet.scene)
        steps += [CellsChanged(sheet_id, held.inverse())] if held.runs else []
        left += _left(sheet, commit, change, held)
    if not steps:
        raise _not("none of its cells still holds what it wrote")
    return refit(state.contents, tuple(steps), "operation_not_undoable"), {"left": left[:MAX_LISTED]}


def _not(why: str) -> Refused:
    return Refused("operation_not_undoable", f"nothing can be taken back in part: {why}")


def _left(sheet: Sheet, commit: Commit, change: Change, held: Change) -> list[dict[str, Any]]:
    """What stays, by the author who changed it since; a glyph's other half may be nobody's."""
    stays = _without(change.altered(), held.footprint())
    since: dict[str, list[Span]] = {}
    for touch in sheet.trace.others(stays, "", commit.seq):
        since.setdefault(touch.author, []).append(touch.span)
    return [
        {"pageId": sheet.id, "rect": list(rect), "author": author}
        for author, spans in since.items()
        for rect in Region(spans).rects()
    ]


def _without(whole: Region, part: Region) -> Region:
    gone = {(y, column) for y, x, end in part.spans for column in range(x, end)}
    return Region(
        Span(y, column, column + 1)
        for y, x, end in whole.spans
        for column in range(x, end)
        if (y, column) not in gone
    )
