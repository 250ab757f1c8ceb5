"""What can happen to the desk. Time comes in with the event (`at`, seconds since the epoch)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from chardesk.broker.desk.rules.policy import Policy
from chardesk.broker.desk.world import ScriptRun
from chardesk.tools.model.commit import Commit

Door = Literal["agent", "cli", "browser", "reader"]


@dataclass(frozen=True, slots=True)
class Joined:
    """A tenant is connected. `name` is a wish. `resume` is the token of an earlier connection: while it is
    good, that tenant goes on, and its older connection is replaced."""

    tenant: str
    token: str
    name: str
    door: Door
    resume: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Left:
    """A tenant's connection is gone; the tenant can be resumed for ten minutes."""

    tenant: str
    token: str
    at: float


@dataclass(frozen=True, slots=True)
class Called:
    """A tool call. `key` identifies the request across reconnects, None when the caller sent none."""

    tenant: str
    call: str
    tool: str
    arguments: Mapping[str, Any]
    key: str | None
    at: float


@dataclass(frozen=True, slots=True)
class Cancelled:
    tenant: str
    call: str
    at: float


@dataclass(frozen=True, slots=True)
class Turn:
    """Serve one waiting call, of the tenant whose turn it is."""

    at: float


@dataclass(frozen=True, slots=True)
class PageJoined:
    """A page showed a good token. Exactly one canvas page holds the seat."""

    link: str
    kind: Literal["canvas", "reader", "desk"]
    take_seat: bool
    new_token: str | None
    at: float


@dataclass(frozen=True, slots=True)
class PageLeft:
    link: str
    at: float


@dataclass(frozen=True, slots=True)
class PageSaid:
    """One of the messages of `wire.messages.FromPage`, except `hello`."""

    link: str
    message: Any
    at: float


@dataclass(frozen=True, slots=True)
class Ran:
    """A script ended. `refusal` when it failed, else what it returned."""

    job: str
    run: ScriptRun
    at: float


@dataclass(frozen=True, slots=True)
class Worked:
    """Work on another thread is done: what it gave, or the Refused that it raised."""

    job: str
    outcome: Any
    at: float


@dataclass(frozen=True, slots=True)
class Fetched:
    """An old commit, with its steps, as asked by `Fetch`; None when the journal has none such."""

    job: str
    commit: Commit | None
    at: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was picked from old commits, as asked by `Past`; None when the journal could not be read."""

    job: str
    found: tuple[Any, ...] | None
    at: float


@dataclass(frozen=True, slots=True)
class SourceRead:
    """A tenant's process answered `ReadSource`: `text`, or the `error` and its `code` in its own words."""

    tenant: str
    job: str
    text: str | None
    error: str
    code: str
    at: float


@dataclass(frozen=True, slots=True)
class Durable:
    """Every commit up to `seq` is on disk."""

    seq: int


@dataclass(frozen=True, slots=True)
class StoreRefused:
    """The disk refused a write; what was not durable is lost and must be taken back."""

    at: float


@dataclass(frozen=True, slots=True)
class StoreHealed:
    """A write succeeded again."""

    at: float


@dataclass(frozen=True, slots=True)
class Stopping:
    """The broker is about to end, and will be started again."""

    at: float


@dataclass(frozen=True, slots=True)
class PolicyRead:
    """The operator's file says something new, or can't be followed any more (`policy.problem`)."""

    policy: Policy


@dataclass(frozen=True, slots=True)
class Ticked:
    """Time passed: previews and lost tenants expire."""

    at: float


Event = (
    Joined
    | Left
    | Called
    | Cancelled
    | Turn
    | PageJoined
    | PageLeft
    | PageSaid
    | Ran
    | Worked
    | Fetched
    | Recalled
    | SourceRead
    | Durable
    | StoreRefused
    | StoreHealed
    | Stopping
    | PolicyRead
    | Ticked
)
