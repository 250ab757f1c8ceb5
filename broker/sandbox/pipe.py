"""The host's end of a child's socket: whole frames in and out, on the event loop."""

from __future__ import annotations

import asyncio
import socket

from chardesk.broker.sandbox import frames
from chardesk.broker.sandbox.limits import FRAME_BYTES

_READ_BYTES = 64 * 1024


class Pipe:
    """Frames over one socket, which it owns.

    Hot: a script makes 128 round trips. The socket stays registered with the loop while a run lasts, which
    takes a third of the time of `loop.sock_recv`. Run tests/bench/sandbox.py before and after.
    """

    def __init__(self, ours: socket.socket) -> None:
        ours.setblocking(False)
        self._socket = ours
        self._loop = asyncio.get_running_loop()
        self._unread = b""
        self._is_ended = False
        self._is_listening = False
        self._news: asyncio.Future[None] | None = None

    async def send(self, data: bytes) -> None:
        """Hand over bytes; waits while the child does not read. A dead child is a `ConnectionError`."""
        await self._loop.sock_sendall(self._socket, data)

    async def receive(self) -> bytes:
        """The body of the next frame. `EOFError` once the child has ended, `Malformed` for a bad size."""
        return await self._exactly(frames.size_of(await self._exactly(frames.HEADER_BYTES)))

    def close(self) -> None:
        """Close the socket. A second time, nothing happens; whoever waits in `receive` gets an `EOFError`."""
        self._end()
        self._socket.close()

    async def _exactly(self, size: int) -> bytes:
        while len(self._unread) < size:
            if self._is_ended:
                raise EOFError
            self._listen()
            self._news = self._loop.create_future()
            await self._news
        found, self._unread = self._unread[:size], self._unread[size:]
        return found

    def _listen(self) -> None:
        if not self._is_listening:
            self._loop.add_reader(self._socket, self._read)
            self._is_listening = True

    def _deafen(self) -> None:
        if self._is_listening:
            self._loop.remove_reader(self._socket)
            self._is_listening = False

    def _read(self) -> None:
        # What is left unread wakes the loop again at once, so it is taken even if nobody asked for it yet.
        try:
            part = self._socket.recv(_READ_BYTES)
        except ConnectionError:
            part = b""
        self._unread += part
        if not part:
            self._end()
        elif len(self._unread) > FRAME_BYTES:
            self._deafen()
        self._wake()

    def _end(self) -> None:
        self._deafen()
        self._is_ended = True
        self._wake()

    def _wake(self) -> None:
        if self._news is not None and not self._news.done():
            self._news.set_result(None)
