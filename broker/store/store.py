"""The desk on disk: one SQLite file with a chained journal, small records, and checkpoints of the cells."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from chardesk.broker.store import files, head, journal, load, schema
from chardesk.broker.store.archive import Archive
from chardesk.broker.store.backup import copy_into
from chardesk.broker.store.damage import corrupt, reading
from chardesk.broker.store.image import Known, image_of
from chardesk.broker.store.writer import Entry, Listener, Snapshot, Writer
from chardesk.tools.errors import Fault
from chardesk.tools.model.contents import Contents

if TYPE_CHECKING:
    from chardesk.broker.desk.effects import Persist


class Store(Archive):
    """Open it, `load` once, `start`, then `submit`, `resume` and `checkpoint` from one thread.

    The caller holds the desk's lock: nobody else writes. Reads, inherited, are safe on any thread.
    """

    def __init__(self, folder: Path, db: sqlite3.Connection, clock: Callable[[], float]) -> None:
        """Takes over a connection that was looked over: see `open`."""
        super().__init__(folder / files.NAME, clock)
        self._db, self._head_file = db, head.HeadFile(folder)
        self._newest = journal.newest(db)
        self._next_seq = self._newest.seq + 1
        self._writer: Writer | None = None
        self._checkpoint_seq = 0
        self._known: Mapping[str, Known] = {}
        self._is_checkpointing = False

    @classmethod
    def open(cls, folder: Path, *, clock: Callable[[], float] = time.time) -> Store:  # noqa: TID251
        """Makes the folder and an empty desk if there never was one. An older schema is brought up to date,
        and kept as it was in the folder's `before-schema-N`.

        Raises Refused `corrupt`, with the way back, for a database that is gone, cut, no database, of a newer
        schema, or behind its side file; `store_failed` when the disk does not let it be opened.
        """
        with reading("the desk's database"):
            file = files.prepare(folder)
            db = schema.connect(file, read_only=False)
            try:
                schema.check(db, file)
                schema.make_durable(db)
                if schema.is_older(db):
                    copy_into(folder, folder / f"before-schema-{schema.VERSION}")
                schema.migrate(db)
                _compare(db, folder)
                return cls(folder, db, clock)
            except BaseException:
                db.close()
                raise

    def load(self) -> load.Loaded:
        """All that was kept. The contents are the caller's from then on."""
        with reading("the desk's database"):
            start = load.checkpoint(self._db)
            self._known, self._checkpoint_seq = start.known, start.seq
            seq = load.replay(self._db, start)
            headers = journal.headers(self._db, self._clock() - journal.REPEATS_KEPT_S)
            return load.Loaded(start.contents, seq, load.records(self._db), headers)

    def start(self, written: Callable[[int], None], refused: Callable[[int, Exception], None]) -> None:
        """Start the writer's thread, which calls both from there: see `Listener`."""
        self._writer = Writer(self._db, self._newest, self._head_file, Listener(written, refused))

    def submit(self, ticket: int, persist: Persist) -> None:
        """Queue an entry; never blocks. Tickets grow. After a refusal, and until `resume`, it is dropped: the
        desk goes back over it. Raises Fault for a commit that does not follow the one before it."""
        for commit in persist.commits:
            if commit.seq != self._next_seq:
                raise Fault(f"commit {commit.seq} does not follow commit {self._next_seq - 1}")
            self._next_seq += 1
        self._running.submit(Entry(ticket, persist))

    def resume(self) -> None:
        """The desk has gone back to what is durable: take entries again, from the next seq on."""
        self._next_seq = self._running.durable_seq + 1
        self._running.resume()

    def checkpoint(self, contents: Contents, seq: int) -> bool:
        """Note the contents as they are now, after commit `seq`, the last that was submitted; the writer
        stores what changed when everything up to there is durable. Cheap, and never refuses an entry: one
        that can't be stored is logged, and the next one covers it.

        False when nothing was begun: another one is under way, or the disk has refused. Raises Fault when
        `seq` is not the last that was submitted.
        """
        if self._is_checkpointing or not self._running.is_flowing:
            return False
        if seq != self._next_seq - 1:
            raise Fault(f"a checkpoint at {seq}, but commit {self._next_seq - 1} was submitted last")
        image = image_of(contents, seq, self._known)

        def done(is_stored: bool) -> None:
            if is_stored:
                self._known, self._checkpoint_seq = image.known, seq
            self._is_checkpointing = False

        self._is_checkpointing = True
        is_queued = self._running.submit(Snapshot(image, done))
        if not is_queued:
            self._is_checkpointing = False
        return is_queued

    @property
    def tail(self) -> int:
        """How many durable commits a start would replay: what says when the next checkpoint is due."""
        newest = self._newest.seq if self._writer is None else self._writer.durable_seq
        return newest - self._checkpoint_seq

    def close(self) -> None:
        """Everything submitted is written or refused, and a checkpoint that was begun is finished, before
        this returns. Closing twice is closing once."""
        if self._writer is not None:
            self._writer.close()
        super().close()
        self._head_file.close()
        self._db.close()

    @property
    def _running(self) -> Writer:
        if self._writer is None:
            raise Fault("the store was not started")
        return self._writer


def _compare(db: sqlite3.Connection, folder: Path) -> None:
    """Raises Refused `corrupt` for a journal that is behind its side file or is not the one it follows. A
    side file that is missing is made again."""
    known, newest = head.read(folder), journal.newest(db)
    if known is None:
        head.create(folder, newest)
    elif newest.seq < known.seq:
        raise corrupt(f"the journal ends at commit {newest.seq}, but commit {known.seq} was written", _BEHIND)
    elif journal.hash_at(db, known.seq) != known.hash:
        raise corrupt(f"commit {known.seq} is not the one that was written", _BEHIND)


_BEHIND = f"Restore the newest backup; to go on without what is missing, move {head.NAME} out of the folder"
