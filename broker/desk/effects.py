"""What the desk wants done in the world, in order. The desk itself does none of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chardesk.broker.wire.messages import Message
from chardesk.tools.model.commit import Commit
from chardesk.tools.operation import Block


@dataclass(frozen=True, slots=True)
class Record:
    """A small thing to remember beside the journal (authors, previews, the active canvas); value None forgets."""

    kind: str
    key: str
    value: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Persist:
    """Make these durable together. Everything that follows in the list of effects waits for it."""

    commits: tuple[Commit, ...] = ()
    records: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class TellPage:
    """To one page (`link`), or to every page that shows `sheet` (None: to all)."""

    message: Message
    link: str | None = None
    sheet: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call gets: `fields` for structuredContent, blocks to look at."""

    fields: dict[str, Any]
    blocks: tuple[Block, ...] = ()
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to call `call` of `tenant`."""

    tenant: str
    call: str
    reply: Reply


@dataclass(frozen=True, slots=True)
class Disconnect:
    """Close a tenant's or a page's link with a close code of `wire`."""

    link: str
    code: int
    reason: str
