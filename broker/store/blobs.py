"""Chunks as bytes: a deflated block of two alphabets and one number per column for each."""

from __future__ import annotations

import json
import struct
import sys
import zlib
from array import array

from chardesk.broker.store.rows import canonical
from chardesk.tools.model.cell import style_from_json, style_json
from chardesk.tools.model.chunk import CHUNK_SIZE, Chunk, PackedChunk

_LENGTH = struct.Struct("<I")
_BYTES = 2 * CHUNK_SIZE

LEVEL = 1
"""Of zlib, for all of a checkpoint: higher levels take several times as long and save a tenth."""


def chunk_to_bytes(chunk: Chunk) -> bytes:
    packed = chunk.pack()
    alphabets = canonical([packed.alphabet, [style_json(style) for style in packed.palette]]).encode()
    parts = (_LENGTH.pack(len(alphabets)), alphabets, _little(packed.chars), _little(packed.styles))
    return zlib.compress(b"".join(parts), LEVEL)


def chunk_from_bytes(blob: bytes, owner: object) -> Chunk:
    """The inverse. Raises what `damage.reading` takes for damage."""
    raw = zlib.decompress(blob)
    (length,) = _LENGTH.unpack_from(raw)
    start = _LENGTH.size + length
    if len(raw) != start + 2 * _BYTES:
        raise ValueError("a chunk has the wrong length")
    alphabet, palette = json.loads(raw[_LENGTH.size : start])
    chars, numbers = _numbers(raw[start : start + _BYTES]), _numbers(raw[start + _BYTES :])
    styles = [style_from_json(one) for one in palette]
    return Chunk.unpack(PackedChunk(alphabet, chars, styles, numbers), owner)


def _little(numbers: array[int]) -> bytes:
    """Lowest byte first on every machine."""
    if sys.byteorder == "big":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()


def _numbers(raw: bytes) -> array[int]:
    numbers = array("H", raw)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
