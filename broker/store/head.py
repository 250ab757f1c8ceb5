"""The side file `desk.head`: how far the journal had come, kept where damage to the database can't reach it.

One line of fixed size, overwritten in place after each group of commits and not synced: it may lag behind the
journal, never lead it. A database that is behind its head has lost commits.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import NamedTuple

NAME = "desk.head"

_LINE = re.compile(rb"chardesk head 1 ([0-9]{16}) ([0-9a-f]{64})\n")


class Head(NamedTuple):
    """The newest commit: its seq (0 for none) and its hash."""

    seq: int
    hash: bytes

    def line(self) -> bytes:
        return b"chardesk head 1 %016d %s\n" % (self.seq, self.hash.hex().encode())


def read(folder: Path) -> Head | None:
    """None when there is no such file. Raises ValueError when it does not hold a head."""
    try:
        text = (folder / NAME).read_bytes()
    except FileNotFoundError:
        return None
    found = _LINE.fullmatch(text)
    if found is None:
        raise ValueError(f"{NAME} does not hold one line with a seq and a hash")
    return Head(int(found[1]), bytes.fromhex(found[2].decode()))


def create(folder: Path, head: Head) -> None:
    """Write the file anew, synced and whole: after a crash it has either its old line or this one."""
    fresh = folder / (NAME + ".new")
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(head.line())
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, folder / NAME)


class HeadFile:
    """The file, held open by the writer."""

    def __init__(self, folder: Path) -> None:
        self._file = open(folder / NAME, "r+b", buffering=0)  # noqa: SIM115  closed by `close`

    def write(self, head: Head) -> None:
        """One small write in place (2 µs; a rename would take 30). A refused write leaves the head behind,
        as it may be: the commit it follows is durable already."""
        with contextlib.suppress(OSError):
            self._file.seek(0)
            self._file.write(head.line())

    def close(self) -> None:
        self._file.close()
