"""canvas_read: a rectangle of a sheet as text, as cells, and how it looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Literal, assert_never

from pydantic import Field

from chardesk.tools.errors import Refused
from chardesk.tools.look.appearance import Styled, appearance_json, notes, regions
from chardesk.tools.look.lint import lint
from chardesk.tools.look.outline import outline
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
from chardesk.tools.operation import QUICK_CELLS, Block, Image, Look, Note, Operation, Shown, Target, Text
from chardesk.tools.schema import Four, Integer, Pair, RectArg, Result

_MAX_MISSING = 50
"""Kinds of clusters that a reply names as missing."""


class ReadArgs(Target):
    viewport: RectArg | None = Field(None, description="[x,y,width,height]; default: all occupied cells")
    view: Literal["surface", "outline", "context", "lint"] = Field(
        "surface",
        description="outline: boxes, texts, connectors; lint: what looks broken; "
        "context: what the person pinned, selected, sees",
    )
    representation: Literal["text", "cells", "image", "both"] = Field(
        "text", description="text map with rulers, cells as data (≤ 100×40), PNG, text and PNG"
    )
    style: Literal["none", "appearance"] = Field("none", description="appearance adds colours, attrs, links")
    detail: Literal["low", "auto", "high", "original"] = Field(
        "auto", description="image: cells of 8×16, 10×19, 12×22, 16×28 px"
    )
    since_revision: Annotated[Integer, Field(ge=0)] | None = Field(
        None, description="list what changed after it, by whom"
    )


class ReadResult(Result):
    """`mode` is `image` when that is all there is, else how the text map was sampled; a view has its own.

    `cells`, `appearance` (null in a sampled read), `parts`, `issues`, `changed` and `context` only if asked
    for; of an image, sizes in pixels and the clusters `missing` that no font here has. Lists are of plain
    JSON: spelling out their items would cost every agent a kilobyte of schema.
    """

    viewport: Four | None
    sample_size: int
    mode: Mode | Literal["image", "outline", "lint", "context"]
    overview_only: bool
    cells: list[dict[str, Any]] | None = None
    appearance: dict[str, Any] | None = None
    image_size: Pair | None = None
    cell_size: Pair | None = None
    missing: list[dict[str, Any]] | None = None
    parts: list[dict[str, Any]] | None = None
    issues: list[dict[str, Any]] | None = None
    truncated: bool | None = None
    changed: list[dict[str, Any]] | None = None
    context: dict[str, Any] | None = None


def text_map(scene: Scene, rect: Rect) -> str:
    """`rect` with header and rulers, as a read shows it; sampled if it is over the camera's 100×40."""
    return framed(sample(scene, rect))


def is_slow(scene: Scene, args: ReadArgs) -> bool:
    """Images, and whatever walks through more of a large sheet than the camera holds."""
    if args.representation in ("image", "both"):
        return True
    is_close = args.view == "surface" and args.viewport is not None and sample_size(args.viewport) == 1
    return not is_close and scene.stored_cells() > QUICK_CELLS


def show(scene: Scene, size: Size | None, args: ReadArgs) -> Shown:
    """Pure: give it a fork of the scene and it may run on another thread.

    Refuses `too_large` for cells of more than the camera holds exactly, for an image over its limits and for
    views of more cells than they take apart; `unsupported_action` for what only the desk can tell.
    """
    if args.since_revision is not None:
        raise Refused("unsupported_action", "sinceRevision is not told here; call canvas_read itself")
    match args.view:
        case "surface":
            return _surface(scene, args)
        case "outline":
            return _outline(scene, args)
        case "lint":
            return _lint(scene, size, args)
        case "context":
            raise Refused("unsupported_action", "view context is not told here; call canvas_read itself")
        case _:
            assert_never(args.view)


def _surface(scene: Scene, args: ReadArgs) -> Shown:
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
    if args.representation == "image":
        return _image(scene, rect, args)
    found = regions(scene, rect) if args.style == "appearance" and k == 1 else []
    result = _result(args, rect, k, scene, found)
    shown = Shown(result, _blocks(args, scene, rect, found), (rect,) if k == 1 else ())
    return _with_image(shown, _image(scene, rect, args)) if args.representation == "both" else shown


def _image(scene: Scene, rect: Rect, args: ReadArgs) -> Shown:
    """Looking at a picture grants no base: what a model makes of pixels is not what is stored."""
    from chardesk.tools.look.picture.paint import CELLS, paint  # Pillow is loaded by the first image

    painted = paint(scene, rect, args.detail)
    result = ReadResult(
        viewport=rect,
        sample_size=1,
        mode="image",
        overview_only=False,
        image_size=painted.size,
        cell_size=CELLS[args.detail],
        missing=[_absent(char, count) for char, count in painted.missing.most_common(_MAX_MISSING)],
    )
    return Shown(result, (Image(painted.png, painted.size),))


def _absent(char: str, count: int) -> dict[str, Any]:
    return {"char": char, "codePoints": [f"U+{ord(one):04X}" for one in char], "count": count}


def _with_image(text: Shown, image: Shown) -> Shown:
    """The text's fields and the image's own; both blocks."""
    mine, theirs = text.result, image.result
    assert isinstance(mine, ReadResult) and isinstance(theirs, ReadResult)
    added = {name: getattr(theirs, name) for name in ("image_size", "cell_size", "missing")}
    return Shown(mine.model_copy(update=added), (*text.blocks, *image.blocks), text.seen)


def _outline(scene: Scene, args: ReadArgs) -> Shown:
    parts, truncated = outline(scene, args.viewport)
    found = _view(scene, args, "outline", parts=[part.fields() for part in parts], truncated=truncated)
    kinds = Counter(part.kind for part in parts)
    told = ", ".join(f"{count} {kind}{'' if count == 1 else _plural(kind)}" for kind, count in kinds.items())
    return Shown(found, (Note(f"{told or 'nothing'} in the field parts{' (more)' if truncated else ''}"),))


def _plural(kind: str) -> str:
    return "es" if kind.endswith("x") else "s"


def _lint(scene: Scene, size: Size | None, args: ReadArgs) -> Shown:
    issues, truncated = lint(scene, size, args.viewport)
    found = _view(scene, args, "lint", issues=[issue.fields() for issue in issues], truncated=truncated)
    return Shown(found, (Note(f"{len(issues)} issue{'' if len(issues) == 1 else 's'} in the field issues"),))


def _view(scene: Scene, args: ReadArgs, mode: Literal["outline", "lint"], **own: Any) -> ReadResult:
    rect = args.viewport or scene.bounds()
    return ReadResult(viewport=rect, sample_size=1, mode=mode, overview_only=True, **own)


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
        "Read a sheet: exact text up to 100×40 columns and rows, a sampled overview of anything larger, "
        "an image, or an outline. What was read as exact text may then be changed without a conflict."
    ),
    effect="read",
    args=ReadArgs,
    result=ReadResult,
    body=Look(show, is_slow),
    examples=(
        {"viewport": [0, 0, 80, 24]},
        {"view": "outline"},
        {"representation": "image"},
        {"viewport": [0, 0, 20, 5], "style": "appearance"},
    ),
)
