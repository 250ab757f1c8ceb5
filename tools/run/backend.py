"""What runs scripts, and what it must hold them to: the contract between a policy and a backend.

A backend declares a level for every dimension; a policy requires one for each. Where a backend gives less,
nothing starts (`sandbox_unenforceable`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from chardesk.tools.errors import Refused

Dimension = Literal["read", "write", "command", "network", "env", "cpu", "memory", "stack", "output"]
"""What a script could reach (files to read and to write, other programs, the network, environment variables)
and what it could use up."""

Level = Literal["enforce", "attest", "unsupported"]
"""enforce: the kernel or the host stops it. attest: the engine has no such function, but only its own code
says so. unsupported: nothing is promised."""

DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
_STRENGTH: Mapping[Level, int] = {"unsupported": 0, "attest": 1, "enforce": 2}

Levels = Mapping[Dimension, Level]


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A backend on this computer, here and now. `version` is its engine's; `problem` says why it can't run
    anything, None if it can. `levels` has every dimension."""

    name: str
    version: str
    levels: Levels
    problem: str | None = None

    def provenance(self) -> dict[str, Any]:
        """Who ran a script and how it was held, as the reply and the journal tell it."""
        return {"name": self.name, "version": self.version, "levels": dict(self.levels)}


@dataclass(frozen=True, slots=True)
class Policy:
    """`requires` has the least level of every dimension."""

    name: str
    requires: Levels


@dataclass(frozen=True, slots=True)
class Shortfall:
    dimension: Dimension
    required: Level
    given: Level


def shortfalls(policy: Policy, levels: Levels) -> tuple[Shortfall, ...]:
    """The dimensions in which the levels are less than the policy requires. A missing one is unsupported."""
    found = (Shortfall(each, policy.requires[each], levels.get(each, "unsupported")) for each in DIMENSIONS)
    return tuple(one for one in found if _STRENGTH[one.given] < _STRENGTH[one.required])


def unenforceable(policy: Policy, backend: Descriptor) -> str | None:
    """Why this backend may run nothing under this policy, in a sentence; None if it may."""
    missing = shortfalls(policy, backend.levels)
    if not missing:
        return None
    lacks = ", ".join(f"{one.dimension} ({one.required}, given: {one.given})" for one in missing)
    return f"policy {policy.name} requires what backend {backend.name} does not give here: {lacks}"


def refusal(policy: Policy, backend: Descriptor) -> Refused:
    """The same as an agent is told it."""
    details = {
        "policy": policy.name,
        "backend": backend.name,
        "missing": [
            {"dimension": one.dimension, "required": one.required, "given": one.given}
            for one in shortfalls(policy, backend.levels)
        ],
    }
    why = unenforceable(policy, backend) or f"policy {policy.name} holds"
    return Refused("sandbox_unenforceable", why, details=details)
