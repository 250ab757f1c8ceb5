"""A preview as pages and agents are told of it."""

from __future__ import annotations

from typing import Any, assert_never

from chardesk.broker.desk.effects import TellPage
from chardesk.broker.desk.known.previews import Preview
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.told import cells_after
from chardesk.broker.wire import messages as m
from chardesk.tools.model import steps as s
from chardesk.tools.model.change import Change
from chardesk.tools.model.region import Rect


def waiting(ghost: Preview) -> dict[str, Any]:
    """A live preview as agents are told of it: whose, where, what for."""
    shown = s.cells_changed(ghost.steps).get(ghost.sheet, Change()).bounds()
    return {
        "previewId": ghost.id,
        "author": ghost.author,
        "tool": ghost.tool,
        "canvasId": ghost.canvas,
        "pageId": ghost.sheet,
        "bounds": list(shown) if shown else None,
        "why": ghost.why,
        **({"requestId": ghost.request} if ghost.request else {}),
        **({"altGroup": ghost.alt_group} if ghost.alt_group else {}),
    }


def shown(state: State, ghost: Preview) -> TellPage:
    """The ghost as all pages paint it. One that changes no cells has an outline of one cell at the origin."""
    change = s.cells_changed(ghost.steps).get(ghost.sheet, Change())
    arranges = [one for step in ghost.steps if (one := _arranged(state, step)) is not None]
    return TellPage(
        m.Preview(
            id=ghost.id,
            author=ghost.author,
            color=state.color(ghost.author),
            canvas=ghost.canvas,
            sheet=ghost.sheet,
            canvas_name=_canvas_name(state, ghost.canvas),
            sheet_name=_sheet_name(state, ghost.sheet),
            tool=ghost.tool,
            why=ghost.why,
            bounds=change.bounds() or Rect(0, 0, 1, 1),
            overwritten=ghost.fields.get("overwrittenCells", 0),
            cleared=ghost.fields.get("clearedCells", 0),
            styled=ghost.fields.get("styledCells", 0),
            cells=change.once(cells_after),
            arranges=arranges,
            expires_at=ghost.expires_at,
            version=ghost.version,
            alt_group=ghost.alt_group,
            request=ghost.request,
        )
    )


_GLANCE = 80
"""Characters of a note that a card shows."""


def _arranged(state: State, step: s.Step) -> m.ArrangeStep | None:
    """A step on canvases or sheets in its names; None for cells."""
    match step:
        case s.CellsChanged():
            return None
        case s.SheetAdded(name=name, cells=held):
            return m.ArrangeStep(kind="sheet_added", name=name, cells=_count(held))
        case s.SheetRemoved(name=name, cells=held):
            return m.ArrangeStep(kind="sheet_removed", name=name, cells=_count(held))
        case s.SheetMoved(sheet=sheet, before=old, after=new):
            name = _sheet_name(state, sheet)
            return m.ArrangeStep(kind="sheet_moved", name=name, before=str(old + 1), after=str(new + 1))
        case s.SheetResized(sheet, old_size, new_size):
            name = _sheet_name(state, sheet)
            return m.ArrangeStep(
                kind="sheet_resized", name=name, before=_size(old_size), after=_size(new_size)
            )
        case s.SheetRenamed(_, was, now):
            return m.ArrangeStep(kind="sheet_renamed", name=was, before=was, after=now)
        case s.SheetNoted(sheet, was, now):
            return m.ArrangeStep(
                kind="sheet_noted", name=_sheet_name(state, sheet), before=was[:_GLANCE], after=now[:_GLANCE]
            )
        case s.CanvasRenamed(_, was, now):
            return m.ArrangeStep(kind="canvas_renamed", name=was, before=was, after=now)
        case s.CanvasAdded(name=name):
            return m.ArrangeStep(kind="canvas_added", name=name)
        case s.CanvasRemoved(name=name):
            return m.ArrangeStep(kind="canvas_removed", name=name)
        case s.CanvasArchived(canvas):
            return m.ArrangeStep(kind="canvas_archived", name=_canvas_name(state, canvas))
        case s.CanvasUnarchived(canvas):
            return m.ArrangeStep(kind="canvas_unarchived", name=_canvas_name(state, canvas))
        case _:
            assert_never(step)


def _count(held: Change) -> int:
    return held.altered().columns


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]}×{size[1]}"


def _sheet_name(state: State, sheet: str) -> str:
    """A sheet that is only to come by the same preview has no name yet."""
    found = state.contents.sheet(sheet)
    return "" if found is None else found.name


def _canvas_name(state: State, canvas: str) -> str:
    found = state.contents.canvases.get(canvas)
    return "" if found is None else found.name
