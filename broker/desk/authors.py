"""Authors: who commits belong to, for ever. A name that comes back is the same author."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any, Literal

from chardesk.broker.desk.effects import Record
from chardesk.tools.model.commit import CLI, PERSON

Grant = Literal["observe", "propose", "apply"]

COLORS = ("#0b7a75", "#b5532a", "#6a4fb3", "#2f6fb0", "#a8336b", "#5b7a16", "#8a5a00", "#3c6e47")
"""Agents' colours, given out in turn. Each has a contrast of at least 4.5 to white."""

DESK = "desk"
"""The author of what a desk is born with."""

_RESERVED = (PERSON, CLI, DESK, "browser-agent", "reading-agent")
_OWN_COLORS = {PERSON: "#57606a", CLI: "#57606a", DESK: "#57606a"}


@dataclass(slots=True)
class Author:
    name: str
    color: str
    grant: Grant = "apply"
    is_revoked: bool = False

    def record(self) -> Record:
        value = {"color": self.color, "grant": self.grant, "isRevoked": self.is_revoked}
        return Record("author", self.name, value)


@dataclass(slots=True)
class Authors:
    """Everyone who was ever here, by name."""

    known: dict[str, Author] = field(default_factory=dict)

    @classmethod
    def load(cls, found: dict[str, dict[str, Any]]) -> Authors:
        return cls(
            {
                name: Author(name, value["color"], value["grant"], value["isRevoked"])
                for name, value in found.items()
            }
        )

    def get(self, name: str) -> Author:
        """The author of this name, made on the spot if it is new."""
        author = self.known.get(name)
        if author is None:
            agents = sum(one not in _RESERVED for one in self.known)
            color = _OWN_COLORS.get(name, COLORS[agents % len(COLORS)])
            author = self.known[name] = Author(name, color)
        return author


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
