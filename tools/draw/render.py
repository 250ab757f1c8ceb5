"""canvas_render: material to cells."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from chardesk.tools.draw import stroke
from chardesk.tools.draw.answers import DroppedText, Noted, check_length, diagnostic_fields, dropped_fields
from chardesk.tools.draw.place import check_inside
from chardesk.tools.draw.sourced import FILE_FIELD, check_one_of, text_of
from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import MAX_COORDINATE, At
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect, union_of
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Changing, Draw, Operation
from chardesk.tools.schema import Absent, Four, Integer, PointArg, Result
from chardesk.tools.text import formats

Format = Literal["auto", "raw", "ansi", "ansi-art", "markdown", "deck", "shapes", "table"]

QUICK_MATERIAL = 300
"""Characters that are read on the event loop: usually in a millisecond, at worst (brackets, quotes) in 15."""

_FENCES = ("```", "~~~")


class RenderArgs(Changing):
    at: PointArg = Field(description="[x, y] of the top left corner; the origin of shapes")
    source: str | None = Field(
        None,
        description="the material: Markdown, terminal output, plain text, CSV, TSV or JSON rows, "
        "or a JSON list of shapes (box, line, arrow, text, table: see materials, topic shapes)",
    )
    source_ref: str | None = Field(None, min_length=1, description=FILE_FIELD.format("source"))
    format: Format = Field(
        "auto",
        description="auto: ansi if it has escapes, markdown if it looks like it, else raw; "
        "deck: Markdown to new slides, --- between them",
    )
    width: Integer = Field(
        80, ge=1, le=1000, description="columns from at where prose and tables wrap, and of a terminal"
    )

    @model_validator(mode="after")
    def _text_or_file(self) -> Self:
        check_one_of(self.source, self.source_ref, "source")
        return self


_OBJECTS = {"type": "array", "items": {"type": "object"}}


class DeckPage(Result):
    """A sheet that a deck's slide became. `notes`: what its comments say, for whoever speaks."""

    page_id: str
    name: str
    index: int
    written_cells: int
    notes: list[str] = Field(default=[])


class Rendered(Result):
    """`pages` are the sheets that a deck became; `bounds` is then about the first of them."""

    bounds: Four | None
    written_cells: int
    format: str
    dropped: list[DroppedText] = Field(default=[])
    diagnostics: list[Noted] = Field(default=[])
    pages: Absent[Annotated[list[DeckPage], WithJsonSchema(_OBJECTS)]] = None


def plan(draft: Draft, size: Size | None, args: RenderArgs) -> Rendered:
    """The material replaces what stands in its rectangle, blanks too; of shapes only what they draw does.
    `format` is the one that was read.

    Refused: a slide's edge (`out_of_bounds`), length (`too_large`), shapes that are none
    (`invalid_input`), and a deck (`unsupported_action`): its sheets are the desk's to add, in a call of its
    own. Other material never is.
    """
    source = text_of(args.source, "source")
    check_length(source, "source")
    if args.format == "deck":
        raise Refused(
            "unsupported_action",
            "a deck adds sheets: call canvas_render for it, outside of batches and scripts",
            field="format",
        )
    if args.format == "shapes":
        return _shapes(draft, size, args.at, source)
    chosen = formats.detect(source) if args.format == "auto" else args.format
    picture = formats.picture(source, chosen, args.width)
    done = stroke.opaque(draft, size, args.at, picture.rows)
    return Rendered(
        bounds=done.bounds,
        written_cells=done.written,
        format=chosen,
        **dropped_fields(picture.dropped),
        **diagnostic_fields(picture.diagnostics),
    )


def _shapes(draft: Draft, size: Size | None, origin: At, source: str) -> Rendered:
    """Shapes see what is on the sheet, join it, and leave alone what they do not draw on."""
    from chardesk.tools.text.shapes import reader as shapes  # at their first use, as `formats` does

    drawing = shapes.read(source, lambda at: draft.scene.char(origin.x + at.x, origin.y + at.y))
    found = shapes.stretches(drawing.cells)
    whole = union_of(Rect(origin.x + at.x, origin.y + at.y, len(row.chars), 1) for at, row in found)
    if whole and min(whole.x, whole.y) < -MAX_COORDINATE:
        raise Refused("invalid_input", f"shapes must stay within ±{MAX_COORDINATE}", field="at")
    check_inside(whole, size)
    for at, row in found:
        draft.put(origin.x + at.x, origin.y + at.y, row.chars, row.styles)
    is_idle = draft.change().is_idle
    return Rendered(
        bounds=None if is_idle else whole,
        written_cells=0 if is_idle else sum(len(row.chars) for _, row in found),
        format="shapes",
        **dropped_fields(drawing.dropped),
        **diagnostic_fields(drawing.diagnostics),
    )


def is_slow(scene: Scene, args: RenderArgs) -> bool:
    return takes_long(args.source or "", args.format)


def takes_long(source: str, format: str) -> bool:
    """Material is read, nested and laid out; and what a fence or a list of shapes holds is drawn, and nobody
    can say beforehand how long that takes."""
    is_drawn = format == "shapes" or any(fence in source for fence in _FENCES)
    return is_drawn or len(source) > QUICK_MATERIAL


OPERATION = Operation(
    name="canvas_render",
    summary="Draw Markdown (tables, code, diagrams, charts, math), terminal output, data tables, shapes or "
    "plain text as cells; blanks replace what is under them. Only cells are kept, not the source.",
    effect="change",
    args=RenderArgs,
    result=Rendered,
    body=Draw(plan, is_slow),
    destructive=True,
    examples=({"at": [0, 0], "source": "# Plan\n\n- [x] read\n- [ ] draw", "width": 40},),
)
