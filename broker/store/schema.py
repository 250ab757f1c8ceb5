"""The tables of a desk, and how an older file becomes a current one."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from chardesk.broker.store.damage import corrupt

APPLICATION_ID = 0x43484452
"""`CHDR`: how `file` and we know that a SQLite file is a desk."""

_MIGRATIONS = (
    """
    CREATE TABLE journal (
        seq INTEGER PRIMARY KEY,
        time REAL NOT NULL,
        author TEXT NOT NULL,
        applied_by TEXT NOT NULL,
        operation_id TEXT NOT NULL UNIQUE,
        call_key TEXT,
        about TEXT NOT NULL,
        result TEXT,
        prev_hash BLOB NOT NULL,
        hash BLOB NOT NULL,
        steps BLOB NOT NULL
    );
    CREATE INDEX journal_call ON journal (call_key) WHERE call_key IS NOT NULL;
    CREATE TABLE record (kind TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;
    CREATE TABLE checkpoint (
        id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash BLOB NOT NULL, outline TEXT NOT NULL
    );
    CREATE TABLE chunk (sheet TEXT, x INTEGER, y INTEGER, body BLOB NOT NULL, PRIMARY KEY (sheet, x, y));
    CREATE TABLE tile (sheet TEXT, x INTEGER, y INTEGER, body BLOB NOT NULL, PRIMARY KEY (sheet, x, y));
    """,
)
"""Step by step: a file of version n has run the first n. What was released never changes."""

VERSION = len(_MIGRATIONS)


def connect(file: Path, *, read_only: bool) -> sqlite3.Connection:
    """A connection to a file that exists. Transactions are begun by hand; one thread at a time may use it.

    Readers too make a file for the log's index. Where that can't be, and there is no log, nobody writes: the
    file is taken as it lies.
    """
    uri = f"{file.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}"
    if read_only and not os.access(file.parent, os.W_OK) and not file.with_name(f"{file.name}-wal").exists():
        uri += "&immutable=1"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=2.0)
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def make_durable(db: sqlite3.Connection) -> None:
    """A commit returns when it would survive a loss of power."""
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA journal_size_limit = 8388608")  # the log shrinks again after a burst


def check(db: sqlite3.Connection, file: Path) -> None:
    """Raises Refused `corrupt` for a file that is no desk or was written by a newer version."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID or version == 0:
        raise corrupt(f"{file.name} is not the database of a desk")
    if version > VERSION:
        found = f"{file.name} has schema {version}, this version of chardesk knows {VERSION}"
        raise corrupt(found, "Update chardesk; the newer version wrote this desk")


def is_older(db: sqlite3.Connection) -> bool:
    """Would `migrate` change a desk that somebody has used?"""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return bool(0 < version < VERSION)


def migrate(db: sqlite3.Connection) -> None:
    """Bring the schema up to `VERSION`, one transaction a step; a desk that is current is left alone."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    for number, script in enumerate(_MIGRATIONS[version:], version + 1):
        db.executescript(
            f"BEGIN IMMEDIATE; {script}; PRAGMA application_id = {APPLICATION_ID};"
            f" PRAGMA user_version = {number}; COMMIT;"
        )
