"""The contents as they would become: steps are tried out here before they happen."""

from __future__ import annotations

from dataclasses import replace

from chardesk.tools.model.contents import Contents
from chardesk.tools.model.sheet import Canvas
from chardesk.tools.model.steps import CellsChanged, Step


class Rehearsal(Contents):
    """Starts as `contents` and goes its own way; the original never notices. Traces are shared: read only.

    Cost follows the number of sheets, not their cells: a scene is forked when a step first writes on it, or
    at once when the two are to go `apart`, so that the rehearsal may go on on another thread.
    """

    __slots__ = ("_forked",)

    def __init__(self, contents: Contents, *, apart: bool = False) -> None:
        super().__init__()
        self._forked: set[str] = set()
        for canvas in contents.canvases.values():
            self.adopt(_copied(canvas, apart))

    def apply(self, step: Step) -> None:
        if isinstance(step, CellsChanged) and step.sheet not in self._forked:
            self._forked.add(step.sheet)
            sheet = self._need(step.sheet)
            sheet.scene = sheet.scene.fork()
        super().apply(step)


def _copied(canvas: Canvas, apart: bool) -> Canvas:
    sheets = [replace(sheet, scene=sheet.scene.fork() if apart else sheet.scene) for sheet in canvas.sheets]
    return replace(canvas, sheets=sheets)
