"""Authors: who commits belong to, for ever. A name that comes back is the same author."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from chardesk.broker.desk.effects import Record
from chardesk.broker.desk.rules import scope as scopes
from chardesk.broker.desk.rules.policy import Policy
from chardesk.broker.desk.rules.scope import Scope
from chardesk.broker.wire.parts import Feature
from chardesk.broker.wire.parts import Grant as Grant
from chardesk.tools.model.commit import CLI, PERSON

COLORS = ("#0b7a75", "#b5532a", "#6a4fb3", "#2f6fb0", "#a8336b", "#5b7a16", "#8a5a00", "#3c6e47")
"""Agents' colours, given out in turn. Each has a contrast of at least 4.5 to white."""

AUTO = "autoApproved"
"""The field of a commit's result that says who let it be applied unasked."""

DESK = "desk"
"""The author of what a desk is born with."""

NO_AGENTS = frozenset({PERSON, CLI, DESK})
"""Authors that nobody governs."""

_RESERVED = (PERSON, CLI, DESK, "browser-agent", "reading-agent")
_OWN_COLORS = {PERSON: "#57606a", CLI: "#57606a", DESK: "#57606a"}


@dataclass(frozen=True, slots=True)
class Leave:
    """The person lets an agent apply unasked for a while."""

    given_at: float
    until: float


@dataclass(slots=True)
class Author:
    """`grant` is the standing one; while a `leave` lasts, it counts as `apply`. It reaches as far as `scope`.
    `features` are those about which the person decided for this author."""

    name: str
    color: str
    grant: Grant = "apply"
    is_revoked: bool = False
    leave: Leave | None = None
    scope: Scope = ()
    features: dict[Feature, bool] = field(default_factory=dict)

    @property
    def is_agent(self) -> bool:
        return self.name not in NO_AGENTS

    def leave_at(self, at: float) -> Leave | None:
        """The leave that is in force."""
        return self.leave if self.leave is not None and at < self.leave.until else None

    def allowed(self, at: float) -> Grant:
        return self.grant if self.leave_at(at) is None else "apply"

    def record(self) -> Record:
        leave = None if self.leave is None else [self.leave.given_at, self.leave.until]
        value = {"color": self.color, "grant": self.grant, "isRevoked": self.is_revoked, "leave": leave}
        reach = {"scope": [area.packed() for area in self.scope], "features": dict(self.features)}
        return Record("author", self.name, {**value, **reach})


@dataclass(slots=True)
class Authors:
    """Everyone who was ever here, by name. `newcomers` is the grant of an agent that never was, where the
    person has chosen one; else the operator's `policy` says it."""

    known: dict[str, Author] = field(default_factory=dict)
    newcomers: Grant | None = None
    policy: Policy = field(default_factory=Policy)

    @classmethod
    def load(cls, found: Mapping[str, Mapping[str, Any]], newcomers: Grant | None) -> Authors:
        return cls({name: _loaded(name, value) for name, value in found.items()}, newcomers)

    def get(self, name: str) -> Author:
        """The author of this name, made on the spot if it is new."""
        author = self.known.get(name)
        if author is None:
            agents = sum(one not in _RESERVED for one in self.known)
            color = _OWN_COLORS.get(name, COLORS[agents % len(COLORS)])
            author = self.known[name] = Author(name, color)
            if author.is_agent:
                author.grant, author.scope = self.first_grant, self.policy.scope
        return author

    @property
    def first_grant(self) -> Grant:
        """What an agent gets that was never here."""
        return self.newcomers or self.policy.grant

    def grant_of(self, author: Author, at: float) -> Grant:
        """What counts now. Without a policy that can be followed agents only look."""
        return "observe" if self.policy.problem and author.is_agent else author.allowed(at)

    def may_use(self, author: Author, feature: Feature) -> bool:
        """Of people everything is allowed; of agents what the person, else the policy, says."""
        return not author.is_agent or author.features.get(feature, self.policy.features[feature])


def _loaded(name: str, value: Mapping[str, Any]) -> Author:
    """A leave goes on after a restart: it has its own end."""
    leave = Leave(*value["leave"]) if value.get("leave") else None
    features = dict(value.get("features", {}))
    scope = scopes.load(value.get("scope", ()))
    return Author(name, value["color"], value["grant"], value["isRevoked"], leave, scope, features)


def slug(wish: str) -> str:
    """A name as authors carry it: lower case, `a-z 0-9 - _ .`, 1–40 characters, never a reserved one."""
    name = re.sub(r"[^a-z0-9_.]+", "-", wish.lower()).strip("-.")[:40] or "agent"
    return f"agent-{name}" if name in _RESERVED else name


def free_name(wish: str, taken: Container[str]) -> str:
    """`wish`, or `wish-2`, `wish-3`, … while another live agent has it."""
    name, number = wish, 1
    while name in taken:
        number += 1
        name = f"{wish}-{number}"
    return name
