"""What scripts are held to, per platform. This file is the whole policy: data, and how one is chosen."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from chardesk.tools.run.backend import DIMENSIONS, Dimension, Level, Policy

_REACH: tuple[Dimension, ...] = ("read", "write", "command", "network")
_KERNEL: tuple[Dimension, ...] = ("memory", "stack")

_ALL_ENFORCED: dict[Dimension, Level] = dict.fromkeys(DIMENSIONS, "enforce")
_ATTESTED: dict[Dimension, Level] = dict.fromkeys((*_REACH, *_KERNEL), "attest")

POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy("enforced", _ALL_ENFORCED),
        # What the engine simply has no functions for may rest on its word; the environment, the clock and the
        # amount of output never do, because the host itself holds those everywhere.
        Policy("attested", {**_ALL_ENFORCED, **_ATTESTED}),
    )
}

# `sys.platform`. Linux has kernel fences for everything; elsewhere nothing better than the engine's word is
# to be had, and a desk without scripts would be the poorer choice. Anything unknown gets the stricter one.
DEFAULTS: Mapping[str, str] = {"linux": "enforced", "darwin": "attested", "win32": "attested"}
STRICTEST = "enforced"


def default(platform: str = sys.platform) -> Policy:
    """The policy of a platform for which nobody chose one."""
    return POLICIES[DEFAULTS.get(platform, STRICTEST)]


def named(name: str | None) -> Policy:
    """The policy of this name; None: the platform's default. Raises KeyError for an unknown one."""
    return default() if name is None else POLICIES[name]
