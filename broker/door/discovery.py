"""The discovery file: how a running broker is found.

The file says where; only the lock says whether. A file without the lock is what a crash left behind, and
its address may be anyone's by now, so nobody is told the desk's key before the lock was seen held.
"""

from __future__ import annotations

import os

from chardesk.broker.door import lean
from chardesk.broker.door.lock import is_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chardesk.broker.door.place import Place

PROTOCOL = 1
"""The wire this side speaks (`hello.protocol`)."""

HOST = "127.0.0.1"


class Discovery:
    """What a broker says of itself: `address` is `127.0.0.1:PORT`, `started_at` ISO 8601, `build` a hash."""

    __slots__ = ("address", "build", "pid", "protocol", "started_at", "version")

    def __init__(
        self,
        address: str,
        pid: int,
        started_at: str,
        protocol: int = PROTOCOL,
        version: str = "",
        build: str = "",
    ) -> None:
        self.address = address
        self.pid = pid
        self.started_at = started_at
        self.protocol = protocol
        self.version = version
        self.build = build

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])


def _parsed(data: bytes) -> Discovery | None:
    """None for anything that isn't a whole discovery of a loopback address: we never connect elsewhere."""
    try:
        said = lean.loads(data)
        host, _, port = said["address"].rpartition(":")
        if host != HOST or not 0 < int(port) < 65536:
            return None
        return Discovery(
            address=f"{HOST}:{int(port)}",
            pid=int(said["pid"]),
            started_at=str(said["startedAt"]),
            protocol=int(said["protocol"]),
            version=str(said.get("version", "")),
            build=str(said.get("build", "")),
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def read(place: Place) -> Discovery | None:
    """What the discovery file says, whether or not that broker still runs; None if missing or unreadable."""
    try:
        with open(place.discovery, "rb") as file:
            return _parsed(file.read(65536))
    except OSError:
        return None


def running(place: Place) -> Discovery | None:
    """The broker that runs for this desk and has said where; None without one, or while it starts."""
    return read(place) if is_held(place.broker_lock) else None


def write(place: Place, found: Discovery) -> None:
    """Publish, in one step: a reader sees the old file or the new one, whole."""
    said = {
        "address": found.address,
        "pid": found.pid,
        "startedAt": found.started_at,
        "protocol": found.protocol,
        "version": found.version,
        "build": found.build,
    }
    draft = f"{place.discovery}.{os.getpid()}"
    fd = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with open(fd, "wb") as file:
            file.write(lean.dumps(said) + b"\n")
        os.replace(draft, place.discovery)
    except OSError:
        os.unlink(draft)
        raise


def remove(place: Place) -> None:
    """Withdraw it: at a stop, and at a start, lock in hand, what a crash left. Missing: fine; and a disk that
    won't give it up does no harm, since nobody believes it without the lock."""
    try:
        os.unlink(place.discovery)
    except OSError:
        return


Signature = tuple[int, int, int]


def signature(place: Place) -> Signature | None:
    """Changes whenever the file was replaced or removed; cheap enough to ask ten times a second."""
    try:
        status = os.stat(place.discovery)
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size
