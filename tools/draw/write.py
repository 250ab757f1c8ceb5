"""canvas_write: one literal stroke."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from chardesk.tools.draw import stroke
from chardesk.tools.draw.answers import DroppedText, check_length, dropped_fields
from chardesk.tools.draw.sourced import FILE_FIELD, check_one_of, text_of
from chardesk.tools.model.cell import PLAIN
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import QUICK_CHARS, Changing, Draw, Operation
from chardesk.tools.schema import Four, PointArg, Result, StyleArg
from chardesk.tools.text.plain import literal


class WriteArgs(Changing):
    at: PointArg = Field(description="[x, y] of the first character; x right, y down")
    content: str | None = Field(
        None, description="text, drawn as it is; LF goes to the next row at the same x"
    )
    source_ref: str | None = Field(None, min_length=1, description=FILE_FIELD.format("content"))
    style: StyleArg | None = Field(None, description="style of every character")

    @model_validator(mode="after")
    def _text_or_file(self) -> Self:
        check_one_of(self.content, self.source_ref, "content")
        return self


class Written(Result):
    bounds: Four | None
    written_cells: int
    skipped_whitespace_cells: int
    dropped: list[DroppedText] = Field(default=[])


def plan(draft: Draft, size: Size | None, args: WriteArgs) -> Written:
    """Whitespace is transparent unless its style can be seen or clicked. Counts are columns.

    Refused: tabs and controls (`invalid_input`), a slide's edge (`out_of_bounds`), length (`too_large`).
    """
    content = text_of(args.content, "content")
    check_length(content, "content")
    drawn = literal(content, args.style.style(PLAIN) if args.style else PLAIN)
    done = stroke.transparent(draft, size, args.at, drawn.rows)
    return Written(
        bounds=done.bounds,
        written_cells=done.written,
        skipped_whitespace_cells=done.skipped,
        **dropped_fields(drawn.dropped),
    )


def is_slow(scene: Scene, args: WriteArgs) -> bool:
    """Text tells by its length."""
    return len(args.content or "") > QUICK_CHARS


OPERATION = Operation(
    name="canvas_write",
    summary="Write literal text at [x, y], row by row; no markup is read. "
    "Plain spaces are transparent: what is under them stays. Use it for boxes, arrows and labels.",
    effect="change",
    args=WriteArgs,
    result=Written,
    body=Draw(plan, is_slow),
    destructive=True,
    examples=(
        {"at": [2, 1], "content": "┌────┐\n│ Hi │\n└────┘"},
        {
            "at": [4, 2],
            "content": "Hi",
            "style": {"color": "accent", "attrs": {"bold": True}},
            "mode": "apply",
        },
    ),
)
