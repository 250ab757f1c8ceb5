"""Questions to a running broker, and what to do about one of another build."""

from __future__ import annotations

import sys
from typing import Any

from chardesk.broker.door.discovery import Discovery
from chardesk.broker.door.lock import is_held, pause
from chardesk.broker.door.place import Place
from chardesk.broker.door.start import ensured

STOP_S = 10.0
"""A broker that has not let go of its lock by then is stuck; the person is told its pid."""


def ask(place: Place, found: Discovery, what: str) -> dict[str, Any]:
    """One of the broker's own questions. Raises ConnectionError when it does not answer."""
    from chardesk.broker.link.client import Client

    with Client(place, found) as client:
        return client.ask(what)


def stop(place: Place, found: Discovery) -> bool:
    """Ask it to end and wait until it has; False when it has not after `STOP_S`."""
    ask(place, found, "stop")
    for _ in range(int(STOP_S / 0.02)):
        if not is_held(place.broker_lock):
            return True
        pause(0.02)
    return False


def is_unlike(found: Discovery) -> bool:
    """Is it of another build than the files here? Reads them all: for commands by a person."""
    from chardesk.broker.door.build import fingerprint

    return found.build != fingerprint()


def renewed(place: Place, found: Discovery) -> Discovery:
    """The desk's broker, of this build: one of another is replaced while nobody uses it, else it goes on and
    the person is told. Raises ConnectionError as `ensured` does."""
    return ensured(place) if end_unlike(place, found) else found


def end_unlike(place: Place, found: Discovery) -> bool:
    """End a broker of another build that nobody uses; was it ended?"""
    if not is_unlike(found):
        return False
    told = ask(place, found, "status")
    users = [one["name"] for one in told["tenants"]] + ["the page"] * bool(told["pages"])
    if users:
        print(
            f"chardesk: the broker (pid {found.pid}, version {found.version}) is of another build and in use "
            f"by {', '.join(users)}; chardesk stop, then start it again, when they are done",
            file=sys.stderr,
        )
        return False
    return stop(place, found)
