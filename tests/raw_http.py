"""HTTP as an attacker speaks it: one request over a socket of its own, exactly as given."""

from __future__ import annotations

import socket
from dataclasses import dataclass

PATIENCE_S = 10.0

UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """`status` 0: the connection was closed without an answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def whole(self) -> bytes:
        return "\n".join(f"{name}: {value}" for name, value in self.headers.items()).encode() + self.body


def ask(
    address: str, target: str, *headers: tuple[str, str], method: str = "GET", body: bytes = b""
) -> Reply:
    """One request; names and values are not checked."""
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), PATIENCE_S) as sock:
        sock.sendall("\r\n".join(lines).encode("latin-1") + body)
        return _reply(sock)


def upgrade(address: str, path: str, *headers: tuple[str, str]) -> Reply:
    return ask(address, path, *UPGRADE.items(), *headers)


def _reply(sock: socket.socket) -> Reply:
    """The head, and as much of a body as it announces. Of an upgrade, the head is all."""
    reader = sock.makefile("rb")
    with reader:
        first = reader.readline().split()
        if not first:
            return Reply(0, {}, b"")
        headers: dict[str, str] = {}
        while line := reader.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        return Reply(int(first[1]), headers, reader.read(int(headers.get("content-length", 0))))
