"""What can be asked of a desk's database, from any thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from chardesk.broker.store import journal, schema
from chardesk.broker.store.damage import reading
from chardesk.tools.model.commit import Commit

PAGE = 256
"""Commits that are read at once: a few milliseconds with the connection taken."""


class Archive:
    """A read-only connection, used by one thread at a time. What a writer has made durable shows at once.

    Every method raises Refused: `corrupt` for what is damaged, `store_failed` for a disk that is unwilling.
    """

    def __init__(self, file: Path, clock: Callable[[], float]) -> None:
        self._reader = schema.connect(file, read_only=True)
        self._turn = Lock()
        self._clock = clock

    def commit(self, seq: int) -> Commit | None:
        """The whole commit; None when there is none of this seq."""
        with self._read() as db:
            return journal.one(db, seq)

    def commits(
        self, after: int = 0, limit: int = 100, newest_first: bool = False, before: int = journal.END
    ) -> list[Commit]:
        """Whole commits with `after < seq < before`, at most `limit`, from the end that comes first."""
        with self._read() as db:
            return journal.commits(db, after, before, limit, newest_first)

    def recall(self, after: int, upto: int, pick: Callable[[Commit], Any], limit: int) -> tuple[Any, ...]:
        """What `pick` gives, unless None, of the commits with `after < seq <= upto`, newest first; at most
        `limit`. Others may read in between."""
        found: list[Any] = []
        while upto > after and len(found) < limit:
            page = self.commits(after, PAGE, newest_first=True, before=upto + 1)
            found += [one for one in map(pick, page) if one is not None]
            upto = page[-1].seq - 1 if page else after
        return tuple(found[:limit])

    def find_key(self, call_key: str) -> Commit | None:
        """The newest commit that this call made, within the seven days that repeats are answered."""
        with self._read() as db:
            return journal.by_key(db, call_key, self._clock() - journal.REPEATS_KEPT_S)

    def find_operation(self, operation_id: str) -> Commit | None:
        """The commit of this id, however old."""
        with self._read() as db:
            return journal.by_operation(db, operation_id)

    def close(self) -> None:
        with self._turn:
            self._reader.close()

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        with self._turn, reading("the journal"):
            yield self._reader
