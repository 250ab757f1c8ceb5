"""Everything drawn on a desk, and the one place where steps are carried out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from chardesk.tools.errors import Fault
from chardesk.tools.model import steps as s
from chardesk.tools.model.sheet import Canvas, Sheet


class Contents:
    """All canvases by id, in the order of their birth."""

    __slots__ = ("_sheets", "canvases")

    def __init__(self) -> None:
        self.canvases: dict[str, Canvas] = {}
        self._sheets: dict[str, tuple[Canvas, Sheet]] = {}

    def sheet(self, sheet_id: str) -> Sheet | None:
        found = self._sheets.get(sheet_id)
        return found[1] if found else None

    def canvas_of(self, sheet_id: str) -> Canvas | None:
        found = self._sheets.get(sheet_id)
        return found[0] if found else None

    def adopt(self, canvas: Canvas) -> None:
        """Take a whole canvas in, as a load does."""
        self.canvases[canvas.id] = canvas
        for sheet in canvas.sheets:
            self._sheets[sheet.id] = (canvas, sheet)

    def open_canvases(self) -> list[Canvas]:
        return [canvas for canvas in self.canvases.values() if not canvas.archived]

    def touched(self, steps: Iterable[s.Step]) -> list[str]:
        """The sheets whose revision moves with these steps."""
        found = [step.sheet for step in steps if not isinstance(step, _CANVAS_STEPS)]
        return list(dict.fromkeys(found))

    def apply(self, step: s.Step) -> None:
        """Carry a step out. Raises Fault when the contents are not what the step expects."""
        match step:
            case s.CellsChanged(sheet, change):
                self._need(sheet).scene.apply(change)
            case s.SheetAdded(canvas, index, sheet, name, size, cells, note):
                added = Sheet(sheet, name, size, note=note)
                added.scene.apply(cells)
                self._need_canvas(canvas).sheets.insert(index, added)
                self._sheets[sheet] = (self._need_canvas(canvas), added)
            case s.SheetRemoved(canvas, _, sheet):
                self._need_canvas(canvas).sheets.remove(self._need(sheet))
                del self._sheets[sheet]
            case s.SheetMoved(canvas, sheet, _, after):
                sheets = self._need_canvas(canvas).sheets
                sheets.remove(self._need(sheet))
                sheets.insert(after, self._need(sheet))
            case s.SheetResized(sheet, _, size):
                self._need(sheet).size = size
            case s.SheetRenamed(sheet, _, name):
                self._need(sheet).name = name
            case s.SheetNoted(sheet, _, note):
                self._need(sheet).note = note
            case s.CanvasAdded(canvas, name, kind):
                self.canvases[canvas] = Canvas(canvas, name, kind)
            case s.CanvasRemoved(canvas):
                del self.canvases[self._need_canvas(canvas).id]
            case s.CanvasRenamed(canvas, _, name):
                self._need_canvas(canvas).name = name
            case s.CanvasArchived(canvas):
                self._need_canvas(canvas).archived = True
            case s.CanvasUnarchived(canvas):
                self._need_canvas(canvas).archived = False
            case _:
                assert_never(step)

    def _need(self, sheet_id: str) -> Sheet:
        sheet = self.sheet(sheet_id)
        if sheet is None:
            raise Fault(f"no sheet {sheet_id}")
        return sheet

    def _need_canvas(self, canvas_id: str) -> Canvas:
        if canvas_id not in self.canvases:
            raise Fault(f"no canvas {canvas_id}")
        return self.canvases[canvas_id]


_CANVAS_STEPS = (s.CanvasAdded, s.CanvasRemoved, s.CanvasRenamed, s.CanvasArchived, s.CanvasUnarchived)
