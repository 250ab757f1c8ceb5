"""What an operation is: a name, its arguments and result, and a plan. An operation never applies anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from chardesk.tools.model.contents import Contents
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.model.steps import Step
from chardesk.tools.model.width import cluster_width, graphemes, is_control
from chardesk.tools.schema import Args, Integer, Mode, Result


class Target(Args):
    """Where a call works; both are optional everywhere."""

    canvas_id: str | None = Field(None, description="canvas; default: the active one")
    page_id: str | None = Field(None, description="sheet of the canvas; default: the active one")


def _readable(text: str) -> str:
    """What people and agents read later must show all that it holds."""
    if any(is_control(cluster) or cluster_width(cluster) == 0 for cluster in graphemes(text)):
        raise ValueError("must not hold controls or characters that can't be seen")
    return text


Why = Annotated[str, AfterValidator(_readable), Field(max_length=280)]
Key = Annotated[str, Field(min_length=1, max_length=64)]


class Changing(Target):
    """What every changing operation takes."""

    mode: Mode = Field("preview", description="preview (default) shows a ghost, apply commits")
    expected_revision: Integer | Literal["any"] | None = Field(
        None, description="base revision; default: what you have read; any: no check"
    )
    why: Why | None = Field(None, description="reason, kept in the history")
    idempotency_key: Key | None = Field(None, description="same key and arguments: the first result again")
    preview_id: str | None = Field(None, description="revise this preview of yours in place")
    alt_group: Key | None = Field(None, description="alternatives share it; applying one ends the others")


@dataclass(frozen=True, slots=True)
class Text:
    """A block to be looked at, byte for byte."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A remark to the reader; over MCP it is text too."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A PNG to be looked at; `size` in pixels."""

    png: bytes
    size: tuple[int, int]

    @property
    def text(self) -> str:
        """What stands for it where only text can go."""
        width, height = self.size
        return f"[image of {width}×{height} pixels, PNG, {len(self.png)} bytes]"


Block = Text | Note | Image


@dataclass(frozen=True, slots=True)
class Shown:
    """What a look gives: its own fields, blocks to look at, and which rectangles were read exactly (what
    the caller may now be taken to know)."""

    result: Result
    blocks: tuple[Block, ...] = ()
    seen: tuple[Rect, ...] = ()


QUICK_CELLS = 20_000
"""Stored columns that a call may walk through on the event loop: two or three milliseconds."""

QUICK_CHARS = 4_000
"""Characters of literal text that are measured or written on the event loop: a millisecond or two."""


def _never(scene: Scene, args: Any) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Look:
    """Reads a scene. `size` is the slide's, None on an endless sheet.

    `show` is pure and safe on another thread, given a fork of the scene; a call that `is_slow` says yes to
    belongs off the event loop. Asking costs microseconds.
    """

    show: Callable[[Scene, Size | None, Any], Shown]
    is_slow: Callable[[Scene, Any], bool] = _never


@dataclass(frozen=True, slots=True)
class Draw:
    """Writes on a draft; what changed is asked of the draft. `plan` returns the operation's own fields. It is
    pure, and a call that `is_slow` says yes to belongs off the event loop, on a fork of the scene. Asking
    costs microseconds.
    """

    plan: Callable[[Draft, Size | None, Any], Result]
    is_slow: Callable[[Scene, Any], bool]


@dataclass(frozen=True, slots=True)
class Arranged:
    """Steps on canvases and sheets, or only an answer when `steps` is empty. `activate` asks for a canvas
    to become the active one."""

    result: Result
    steps: tuple[Step, ...] = ()
    activate: str | None = None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Plans on the desk's contents. `new_id(prefix)` mints an id; `active` is the active canvas's id."""

    plan: Callable[[Contents, str, Callable[[str], str], Any], Arranged]


@dataclass(frozen=True, slots=True)
class Asked:
    """Declared here, answered by the desk (history) or by another process (scripts)."""


Body = Look | Draw | Arrange | Asked

Effect = Literal["read", "change", "arrange", "history", "talk"]
Owner = Literal["canvas", "materials"]


@dataclass(frozen=True, slots=True)
class Operation:
    """One line of the registry. `name` is the tool's; `summary` is under 250 characters."""

    name: str
    summary: str
    effect: Effect
    args: type[Args]
    result: type[Result]
    body: Body
    owner: Owner = "canvas"
    destructive: bool = False
    examples: tuple[dict[str, Any], ...] = field(default=(), hash=False, compare=False)

    @property
    def verb(self) -> str:
        """The short name: CLI verb, script function, batch op."""
        return self.name.removeprefix("canvas_").removeprefix("chardesk_").replace("_", "-")

    @property
    def hints(self) -> dict[str, bool]:
        """MCP annotations, computed from what the operation declares."""
        reads = self.effect == "read"
        return {
            "readOnlyHint": reads,
            "destructiveHint": not reads and self.destructive,
            "idempotentHint": reads,
            "openWorldHint": False,
        }
