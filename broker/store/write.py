"""What the writer's thread does to the database: groups of entries, and checkpoints."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chardesk.broker.store import journal
from chardesk.broker.store.blobs import LEVEL, chunk_to_bytes
from chardesk.broker.store.head import Head
from chardesk.broker.store.image import Image
from chardesk.broker.store.rows import COLUMNS, Row, canonical, row_of
from chardesk.tools.errors import Fault

if TYPE_CHECKING:
    from chardesk.broker.desk.effects import Persist, Record


KEPT_CHARACTERS = 400
"""Longer records (previews, letters) are written once and not remembered in memory."""


AT_ONCE = (64, 16, 4, 1)
"""How many rows a statement may have: few sizes, so that SQLite's compiled statements are used again."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An entry as rows. `head` is the newest commit once it is written."""

    head: Head
    rows: tuple[Row, ...]
    records: tuple[tuple[str, str, str | None], ...]


def prepare(persist: Persist, after: Head, kept: dict[tuple[str, str], str]) -> Prepared:
    """Rows that follow the commit `after`, without records that are `kept` just so; `kept` follows. Raises
    TypeError or ValueError for values that are no JSON."""
    rows: list[Row] = []
    for commit in persist.commits:
        rows.append(row_of(commit, after.hash))
        after = Head(commit.seq, rows[-1].hash)
    records = [record for record in map(_prepared, persist.records) if _is_news(record, kept)]
    return Prepared(after, tuple(rows), tuple(records))


def _is_news(record: tuple[str, str, str | None], kept: dict[tuple[str, str], str]) -> bool:
    kind, key, value = record
    if value is not None and kept.get((kind, key)) == value:
        return False
    if value is not None and len(value) <= KEPT_CHARACTERS:
        kept[kind, key] = value
    else:
        kept.pop((kind, key), None)
    return True


def append(db: sqlite3.Connection, group: Iterable[Prepared]) -> None:
    """All of them, or none: raises sqlite3.Error and leaves the database as it was."""
    group = list(group)
    records = {(kind, key): value for one in group for kind, key, value in one.records}
    kept = [(*name, value) for name, value in records.items() if value is not None]
    with transaction(db):
        _insert(db, f"INSERT INTO journal ({COLUMNS})", [row for one in group for row in one.rows])
        _insert(db, "INSERT OR REPLACE INTO record", kept)
        gone = [name for name, value in records.items() if value is None]
        db.executemany("DELETE FROM record WHERE kind = ? AND key = ?", gone)


def _insert(db: sqlite3.Connection, into: str, rows: Sequence[tuple[Any, ...]]) -> None:
    """Many rows to a statement: beside a busy loop each statement waits for the interpreter, and a group of
    256 commits that waited for each row kept everybody waiting for a quarter of a second
    (tests/bench/flood.py)."""
    for size in AT_ONCE:
        while len(rows) >= size:
            one = "(" + ", ".join("?" * len(rows[0])) + ")"
            values = [value for row in rows[:size] for value in row]
            db.execute(f"{into} VALUES {', '.join([one] * size)}", values)
            rows = rows[size:]


def checkpoint(db: sqlite3.Connection, image: Image) -> Iterator[None]:
    """Store an image, in steps of a millisecond or two, so that entries can be written in between; the
    database changes in the last step alone. Every commit up to the image's seq must be durable."""
    chunks: list[tuple[str, int, int, bytes | None]] = []
    for sheet, (x, y), chunk in image.chunks:
        chunks.append((sheet, x, y, None if chunk is None else chunk_to_bytes(chunk)))
        yield
    tiles: list[tuple[str, int, int, bytes | None]] = []
    for sheet, (x, y), tile in image.tiles:
        tiles.append((sheet, x, y, None if tile is None else zlib.compress(tile, LEVEL)))
        yield
    hash_ = journal.hash_at(db, image.seq)
    if hash_ is None:
        raise Fault(f"a checkpoint at seq {image.seq}, which is not in the journal")
    with transaction(db):
        for sheet in image.gone:
            db.execute("DELETE FROM chunk WHERE sheet = ?", (sheet,))
            db.execute("DELETE FROM tile WHERE sheet = ?", (sheet,))
        _replace(db, "chunk", chunks)
        _replace(db, "tile", tiles)
        db.execute("INSERT OR REPLACE INTO checkpoint VALUES (1, ?, ?, ?)", (image.seq, hash_, image.outline))


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All that is done inside, or nothing. SQLite may have rolled back already, as it does on a full disk."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _replace(db: sqlite3.Connection, table: str, pieces: list[tuple[str, int, int, bytes | None]]) -> None:
    gone = [piece[:3] for piece in pieces if piece[3] is None]
    kept = [piece for piece in pieces if piece[3] is not None]
    db.executemany(f"DELETE FROM {table} WHERE sheet = ? AND x = ? AND y = ?", gone)
    db.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?)", kept)


def _prepared(record: Record) -> tuple[str, str, str | None]:
    return record.kind, record.key, None if record.value is None else canonical(record.value)
