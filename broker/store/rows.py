"""Commits as rows of the journal, each chained to the one before it."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import Any, NamedTuple

import orjson

from chardesk.tools.model.commit import Commit
from chardesk.tools.model.packed import pack_step, unpack_step

GENESIS = bytes(32)
"""What the first row is chained to."""

_SMALL = 4096
"""Bytes up to which a deflate has a small window: setting up the full one takes 60 µs, this one 6."""

_TINY = 512
"""Bytes up to which nothing is deflated, only framed: a deflate lets go of the interpreter, and beside a busy
loop a thread waits half a millisecond until it has it again, which is a hundred times the deflate."""


class Row(NamedTuple):
    """A row as it is stored. `about` and `result` are canonical JSON, `steps` too, as a zlib stream."""

    seq: int
    time: float
    author: str
    applied_by: str
    operation_id: str
    call_key: str | None
    about: str
    result: str | None
    prev_hash: bytes
    hash: bytes
    steps: bytes


COLUMNS = ", ".join(Row._fields)
_SMALL_COLUMNS = Row._fields.index("prev_hash")
HEADER_COLUMNS = COLUMNS.replace("steps", "x'' AS steps")
"""The same row without reading its steps, which may be large."""


def row_of(commit: Commit, prev_hash: bytes) -> Row:
    """The row that follows the one with hash `prev_hash`. Raises TypeError or ValueError for values that are
    no JSON, and for text that is no Unicode."""
    row = Row(
        commit.seq,
        float(commit.time),
        commit.author,
        commit.applied_by,
        commit.operation_id,
        commit.call_key,
        _spelled({name: getattr(commit, name) for name in _ABOUT}).decode(),
        None if commit.result is None else canonical(commit.result),
        prev_hash,
        b"",
        deflate(_spelled([pack_step(step) for step in commit.steps])),
    )
    return row._replace(hash=hash_of(row))


def hash_of(row: Row) -> bytes:
    """SHA-256 over the previous hash, the JSON list of the small columns, and the steps as stored."""
    return hashlib.sha256(row.prev_hash + _spelled(row[:_SMALL_COLUMNS]) + row.steps).digest()


def commit_of(row: Row) -> Commit:
    """The inverse of `row_of`. Raises what `damage.reading` takes for damage."""
    steps = tuple(unpack_step(step) for step in json.loads(zlib.decompress(row.steps)))
    return _commit(row, steps)


def header_of(row: Row) -> Commit:
    """A commit without its steps, which stay in the journal."""
    return _commit(row, ())


def canonical(value: Any) -> str:
    """JSON with sorted keys and no spaces. Raises ValueError for NaN and TypeError for what JSON has not."""
    return _ENCODER.encode(value)


def _spelled(value: Any) -> bytes:
    """Hot: three times a commit. The same as `canonical` at a tenth of its time, for values of ours, which
    hold no NaN (it would become null)."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def deflate(raw: bytes) -> bytes:
    """A zlib stream. Small ones hold the bytes as they are, in one stored block (RFC 1950, RFC 1951)."""
    if len(raw) > _TINY:
        return zlib.compress(raw, 1, 12 if len(raw) <= _SMALL else 15)
    length = len(raw).to_bytes(2, "little")
    inverse = (len(raw) ^ 0xFFFF).to_bytes(2, "little")
    return b"".join((b"\x78\x01\x01", length, inverse, raw, zlib.adler32(raw).to_bytes(4, "big")))


_ABOUT = ("tool", "why", "base", "digest", "undoes", "canvas", "sheet")
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _commit(row: Row, steps: Any) -> Commit:
    return Commit(
        seq=row.seq,
        time=row.time,
        author=row.author,
        applied_by=row.applied_by,
        operation_id=row.operation_id,
        call_key=row.call_key,
        result=None if row.result is None else json.loads(row.result),
        steps=steps,
        **json.loads(row.about),
    )
