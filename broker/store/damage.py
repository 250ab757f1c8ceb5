"""Telling a damaged desk from an empty one, and from a disk that just won't."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from chardesk.tools.errors import Fault, Refused

_UNWILLING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOMEM,
}
"""What SQLite says when the file may be whole but can't be had now."""

_UNREADABLE = (sqlite3.Error, zlib.error, ValueError, KeyError, IndexError, TypeError, Fault)


def corrupt(what: str, hint: str = "Run `chardesk log verify`, then restore the newest backup") -> Refused:
    """The refusal for a damaged desk: what was found, and the way back."""
    return Refused("corrupt", f"{what}. {hint}.")


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Whatever can't be read inside is Refused: `store_failed` when the disk is unwilling, else `corrupt`.

    Nothing that is unreadable is ever taken for absent.
    """
    try:
        yield
    except Refused:
        raise
    except OSError as error:
        raise Refused("store_failed", f"{what} can't be opened: {error.strerror}") from error
    except _UNREADABLE as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in _UNWILLING:
            raise Refused("store_failed", f"{what} can't be read now: {error}") from error
        raise corrupt(f"{what} is damaged ({error})") from error
