"""Do planned steps still fit what is there? Asked before an old plan (a preview, an undo) is carried out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from chardesk.tools.arrange.sheets import cells_of
from chardesk.tools.errors import Refused
from chardesk.tools.model import steps as s
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.region import Rect
from chardesk.tools.model.rehearsal import Rehearsal
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Canvas, Sheet, Size


@dataclass(frozen=True, slots=True)
class _Plan:
    """The contents as the steps before have made them, and the code to refuse with."""

    contents: Contents
    code: str

    def refusal(self, message: str) -> Refused:
        return Refused(self.code, message)

    def sheet(self, sheet_id: str) -> tuple[Canvas, Sheet]:
        """A sheet that must be there and open to changes."""
        canvas, sheet = self.contents.canvas_of(sheet_id), self.contents.sheet(sheet_id)
        if canvas is None or sheet is None:
            raise self.refusal("its sheet is gone")
        refuse_archived(canvas)
        return canvas, sheet

    def canvas(self, canvas_id: str) -> Canvas:
        if canvas_id not in self.contents.canvases:
            raise self.refusal("its canvas is gone")
        return self.contents.canvases[canvas_id]


def refit(contents: Contents, steps: tuple[s.Step, ...], code: str) -> tuple[s.Step, ...]:
    """The steps with places among neighbours as they are now, so that sheets that came, went or moved beside
    them do no harm.

    Raises Refused: `code` when what a step starts from is no longer so, `name_taken`, `last_one` when no open
    canvas or no sheet of a canvas would be left, `unsupported_action` on an archived canvas.
    """
    if _are_apart(steps):
        plan = _Plan(contents, code)
        return tuple(_FITS[type(step)](plan, step) for step in steps)
    fitted: list[s.Step] = []
    plan = _Plan(Rehearsal(contents), code)
    for step in steps:
        fitted.append(_FITS[type(step)](plan, step))
        plan.contents.apply(fitted[-1])
    _refuse_last(contents, plan.contents)
    return tuple(fitted)


def _are_apart(steps: tuple[s.Step, ...]) -> bool:
    """Cells of different sheets only: no step can depend on another, so none needs to be rehearsed."""
    sheets = [step.sheet for step in steps if isinstance(step, s.CellsChanged)]
    return len(sheets) == len(steps) == len(set(sheets))


def refuse_archived(canvas: Canvas) -> None:
    if canvas.archived:
        raise Refused("unsupported_action", f"canvas {canvas.name} is archived; unarchive it first")


def is_structural(step: s.Step) -> bool:
    """Does it do more than change cells?"""
    return not isinstance(step, s.CellsChanged)


def subjects(steps: Iterable[s.Step]) -> set[str]:
    """The ids of sheets and canvases that the steps are about."""
    found = (getattr(step, name, None) for step in steps for name in ("sheet", "canvas"))
    return {one for one in found if one is not None}


# -- one step ------------------------------------------------------------------


def _cells(plan: _Plan, step: s.CellsChanged) -> s.Step:
    _, sheet = plan.sheet(step.sheet)
    if not sheet.scene.fits(step.change):
        raise plan.refusal("cells under it were changed since")
    return step


def _added(plan: _Plan, step: s.SheetAdded) -> s.Step:
    if plan.contents.sheet(step.sheet) is not None:
        raise plan.refusal("its sheet is there already")
    canvas = plan.canvas(step.canvas)
    refuse_archived(canvas)
    return replace(step, index=min(step.index, len(canvas.sheets)))


def _removed(plan: _Plan, step: s.SheetRemoved) -> s.Step:
    canvas, sheet = plan.sheet(step.sheet)
    is_same = (sheet.name, sheet.size, sheet.note) == (step.name, step.size, step.note)
    if not is_same or cells_of(sheet.scene) != step.cells:
        raise plan.refusal(f"sheet {sheet.name} was worked on since")
    return replace(step, index=canvas.sheets.index(sheet))


def _moved(plan: _Plan, step: s.SheetMoved) -> s.Step:
    canvas, sheet = plan.sheet(step.sheet)
    return replace(step, before=canvas.sheets.index(sheet), after=min(step.after, len(canvas.sheets) - 1))


def _resized(plan: _Plan, step: s.SheetResized) -> s.Step:
    _, sheet = plan.sheet(step.sheet)
    if sheet.size != step.before:
        raise plan.refusal(f"sheet {sheet.name} was resized since")
    if _reaches_over(sheet.scene, step.before, step.after):
        raise plan.refusal(f"cells of {sheet.name} are outside of {step.after.columns}×{step.after.rows} now")
    return step


def _renamed_sheet(plan: _Plan, step: s.SheetRenamed) -> s.Step:
    _, sheet = plan.sheet(step.sheet)
    if sheet.name != step.before:
        raise plan.refusal("the sheet was renamed again since")
    return step


def _noted(plan: _Plan, step: s.SheetNoted) -> s.Step:
    _, sheet = plan.sheet(step.sheet)
    if sheet.note != step.before:
        raise plan.refusal("the sheet's note was changed since")
    return step


def _new_canvas(plan: _Plan, step: s.CanvasAdded) -> s.Step:
    if step.canvas in plan.contents.canvases:
        raise plan.refusal("its canvas is there already")
    _refuse_taken(plan, step.name)
    return step


def _lost_canvas(plan: _Plan, step: s.CanvasRemoved) -> s.Step:
    canvas = plan.canvas(step.canvas)
    if canvas.name != step.name or canvas.sheets:
        raise plan.refusal(f"canvas {canvas.name} was worked on since")
    return step


def _renamed(plan: _Plan, step: s.CanvasRenamed) -> s.Step:
    canvas = plan.canvas(step.canvas)
    refuse_archived(canvas)
    if canvas.name != step.before:
        raise plan.refusal("the canvas was renamed again since")
    _refuse_taken(plan, step.after)
    return step


def _archived(plan: _Plan, step: s.CanvasArchived) -> s.Step:
    if plan.canvas(step.canvas).archived:
        raise plan.refusal("the canvas was archived since")
    return step


def _unarchived(plan: _Plan, step: s.CanvasUnarchived) -> s.Step:
    if not plan.canvas(step.canvas).archived:
        raise plan.refusal("the canvas was unarchived since")
    return step


_FITS: dict[type, Callable[[_Plan, Any], s.Step]] = {
    s.CellsChanged: _cells,
    s.SheetAdded: _added,
    s.SheetRemoved: _removed,
    s.SheetMoved: _moved,
    s.SheetResized: _resized,
    s.SheetRenamed: _renamed_sheet,
    s.SheetNoted: _noted,
    s.CanvasAdded: _new_canvas,
    s.CanvasRemoved: _lost_canvas,
    s.CanvasRenamed: _renamed,
    s.CanvasArchived: _archived,
    s.CanvasUnarchived: _unarchived,
}


# -- rules of several steps -------------------------------------------------------


def _refuse_last(before: Contents, after: Contents) -> None:
    if before.open_canvases() and not after.open_canvases():
        raise Refused("last_one", "this would leave no open canvas")
    for canvas in after.canvases.values():
        if not canvas.sheets:
            raise Refused("last_one", f"this would leave canvas {canvas.name} without a page")


def _refuse_taken(plan: _Plan, name: str) -> None:
    if any(canvas.name == name for canvas in plan.contents.canvases.values()):
        raise Refused("name_taken", f"another canvas is called {name} now")


def _reaches_over(scene: Scene, old: Size, new: Size) -> bool:
    outside = [
        Rect(new.columns, 0, old.columns - new.columns, old.rows) if old.columns > new.columns else None,
        Rect(0, new.rows, old.columns, old.rows - new.rows) if old.rows > new.rows else None,
    ]
    return any(True for rect in outside if rect is not None for _ in scene.spans(rect))
