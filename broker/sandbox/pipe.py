"""The host's end of a child's socket: whole frames in and out, on the event loop."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, assert_never

from chardesk.broker.sandbox import frames
from chardesk.broker.sandbox.limits import FRAME_BYTES

# In one turn of the loop: a flood of the smallest frames then holds it for 5 ms.
_READ_BYTES = 16 * 1024

T = TypeVar("T")


class Hangup(Exception):
    """The child's end of the socket is closed: it has ended, or is about to."""


class BadSize(Exception):
    """No honest child sends a frame of this size. Apart from `Malformed`, which an answerer might raise."""


@dataclass(frozen=True, slots=True)
class Enough(Generic[T]):
    """Ends a conversation with this result."""

    value: T


@dataclass(frozen=True, slots=True)
class _Unsent:
    """What the socket did not take at once: the child does not read as fast as it asks."""

    rest: bytes


Hear = Callable[[bytes], bytes | Enough[T] | None]
"""What to do with the body of a frame: send these bytes, or end the conversation, or just go on."""


class Pipe:
    """Frames over one socket, which it owns. One conversation at a time.

    Hot: a script makes 128 round trips. A frame is answered from the loop's reader callback itself; a task
    that is woken for each costs twice as much. Run tests/bench/sandbox.py before and after.
    """

    def __init__(self, ours: socket.socket) -> None:
        ours.setblocking(False)
        self._socket = ours
        self._loop = asyncio.get_running_loop()
        self._unread = bytearray()
        self._is_ended = False
        self._is_listening = False
        self._hear: Hear[Any] | None = None
        self._end: asyncio.Future[Any] = self._loop.create_future()

    async def send(self, data: bytes) -> None:
        """Hand over bytes; waits while the child does not read. Raises `Hangup` if it is gone."""
        try:
            await self._loop.sock_sendall(self._socket, data)
        except ConnectionError:
            raise Hangup from None

    async def receive(self) -> bytes:
        """The body of the next frame. Raises as `converse` does."""
        return await self.converse(Enough)

    async def converse(self, hear: Hear[T]) -> T:
        """Give every frame's body to `hear`, from the loop's callback, and do what it says, until it has
        enough.

        Raises `Hangup` once the child has ended, `BadSize` for a frame that can't be one, and whatever `hear`
        raises. Later frames wait for the next conversation.
        """
        while True:
            self._hear, self._end = hear, self._loop.create_future()
            try:
                self._feed()
                self._listen()
                found: Enough[T] | _Unsent = await self._end
            finally:
                self._hear = None
            match found:
                case Enough(value):
                    return value
                case _Unsent(rest):
                    await self.send(rest)
                case _:
                    assert_never(found)

    def close(self) -> None:
        """Close the socket. A second time, nothing happens; who waits in a conversation gets a `Hangup`."""
        self._hang_up()
        self._socket.close()

    def _feed(self) -> None:
        """Hand on what has come, frame by frame, while somebody listens."""
        try:
            while (hear := self._hear) is not None and (body := self._frame()) is not None:
                said = hear(body)
                if isinstance(said, bytes):
                    self._answer(said)
                elif said is not None:
                    self._stop(said)
            if self._hear is not None and self._is_ended:
                raise Hangup
        except BaseException as problem:
            self._hear = None
            self._end.set_exception(problem)

    def _frame(self) -> bytes | None:
        """The body of the next whole frame, taken out of what is unread."""
        unread = self._unread
        if len(unread) < frames.HEADER_BYTES:
            return None
        try:
            end = frames.HEADER_BYTES + frames.size_of(unread[: frames.HEADER_BYTES])
        except frames.Malformed as problem:
            raise BadSize(str(problem)) from None
        if len(unread) < end:
            return None
        body = bytes(unread[frames.HEADER_BYTES : end])
        del unread[:end]
        return body

    def _answer(self, frame: bytes) -> None:
        sent = self._push(frame)
        if sent < len(frame):
            self._stop(_Unsent(frame[sent:]))

    def _stop(self, verdict: Enough[Any] | _Unsent) -> None:
        self._hear = None
        self._end.set_result(verdict)

    def _push(self, data: bytes) -> int:
        """How many bytes the socket took at once."""
        try:
            return self._socket.send(data)
        except BlockingIOError:
            return 0
        except ConnectionError:
            raise Hangup from None

    def _listen(self) -> None:
        if not self._is_listening and not self._is_ended:
            self._loop.add_reader(self._socket, self._read)
            self._is_listening = True

    def _deafen(self) -> None:
        if self._is_listening:
            self._loop.remove_reader(self._socket)
            self._is_listening = False

    def _read(self) -> None:
        """Take in what is there, and do what comes of it. No second look: it costs more than it finds."""
        # What is left unread wakes the loop again at once, so it is taken even if nobody asked for it yet.
        try:
            part = self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except ConnectionError:
            part = b""
        if not part:
            self._hang_up()
            return
        self._unread += part
        self._feed()
        if len(self._unread) > FRAME_BYTES + frames.HEADER_BYTES:
            self._deafen()

    def _hang_up(self) -> None:
        self._deafen()
        self._is_ended = True
        self._feed()
