"""What the broker says to a page."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from chardesk.broker.wire.parts import (
    Agent,
    AgentName,
    CanvasInfo,
    Cells,
    Grant,
    LeftOut,
    Message,
    PinInfo,
    Point,
    Rect,
    StoryLine,
    Tool,
)


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
    """A commit on the sheet that the page shows. `ack` names the page's own edit that it confirms, and
    `dropped` is what was left out of it; of text the page knows that by itself."""

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
    dropped: list[LeftOut] | None = None


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


class ArrangeStep(Message):
    """A step on canvases or sheets: what happens to which, and what it was before where that changes."""

    kind: Literal[
        "sheet_added",
        "sheet_removed",
        "sheet_moved",
        "sheet_resized",
        "sheet_renamed",
        "sheet_noted",
        "canvas_added",
        "canvas_removed",
        "canvas_renamed",
        "canvas_archived",
        "canvas_unarchived",
    ]
    name: str
    before: str = ""
    after: str = ""
    cells: int = 0


class Preview(Message):
    """A ghost: what an agent proposes. The same id again replaces it, with a greater `version`. Ghosts of one
    author with one `altGroup` are alternatives: applying one ends the others.

    `request`: its agent wanted to apply it and waits for the person's decision. `arranges` are its steps that
    are no cells. A canvas or sheet that is only to come with it has no name yet.
    """

    type: Literal["preview"] = "preview"
    id: str
    author: str
    color: str
    canvas: str
    sheet: str
    canvas_name: str
    sheet_name: str
    tool: str
    why: str
    bounds: Rect
    overwritten: int
    cleared: int
    styled: int
    cells: Cells
    arranges: list[ArrangeStep]
    expires_at: float
    version: int
    alt_group: str | None = None
    request: str | None = None


class PreviewGone(Message):
    type: Literal["preview_gone"] = "preview_gone"
    id: str
    reason: Literal["applied", "superseded", "vetoed", "stale", "expired", "discarded", "revoked"]


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
    bounds: Rect | None
    time: float
    operation_id: str
    is_auto: bool = False
    """The person was not asked: a leave was in force."""


class Governed(Message):
    """Everyone who was ever here, whether all are paused, and what the person points at. Told whole.
    `policyProblem`: the desk's policy.json can't be followed, so agents only look until it is corrected."""

    type: Literal["governed"] = "governed"
    names: list[AgentName]
    is_paused: bool
    pins: list[PinInfo]
    newcomers: Grant
    policy_problem: str | None = None


class Chip(Message):
    """An agent asks the person to look at a rectangle. Nothing moves until the person follows it."""

    type: Literal["chip"] = "chip"
    id: str
    author: str
    color: str
    canvas: str
    sheet: str
    rect: Rect
    note: str


class Letter(Message):
    """What an agent says to the person. It comes again with every join until it is read (`read_letter`)."""

    type: Literal["letter"] = "letter"
    id: str
    author: str
    color: str
    text: str
    time: float


class LetterGone(Message):
    """The person has put a letter away, on whichever page."""

    type: Literal["letter_gone"] = "letter_gone"
    id: str


class Sent(Message):
    """How a line of the person's to an agent stands: it waits, was given out, was read (and forgotten),
    or was given out too often. Told at every change, and with every join until it is read."""

    type: Literal["sent"] = "sent"
    id: str
    to: str
    text: str
    time: float
    fate: Literal["waiting", "given", "read", "parked"]


class CellStory(Message):
    """Who touched a cell, newest first; empty when nobody did."""

    type: Literal["cell_story"] = "cell_story"
    sheet: str
    at: Point
    lines: list[StoryLine]


class SeatLost(Message):
    type: Literal["seat_lost"] = "seat_lost"


class SeatFree(Message):
    """Nobody holds the seat any more; it is this page's if it says hello again with `takeSeat`."""

    type: Literal["seat_free"] = "seat_free"


class Disk(Message):
    """Whether changes can be kept. A page that is not told of it has a disk that takes them."""

    type: Literal["disk"] = "disk"
    refuses: bool


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
    | Governed
    | Chip
    | Letter
    | LetterGone
    | Sent
    | CellStory
    | SeatLost
    | SeatFree
    | Disk
    | Reload
    | WebMcpResult,
    Field(discriminator="type"),
]
