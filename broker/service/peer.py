"""One peer's way out: frames go to its socket at once, and a peer that does not read is cut."""

from __future__ import annotations

import anyio
from websockets.asyncio.connection import broadcast
from websockets.asyncio.server import ServerConnection

from chardesk.broker.wire.codes import SLOW

MAX_UNREAD_BYTES = 8 * 1024 * 1024
"""Beyond this a consumer is too slow and is cut; it comes back and gets a fresh snapshot (contract)."""


GOODBYE_S = 2.0
"""For the closing handshake, once everything that was written before it has gone out."""


class Peer:
    """Frames for one socket, in order. Nobody who sends ever waits for the peer.

    Writing at once instead of through a task of its own saves two turns of the loop a call (measured: a
    third of a small read). What the peer leaves unread waits in the transport, which is looked at before
    each frame, so it holds at most the limit and one frame more, beside one whole that was sent in parts.
    """

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._whole_bytes = 0
        self._end: tuple[int, str] | None = None
        self._ends = anyio.Event()

    def send(self, frame: str) -> None:
        """Write a frame. To a peer that is closed or gone, nothing happens."""
        if self._end is not None:
            return
        if self._unread > MAX_UNREAD_BYTES + self._whole_bytes:
            self.close(SLOW, "too slow: come back for a fresh snapshot")
        else:
            broadcast((self._socket,), frame)

    def send_part(self, frame: str, *, is_first: bool) -> None:
        """Write a frame of something that has many, all sent at once. It may be larger than what a peer may
        leave unread, and being sent it is no sign that the peer is slow."""
        if is_first:
            self._whole_bytes = 0
        self.send(frame)
        self._whole_bytes += len(frame.encode())

    @property
    def _unread(self) -> int:
        waiting: int = self._socket.transport.get_write_buffer_size()
        if not waiting:
            self._whole_bytes = 0
        return waiting

    def close(self, code: int, reason: str) -> None:
        """Close behind what was written. The first reason counts."""
        if self._end is None:
            self._end = (code, reason)
            self._ends.set()

    async def run(self) -> None:
        """Wait until `close` is called, then see the closing through. A peer that does not read can't take
        the goodbye either, and is cut."""
        await self._ends.wait()
        if self._end is not None:
            with anyio.move_on_after(GOODBYE_S):
                await self._socket.close(*self._end)
            self._socket.transport.abort()
