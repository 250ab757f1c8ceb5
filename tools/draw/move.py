"""move: what stands in a rectangle, somewhere else. For batches and scripts; no tool of its own."""

from __future__ import annotations

from pydantic import Field

from chardesk.tools.draw.place import area, check_inside, is_much
from chardesk.tools.model.cell import At
from chardesk.tools.model.change import Strip
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Draw, Operation, Target
from chardesk.tools.schema import Four, PointArg, Result, SizeArg


class MoveArgs(Target):
    from_: PointArg = Field(alias="from", description="[x, y] of the top left corner of what is moved")
    size: SizeArg = Field(description="[columns, rows]")
    to: PointArg = Field(description="[x, y] where that corner comes to stand")


class Moved(Result):
    """`bounds` of where the cells stand now; None and 0 if nothing moved."""

    bounds: Four | None
    moved_cells: int


def plan(draft: Draft, size: Size | None, args: MoveArgs) -> Moved:
    """Raises Refused `out_of_bounds` over a slide's edge, `invalid_input` beyond 2^53−1; then nothing moved.

    Cost follows what is stored, not the area.
    """
    rect = area(args.from_, args.size)
    area(args.to, args.size)
    landed = move(draft, size, rect, args.to)
    return Moved(bounds=landed.bounds(), moved_cells=landed.columns)


def move(draft: Draft, size: Size | None, rect: Rect, to: At) -> Region:
    """Where the cells of `rect` came to stand when its corner went to `to`; empty if nothing moved.

    Every glyph that reaches into `rect` goes along, whole, once, blanks too. All are lifted before any is
    laid down, so the places may overlap. A cell without a background takes that of its new place.
    """
    dx, dy = to.x - rect.x, to.y - rect.y
    lifted = _lifted(draft.scene, rect) if dx or dy else []
    landed = Region(Span(y + dy, x + dx, x + dx + len(strip.chars)) for y, x, strip in lifted)
    check_inside(landed.bounds(), size)
    for y, x, strip in lifted:
        draft.clear(Span(y, x, x + len(strip.chars)))
    for y, x, (chars, styles) in lifted:
        draft.put(x + dx, y + dy, chars, styles)
    return landed


def _lifted(scene: Scene, rect: Rect) -> list[tuple[int, int, Strip]]:
    """Row, first column and cells of every stretch."""
    spans = [_whole(scene, span) for span in scene.spans(rect)]
    return [(y, x, scene.strip(y, x, end)) for y, x, end in spans]


def _whole(scene: Scene, span: Span) -> Span:
    """The span with the other halves of wide glyphs at its ends."""
    y, x, end = span
    return Span(y, x - (scene.char(x, y) == ""), end + (scene.char(end, y) == ""))


def is_slow(scene: Scene, args: MoveArgs) -> bool:
    return is_much(scene, args.size)


OPERATION = Operation(
    name="canvas_move",
    summary="Move what stands in a rectangle, whole wide characters included; the places may overlap.",
    effect="change",
    args=MoveArgs,
    result=Moved,
    body=Draw(plan, is_slow),
    destructive=True,
    examples=({"from": [0, 0], "size": [10, 3], "to": [20, 0]},),
)
