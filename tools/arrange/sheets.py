"""Sheets as they are written into steps."""

from __future__ import annotations

from collections.abc import Iterable

from chardesk.tools.errors import Refused
from chardesk.tools.model.change import Change, Run, Strip
from chardesk.tools.model.region import Rect, union_of
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Sheet, Size

MAX_SIDE = 1000
"""Columns or rows of a slide."""


def bounded(size: Size) -> Size:
    """The size, refused `invalid_input` when a side is over the limit."""
    if max(size) > MAX_SIDE:
        message = f"size must be at most {MAX_SIDE}×{MAX_SIDE}, not {size.columns}×{size.rows}"
        raise Refused("invalid_input", message, field="size")
    return size


def cells_of(scene: Scene) -> Change:
    """The change that would draw the whole scene on an empty sheet."""
    return Change(
        tuple(Run(y, x, Strip.empty(end - x), scene.strip(y, x, end)) for y, x, end in scene.spans())
    )


def occupied(sheets: Iterable[Sheet]) -> tuple[int, Rect | None]:
    """Occupied columns of all the sheets, and the rectangle around them."""
    scenes = [sheet.scene for sheet in sheets]
    around = union_of(rect for rect in (scene.bounds() for scene in scenes) if rect is not None)
    return sum(scene.occupied_cells() for scene in scenes), around
