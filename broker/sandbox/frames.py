"""Frames between host and child: a length (4 bytes, little-endian) and that many bytes of UTF-8 JSON.

The blocking half is the child's, which loads this file at each start, so it imports little.
"""

from __future__ import annotations

import os

from chardesk.broker.sandbox.limits import FRAME_BYTES

HEADER_BYTES = 4
_READ_BYTES = 64 * 1024


class Malformed(ValueError):
    """The other side sent what no honest peer sends. Its text is ours and safe to show."""


def pack(body: bytes) -> bytes:
    """The frame that carries `body`, which the caller keeps within `FRAME_BYTES`."""
    return len(body).to_bytes(HEADER_BYTES, "little") + body


def size_of(header: bytes | bytearray) -> int:
    """How many bytes follow `header`. An empty or over-long frame is `Malformed` before it is read."""
    size = int.from_bytes(header, "little")
    if not 0 < size <= FRAME_BYTES:
        raise Malformed(f"a frame of {size} bytes; the limit is {FRAME_BYTES}")
    return size


def send(fd: int, body: bytes) -> None:
    """Write one frame, waiting as long as the peer takes. A peer that is gone is an `OSError`."""
    frame = pack(body)
    sent = os.write(fd, frame)
    while sent < len(frame):
        sent += os.write(fd, frame[sent:])


def receive(fd: int) -> str:
    """Read one frame, waiting for it. A peer that is gone is an `EOFError`.

    Reads as much as there is: the host never sends a frame before the last one was answered.
    """
    data = os.read(fd, _READ_BYTES)
    while len(data) < HEADER_BYTES:
        data += _more(fd)
    missing = HEADER_BYTES + size_of(data[:HEADER_BYTES]) - len(data)
    while missing > 0:
        data += (part := _more(fd))
        missing -= len(part)
    return data[HEADER_BYTES:].decode()


def _more(fd: int) -> bytes:
    part = os.read(fd, _READ_BYTES)
    if not part:
        raise EOFError
    return part
