"""What a page says to the broker."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from chardesk.broker.wire.parts import Area, Cells, CellStyle, Feature, Grant, Message, Point, Rect


class TextOp(Message):
    """Typed text at a column; `compose` asks to join it to the cluster that ends just before `at`. Without
    `overwrite` what stands there makes room: words move right as far as the gaps behind them allow."""

    kind: Literal["text"] = "text"
    at: Point
    text: str
    style: CellStyle = CellStyle()
    compose: bool = False
    overwrite: bool = True


Gesture = Literal[
    "pencil",
    "eraser",
    "brush",
    "box",
    "line",
    "arrow",
    "area",
    "fill",
    "clear",
    "duplicate",
    "move",
    "paste",
    "typing",
]
"""What the person did, as the history says it."""


class CellsOp(Message):
    """Columns exactly as the page planned them for a gesture: styles are taken as they are, a background too;
    empty columns clear."""

    kind: Literal["cells"] = "cells"
    cells: Cells
    gesture: Gesture


class EraseOp(Message):
    kind: Literal["erase"] = "erase"
    at: Point
    size: Point


class FillOp(Message):
    kind: Literal["fill"] = "fill"
    at: Point
    size: Point
    style: CellStyle


class MoveOp(Message):
    """Every glyph that touches the rectangle goes along, whole, to where its corner is `to`. Empty columns
    leave what they land on."""

    kind: Literal["move"] = "move"
    from_: Point = Field(alias="from")
    size: Point
    to: Point


class PasteOp(Message):
    """Material from the clipboard. Text has its tabs expanded to stops of 4, other controls dropped, blanks
    kept; `ansi` and `markdown` are read as canvas_render reads them, wrapped at `width` columns."""

    kind: Literal["paste"] = "paste"
    at: Point
    material: str
    format: Literal["text", "ansi", "markdown"] = "text"
    width: int = Field(default=80, ge=1, le=1000)


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
    TextOp | CellsOp | EraseOp | FillOp | MoveOp | PasteOp | UndoOp | RedoOp | CallOp,
    Field(discriminator="kind"),
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
    """A gesture on a ghost, as it was shown: a `version` that is not the newest decides nothing."""

    type: Literal["decide"] = "decide"
    epoch: int
    preview: str
    version: int
    verdict: Literal["apply", "veto"]
    note: str = Field("", max_length=280)


class Viewport(Message):
    """What the person looks at and has selected; told at most a few times a second."""

    type: Literal["viewport"] = "viewport"
    sheet: str
    rect: Rect
    selection: Rect | None = None


class Ask(Message):
    """A tool that only looks, asked by any page; answered by `done` or `refused` under its id."""

    type: Literal["ask"] = "ask"
    id: str = Field(max_length=64)
    tool: str
    args: dict[str, Any]


class Story(Message):
    """Why is this cell as it is? The answer is `cell_story`."""

    type: Literal["story"] = "story"
    sheet: str
    at: Point


class Govern(Message):
    """What an agent may do from now on, or whether it may be here at all; the answer is `governed`.
    `applyMinutes`: it may apply for so long whatever its grant; another grant ends that. `scope`: where it
    may change something; an empty one is everywhere."""

    type: Literal["govern"] = "govern"
    epoch: int
    author: str = Field(max_length=40)
    grant: Grant | None = None
    is_revoked: bool | None = None
    apply_minutes: int | None = Field(default=None, ge=1, le=60)
    scope: list[Area] | None = Field(default=None, max_length=16)


class Allow(Message):
    """Whether an agent may use a feature, from its next call on; the answer is `governed`."""

    type: Literal["allow"] = "allow"
    epoch: int
    author: str = Field(max_length=40)
    feature: Feature
    is_allowed: bool


class Newcomers(Message):
    """What an agent may do that was never here, once it comes; the answer is `governed`."""

    type: Literal["newcomers"] = "newcomers"
    epoch: int
    grant: Grant


class Pause(Message):
    """All agents hold still, or go on."""

    type: Literal["pause"] = "pause"
    epoch: int
    is_paused: bool


class Pin(Message):
    """Point all agents at a rectangle."""

    type: Literal["pin"] = "pin"
    epoch: int
    sheet: str
    rect: Rect
    note: str = Field("", max_length=280)


class Unpin(Message):
    type: Literal["unpin"] = "unpin"
    epoch: int
    id: str


class Stop(Message):
    """Stop what an agent's call is doing elsewhere (a script); the agent is told `cancelled`."""

    type: Literal["stop"] = "stop"
    epoch: int
    tenant: str


class Post(Message):
    """A line to an agent; answered by `done` or `refused` under its id. `id` is unique for ever: sent again,
    it has its effect once."""

    type: Literal["post"] = "post"
    id: str = Field(max_length=64)
    epoch: int
    to: str = Field(max_length=40)
    text: str = Field(min_length=1, max_length=4_000)


class ReadLetter(Message):
    """The person has read what an agent wrote."""

    type: Literal["read_letter"] = "read_letter"
    epoch: int
    id: str


class WebMcpCall(Message):
    type: Literal["web_mcp_call"] = "web_mcp_call"
    id: str = Field(max_length=64)
    tool: str
    arguments: dict[str, Any]


FromPage = Annotated[
    Hello
    | Edit
    | Shown
    | Activate
    | Decide
    | Viewport
    | Ask
    | Story
    | Govern
    | Allow
    | Newcomers
    | Pause
    | Pin
    | Unpin
    | Stop
    | Post
    | ReadLetter
    | WebMcpCall,
    Field(discriminator="type"),
]
