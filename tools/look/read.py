"""canvas_read: a rectangle of a sheet as text, as cells, and how it looks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from chardesk.tools.errors import Refused
from chardesk.tools.look.appearance import Styled, appearance_json, notes, regions
from chardesk.tools.look.rulers import framed
from chardesk.tools.look.sample import (
    CAMERA_COLUMNS,
    CAMERA_ROWS,
    Mode,
    mode_of,
    sample,
    sample_size,
    whole_strip,
)
from chardesk.tools.model.cell import Style, style_json
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Block, Look, Note, Operation, Shown, Target, Text
from chardesk.tools.schema import Four, RectArg, Result


class ReadArgs(Target):
    viewport: RectArg | None = Field(None, description="[x,y,width,height]; default: all occupied cells")
    representation: Literal["text", "cells"] = Field(
        "text", description="text map with rulers, or cells as data (at most 100×40)"
    )
    style: Literal["none", "appearance"] = Field("none", description="appearance adds colours, attrs, links")


class ReadResult(Result):
    """`cells` and `appearance` only if asked for; `appearance` is null in a sampled read."""

    viewport: Four | None
    sample_size: int
    mode: Mode
    overview_only: bool
    cells: list[dict[str, Any]] | None = None
    appearance: dict[str, Any] | None = None


def text_map(scene: Scene, rect: Rect) -> str:
    """`rect` with header and rulers, as a read shows it; sampled if it is over the camera's 100×40."""
    return framed(sample(scene, rect))


def show(scene: Scene, size: Size | None, args: ReadArgs) -> Shown:
    """Refuses `too_large` when cells are asked of more than the camera holds exactly."""
    rect = args.viewport or scene.bounds()
    if rect is None:
        return Shown(_result(args, None, 1, scene, []), (Text(""),))
    k = sample_size(rect)
    if args.representation == "cells" and k > 1:
        raise Refused(
            "too_large",
            f"cells are given for at most {CAMERA_COLUMNS}×{CAMERA_ROWS}, not {rect.width}×{rect.height}",
            field="viewport",
        )
    found = regions(scene, rect) if args.style == "appearance" and k == 1 else []
    result = _result(args, rect, k, scene, found)
    return Shown(result, _blocks(args, scene, rect, found), (rect,) if k == 1 else ())


def _result(args: ReadArgs, rect: Rect | None, k: int, scene: Scene, found: list[Styled]) -> ReadResult:
    extra: dict[str, Any] = {}
    if args.representation == "cells":
        extra["cells"] = list(_cells(scene, rect)) if rect else []
    if args.style == "appearance":
        extra["appearance"] = appearance_json(found) if k == 1 else None
    return ReadResult(viewport=rect, sample_size=k, mode=mode_of(k), overview_only=k > 1, **extra)


def _blocks(args: ReadArgs, scene: Scene, rect: Rect, found: list[Styled]) -> tuple[Block, ...]:
    if args.representation == "cells":
        return (Note(f"cells of {[*rect]} are in the field cells; empty slots are left out"),)
    under = notes(found)
    return (Text(text_map(scene, rect) + (f"\n\n{under}" if under else "")),)


def _cells(scene: Scene, rect: Rect) -> Iterator[dict[str, Any]]:
    for y in range(rect.y, rect.bottom):
        chars, styles = whole_strip(scene, y, rect)
        for x, (char, style) in enumerate(zip(chars, styles, strict=True), rect.x):
            if char:
                yield _cell_json(x, y, char, style)


def _cell_json(x: int, y: int, char: str, style: Style) -> dict[str, Any]:
    return {"x": x, "y": y, "char": char, "color": style.color, **style_json(style)}


OPERATION = Operation(
    name="canvas_read",
    summary=(
        "Read a sheet: exact text up to 100×40 columns and rows, a sampled overview of anything larger. "
        "What was read exactly may then be changed without a conflict."
    ),
    effect="read",
    args=ReadArgs,
    result=ReadResult,
    body=Look(show),
    examples=({"viewport": [0, 0, 80, 24]}, {"viewport": [0, 0, 20, 5], "style": "appearance"}),
)
