"""Running stores, and waiting for what their writer says."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Condition
from typing import Any

from drawings import commit, everything, planned, put

from chardesk.broker.desk.effects import Persist
from chardesk.broker.store.store import Store
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.steps import CanvasAdded, CellsChanged, SheetAdded

BOUND_S = 20.0
"""How long a test waits for the writer before it gives up."""

NOW = 1_750_100_000.0


class Ears:
    """What the writer reports, and waiting for it."""

    def __init__(self) -> None:
        self.written: list[int] = []
        self.refused: list[tuple[int, Exception]] = []
        self._heard = Condition()

    def on_written(self, ticket: int) -> None:
        with self._heard:
            self.written.append(ticket)
            self._heard.notify_all()

    def on_refused(self, ticket: int, error: Exception) -> None:
        with self._heard:
            self.refused.append((ticket, error))
            self._heard.notify_all()

    def until(self, happened: Callable[[], bool]) -> None:
        with self._heard:
            assert self._heard.wait_for(happened, BOUND_S), "the writer said nothing"

    def until_written(self, ticket: int) -> None:
        self.until(lambda: bool(self.written) and self.written[-1] >= ticket)


@contextmanager
def running(folder: Path) -> Iterator[tuple[Store, Ears]]:
    """A store that is loaded and started; it is closed at the end."""
    store, ears = Store.open(folder, clock=lambda: NOW), Ears()
    try:
        store.load()
        store.start(ears.on_written, ears.on_refused)
        yield store, ears
    finally:
        store.close()


def keep(store: Store, ears: Ears, commits: Sequence[Commit]) -> None:
    """Submit each under its seq as ticket, and wait until all are durable."""
    for one in commits:
        store.submit(one.seq, Persist((one,)))
    if commits:
        ears.until_written(commits[-1].seq)


def kept(folder: Path) -> Any:
    """What a start finds: everything drawn, the seq, the records."""
    store = Store.open(folder, clock=lambda: NOW)
    with closing(store):
        loaded = store.load()
        return everything(loaded.contents), loaded.seq, loaded.records


def drawn_on(count: int) -> list[Commit]:
    """A canvas with one sheet, and then a letter more with every commit."""
    first = commit(
        1, (CanvasAdded("cv", "one", "freeform"), SheetAdded("cv", 0, "pg", "s", None)), canvas="cv"
    )
    scene, made = Scene(), [first]
    for seq in range(2, count + 1):
        change = planned(scene, [put(seq % 200, seq // 200, "x")])
        scene.apply(change)
        made.append(commit(seq, (CellsChanged("pg", change),), canvas="cv", sheet="pg"))
    return made


def database(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / "desk.sqlite", isolation_level=None)
