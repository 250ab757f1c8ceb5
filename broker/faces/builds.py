"""An agent's process of another build, or of a newer protocol, than this broker.

A broker that nobody else uses makes way: it ends, and the process starts one of its own build. One in use
goes on.
"""

from __future__ import annotations

import logging
from typing import Any

import anyio
import anyio.to_thread

from chardesk.broker.door.build import fingerprint, shipped
from chardesk.broker.faces.house import House

_ONE = anyio.CapacityLimiter(1)
"""Of many agents that come at once, one after the other is looked at: none of them waits for it."""

log = logging.getLogger("chardesk.builds")


def build_of(package: str) -> str | None:
    """The fingerprint of the files there; None when none of ours can be read. Slow: it reads them all."""
    try:
        return fingerprint(package) if shipped(package) else None
    except (OSError, ValueError):
        return None


async def is_unlike(house: House, package: str) -> bool:
    """Are the files of the process that joins of another build than this broker was started from?"""
    theirs = await anyio.to_thread.run_sync(build_of, package, limiter=_ONE)
    return theirs is not None and theirs != house.build


def make_way(house: House, tenant: str | None) -> bool:
    """End this broker if nobody is here but this tenant (None: nobody at all); does it end?

    No stop mark is left: whoever wants a broker starts one.
    """
    state = house.runner.desk.state
    others = [one.id for one in state.tenants.all.values() if one.is_here and one.id != tenant]
    if others or state.pages.all:
        return False
    log.info("another build wants this desk and nobody else is here; ending")
    house.asked("stop")
    return True


def in_use(house: House) -> dict[str, Any]:
    """What the process is told whose build is another one while this broker is in use."""
    return {"chardesk": "otherBuild", "version": house.version}
