"""One peer's way out: a bounded queue and the one task that writes to its socket."""

from __future__ import annotations

from collections import deque

import anyio
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from chardesk.broker.wire.codes import SLOW

MAX_QUEUED_BYTES = 8 * 1024 * 1024
"""Beyond this a consumer is too slow and is cut; it comes back and gets a fresh snapshot (contract)."""


class Peer:
    """Frames for one socket, in order. Nobody who sends ever waits for the peer."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._frames: deque[str] = deque()
        self._queued = 0
        self._wake = anyio.Event()
        self._closing: tuple[int, str] | None = None

    def send(self, frame: str) -> None:
        """Queue a frame. After `close`, and for a peer that is gone, it is dropped."""
        if self._closing is not None:
            return
        self._frames.append(frame)
        self._queued += len(frame)
        if self._queued > MAX_QUEUED_BYTES:
            self._frames.clear()
            self.close(SLOW, "too slow: come back for a fresh snapshot")
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """Close after what is queued has gone out. The first reason counts."""
        if self._closing is None:
            self._closing = (code, reason)
        self._wake.set()

    async def run(self) -> None:
        """Write until the peer is closed or gone."""
        try:
            while True:
                while self._frames:
                    frame = self._frames.popleft()
                    self._queued -= len(frame)
                    await self._socket.send(frame)
                if self._closing is not None:
                    await self._socket.close(*self._closing)
                    return
                self._wake = anyio.Event()
                await self._wake.wait()
        except ConnectionClosed:
            self._closing = self._closing or (1006, "gone")
