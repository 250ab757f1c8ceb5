"""What the operator decides for all agents, as data; what is not said is as it stands here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, assert_never

from chardesk.broker.desk.rules.scope import Scope
from chardesk.broker.wire.parts import Feature, Grant

FEATURES: Mapping[Feature, bool] = MappingProxyType(
    {"code": True, "images": True, "files": True, "pages": True}
)
"""Scripts, pictures, files of the agent's own, adding and taking away canvases and sheets."""


Metered = Literal["calls", "cells", "script_seconds"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one agent, within a minute; None is no limit (contract, section 5)."""

    calls: int | None = None
    cells: int | None = None
    script_seconds: int | None = 60

    def of(self, what: Metered) -> int | None:
        match what:
            case "calls":
                return self.calls
            case "cells":
                return self.cells
            case "script_seconds":
                return self.script_seconds
            case _:
                assert_never(what)


@dataclass(frozen=True, slots=True)
class Policy:
    """`grant` and `scope` are what an agent gets that was never here, `features` what all may use, unless the
    person said otherwise on the page. `limits` hold for each of them."""

    grant: Grant = "apply"
    scope: Scope = ()
    features: Mapping[Feature, bool] = field(default_factory=lambda: FEATURES)
    limits: Limits = Limits()
    problem: str | None = None
    """Why the operator's file can't be followed. Until it can, agents may only look: a file that narrows what
    they may do must not, by a slip of the pen, allow everything."""
