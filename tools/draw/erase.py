"""canvas_erase: take cells away."""

from __future__ import annotations

from pydantic import Field

from chardesk.tools.draw.place import area, is_much
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Region, Span
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Changing, Draw, Operation
from chardesk.tools.schema import Four, PointArg, Result, SizeArg


class EraseArgs(Changing):
    at: PointArg = Field(description="[x, y] of the top left corner")
    size: SizeArg = Field(description="[columns, rows]")


class Erased(Result):
    bounds: Four | None
    erased_cells: int


def plan(draft: Draft, size: Size | None, args: EraseArgs) -> Erased:
    """Every glyph that reaches into the rectangle goes, whole. A slide's edge is no limit: nothing is beyond.

    Cost follows what is stored, not the area.
    """
    gone = Region(_whole(draft.scene, span) for span in draft.scene.spans(area(args.at, args.size)))
    for span in gone.spans:
        draft.clear(span)
    return Erased(bounds=gone.bounds(), erased_cells=gone.columns)


def _whole(scene: Scene, span: Span) -> Span:
    """The span with the other halves of wide glyphs at its ends."""
    y, x, end = span
    return Span(y, x - (scene.char(x, y) == ""), end + (scene.char(end, y) == ""))


def is_slow(scene: Scene, args: EraseArgs) -> bool:
    return is_much(scene, args.size)


OPERATION = Operation(
    name="canvas_erase",
    summary="Remove every cell that touches a rectangle, whole wide characters included. "
    "The rectangle may be huge: only what is stored costs.",
    effect="change",
    args=EraseArgs,
    result=Erased,
    body=Draw(plan, is_slow),
    destructive=True,
    examples=({"at": [0, 0], "size": [10, 3], "mode": "apply"},),
)
