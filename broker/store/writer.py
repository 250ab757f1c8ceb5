"""The one thread that writes: whatever is queued becomes durable together."""

from __future__ import annotations

import logging
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from threading import Condition, Thread
from typing import TYPE_CHECKING

from chardesk.broker.store import write
from chardesk.broker.store.head import Head, HeadFile
from chardesk.broker.store.image import Image

if TYPE_CHECKING:
    from chardesk.broker.desk.effects import Persist

MAX_GROUP = 256
"""Entries in one transaction: more would keep the first one waiting, and save hardly any syncs."""

_log = logging.getLogger("chardesk.store")


@dataclass(frozen=True, slots=True)
class Entry:
    ticket: int
    persist: Persist


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A checkpoint to be made; `done` is told whether it is in the database now."""

    image: Image
    done: Callable[[bool], None]


@dataclass(frozen=True, slots=True)
class Listener:
    """Both are called from the writer's thread and must not raise. `written` has the ticket of the newest
    entry that is durable now, `refused` the first that is not, and why."""

    written: Callable[[int], None]
    refused: Callable[[int, Exception], None]


class Mode(Enum):
    """FLOWING: entries are written in order. REFUSING: a write failed; what is queued or submitted is dropped
    until the desk has gone back and says `resume`, so that no later entry slips in after a lost one.
    CLOSING: what is queued is still written, then the thread ends."""

    FLOWING = "flowing"
    REFUSING = "refusing"
    CLOSING = "closing"


class Writer:
    """Nobody else uses the connection or the head file until `close` has returned."""

    def __init__(self, db: sqlite3.Connection, head: Head, head_file: HeadFile, listener: Listener) -> None:
        self._db, self._head, self._head_file, self._listener = db, head, head_file, listener
        self._queue: deque[Entry | Snapshot] = deque()
        self._kept: dict[tuple[str, str], str] = {}
        """Small records as they were stored: an author's comes with each commit and hardly ever changes.
        Forgetting is always safe, and done when a write fails."""
        self._packing: Iterator[None] | None = None
        self._mode = Mode.FLOWING
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="chardesk-store", daemon=True)
        self._thread.start()

    @property
    def durable_seq(self) -> int:
        return self._head.seq

    @property
    def is_flowing(self) -> bool:
        return self._mode is Mode.FLOWING

    def submit(self, item: Entry | Snapshot) -> bool:
        """Queue it. False when it was dropped: the disk has refused an earlier one, or this is closing."""
        with self._changed:
            if self._mode is Mode.FLOWING:
                self._queue.append(item)
                self._changed.notify()
            return self._mode is Mode.FLOWING

    def resume(self) -> None:
        """Take entries again after a refusal."""
        with self._changed:
            if self._mode is Mode.REFUSING:
                self._mode = Mode.FLOWING

    def close(self) -> None:
        """Returns when everything queued was written or refused."""
        with self._changed:
            self._mode = Mode.CLOSING
            self._changed.notify()
        self._thread.join()

    # -- in the writer's thread -------------------------------------------

    def _run(self) -> None:
        while (work := self._next()) is not None:
            group, snapshot = work
            flows = self._write(group)
            if snapshot is not None and flows:
                self._packing = self._checkpoint(snapshot)
            elif snapshot is not None:
                snapshot.done(False)
            self._step()

    def _next(self) -> tuple[list[Entry], Snapshot | None] | None:
        """Waits for work: entries, at most up to a snapshot. None when closing and nothing is left."""
        with self._changed:
            while not self._queue and self._packing is None:
                if self._mode is Mode.CLOSING:
                    return None
                self._changed.wait()
            group: list[Entry] = []
            while self._queue and len(group) < MAX_GROUP:
                item = self._queue.popleft()
                if isinstance(item, Snapshot):
                    return group, item
                group.append(item)
            return group, None

    def _write(self, group: list[Entry]) -> bool:
        """Entries up to the first that can't be spelled as rows go into one transaction. False when one was
        refused."""
        ready, refusal = self._prepare(group)
        if ready:
            try:
                write.append(self._db, ready)
            except Exception as error:
                refusal = (group[0].ticket, error)
            else:
                self._head = ready[-1].head
                self._listener.written(group[len(ready) - 1].ticket)
                self._head_file.write(self._head)
        if refusal is not None:
            self._refuse(*refusal)
        return refusal is None

    def _prepare(self, group: list[Entry]) -> tuple[list[write.Prepared], tuple[int, Exception] | None]:
        ready: list[write.Prepared] = []
        head = self._head
        for entry in group:
            try:
                ready.append(write.prepare(entry.persist, head, self._kept))
            except Exception as error:
                return ready, (entry.ticket, error)
            head = ready[-1].head
        return ready, None

    def _refuse(self, ticket: int, error: Exception) -> None:
        self._kept.clear()
        with self._changed:
            dropped = [item for item in self._queue if isinstance(item, Snapshot)]
            self._queue.clear()
            if self._mode is Mode.FLOWING:
                self._mode = Mode.REFUSING
        for snapshot in dropped:
            snapshot.done(False)
        self._listener.refused(ticket, error)

    def _checkpoint(self, snapshot: Snapshot) -> Iterator[None]:
        try:
            yield from write.checkpoint(self._db, snapshot.image)
        except Exception as error:
            _log.warning("a checkpoint was not stored; the next one will hold it too: %s", why(error))
            snapshot.done(False)
        else:
            snapshot.done(True)

    def _step(self) -> None:
        """Go on with the checkpoint that is being made, if there is one."""
        if self._packing is not None and next(self._packing, "ended") == "ended":
            self._packing = None


def why(error: Exception) -> str:
    """For the log: what the disk or SQLite said. Of anything else its kind; the words may quote cells."""
    return str(error) if isinstance(error, sqlite3.Error | OSError) else type(error).__name__
