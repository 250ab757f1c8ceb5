"""Locks of the operating system on a file that stays open.

The lock is the open file, not the file's existence: it goes with its holder, even after `kill -9`, so a
lock file left behind means nothing and is never deleted (deleting it would let two holders lock two files
of one name).
"""

from __future__ import annotations

import os
import sys
import time

POLL_S = 0.005


def _open(path: str) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)


if sys.platform == "win32":
    import msvcrt

    def _take(fd: int, shared: bool) -> bool:
        """Windows has no shared kind: a probe takes the lock for the moment it looks."""
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(fd: int, shared: bool) -> bool:
        try:
            fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


class Lock:
    """A held lock. It is let go by `release`, by leaving its `with` block, or by the end of the process."""

    __slots__ = ("_fd",)

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def release(self) -> None:
        """Let go. Twice: nothing happens."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def hold(path: str, wait_s: float = 0.0) -> Lock | None:
    """The lock on `path` for this process alone, or None if another has it for longer than `wait_s`.

    The file is created if missing; its folder must exist. A broker should wait about a second for its own
    lock, because `is_held` of a passer-by holds it for a moment. Children don't inherit the lock.
    """
    fd = _open(path)
    until = time.monotonic() + wait_s
    while not _take(fd, shared=False):
        if time.monotonic() >= until:
            os.close(fd)
            return None
        pause(POLL_S)
    return Lock(fd)


def is_held(path: str) -> bool:
    """Whether some process holds the lock on `path` now. Probes don't disturb each other."""
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _take(fd, shared=True)
    finally:
        os.close(fd)


def pause(seconds: float) -> None:
    """Wait for what has no event: what another process does to a file. Callers bound how often."""
    from threading import Event

    Event().wait(seconds)
