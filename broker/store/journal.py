"""Reading the journal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from chardesk.broker.store.head import Head
from chardesk.broker.store.rows import COLUMNS, GENESIS, HEADER_COLUMNS, Row, commit_of, header_of
from chardesk.tools.model.commit import Commit

REPEATS_KEPT_S = 7 * 24 * 3600.0
"""How long a call key is answered from the journal (model.md, "Repeats")."""

HEADERS_KEPT = 10_000
"""Commits that a start brings into memory without their steps: a tenth of a second's worth."""


END = 2**62
"""Above every seq."""


def newest(db: sqlite3.Connection) -> Head:
    found = db.execute("SELECT seq, hash FROM journal ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(*found) if found else Head(0, GENESIS)


def hash_at(db: sqlite3.Connection, seq: int) -> bytes | None:
    """None when there is no such commit; that of the start for 0."""
    if seq == 0:
        return GENESIS
    found = db.execute("SELECT hash FROM journal WHERE seq = ?", (seq,)).fetchone()
    return found[0] if found else None


def rows(db: sqlite3.Connection, after: int = 0) -> Iterator[Row]:
    """Oldest first."""
    return map(Row._make, db.execute(f"SELECT {COLUMNS} FROM journal WHERE seq > ? ORDER BY seq", (after,)))


def one(db: sqlite3.Connection, seq: int) -> Commit | None:
    return _first(db.execute(f"SELECT {COLUMNS} FROM journal WHERE seq = ?", (seq,)))


def by_operation(db: sqlite3.Connection, operation_id: str) -> Commit | None:
    return _first(db.execute(f"SELECT {COLUMNS} FROM journal WHERE operation_id = ?", (operation_id,)))


def by_key(db: sqlite3.Connection, call_key: str, since: float) -> Commit | None:
    """The newest commit with this call key made at or after `since` (seconds since the epoch)."""
    asked = f"SELECT {COLUMNS} FROM journal WHERE call_key = ? AND time >= ? ORDER BY seq DESC LIMIT 1"
    return _first(db.execute(asked, (call_key, since)))


def commits(db: sqlite3.Connection, after: int, before: int, limit: int, newest_first: bool) -> list[Commit]:
    """Those with `after < seq < before`, at most `limit`, counted from the end that comes first."""
    order = "DESC" if newest_first else "ASC"
    asked = f"SELECT {COLUMNS} FROM journal WHERE seq > ? AND seq < ? ORDER BY seq {order} LIMIT ?"
    return [commit_of(row) for row in map(Row._make, db.execute(asked, (after, before, limit)))]


def headers(db: sqlite3.Connection, since: float) -> list[Commit]:
    """The newest commits down to the time `since`, at most `HEADERS_KEPT`, oldest first, without steps."""
    asked = f"SELECT {HEADER_COLUMNS} FROM journal ORDER BY seq DESC LIMIT ?"
    found: list[Commit] = []
    for row in map(Row._make, db.execute(asked, (HEADERS_KEPT,))):
        if row.time < since:
            break
        found.append(header_of(row))
    return found[::-1]


def _first(cursor: sqlite3.Cursor) -> Commit | None:
    found = cursor.fetchone()
    return commit_of(Row._make(found)) if found else None
