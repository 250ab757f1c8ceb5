"""The one port: loopback only."""

from __future__ import annotations

import errno
import logging
import socket
import sys

from websockets.asyncio.server import ServerConnection

DEFAULT_PORT = 9595
PORTS_TRIED = 50


class PortTaken(Exception):
    """The port that was asked for belongs to somebody else."""


def listening(port: int | None, last: int | None) -> socket.socket:
    """A listening socket on loopback.

    A wished port is that one or PortTaken. Without one (None), and where any will do (0), the desk's `last`
    port comes first, so that open pages find the broker again; then the default one or the next free.
    """
    free = [*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), 0] if port is None else [port]
    wanted = [last, *free] if last is not None and not port else free
    for number in wanted:
        try:
            return _listen(number)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise PortTaken(f"port {port} is taken; choose another with --port, or --port 0 for any free one")


def _listen(port: int) -> socket.socket:
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("127.0.0.1", port))
        sock.listen(128)
    except OSError:
        sock.close()
        raise
    return sock


def no_delay(connection: ServerConnection) -> None:
    sock = connection.transport.get_extra_info("socket")
    if sock is not None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


OUR_FAULT = "connection handler failed"
"""What `websockets` says when one of our faces raised."""


def quiet_logger() -> logging.Logger:
    """Peers that come and go, or that are no WebSocket, are no events worth a line each; our faults are."""
    quiet = logging.getLogger("chardesk.websockets")
    quiet.setLevel(logging.ERROR)
    quiet.addFilter(lambda record: record.msg == OUR_FAULT)
    return quiet
