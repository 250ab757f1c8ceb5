"""Every message that crosses the page's socket, once. `page/wire/messages.d.ts` is written from this file.

A frame is one JSON object whose `type` says which message it is. Names are camelCase on the wire. Cells
travel packed (see `Cells`): `columns` is a string when every column holds exactly one code point, a list
(with "" under the right half of a wide glyph) otherwise, and a count when all of them are empty; `style`
is an index into `styles`, -1 for empty columns.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

PROTOCOL = 1
"""Spoken by agents and pages alike; a peer with another number is refused and told both."""

MAX_FRAME_BYTES = 1_048_576
"""The contract's limit for one message, both ways."""

_Point = tuple[int, int]
_Rect = tuple[int, int, int, int]


class Message(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid", frozen=True)


# -- parts -------------------------------------------------------------------


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
    id: str
    name: str
    size: _Point | None


class CanvasInfo(Message):
    id: str
    name: str
    kind: Literal["freeform", "slides"]
    archived: bool
    sheets: list[SheetInfo]


class Agent(Message):
    """Someone who is connected: `waiting` calls in its queue, `doing` the tool that runs now."""

    tenant: str
    name: str
    color: str
    doing: str | None
    waiting: int


class Tool(Message):
    """A tool as WebMCP hosts register it."""

    name: str
    description: str
    input_schema: dict[str, Any]
    read_only: bool
    owner: Literal["canvas", "materials"]


# -- page to broker -----------------------------------------------------------


class TextOp(Message):
    """Typed text at a column; `compose` asks to join it to the cluster that ends just before `at`."""

    kind: Literal["text"] = "text"
    at: _Point
    text: str
    style: CellStyle = CellStyle()
    compose: bool = False


class EraseOp(Message):
    kind: Literal["erase"] = "erase"
    at: _Point
    size: _Point


class FillOp(Message):
    kind: Literal["fill"] = "fill"
    at: _Point
    size: _Point
    style: CellStyle


class PasteOp(Message):
    """Text from the clipboard. Tabs expand to stops of 4, other controls are dropped, blanks are kept."""

    kind: Literal["paste"] = "paste"
    at: _Point
    material: str
    format: Literal["text"] = "text"


class UndoOp(Message):
    kind: Literal["undo"] = "undo"


class RedoOp(Message):
    kind: Literal["redo"] = "redo"


class CallOp(Message):
    """Any registry operation, by the person: `tool` is its full name."""

    kind: Literal["call"] = "call"
    tool: str
    args: dict[str, Any]


EditOp = Annotated[
    TextOp | EraseOp | FillOp | PasteOp | UndoOp | RedoOp | CallOp, Field(discriminator="kind")
]


class Hello(Message):
    """The first frame. `code` is the one-time code of the address, `token` what a page got for one before."""

    type: Literal["hello"] = "hello"
    protocol: int
    kind: Literal["canvas", "reader", "desk"] = "canvas"
    token: str | None = None
    code: str | None = None
    resume_seq: int | None = None
    take_seat: bool = False


class Edit(Message):
    """`id` is unique for ever and made by the page: sent again, it has its effect once. `base` is the
    revision an edit was made on while the page was offline; typing on a connected page has none."""

    type: Literal["edit"] = "edit"
    id: str = Field(max_length=64)
    epoch: int
    sheet: str
    op: EditOp
    base: int | None = None


class Shown(Message):
    """The page has painted everything up to `seq`."""

    type: Literal["shown"] = "shown"
    sheet: str
    seq: int


class Activate(Message):
    """The person turned to another canvas or sheet; the answer is `canvases` and a snapshot."""

    type: Literal["activate"] = "activate"
    canvas: str
    sheet: str | None = None


class Decide(Message):
    """A gesture on a ghost."""

    type: Literal["decide"] = "decide"
    epoch: int
    preview: str
    verdict: Literal["apply", "veto"]
    note: str = Field("", max_length=280)


class Viewport(Message):
    """What the person looks at and has selected; told at most a few times a second."""

    type: Literal["viewport"] = "viewport"
    sheet: str
    rect: _Rect
    selection: _Rect | None = None


class WebMcpCall(Message):
    type: Literal["web_mcp_call"] = "web_mcp_call"
    id: str = Field(max_length=64)
    tool: str
    arguments: dict[str, Any]


FromPage = Annotated[
    Hello | Edit | Shown | Activate | Decide | Viewport | WebMcpCall, Field(discriminator="type")
]


# -- broker to page -----------------------------------------------------------


class Welcome(Message):
    """`token` is set when a one-time code was traded. `seat` false: another page holds the seat, this one
    is read-only until it says hello again with `takeSeat`."""

    type: Literal["welcome"] = "welcome"
    protocol: int
    version: str
    epoch: int
    seat: bool
    seq: int
    token: str | None
    canvases: list[CanvasInfo]
    canvas: str
    sheet: str
    agents: list[Agent]
    tools: list[Tool]


class Canvases(Message):
    """The list changed, or the active canvas did."""

    type: Literal["canvases"] = "canvases"
    canvases: list[CanvasInfo]
    canvas: str
    sheet: str


class Snapshot(Message):
    """A sheet's cells in `parts` frames; nothing is painted before the last came."""

    type: Literal["snapshot"] = "snapshot"
    sheet: str
    seq: int
    part: int
    parts: int
    cells: Cells


class Change(Message):
    """A commit on the sheet that the page shows. `ack` names the page's own edit that it confirms."""

    type: Literal["change"] = "change"
    seq: int
    sheet: str
    cells: Cells
    author: str
    applied_by: str
    color: str
    tool: str
    operation_id: str
    ack: str | None = None


class Done(Message):
    """An edit had no cells to change on the shown sheet, or none at all; `result` is what the tool said."""

    type: Literal["done"] = "done"
    id: str
    result: dict[str, Any]


class RefusedEdit(Message):
    type: Literal["refused"] = "refused"
    id: str
    code: str
    message: str
    next_step: str
    details: dict[str, Any]


class Preview(Message):
    """A ghost: what an agent proposes. The same id again replaces it."""

    type: Literal["preview"] = "preview"
    id: str
    author: str
    color: str
    canvas: str
    sheet: str
    tool: str
    why: str
    bounds: _Rect
    overwritten: int
    cleared: int
    cells: Cells
    expires_at: float


class PreviewGone(Message):
    type: Literal["preview_gone"] = "preview_gone"
    id: str
    reason: Literal["applied", "vetoed", "stale", "expired", "discarded", "revoked"]


class Presence(Message):
    type: Literal["presence"] = "presence"
    agents: list[Agent]


class Activity(Message):
    """One line of what happened, newest last; also for sheets that the page does not show."""

    type: Literal["activity"] = "activity"
    seq: int
    author: str
    applied_by: str
    color: str
    tool: str
    why: str
    canvas: str
    sheet: str
    bounds: _Rect | None
    time: float
    operation_id: str


class SeatLost(Message):
    type: Literal["seat_lost"] = "seat_lost"


class Reload(Message):
    """The broker serves another build than the one this page came from."""

    type: Literal["reload"] = "reload"
    version: str


class WebMcpResult(Message):
    type: Literal["web_mcp_result"] = "web_mcp_result"
    id: str
    result: dict[str, Any]


ToPage = Annotated[
    Welcome
    | Canvases
    | Snapshot
    | Change
    | Done
    | RefusedEdit
    | Preview
    | PreviewGone
    | Presence
    | Activity
    | SeatLost
    | Reload
    | WebMcpResult,
    Field(discriminator="type"),
]
