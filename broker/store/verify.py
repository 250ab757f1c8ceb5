"""`chardesk log verify`: is the journal what was written, all of it, in its order?"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from chardesk.broker.store import files, head, journal, load, schema
from chardesk.broker.store.damage import reading
from chardesk.broker.store.rows import GENESIS, Row, hash_of
from chardesk.tools.errors import Refused

MAX_FAULTS = 20
"""Faults that are listed. One lost row in a long journal is one fault, not one for each later row."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """`checked` rows were read. A fault means that the desk is not as it was written; a note says what could
    not be checked, or what is normal after a crash."""

    checked: int
    faults: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        return not self.faults


def verify(folder: Path) -> Verdict:
    """Look through the whole journal, beside a running broker too; nothing in it is changed.

    Found are rows that were edited, deleted, inserted or reordered, a tail that was cut, damaged pages and a
    damaged checkpoint. Checking nothing on a desk that had, or may have had, commits is a fault. Somebody
    who can write both files and makes the whole chain anew is not found: see the threat model.
    """
    walk = _Walk()
    try:
        with reading(files.NAME):
            _look(folder, walk)
    except Refused as refusal:
        walk.fault(refusal.message)
    return Verdict(walk.checked, tuple(walk.faults), tuple(walk.notes))


class _Walk:
    """From row to row, with what the next one has to follow."""

    def __init__(self) -> None:
        self.checked = 0
        self.faults: list[str] = []
        self.notes: list[str] = []
        self.seq, self.hash = 0, GENESIS

    def fault(self, what: str) -> None:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(what)

    def visit(self, row: Row) -> None:
        """Go on from this row as it is, so that one fault is told once."""
        if row.seq <= self.seq:
            self.fault(f"commit {row.seq} was never written")
            return
        if row.seq > self.seq + 1:
            self.fault(f"commits {self.seq + 1} to {row.seq - 1} are missing")
        elif row.prev_hash != self.hash:
            self.fault(f"commit {row.seq} does not follow the one before it")
        if not _is_intact(row):
            self.fault(f"commit {row.seq} was changed after it was written")
        self.checked += 1
        self.seq, self.hash = row.seq, row.hash


def _look(folder: Path, walk: _Walk) -> None:
    file = folder / files.NAME
    files.inspect(file)
    known = head.read(folder)  # before the journal, which may grow meanwhile
    with closing(schema.connect(file, read_only=True)) as db:
        schema.check(db, file)
        db.execute("BEGIN")  # one state for all that is read
        for row in journal.rows(db, after=-journal.END):
            walk.visit(row)
        _compare(db, known, walk)
        _look_at_checkpoint(db, walk)
        for (line,) in db.execute("PRAGMA quick_check(5)"):
            if line != "ok":
                walk.fault(f"{files.NAME}: {line}")


def _compare(db: sqlite3.Connection, known: head.Head | None, walk: _Walk) -> None:
    if known is None:
        walk.notes.append(f"{head.NAME} is missing: commits cut off the end could not be seen")
        if not walk.checked:
            walk.fault("nothing was checked: there are no commits, and nothing says whether there were any")
    elif walk.seq < known.seq:
        walk.fault(f"the journal ends at commit {walk.seq}, but commit {known.seq} was written")
    elif journal.hash_at(db, known.seq) != known.hash:
        walk.fault(f"commit {known.seq} is not the one that was written")
    elif walk.seq > known.seq:
        walk.notes.append(f"{walk.seq - known.seq} commits are newer than {head.NAME}, as after a crash")


def _look_at_checkpoint(db: sqlite3.Connection, walk: _Walk) -> None:
    try:
        with reading("the checkpoint"):
            found = load.checkpoint(db)
    except Refused as refusal:
        walk.fault(refusal.message)
        return
    if journal.hash_at(db, found.seq) != found.hash:
        walk.fault(f"the checkpoint follows commit {found.seq}, which is not the one in the journal")


def _is_intact(row: Row) -> bool:
    try:
        return hash_of(row) == row.hash
    except (TypeError, ValueError, AttributeError):  # a column that holds another kind of value
        return False
