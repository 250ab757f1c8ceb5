"""The files of a desk's store, and whether what lies in the folder can be one."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from chardesk.broker.store import head, schema
from chardesk.broker.store.damage import corrupt
from chardesk.broker.store.rows import GENESIS

NAME = "desk.sqlite"

_MAGIC = b"SQLite format 3\0"
_FRESH = NAME + ".new"
_FOR_OTHERS = 0o077


def prepare(folder: Path) -> Path:
    """The database's path. A folder that never had one is given an empty one; raises Refused `corrupt` when
    it once had one that is gone, or has something that is none."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & _FOR_OTHERS:
        folder.chmod(0o700)
    file = folder / NAME
    if not file.exists() and any((folder / name).exists() for name in (head.NAME, NAME + "-wal")):
        raise corrupt(f"{NAME} is gone, but {head.NAME} says that this desk had one", _LOST)
    if not file.exists():
        _create(folder)
    inspect(file)
    return file


def inspect(file: Path) -> None:
    """Raises Refused `corrupt` for a file that does not begin as a database does."""
    with open(file, "rb") as opened:
        begin = opened.read(len(_MAGIC))
    if not begin:
        raise corrupt(f"{file.name} is empty: it was cut to 0 bytes", _LOST)
    if begin != _MAGIC:
        raise corrupt(f"{file.name} is not a database")


def create_private(file: Path) -> None:
    """Make an empty file that only its owner can read, in place of what a crash may have left there."""
    file.unlink(missing_ok=True)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def sync_folder(folder: Path) -> None:
    """Make renames in it durable. Windows has no such thing, and needs none."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


_LOST = "Restore the newest backup; to begin an empty desk instead, move the desk's files out of the folder"


def _create(folder: Path) -> None:
    """The database comes to its name whole, so that a crash in here leaves nothing that looks damaged."""
    create_private(folder / _FRESH)
    with closing(schema.connect(folder / _FRESH, read_only=False)) as db:
        schema.migrate(db)
    os.replace(folder / _FRESH, folder / NAME)
    head.create(folder, head.Head(0, GENESIS))
    sync_folder(folder)
