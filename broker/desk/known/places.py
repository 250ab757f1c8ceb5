"""Which canvas and sheet a call means."""

from __future__ import annotations

from chardesk.tools.errors import Refused
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.sheet import Canvas, Sheet

Place = tuple[str, str]
"""A canvas and a sheet of it, by their ids."""


def placed(
    contents: Contents, canvas_id: str | None, page_id: str | None, default: Place
) -> tuple[Canvas, Sheet]:
    """The canvas and sheet that are named. Raises `canvas_not_found` or `page_not_found`.

    A sheet alone names its canvas too; a canvas alone means its active sheet if it is the active
    canvas, else its first. What was active when the call arrived and is gone is not replaced by another.
    """
    if canvas_id is None and page_id is not None:
        owner = contents.canvas_of(page_id)
        if owner is None:
            raise Refused("page_not_found", f"no sheet {page_id[:40]}", field="pageId")
        canvas_id = owner.id
    wanted = canvas_id or default[0]
    canvas = contents.canvases.get(wanted)
    if canvas is None:
        raise Refused("canvas_not_found", f"no canvas {wanted[:40]}", field="canvasId")
    page_id = page_id or (default[1] if canvas.id == default[0] else canvas.sheets[0].id)
    sheet = canvas.sheet(page_id)
    if sheet is None:
        raise Refused("page_not_found", f"canvas {canvas.name} has no sheet {page_id[:40]}", field="pageId")
    return canvas, sheet
