"""What the desk wants done in the world, in order. The desk itself does none of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chardesk.broker.desk.world import ScriptWorld
from chardesk.broker.wire.messages import Message
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.scene import Scene
from chardesk.tools.operation import Block, Text


@dataclass(frozen=True, slots=True)
class Record:
    """A small thing to remember beside the journal: authors, previews, the active canvas. None forgets it."""

    kind: str
    key: str
    value: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Persist:
    """Make these durable together. Everything that follows in the list of effects waits for it."""

    commits: tuple[Commit, ...] = ()
    records: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Whole:
    """All of a sheet that is too large to be spelled on the loop. `scene` is a fork that nobody writes to;
    the face spells it elsewhere (`told.parts`), and what it is told later waits."""

    sheet: str
    seq: int
    scene: Scene


@dataclass(frozen=True, slots=True)
class TellPage:
    """To one page (`link`), or to every page that shows `sheet` (None: to all)."""

    message: Message | Whole
    link: str | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call gets: `fields` for structuredContent, blocks to look at."""

    fields: dict[str, Any]
    blocks: tuple[Block, ...] = ()
    is_error: bool = False
    shows: int | None = None
    """The newest commit whose effect it may show; None: any that is there."""


def refused(refusal: Refused) -> Reply:
    """A refusal as a reply: the reason and the next step to read, the fields to act on."""
    words = f"{refusal.code}: {refusal.message}\nNext: {refusal.entry.next_step}"
    return Reply(refusal.fields(), (Text(words),), is_error=True)


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to call `call` of `tenant`. It may show commits up to `after`, so it leaves when they are
    durable, and never before an earlier reply to the same tenant."""

    tenant: str
    call: str
    reply: Reply
    after: int


@dataclass(frozen=True, slots=True)
class Welcomed:
    """A tenant was let in, under this author's name."""

    tenant: str
    author: str


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Close a tenant's or a page's link with a close code of `wire`."""

    link: str
    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class RunScript:
    """Run a script in the sandbox; its calls are answered by `world` (pure, on a snapshot). Comes back as
    the event `Ran`."""

    job: str
    world: ScriptWorld
    script: str
    timeout_ms: int
    seed: int


@dataclass(frozen=True, slots=True)
class StopScript:
    """Nobody waits for this job any more."""

    job: str


@dataclass(frozen=True, slots=True)
class Alarm:
    """Say `Ticked` after this many seconds: something ends then, and a whole tick would be late."""

    after_s: float


@dataclass(frozen=True, slots=True)
class Work:
    """Do this on another thread. Comes back as the event `Worked`."""

    job: str
    work: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Fetch:
    """Get an old commit with its steps from the journal, by its seq or its operation id. Comes back as the
    event `Fetched`."""

    job: str
    seq: int | str


@dataclass(frozen=True, slots=True)
class Past:
    """Look through the commits with `after < seq <= upto`, newest first. `pick` is pure and runs on another
    thread; what it gives of a commit, unless None, is kept, at most `limit` times. Comes back as the event
    `Recalled`."""

    job: str
    after: int
    upto: int
    pick: Callable[[Commit], Any]
    limit: int


@dataclass(frozen=True, slots=True)
class ReadSource:
    """Have the tenant's own process read a text file, at most `max_bytes`. Comes back as `SourceRead`."""

    job: str
    tenant: str
    path: str
    max_bytes: int


Effect = (
    Persist
    | TellPage
    | Answer
    | Welcomed
    | Disconnect
    | RunScript
    | StopScript
    | Work
    | Alarm
    | Fetch
    | Past
    | ReadSource
)

Outcome = tuple[list[Effect], Reply]
"""What a call that was carried out wants done, and what it gets."""

Later = tuple[list[Effect], None]
"""The call goes on elsewhere; its reply comes with a later event."""
