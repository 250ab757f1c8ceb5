"""A WebSocket client for one broker on loopback. It never blocks, asks no proxy, and speaks to 127.0.0.1
only.

`Socket` is moved by its owner: wait until it is readable (or writable, while `wants_write`), then `pump`.
`Dialogue` in `dialogue.py` is the same for those who'd rather block.
"""

from __future__ import annotations

import os

# The C class itself: the `socket` module around it costs 8 ms and 1.3 MB of enums, and adds nothing we use.
from _socket import AF_INET, IPPROTO_TCP, SOCK_STREAM, TCP_NODELAY
from _socket import socket as RawSocket
from binascii import b2a_base64

from chardesk.broker.door import frames

try:
    from _sha1 import sha1  # type: ignore[import-not-found]  # not in the stubs; `hashlib` costs 4 MB of OpenSSL
except ImportError:
    from hashlib import sha1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 256 * 1024
HEAD_LIMIT = 16 * 1024
UNSENT_LIMIT = 24 * 1024 * 1024
"""A broker that leaves more than this unread is as good as gone. A relay keeps 16 MiB unanswered at most."""

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Opened:
    """The handshake is done; what is sent from now on are messages."""

    __slots__ = ()


Event = Opened | frames.Text | frames.Closed


class _Shaking:
    """The upgrade was asked for; `accept` is the answer that proves it was understood."""

    __slots__ = ("accept", "head")

    def __init__(self, accept: bytes) -> None:
        self.accept = accept
        self.head = b""


class _Open:
    __slots__ = ("reader",)

    def __init__(self) -> None:
        self.reader = frames.FrameReader()


class _Gone:
    __slots__ = ()


def _base64(data: bytes) -> bytes:
    return b2a_base64(data, newline=False)


class Socket:
    """One connection, from the first SYN to the last byte. `heard_at` is when anything last came in."""

    __slots__ = ("_raw", "_state", "_unsent", "heard_at")

    def __init__(self, address: str, path: str, now: float) -> None:
        """Starts connecting to `127.0.0.1:PORT`; whether that works is told by `pump`."""
        host, _, port = address.rpartition(":")
        key = _base64(os.urandom(16))
        self._state: _Shaking | _Open | _Gone = _Shaking(_base64(sha1(key + _GUID).digest()))
        self._unsent = bytearray(
            b"GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n"
            % (path.encode(), address.encode(), key)
        )
        self.heard_at = now
        self._raw = RawSocket(AF_INET, SOCK_STREAM)
        self._raw.setblocking(False)
        self._raw.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        self._raw.connect_ex((host, int(port)))  # any error shows at the first read or write

    def fileno(self) -> int:
        """For waiting on it; -1 once it is gone."""
        return self._raw.fileno()

    @property
    def wants_write(self) -> bool:
        return bool(self._unsent)

    @property
    def is_gone(self) -> bool:
        return isinstance(self._state, _Gone)

    def send(self, payload: bytes) -> None:
        """Queue one text message and send what the kernel takes at once. Once gone: nothing happens."""
        self._queue(frames.encode(frames.TEXT, payload))

    def ping(self) -> None:
        self._queue(frames.encode(frames.PING, b""))

    def close(self, code: int = frames.NORMAL, reason: str = "") -> None:
        """Say goodbye as far as the kernel takes it, and be gone, without waiting. Twice: nothing."""
        if isinstance(self._state, _Open):
            self._queue(frames.encode_close(code, reason))
        self._state = _Gone()
        self._unsent.clear()
        self._raw.close()

    def pump(self, now: float) -> Iterator[Event]:
        """Send and receive what can be without waiting; yields what happened, `Closed` last and once.

        Raises nothing: a refused connection, a broken link and a broken protocol are all `Closed`.
        """
        yield from self._checked(self._flush_and_read(now))

    def _queue(self, frame: bytes) -> None:
        if isinstance(self._state, _Gone):
            return
        self._unsent += frame
        if isinstance(self._state, _Open):
            self._flush()

    def _flush(self) -> None:
        """A failed send is left for `pump` to find: the same error comes up at the next read."""
        try:
            while self._unsent:
                del self._unsent[: self._raw.send(self._unsent)]
        except OSError:
            return

    def _checked(self, events: Iterator[Event]) -> Iterator[Event]:
        try:
            yield from events
        except frames.WireError as problem:
            self.close(problem.code, problem.reason)
            yield frames.Closed(problem.code, problem.reason)
        except OSError as problem:
            self.close()
            yield frames.Closed(frames.LOST, problem.strerror or "lost")

    def _flush_and_read(self, now: float) -> Iterator[Event]:
        self._flush()
        if len(self._unsent) > UNSENT_LIMIT:
            raise frames.WireError(frames.GOING_AWAY, "the broker reads nothing")
        while not self.is_gone:
            try:
                data = self._raw.recv(CHUNK)
            except BlockingIOError:
                return
            if not data:
                raise ConnectionResetError(0, "closed without a goodbye")
            self.heard_at = now
            yield from self._events(data)
            if len(data) < CHUNK:
                return

    def _events(self, data: bytes) -> Iterator[Event]:
        if isinstance(self._state, _Shaking):
            self._state.head += data
            head, ends, data = self._state.head.partition(b"\r\n\r\n")
            if not ends:
                if len(head) > HEAD_LIMIT:
                    raise frames.WireError(frames.PROTOCOL_ERROR, "an endless handshake")
                return
            _check_handshake(head, self._state.accept)
            self._state = _Open()
            yield Opened()
        if isinstance(self._state, _Open):
            yield from self._messages(self._state.reader, data)

    def _messages(self, reader: frames.FrameReader, data: bytes) -> Iterator[Event]:
        for event in reader.feed(data):
            if isinstance(event, frames.Text):
                yield event
            elif isinstance(event, frames.Ping):
                self._queue(frames.encode(frames.PONG, event.payload))
            elif isinstance(event, frames.Closed):
                self.close()
                yield event
                return


def _check_handshake(head: bytes, accept: bytes) -> None:
    """`WireError` unless the answer is the upgrade that was asked for; it quotes a refusal's status."""
    status, *lines = head.split(b"\r\n")
    if status.split(b" ", 2)[1:2] != [b"101"]:
        raise frames.WireError(frames.PROTOCOL_ERROR, "refused: " + status[:80].decode("latin-1"))
    fields = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines)
    }
    upgrades = (
        fields.get(b"upgrade", b"").lower() == b"websocket"
        and b"upgrade" in fields.get(b"connection", b"").lower()
    )
    if not upgrades or fields.get(b"sec-websocket-accept") != accept:
        raise frames.WireError(frames.PROTOCOL_ERROR, "not a WebSocket answer")
