"""Where an agent may change something: canvases, sheets, rectangles. Elsewhere it may only look."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from chardesk.tools.model import steps as s
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.region import Rect, Region, Span

MAX_AREAS = 16
"""Of one author: more would be a list that nobody looks through."""


@dataclass(frozen=True, slots=True)
class Area:
    """A canvas with all its sheets; with `sheet` only that one; with `rect` only these cells of it.

    One whose canvas or sheet is gone allows nothing.
    """

    canvas: str
    sheet: str | None = None
    rect: Rect | None = None

    def packed(self) -> list[Any]:
        return [self.canvas, self.sheet, None if self.rect is None else list(self.rect)]

    def fields(self) -> dict[str, Any]:
        """As agents are told of it."""
        sheet = {} if self.sheet is None else {"pageId": self.sheet}
        rect = {} if self.rect is None else {"bounds": list(self.rect)}
        return {"canvasId": self.canvas, **sheet, **rect}


Scope = tuple[Area, ...]
"""The areas together. None at all is no limit: the whole desk."""


def load(packed: Iterable[Sequence[Any]]) -> Scope:
    """The inverse of `Area.packed`, for a whole scope."""
    return tuple(Area(canvas, sheet, rect and Rect(*rect)) for canvas, sheet, rect in packed)


def resolved(contents: Contents, scope: Scope) -> Scope:
    """The same areas with the ids of canvases and sheets that are named in them. A name that nothing has
    stays as it is, and allows nothing."""
    return tuple(_resolved(contents, area) for area in scope)


def _resolved(contents: Contents, area: Area) -> Area:
    named = {canvas.name: canvas for canvas in contents.canvases.values()}
    canvas = contents.canvases.get(area.canvas) or named.get(area.canvas)
    if canvas is None:
        return area
    sheets = {sheet.name: sheet.id for sheet in reversed(canvas.sheets)}
    sheet = area.sheet and sheets.get(area.sheet, area.sheet)
    return Area(canvas.id, sheet, area.rect)


def outside(contents: Contents, scope: Scope, steps: Sequence[s.Step]) -> list[Area]:
    """What the steps touch that is not in the scope: cells as rectangles, everything else as its canvas.

    Whoever changes more than cells (adds, removes, moves, names or resizes sheets) needs the whole canvas; a
    new canvas is in nobody's scope. Cells of a sheet that comes with the same steps count as its canvas.
    """
    whole = {area.canvas for area in scope if area.sheet is None}
    homes = {step.sheet: step.canvas for step in steps if isinstance(step, s.SheetAdded)}
    found: dict[Area, None] = {}
    for step in steps:
        canvas = _canvas(contents, step, homes)
        if canvas not in whole:
            found |= dict.fromkeys(_beyond(scope, canvas, step))
    return list(found)


def _canvas(contents: Contents, step: s.Step, homes: dict[str, str]) -> str:
    match step:
        case (
            s.CellsChanged(sheet=sheet)
            | s.SheetResized(sheet=sheet)
            | s.SheetRenamed(sheet=sheet)
            | s.SheetNoted(sheet=sheet)
        ):
            owner = contents.canvas_of(sheet)
            return owner.id if owner is not None else homes.get(sheet, "")
        case (
            s.SheetAdded(canvas=canvas)
            | s.SheetRemoved(canvas=canvas)
            | s.SheetMoved(canvas=canvas)
            | s.CanvasAdded(canvas=canvas)
            | s.CanvasRemoved(canvas=canvas)
            | s.CanvasRenamed(canvas=canvas)
            | s.CanvasArchived(canvas=canvas)
            | s.CanvasUnarchived(canvas=canvas)
        ):
            return canvas
        case _:
            assert_never(step)


def _beyond(scope: Scope, canvas: str, step: s.Step) -> Iterator[Area]:
    """What a step touches beyond the areas on sheets of its canvas."""
    if not isinstance(step, s.CellsChanged):
        yield Area(canvas)
        return
    areas = [area for area in scope if (area.canvas, area.sheet) == (canvas, step.sheet)]
    if any(area.rect is None for area in areas):
        return
    rects = sorted(area.rect for area in areas if area.rect is not None)
    left = Region(part for span in step.change.footprint().spans for part in _without(span, rects))
    yield from (Area(canvas, step.sheet, rect) for rect in left.rects())


def _without(span: Span, rects: Sequence[Rect]) -> Iterator[Span]:
    """The parts of a span that no rectangle has; they are sorted from left to right."""
    y, x, end = span
    for rect in rects:
        if rect.y <= y < rect.bottom and rect.x < end and rect.right > x:
            if rect.x > x:
                yield Span(y, x, rect.x)
            x = rect.right
    if x < end:
        yield Span(y, x, end)


def words(contents: Contents, areas: Sequence[Area]) -> str:
    """Areas in a few words: the first, and how many more."""
    more = f" and {len(areas) - 1} more" if len(areas) > 1 else ""
    return _words(contents, areas[0]) + more


def _words(contents: Contents, area: Area) -> str:
    canvas = contents.canvases.get(area.canvas)
    if canvas is None:
        return "a canvas that is not there"
    if area.sheet is None:
        return f"canvas {canvas.name}"
    sheet = canvas.sheet(area.sheet)
    where = f"{sheet.name if sheet is not None else 'a page that is gone'} of canvas {canvas.name}"
    return where if area.rect is None else f"{list(area.rect)} on {where}"
