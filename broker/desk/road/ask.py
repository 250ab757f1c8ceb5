"""One thing that is asked of the desk, once its arguments are understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chardesk.broker.desk.known.state import Actor


@dataclass(frozen=True, slots=True)
class Ask:
    """`place` is the canvas and sheet that were active when it arrived. `link` (a tenant's or a page's) and
    `call` say where a late answer goes. `key` (scoped to the author) and `digest` of the arguments are kept
    with the commit, so that asking again gives the first result."""

    actor: Actor
    tool: str
    args: Any
    place: tuple[str, str]
    link: str
    call: str
    key: str | None
    digest: str
    at: float
    ack: tuple[str, str] | None = None
    """The page's link and edit id, when the commit itself confirms the edit."""
