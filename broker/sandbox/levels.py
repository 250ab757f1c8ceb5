"""What this computer holds a script to, dimension by dimension."""

from __future__ import annotations

import sys

from chardesk.broker.sandbox import confine
from chardesk.tools.run.backend import DIMENSIONS, Dimension, Level

# With the system-call filter there is no file, process or socket to be had. Without it, the engine simply has
# no such functions.
_BY_FILTER: tuple[Dimension, ...] = ("read", "write", "command", "network")
# RLIMIT_AS and RLIMIT_STACK: Linux holds both; macOS accepts but does not hold the first.
_BY_LINUX: tuple[Dimension, ...] = ("memory", "stack")
# An empty environment, the kill at the deadline, and the caps on frames are the host's, wherever it runs.
_BY_HOST: tuple[Dimension, ...] = ("env", "cpu", "output")


def levels() -> dict[Dimension, Level]:
    """The level of each dimension, here and now.

    A child in which an `enforce` fails does not start, so nothing ever runs on a weaker level than this.
    """
    filtered: Level = "enforce" if confine.filtered_machine() is not None else "attest"
    linux: Level = "enforce" if sys.platform == "linux" else "attest"
    found: dict[Dimension, Level] = {
        **dict.fromkeys(_BY_FILTER, filtered),
        **dict.fromkeys(_BY_HOST, "enforce"),
        **dict.fromkeys(_BY_LINUX, linux),
    }
    return {dimension: found[dimension] for dimension in DIMENSIONS}
