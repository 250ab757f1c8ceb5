"""What the operator decides for all agents, as data; what is not said is as it stands here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from chardesk.broker.desk.rules.scope import Scope
from chardesk.broker.wire.parts import Feature, Grant

FEATURES: Mapping[Feature, bool] = MappingProxyType(
    {"code": True, "images": True, "files": True, "pages": True}
)
"""Scripts, pictures, files of the agent's own, adding and taking away canvases and sheets."""


@dataclass(frozen=True, slots=True)
class Policy:
    """`grant` and `scope` are what an agent gets that was never here, `features` what all may use, unless the
    person said otherwise on the page."""

    grant: Grant = "apply"
    scope: Scope = ()
    features: Mapping[Feature, bool] = field(default_factory=lambda: FEATURES)
    problem: str | None = None
    """Why the operator's file can't be followed. Until it can, agents may only look: a file that narrows what
    they may do must not, by a slip of the pen, allow everything."""
