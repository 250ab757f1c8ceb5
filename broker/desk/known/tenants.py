"""Tenants: live connections of authors, each with a token, a queue and what it has read."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from chardesk.broker.desk.effects import Record
from chardesk.broker.desk.events import Called, Door
from chardesk.broker.desk.known.knowledge import Knowledge
from chardesk.tools.errors import Refused

MAX_PENDING = 256
"""Calls of one tenant that may wait or run at once (contract, section 5)."""

MAX_TENANTS = 64

RESUME_S = 600.0
"""A token resumes its tenant until ten minutes after the connection was lost."""


def seal(token: str) -> str:
    """What is kept of a token: enough to know it again, not enough to use it."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call in the queue, with the canvas and sheet that were active when it arrived."""

    called: Called
    place: tuple[str, str]


@dataclass(slots=True)
class Tenant:
    id: str
    seal: str
    author: str
    door: Door
    former: str = ""
    """The seal of the token that it came back with: good until the new one is used, since a connection may
    be lost before the welcome with the new one is read."""
    is_here: bool = True
    lost_at: float = 0.0
    knowledge: Knowledge = field(default_factory=Knowledge)
    queue: deque[Waiting] = field(default_factory=deque)
    running: Waiting | None = None
    until: float = 0.0
    """When the running call counts as timed out."""

    @property
    def pending(self) -> int:
        return len(self.queue) + (self.running is not None)

    @property
    def is_ready(self) -> bool:
        """Has it a call that could be served now? One call at a time keeps its replies in order."""
        return bool(self.queue) and self.running is None

    def runs(self, call: str) -> bool:
        return self.running is not None and self.running.called.call == call

    def record(self) -> Record:
        value = {"id": self.id, "author": self.author, "former": self.former}
        return Record("tenant", self.seal, {**value, "read": self.knowledge.packed()})

    def forgotten(self) -> Record:
        return Record("tenant", self.seal, None)


@dataclass(slots=True)
class Tenants:
    """All tenants, and the ring in which they are served: one call each, in turn."""

    all: dict[str, Tenant] = field(default_factory=dict)
    _ring: deque[str] = field(default_factory=deque)

    @classmethod
    def load(cls, records: Mapping[str, Mapping[str, Any]], newest: int, at: float) -> Tenants:
        """The agents that were here when the broker ended: lost at `at`, to be resumed by their tokens, with
        what they had read, up to a second before a crash. `newest` is the last commit there is."""
        tenants = cls()
        for found, value in records.items():
            former = value.get("former", "")
            read = Knowledge.load(value.get("read", {}), newest)
            tenants._take(Tenant(value["id"], found, value["author"], "agent", former, False, at, read))
        return tenants

    def add(self, tenant: Tenant) -> None:
        """Raises Refused `budget_exceeded` when the desk is full. Command lines always get in: they are the
        person's, who may want to see who is here, or to stop the broker."""
        here = sum(one.is_here and one.door != "cli" for one in self.all.values())
        if here >= MAX_TENANTS and tenant.door != "cli":
            raise Refused(
                "budget_exceeded", f"{MAX_TENANTS} agents are connected already", retry_after_ms=5000
            )
        self._take(tenant)

    def remove(self, tenant_id: str) -> None:
        self.all.pop(tenant_id, None)
        if tenant_id in self._ring:
            self._ring.remove(tenant_id)

    def replace(self, old: Tenant, new: Tenant) -> None:
        """Let `new` go on in the place of `old`. Raises as `add` does, and then nothing is changed."""
        if not old.is_here:
            self.add(new)
        else:
            self._take(new)
        self.remove(old.id)

    def by_token(self, token: str | None) -> Tenant | None:
        if token is None:
            return None
        wanted = seal(token)
        return next((one for one in self.all.values() if wanted in (one.seal, one.former)), None)

    def live_names(self) -> set[str]:
        return {one.author for one in self.all.values() if one.is_here}

    def take_news(self) -> tuple[Record, ...]:
        """What agents have read since this was asked last."""
        told = [one for one in self.all.values() if one.door == "agent" and one.knowledge.is_news]
        for tenant in told:
            tenant.knowledge.is_news = False
        return tuple(tenant.record() for tenant in told)

    def lost_before(self, moment: float) -> list[Tenant]:
        return [one for one in self.all.values() if not one.is_here and one.lost_at < moment]

    def enqueue(self, tenant: Tenant, waiting: Waiting) -> None:
        """Raises Refused `budget_exceeded` at once when the queue is full."""
        if tenant.pending >= MAX_PENDING:
            raise Refused(
                "budget_exceeded",
                f"{tenant.pending} calls are waiting, the limit is {MAX_PENDING}",
                retry_after_ms=250,
                details={"limit": MAX_PENDING, "actual": tenant.pending},
            )
        tenant.queue.append(waiting)

    def next(self) -> Tenant | None:
        """The tenant to serve now; it goes to the end of the ring."""
        for _ in range(len(self._ring)):
            self._ring.rotate(-1)
            tenant = self.all[self._ring[-1]]
            if tenant.is_ready:
                return tenant
        return None

    @property
    def anyone_ready(self) -> bool:
        return any(tenant.is_ready for tenant in self.all.values())

    def _take(self, tenant: Tenant) -> None:
        self.all[tenant.id] = tenant
        self._ring.append(tenant.id)
