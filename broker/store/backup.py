"""A copy of a desk's store, taken beside a running broker."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from chardesk.broker.store import files, head, journal, schema
from chardesk.broker.store.damage import reading
from chardesk.broker.store.verify import Verdict, verify
from chardesk.tools.errors import Refused

_FRESH = files.NAME + ".new"
_PAGES = 256
"""Copied at a time: a mebibyte. Writers need not wait, they write to the log."""


def backup(desk: Path, into: Path) -> Verdict:
    """Copy the database and its side file into the folder `into`, which may not hold a desk yet, and look
    through the copy: the answer is what `verify` found there. To restore, move both files into a desk's
    folder while no broker runs.

    Raises Refused `invalid_input` for a folder that holds a desk, and whatever stands in the way of the copy;
    no part of one is left then.
    """
    if (into / files.NAME).exists():
        raise Refused("invalid_input", f"{into.name} holds a desk already; name another folder")
    files.inspect(desk / files.NAME)
    copy_into(desk, into)
    return verify(into)


def copy_into(desk: Path, into: Path) -> None:
    """The copy alone, in place of one that may be there."""
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with reading(files.NAME):
            newest = _copy(desk / files.NAME, into / _FRESH)
        (into / _FRESH).replace(into / files.NAME)
        head.create(into, newest)
        files.sync_folder(into)
    finally:
        (into / _FRESH).unlink(missing_ok=True)


def _copy(source: Path, target: Path) -> head.Head:
    files.create_private(target)
    with (
        closing(schema.connect(source, read_only=True)) as db,
        closing(schema.connect(target, read_only=False)) as copy,
    ):
        db.backup(copy, pages=_PAGES)
        copy.execute("PRAGMA journal_mode = DELETE")  # else a log would lie beside the copy
        return journal.newest(copy)
