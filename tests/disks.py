"""Disks that fill up, heal, and take nothing: real ones where mounting is allowed, else the next best."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

SIZE = "3m"


class Disk(Protocol):
    """`desk` is a desk's folder on it, not made yet. What `fill` does lasts until `free`."""

    desk: Path

    def fill(self) -> None: ...

    def free(self) -> None: ...


class Mounted:
    """Three mebibytes of memory."""

    def __init__(self, root: Path) -> None:
        self.desk = root / "desk"
        self._root = root
        self._ballast = root / "ballast"

    def fill(self) -> None:
        """To the last block: not one more page of the journal fits."""
        file = os.open(self._ballast, os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(file, bytes(4096))
        except OSError:
            return
        finally:
            os.close(file)

    def free(self) -> None:
        self._ballast.unlink()

    def harden(self) -> None:
        """Read-only from now on."""
        subprocess.run(["mount", "-o", "remount,ro", self._root], check=True)


class Held:
    """An ordinary folder whose database somebody else holds: to a broker, a disk that takes nothing."""

    def __init__(self, root: Path) -> None:
        self.desk = root / "desk"
        self._holder: sqlite3.Connection | None = None

    def fill(self) -> None:
        self._holder = sqlite3.connect(self.desk / "desk.sqlite", isolation_level=None)
        self._holder.execute("BEGIN IMMEDIATE")

    def free(self) -> None:
        assert self._holder is not None
        self._holder.close()


@contextmanager
def mounted(root: Path) -> Iterator[Mounted | None]:
    """A disk of its own in this folder; None where this user may not mount."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(root)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        yield None
        return
    try:
        yield Mounted(root)
    finally:
        subprocess.run(["umount", "-l", root], check=True)


@contextmanager
def small_disk(root: Path) -> Iterator[Disk]:
    """A disk that can be filled, whoever runs the tests."""
    with mounted(root) as disk:
        yield disk or Held(root)


NO_FOLDER = Path("/proc/chardesk")
"""Nobody can make this one, not even root."""


@contextmanager
def read_only_desk(root: Path, made: Path) -> Iterator[Path]:
    """A copy of the desk in `made` on a disk that takes nothing; where this user can't have such a disk, a
    folder that can't be made."""
    with mounted(root) as disk:
        if disk is None:
            yield NO_FOLDER
            return
        subprocess.run(["cp", "-a", made, disk.desk], check=True)
        disk.harden()
        yield disk.desk
