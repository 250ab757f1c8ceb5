"""canvas_render: material to cells."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from chardesk.tools.draw import stroke
from chardesk.tools.draw.answers import DroppedText, Noted, check_length, diagnostic_fields, dropped_fields
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Changing, Draw, Operation
from chardesk.tools.schema import Four, Integer, PointArg, Result
from chardesk.tools.text import formats

Format = Literal["auto", "raw", "ansi", "markdown"]


class RenderArgs(Changing):
    at: PointArg = Field(description="[x, y] of the top left corner")
    source: str = Field(description="the material: Markdown, terminal output or plain text")
    format: Format = Field(
        "auto", description="auto: ansi if it has escapes, markdown if it looks like it, else raw"
    )
    width: Integer = Field(80, ge=1, le=1000, description="columns from at where Markdown prose wraps")


class Rendered(Result):
    bounds: Four | None
    written_cells: int
    format: str
    dropped: list[DroppedText] = Field(default=[])
    diagnostics: list[Noted] = Field(default=[])


def plan(draft: Draft, size: Size | None, args: RenderArgs) -> Rendered:
    """The material replaces what stands in its rectangle, blanks too. `format` is the one that was read.

    Refused: a slide's edge (`out_of_bounds`), length (`too_large`). The material itself never is.
    """
    check_length(args.source, "source")
    chosen = formats.detect(args.source) if args.format == "auto" else args.format
    picture = formats.picture(args.source, chosen, args.width)
    done = stroke.opaque(draft, size, args.at, picture.rows)
    return Rendered(
        bounds=done.bounds,
        written_cells=done.written,
        format=chosen,
        **dropped_fields(picture.dropped),
        **diagnostic_fields(picture.diagnostics),
    )


OPERATION = Operation(
    name="canvas_render",
    summary="Draw Markdown (headings, lists, tables, code), terminal output or plain text as cells; "
    "blanks replace what is under them. Only cells are kept, not the source.",
    effect="change",
    args=RenderArgs,
    result=Rendered,
    body=Draw(plan),
    destructive=True,
    examples=({"at": [0, 0], "source": "# Plan\n\n- [x] read\n- [ ] draw", "width": 40},),
)
