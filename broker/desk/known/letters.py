"""Letters: what was said to an author and is not acknowledged yet. At least once, never lost silently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from chardesk.broker.desk.effects import Record
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import PERSON
from chardesk.tools.model.moment import iso

LEASE_S = 60.0
"""A letter that was given out and not acknowledged is given out again after this."""

MAX_DELIVERIES = 5
"""Then it is parked: whoever did not acknowledge it five times does not want it."""

MAX_LETTERS = 500
"""Of one author. More than anybody reads."""

POSTS_KEPT_S = 7 * 86_400.0
"""A post that is repeated within a week is answered from the first one."""

Kind = Literal["message", "preview"]


@dataclass(frozen=True, slots=True)
class Fresh:
    """To be given out: never was, or its lease is over."""


@dataclass(frozen=True, slots=True)
class Leased:
    until: float


@dataclass(frozen=True, slots=True)
class Parked:
    """Given out too often; kept until it is acknowledged or the inbox is full."""


@dataclass(slots=True)
class Letter:
    """`about` names what it is about (camelCase, for the reply); `seq` is the commit it speaks of, 0 if
    none."""

    id: str
    to: str
    sender: str
    kind: Kind
    text: str
    at: float
    seq: int = 0
    about: dict[str, Any] = field(default_factory=dict)
    deliveries: int = 0
    state: Fresh | Leased | Parked = field(default_factory=Fresh)

    def record(self) -> Record:
        value = {
            "to": self.to,
            "from": self.sender,
            "kind": self.kind,
            "text": self.text,
            "at": self.at,
            "seq": self.seq,
            "about": self.about,
            "deliveries": self.deliveries,
        }
        return Record("letter", self.id, value)

    def forgotten(self) -> Record:
        return Record("letter", self.id, None)

    def fields(self) -> dict[str, Any]:
        """As the agent gets it."""
        return {
            "messageId": self.id,
            "from": self.sender,
            "kind": self.kind,
            "text": self.text,
            "time": iso(self.at),
            "delivery": self.deliveries,
            **self.about,
        }


@dataclass(frozen=True, slots=True)
class Posted:
    """A post that is remembered by its key."""

    message: str
    digest: str
    at: float


@dataclass(slots=True)
class Letters:
    """All that is not acknowledged, oldest first, and the keys of posts."""

    all: dict[str, Letter] = field(default_factory=dict)
    posted: dict[str, Posted] = field(default_factory=dict)

    @classmethod
    def load(
        cls, letters: Mapping[str, Mapping[str, Any]], posts: Mapping[str, Mapping[str, Any]]
    ) -> Letters:
        """The inverse of the records. Leases are over."""
        kept = sorted((_loaded(name, value) for name, value in letters.items()), key=lambda one: one.at)
        keys = {key: Posted(value["message"], value["digest"], value["at"]) for key, value in posts.items()}
        return cls({one.id: one for one in kept}, keys)

    def of(self, author: str) -> list[Letter]:
        return [one for one in self.all.values() if one.to == author]

    def add(self, letter: Letter) -> list[Record]:
        """Raises Refused `too_large` for a message to an author who has as many as may be. The desk's own
        notes always come in: the oldest parked letter, else the oldest note, makes room."""
        mine = self.of(letter.to)
        gone: list[Record] = []
        if len(mine) >= MAX_LETTERS:
            old = next((one for one in mine if isinstance(one.state, Parked)), None)
            old = old or next((one for one in mine if one.kind != "message"), None)
            if old is None:
                raise Refused(
                    "too_large",
                    f"{letter.to} has {len(mine)} unread messages, the limit is {MAX_LETTERS}",
                    details={"limit": MAX_LETTERS, "actual": len(mine) + 1},
                )
            gone = [self.all.pop(old.id).forgotten()]
        self.all[letter.id] = letter
        return [*gone, letter.record()]

    def take(self, author: str, limit: int, at: float) -> list[Letter]:
        """Lease the next ones: the person's words first, then in the order they came."""
        fresh = [one for one in self.of(author) if isinstance(one.state, Fresh)]
        taken = sorted(fresh, key=lambda one: one.sender != PERSON)[:limit]
        for one in taken:
            one.deliveries += 1
            one.state = Leased(at + LEASE_S)
        return taken

    def lapse(self, at: float) -> list[Letter]:
        """Those whose lease has just ended; each is fresh again, or parked."""
        over = [one for one in self.all.values() if isinstance(one.state, Leased) and one.state.until <= at]
        for one in over:
            one.state = Parked() if one.deliveries >= MAX_DELIVERIES else Fresh()
        return over

    def release(self, author: str) -> list[Letter]:
        """The author's connection is gone: what was on its way may never have been read."""
        released = [one for one in self.of(author) if isinstance(one.state, Leased)]
        for one in released:
            one.state = Fresh()
        return released

    def counts(self, author: str) -> dict[str, int]:
        """`unread`: would be given out now; `open`: given out and not acknowledged."""
        mine = self.of(author)
        return {
            "unread": sum(isinstance(one.state, Fresh) for one in mine),
            "open": sum(isinstance(one.state, Leased) for one in mine),
        }

    def parked(self, author: str) -> int:
        return sum(isinstance(one.state, Parked) for one in self.of(author))

    def forget_after(self, seq: int) -> None:
        """Commits after `seq` were taken back: what was said of them is not true."""
        self.all = {name: one for name, one in self.all.items() if one.seq <= seq}

    def remember(self, key: str, posted: Posted) -> list[Record]:
        """Keep a post's key, and forget those that are too old."""
        old = [name for name, one in self.posted.items() if one.at < posted.at - POSTS_KEPT_S]
        for name in old:
            del self.posted[name]
        self.posted[key] = posted
        value = {"message": posted.message, "digest": posted.digest, "at": posted.at}
        return [Record("post", key, value), *(Record("post", name, None) for name in old)]

    def records(self) -> Iterable[Record]:
        return (one.record() for one in self.all.values())


def _loaded(name: str, value: Mapping[str, Any]) -> Letter:
    letter = Letter(
        name,
        value["to"],
        value["from"],
        value["kind"],
        value["text"],
        value["at"],
        value["seq"],
        value["about"],
        value["deliveries"],
    )
    return replace(letter, state=Parked()) if letter.deliveries >= MAX_DELIVERIES else letter
