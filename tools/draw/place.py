"""Where a drawing operation works: points, rectangles, and the edges it must not cross."""

from __future__ import annotations

from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import MAX_COORDINATE, At
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import QUICK_CELLS


def area(at: At, size: Size) -> Rect:
    """The rectangle at `at`. Raises Refused `invalid_input` if it ends beyond 2^53−1."""
    rect = Rect(*at, *size)
    if rect.right > MAX_COORDINATE or rect.bottom > MAX_COORDINATE:
        raise Refused("invalid_input", f"at plus size must stay within ±{MAX_COORDINATE}", field="at")
    return rect


def is_much(scene: Scene, size: Size) -> bool:
    """Might an area of this size hold more than the event loop has time for? Cost follows what is stored."""
    return size.columns * size.rows > QUICK_CELLS and scene.stored_cells() > QUICK_CELLS


def check_inside(rect: Rect | None, sheet: Size | None) -> None:
    """Passes if all of `rect` is on the sheet; None is nothing, and an endless sheet ends at 2^53−1.

    Raises Refused `invalid_input` beyond that, `out_of_bounds` over a slide's edge, naming its size.
    """
    if rect is None:
        return
    area(At(rect.x, rect.y), Size(rect.width, rect.height))
    if sheet is None or Rect(0, 0, *sheet).covers(rect):
        return
    raise Refused(
        "out_of_bounds",
        f"[{', '.join(map(str, rect))}] is not inside the slide of {sheet.columns}×{sheet.rows}; "
        f"x goes from 0 to {sheet.columns - 1}, y from 0 to {sheet.rows - 1}",
        field="at",
        details={"bounds": list(rect), "size": list(sheet)},
    )
