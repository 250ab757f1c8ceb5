"""What messages are made of.

A frame is one JSON object whose `type` says which message it is. Names are camelCase on the wire. Cells
travel packed (see `Cells`): `columns` is a string when every column holds exactly one code point, a list
(with "" under the right half of a wide glyph) otherwise, and a count when all of them are empty; `style`
is an index into `styles`, -1 for empty columns.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

PROTOCOL = 1
"""Spoken by agents and pages alike; a peer with another number is refused and told both."""

MAX_FRAME_BYTES = 1_048_576
"""The contract's limit for one message, both ways."""

Point = tuple[int, int]
Rect = tuple[int, int, int, int]


class Message(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True, defer_build=True
    )


class Attrs(Message):
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    inverse: bool = False


class CellStyle(Message):
    """Default values are left out: `{}` is plain text."""

    color: str | None = None
    bg_color: str | None = None
    attrs: Attrs | None = None
    href: str | None = None


Columns = str | list[str] | int
Piece = tuple[int, Columns, int]
Row = tuple[int, list[Piece]]


class Cells(Message):
    """Rows as `[y, [[x, columns, style], …]]`; what is not named is not meant."""

    styles: list[CellStyle]
    rows: list[Row]


class SheetInfo(Message):
    """`note` is for who presents it."""

    id: str
    name: str
    size: Point | None
    note: str = ""


class CanvasInfo(Message):
    id: str
    name: str
    kind: Literal["freeform", "slides"]
    archived: bool
    sheets: list[SheetInfo]


Grant = Literal["observe", "propose", "apply"]


Feature = Literal["code", "images", "files", "pages"]


class Area(Message):
    """A canvas with all its sheets; with `sheet` only that one; with `rect` only these cells of it."""

    canvas: str = Field(max_length=400)
    sheet: str | None = Field(default=None, max_length=400)
    rect: Rect | None = None


class Agent(Message):
    """Someone who is connected: `waiting` calls in its queue, `doing` the tool that runs now. Until
    `applyUntil` (seconds since 1970) it may apply whatever its grant."""

    tenant: str
    name: str
    color: str
    grant: Grant
    apply_until: float | None = None
    doing: str | None
    waiting: int


class AgentName(Message):
    """An agent that was ever here. A revoked one stays out until the person lets it in again. It may change
    something in the areas of its `scope` only; without any, everywhere. It may not use what it `lacks`."""

    name: str
    color: str
    grant: Grant
    is_revoked: bool
    scope: list[Area]
    lacks: list[Feature]


class PinInfo(Message):
    """A rectangle that the person points agents at."""

    id: str
    canvas: str
    sheet: str
    rect: Rect
    note: str


class StoryLine(Message):
    """A commit that touched a cell."""

    operation_id: str
    author: str
    applied_by: str
    color: str
    tool: str
    why: str
    time: float


class LeftOut(Message):
    """Characters of pasted material that no cell can hold, `count` times. No code points: all other kinds."""

    code_points: list[str]
    count: int


class Tool(Message):
    """A tool as WebMCP hosts register it."""

    name: str
    description: str
    input_schema: dict[str, Any]
    read_only: bool
    owner: Literal["canvas", "materials"]
