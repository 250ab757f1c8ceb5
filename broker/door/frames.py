"""RFC 6455 framing, the client's half, without any I/O: bytes in, events out.

Compression and sub-protocols are never offered, so reserved bits, masked frames and binary frames are
errors of the other side. Tested against arbitrary bytes in arbitrary pieces (tests/test_door.py).
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MESSAGE_LIMIT = 4 * 1024 * 1024
"""The transport's limit. The product's own (1 MiB) is lower, so that one call can be refused without
harm to the link."""

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
KNOWN = frozenset((CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG))
CONTROL_LIMIT = 125

NORMAL, GOING_AWAY, PROTOCOL_ERROR, UNSUPPORTED, NO_CODE, LOST, BAD_TEXT, TOO_BIG = (
    1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009,
)  # fmt: skip


class WireError(Exception):
    """The other side broke the protocol; `code` is what to close with."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Text:
    """One whole text message: valid UTF-8, at most `MESSAGE_LIMIT` bytes."""

    __slots__ = ("payload",)

    def __init__(self, payload: bytes) -> None:
        self.payload = payload


class Ping:
    """To be answered with a pong that carries the same payload."""

    __slots__ = ("payload",)

    def __init__(self, payload: bytes) -> None:
        self.payload = payload


class Pong:
    __slots__ = ()


class Closed:
    """The link is over. 1005: closed without a code. 1006: lost without a goodbye."""

    __slots__ = ("code", "reason")

    def __init__(self, code: int, reason: str = "") -> None:
        self.code = code
        self.reason = reason


Event = Text | Ping | Pong | Closed


def masked(payload: bytes, key: bytes) -> bytes:
    """`payload` under the four bytes of `key`; twice gives it back. One big XOR: 1 MiB in about 1 ms."""
    size = len(payload)
    cover = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "little") ^ int.from_bytes(cover, "little")).to_bytes(size, "little")


def encode(opcode: int, payload: bytes) -> bytes:
    """One final frame as a client must send it: masked under a fresh key."""
    size = len(payload)
    if size < 126:
        head = bytes((0x80 | opcode, 0x80 | size))
    elif size < 65536:
        head = bytes((0x80 | opcode, 0x80 | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((0x80 | opcode, 0x80 | 127)) + size.to_bytes(8, "big")
    key = os.urandom(4)
    return head + key + masked(payload, key)


def encode_close(code: int, reason: str = "") -> bytes:
    """A close frame; a reason too long for a control frame is cut at a character."""
    said = reason.encode()[: CONTROL_LIMIT - 2].decode(errors="ignore").encode()
    return encode(CLOSE, code.to_bytes(2, "big") + said)


class FrameReader:
    """Turns what a server sends into events, however it is cut into pieces.

    After a `Closed` or a `WireError` it is spent: feed it no more. It never holds more than one message and
    one frame header beyond what it was fed last.
    """

    __slots__ = ("_buffer", "_limit", "_parts", "_parts_size")

    def __init__(self, limit: int = MESSAGE_LIMIT) -> None:
        self._buffer = bytearray()
        self._limit = limit
        self._parts: list[bytes] | None = None
        self._parts_size = 0

    def feed(self, data: bytes) -> Iterator[Event]:
        """The events that `data` completes, in order. `WireError` as soon as the breach is seen, before the
        payload of an oversized frame is kept.
        """
        self._buffer += data
        while (frame := self._next_frame()) is not None:
            event = self._event(*frame)
            if event is not None:
                yield event

    def _next_frame(self) -> tuple[bool, int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        is_final, opcode, size = self._checked_head(buffer[0], buffer[1])
        start = 2
        if size >= 126:
            start += 2 if size == 126 else 8
            if len(buffer) < start:
                return None
            size = int.from_bytes(buffer[2:start], "big")
        if opcode < CLOSE and self._parts_size + size > self._limit:
            raise WireError(TOO_BIG, f"a message of more than {self._limit} bytes")
        if len(buffer) < start + size:
            return None
        payload = bytes(buffer[start : start + size])
        del buffer[: start + size]
        return is_final, opcode, payload

    def _checked_head(self, first: int, second: int) -> tuple[bool, int, int]:
        is_final, opcode, size = bool(first & 0x80), first & 0x0F, second & 0x7F
        if first & 0x70 or second & 0x80 or opcode not in KNOWN:
            raise WireError(PROTOCOL_ERROR, "reserved bits, a masked frame, or an unknown opcode")
        if opcode >= CLOSE and (not is_final or size > CONTROL_LIMIT):
            raise WireError(PROTOCOL_ERROR, "a control frame in pieces")
        if opcode == BINARY:
            raise WireError(UNSUPPORTED, "a binary message")
        if opcode < CLOSE and (opcode == CONTINUATION) == (self._parts is None):
            raise WireError(PROTOCOL_ERROR, "pieces of a message out of order")
        return is_final, opcode, size

    def _event(self, is_final: bool, opcode: int, payload: bytes) -> Event | None:
        if opcode == PING:
            return Ping(payload)
        if opcode == PONG:
            return Pong()
        if opcode == CLOSE:
            return _closed(payload)
        return self._text(is_final, payload)

    def _text(self, is_final: bool, payload: bytes) -> Text | None:
        if not is_final:
            self._parts = [] if self._parts is None else self._parts
            self._parts.append(payload)
            self._parts_size += len(payload)
            return None
        if self._parts is not None:
            payload = b"".join((*self._parts, payload))
            self._parts, self._parts_size = None, 0
        try:
            payload.decode()
        except UnicodeDecodeError as problem:
            raise WireError(BAD_TEXT, "text that is not UTF-8") from problem
        return Text(payload)


def _closed(payload: bytes) -> Closed:
    if not payload:
        return Closed(NO_CODE)
    if len(payload) == 1:
        raise WireError(PROTOCOL_ERROR, "half a close code")
    return Closed(int.from_bytes(payload[:2], "big"), payload[2:].decode(errors="replace"))
