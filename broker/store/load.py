"""A desk from its database: the newest checkpoint, and the commits since."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from chardesk.broker.store import journal
from chardesk.broker.store.blobs import chunk_from_bytes
from chardesk.broker.store.image import Key, Known, shared_of
from chardesk.broker.store.rows import GENESIS, commit_of, hash_of
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.replay import take
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Canvas, Sheet, Size
from chardesk.tools.model.trace import Trace


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was kept. `records` by kind and key; `headers` are the recent commits, oldest first, without
    their steps (ask `Store.commit` for those)."""

    contents: Contents
    seq: int
    records: dict[str, dict[str, dict[str, Any]]]
    headers: list[Commit]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Contents as they were after commit `seq`, whose hash is `hash`; `known` is what the database holds of
    them."""

    contents: Contents = field(default_factory=Contents)
    seq: int = 0
    hash: bytes = GENESIS
    known: Mapping[str, Known] = field(default_factory=dict)


def checkpoint(db: sqlite3.Connection) -> Checkpoint:
    """The newest one; an empty desk at seq 0 if none was ever made."""
    found = db.execute("SELECT seq, hash, outline FROM checkpoint").fetchone()
    if found is None:
        return Checkpoint()
    seq, hash_, outline = found
    contents = _contents(json.loads(outline), _chunks(db), _tiles(db))
    return Checkpoint(contents, seq, hash_, _known(contents))


def replay(db: sqlite3.Connection, start: Checkpoint) -> int:
    """Carry out on `start.contents` what was committed since; the answer is the newest seq. Each link of the
    chain is checked on the way: raises ValueError at the first that does not hold."""
    seq, hash_ = start.seq, start.hash
    if seq and journal.hash_at(db, seq) != hash_:
        raise ValueError(f"commit {seq} is not the one that the checkpoint follows")
    for row in journal.rows(db, after=seq):
        if row.seq != seq + 1 or row.prev_hash != hash_ or hash_of(row) != row.hash:
            raise ValueError(f"the journal breaks at commit {seq + 1}")
        take(start.contents, commit_of(row))
        seq, hash_ = row.seq, row.hash
    return seq


def records(db: sqlite3.Connection) -> dict[str, dict[str, dict[str, Any]]]:
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for kind, key, value in db.execute("SELECT kind, key, value FROM record ORDER BY kind, key"):
        found.setdefault(kind, {})[key] = json.loads(value)
    return found


_Pieces = dict[str, list[tuple[Key, bytes]]]


def _chunks(db: sqlite3.Connection) -> _Pieces:
    return _pieces(db.execute("SELECT sheet, x, y, body FROM chunk"))


def _tiles(db: sqlite3.Connection) -> _Pieces:
    return _pieces(db.execute("SELECT sheet, x, y, body FROM tile"))


def _pieces(rows: Iterator[tuple[str, int, int, bytes]]) -> _Pieces:
    found: _Pieces = {}
    for sheet, x, y, body in rows:
        found.setdefault(sheet, []).append(((x, y), body))
    return found


def _contents(outline: list[dict[str, Any]], chunks: _Pieces, tiles: _Pieces) -> Contents:
    contents = Contents()
    for one in outline:
        sheets = [_sheet(found, chunks, tiles) for found in one["sheets"]]
        contents.adopt(Canvas(one["id"], one["name"], one["kind"], one["archived"], sheets, one["updatedAt"]))
    return contents


def _sheet(found: dict[str, Any], chunks: _Pieces, tiles: _Pieces) -> Sheet:
    name, owner = found["id"], object()
    size = None if found["size"] is None else Size(*found["size"])
    scene = Scene.of({key: chunk_from_bytes(body, owner) for key, body in chunks.get(name, [])})
    bodies = ((key, zlib.decompress(body)) for key, body in tiles.get(name, []))
    trace = Trace.load(found["authors"], bodies)
    return Sheet(name, found["name"], size, scene, trace, found["revision"], found.get("note", ""))


def _known(contents: Contents) -> dict[str, Known]:
    sheets = [sheet for canvas in contents.canvases.values() for sheet in canvas.sheets]
    return {sheet.id: shared_of(sheet)[1] for sheet in sheets}
