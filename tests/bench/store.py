"""What durability costs: commits a second, singly and in groups, beside bare SQLite; and what a start costs.

The floor of the same run inserts rows as large as ours into a plain table, with the same pragmas.

    python tests/bench/store.py [COMMITS]
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Semaphore

sys.path.insert(0, str(Path(__file__).parents[1]))

from drawings import commit, planned, put
from measured import figure

from chardesk.broker.desk.effects import Persist
from chardesk.broker.store.rows import GENESIS, row_of
from chardesk.broker.store.schema import make_durable
from chardesk.broker.store.store import Store
from chardesk.broker.store.writer import MAX_GROUP
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.steps import CanvasAdded, CellsChanged, SheetAdded

SINGLES = 400
ROWS, COLUMNS = 1000, 1000


def history(count: int) -> list[Commit]:
    """A sheet of a million columns, then ten cells with every commit."""
    text = ("the quick brown fox, 世界 " * COLUMNS)[:COLUMNS].replace("世界", "世ab")
    wide = planned(Scene(), [put(0, y, text) for y in range(ROWS)])
    added = (CanvasAdded("cv", "one", "freeform"), SheetAdded("cv", 0, "pg", "s", None, wide))
    scene, made = Scene(), [commit(1, added, canvas="cv", sheet="pg")]
    scene.apply(wide)
    for seq in range(2, count + 2):
        change = planned(scene, [put(seq % 90 * 10, seq // 90 % ROWS, f"{seq:010}")])
        scene.apply(change)
        made.append(commit(seq, (CellsChanged("pg", change),), canvas="cv", sheet="pg"))
    return made


def seconds(do: Callable[[], object]) -> float:
    begun = time.perf_counter()
    do()
    return time.perf_counter() - begun


class Bare:
    """Rows of the same size, as fast as SQLite takes them."""

    def __init__(self, folder: Path, row_bytes: int) -> None:
        self._db = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
        make_durable(self._db)
        self._db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB)")
        self._row = [(bytes(row_bytes),)]

    def write(self, count: int, group: int) -> None:
        for at in range(0, count, group):
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT INTO t (body) VALUES (?)", self._row * min(group, count - at))
            self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()


class Ours:
    def __init__(self, folder: Path) -> None:
        self._store = Store.open(folder)
        self._durable = Semaphore(0)
        self._heard = 0
        self._store.start(self._written, lambda ticket, error: sys.exit(str(error)))

    def _written(self, ticket: int) -> None:
        self._durable.release(ticket - self._heard)
        self._heard = ticket

    def write(self, commits: list[Commit], at_once: int) -> None:
        """Never more than `at_once` wait."""
        for at in range(0, len(commits), at_once):
            part = commits[at : at + at_once]
            for one in part:
                self._store.submit(one.seq, Persist((one,)))
            for _ in part:
                self._durable.acquire()

    def close(self) -> None:
        self._store.close()


def start(folder: Path) -> Store:
    store = Store.open(folder, clock=lambda: commit(1, ()).time)  # all of the history is recent
    store.load()
    return store


def checkpoint(folder: Path) -> tuple[float, float]:
    """Seconds on the loop, and seconds until it is stored."""
    with closing(Store.open(folder)) as store:
        loaded = store.load()
        store.start(lambda ticket: None, lambda ticket, error: None)
        on_loop = seconds(lambda: store.checkpoint(loaded.contents, loaded.seq))
        return on_loop, seconds(store.close)


def report(name: str, ours: float, bare: float) -> None:
    figure(f"durable commits a second, {name}", ours, "commits/s", floor=bare)


def main(count: int) -> None:
    commits = history(count)
    small = row_of(commits[-1], GENESIS)
    row_bytes = len(small.steps) + len(small.about) + len(small.result or "") + 150
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with closing(Bare(folder, row_bytes)) as bare:
            bare_single = SINGLES / seconds(lambda: bare.write(SINGLES, 1))
            bare_grouped = count / seconds(lambda: bare.write(count, MAX_GROUP))
        desk = folder / "desk"
        with closing(Ours(desk)) as ours:
            ours.write(commits[:1], 1)
            single = SINGLES / seconds(lambda: ours.write(commits[1 : SINGLES + 1], 1))
            rest = commits[SINGLES + 1 :]
            grouped = len(rest) / seconds(lambda: ours.write(rest, 2 * MAX_GROUP))
        report("one after the other", single, bare_single)
        report("many at once", grouped, bare_grouped)
        stores: list[Store] = []
        replayed = seconds(lambda: stores.append(start(desk)))
        print(f"start without a checkpoint: {replayed:.2f} s, {count / replayed:.0f} commits/s")
        stores.pop().close()
        on_loop, stored = checkpoint(desk)
        print(f"checkpoint of everything: {on_loop * 1000:.1f} ms on the loop, {stored:.2f} s in the writer")
        restored = seconds(lambda: stores.append(start(desk)))
        print(f"start from the checkpoint of {ROWS * COLUMNS} cells: {restored:.2f} s")
        stores.pop().close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
