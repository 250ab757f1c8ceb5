"""The store keeps what it acknowledged, all of it, and never takes damage for emptiness."""

from __future__ import annotations

import random
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from drawings import commit, contents_of, everything, histories, laws, planned, put
from hypothesis import given
from hypothesis import strategies as st
from stores import BOUND_S, NOW, Ears, database, drawn_on, keep, kept, running

from chardesk.broker.desk.effects import Persist, Record
from chardesk.broker.store import journal, write
from chardesk.broker.store.backup import backup
from chardesk.broker.store.store import Store
from chardesk.broker.store.verify import verify
from chardesk.tools.errors import Fault, Refused
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.replay import take
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.steps import CanvasAdded, CellsChanged, SheetAdded, SheetRemoved

# -- what was written is there --------------------------------------------------


@laws
@given(histories(), st.data())
def test_a_loaded_desk_is_the_one_that_was_written_wherever_checkpoints_were_made(
    history: list[Commit], data: st.DataObject
) -> None:
    marks = data.draw(st.sets(st.integers(1, len(history)), max_size=3))
    stops = data.draw(st.sets(st.integers(1, len(history)), max_size=1))
    with tempfile.TemporaryDirectory() as name:
        folder, live, todo = Path(name), Contents(), list(history)
        while todo:
            with running(folder) as (store, ears):
                while todo:
                    one = todo.pop(0)
                    take(live, one)
                    keep(store, ears, [one])
                    if one.seq in marks:
                        store.checkpoint(live, one.seq)
                    if one.seq in stops:
                        break
            live = contents_of(history[: one.seq])
        contents, seq, _ = kept(folder)
        assert seq == len(history)
        assert contents == everything(contents_of(history))
        verdict = verify(folder)
        assert (verdict.checked, verdict.faults, verdict.notes) == (len(history), (), ())


def test_a_desk_goes_on_from_what_it_loaded(tmp_path: Path) -> None:
    history = drawn_on(40)
    for start in range(0, 40, 10):
        store, ears = Store.open(tmp_path, clock=lambda: NOW), Ears()
        with closing(store):
            live = store.load().contents
            assert everything(live) == everything(contents_of(history[:start]))
            store.start(ears.on_written, ears.on_refused)
            for one in history[start : start + 10]:
                take(live, one)
                store.submit(one.seq, Persist((one,)))
            assert store.checkpoint(live, start + 10)
    assert kept(tmp_path)[0] == everything(contents_of(history))


def test_a_checkpoint_leaves_a_start_only_the_tail_to_replay(tmp_path: Path) -> None:
    history = drawn_on(30)
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[:25])
        assert store.tail == 25
        assert store.checkpoint(contents_of(history[:25]), 25)
        keep(store, ears, history[25:])
    with running(tmp_path) as (store, _):
        assert store.tail == 5


def test_what_is_drawn_after_a_checkpoint_was_begun_is_not_in_it(tmp_path: Path) -> None:
    history = drawn_on(20)
    with running(tmp_path) as (store, ears):
        live = contents_of(history[:10])
        keep(store, ears, history[:10])
        store.checkpoint(live, 10)
        for one in history[10:]:
            take(live, one)
        keep(store, ears, history[10:])
    assert kept(tmp_path)[0] == everything(contents_of(history))


def test_a_second_checkpoint_stores_only_what_changed_and_drops_what_is_gone(tmp_path: Path) -> None:
    far = planned(Scene(), [put(x, 0, "a") for x in (0, 1000, 2000)])
    two = commit(3, (SheetAdded("cv", 1, "pg2", "t", None, far),), canvas="cv")
    four = commit(4, (SheetRemoved("cv", 1, "pg2", "t", None, far),), canvas="cv")
    history = [*drawn_on(2), two, four, *[replace(one, seq=one.seq + 2) for one in drawn_on(3)[2:]]]
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[:3])
        live = contents_of(history[:3])
        store.checkpoint(live, 3)
    with closing(database(tmp_path)) as db:
        assert db.execute("SELECT count(*) FROM chunk").fetchone() == (
            len({0, 1000 // 128, 2000 // 128}) + 1,
        )
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[3:4])
        store.checkpoint(contents_of(history[:4]), 4)
    with closing(database(tmp_path)) as db:
        assert db.execute("SELECT DISTINCT sheet FROM chunk").fetchall() == [("pg",)]
        assert db.execute("SELECT DISTINCT sheet FROM tile").fetchall() == [("pg",)]


def test_records_are_replaced_and_forgotten_with_the_commit_they_came_with(tmp_path: Path) -> None:
    one, two = drawn_on(2)
    with running(tmp_path) as (store, ears):
        store.submit(1, Persist((one,), (Record("author", "ada", {"color": "#fff"}), Record("a", "b", {}))))
        store.submit(2, Persist((two,), (Record("author", "ada", {"color": "世"}), Record("a", "b", None))))
        store.submit(3, Persist(records=(Record("preview", "pv", {"steps": [1, None]}),)))
        ears.until_written(3)
    assert kept(tmp_path)[2] == {"author": {"ada": {"color": "世"}}, "preview": {"pv": {"steps": [1, None]}}}


def test_headers_are_recent_commits_without_steps_and_the_journal_has_the_rest(tmp_path: Path) -> None:
    history = [replace(one, time=NOW - 8 * 86400 if one.seq < 3 else NOW) for one in drawn_on(5)]
    with running(tmp_path) as (store, ears):
        keep(store, ears, history)
        assert store.commit(2) == history[1]
        assert store.commit(6) is None
        assert store.commits(after=1, limit=2) == history[1:3]
        assert store.commits(limit=2, newest_first=True) == [history[4], history[3]]
        assert store.commits(limit=9, newest_first=True, before=3) == [history[1], history[0]]
        assert store.find_operation(history[0].operation_id) == history[0]
        assert store.find_operation("op-none") is None
    with closing(Store.open(tmp_path, clock=lambda: NOW)) as store:
        assert store.load().headers == [replace(one, steps=()) for one in history[2:]]


def test_a_call_key_is_answered_for_seven_days(tmp_path: Path) -> None:
    week = journal.REPEATS_KEPT_S
    times = (NOW - week - 1, NOW - week, NOW)
    history = [replace(one, time=at) for one, at in zip(drawn_on(3), times, strict=True)]
    with running(tmp_path) as (store, ears):
        keep(store, ears, history)
        assert [store.find_key(f"ada/{seq}") for seq in (1, 2, 3, 4)] == [None, history[1], history[2], None]


def test_the_files_are_the_owners_alone(tmp_path: Path) -> None:
    with running(tmp_path / "desk") as (store, ears):
        keep(store, ears, drawn_on(2))
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in (tmp_path / "desk").iterdir()}
    assert modes == dict.fromkeys(("desk.sqlite", "desk.sqlite-wal", "desk.sqlite-shm", "desk.head"), 0o600)
    assert stat.S_IMODE((tmp_path / "desk").stat().st_mode) == 0o700


def test_a_change_costs_rows_for_itself_and_not_for_the_scene(tmp_path: Path) -> None:
    wide = planned(Scene(), [put(0, y, "x" * 1000) for y in range(200)])
    first = (CanvasAdded("cv", "one", "freeform"), SheetAdded("cv", 0, "pg", "s", None, wide))
    dot = planned(Scene(), [put(5000, 0, "x")])
    with running(tmp_path) as (store, ears):
        keep(store, ears, [commit(1, first, canvas="cv")])
        before = store._db.total_changes
        store.submit(2, Persist((commit(2, (CellsChanged("pg", dot),)),), (Record("author", "ada", {}),)))
        ears.until_written(2)
        assert store._db.total_changes - before <= 5


# -- backups --------------------------------------------------------------------


def test_a_backup_of_a_running_desk_is_a_desk(tmp_path: Path) -> None:
    history = drawn_on(30)
    with running(tmp_path / "desk") as (store, ears):
        keep(store, ears, history[:20])
        store.checkpoint(contents_of(history[:20]), 20)
        keep(store, ears, history[20:25])
        verdict = backup(tmp_path / "desk", tmp_path / "copy")
        keep(store, ears, history[25:])
    assert (verdict.checked, verdict.faults, verdict.notes) == (25, (), ())
    assert {one.name for one in (tmp_path / "copy").iterdir()} == {"desk.sqlite", "desk.head"}
    assert {stat.S_IMODE(one.stat().st_mode) for one in (tmp_path / "copy").iterdir()} == {0o600}
    assert kept(tmp_path / "copy")[0] == everything(contents_of(history[:25]))


def test_a_backup_never_replaces_a_desk_and_a_failed_one_leaves_nothing(tmp_path: Path) -> None:
    assert kept(tmp_path / "desk")[1] == kept(tmp_path / "other")[1] == 0
    with pytest.raises(Refused, match="holds a desk already"):
        backup(tmp_path / "desk", tmp_path / "other")
    with closing(database(tmp_path / "desk")) as db:
        db.execute("PRAGMA journal_mode = DELETE")
    file = tmp_path / "desk" / "desk.sqlite"
    file.write_bytes(file.read_bytes()[:9000])
    with pytest.raises(Refused, match="damaged"):
        backup(tmp_path / "desk", tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


# -- groups, refusals -----------------------------------------------------------


def test_what_is_queued_while_the_disk_is_busy_becomes_durable_together(tmp_path: Path) -> None:
    history, commits, begun, go_on = drawn_on(50), list[str](), Event(), Event()
    store = Store.open(tmp_path, clock=lambda: NOW)
    ears = Ears()

    def hold_the_first(ticket: int) -> None:
        ears.on_written(ticket)
        begun.set()
        assert go_on.wait(BOUND_S)

    with closing(store):
        store._db.set_trace_callback(lambda text: commits.append(text) if text == "COMMIT" else None)
        store.start(hold_the_first, ears.on_refused)
        store.submit(1, Persist((history[0],)))
        assert begun.wait(BOUND_S)
        for one in history[1:]:
            store.submit(one.seq, Persist((one,)))
        go_on.set()
        ears.until_written(50)
    assert ears.written == [1, 50]
    assert len(commits) == 2


def fill_the_disk(db: sqlite3.Connection) -> str:
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}")
    return "PRAGMA max_page_count = 1000000"


def write_protect(db: sqlite3.Connection) -> str:
    db.execute("PRAGMA query_only = ON")
    return "PRAGMA query_only = OFF"


@pytest.mark.parametrize("break_disk", [fill_the_disk, write_protect])
def test_a_refused_write_leaves_nothing_half_and_the_store_answers_again(
    tmp_path: Path, break_disk: Callable[[sqlite3.Connection], str]
) -> None:
    history = drawn_on(12)
    bulky = [replace(one, why=random.Random(one.seq).randbytes(9000).hex()) for one in history[3:9]]
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[:3])
        mend = break_disk(store._db)
        for one in bulky:
            store.submit(one.seq, Persist((one,), (Record("seen", str(one.seq), {}),)))
        ears.until(lambda: bool(ears.refused))
        ticket, error = ears.refused[0]
        assert isinstance(error, sqlite3.OperationalError)
        durable = ears.written[-1]
        assert ticket == durable + 1
        store.submit(100, Persist(records=(Record("late", "x", {}),)))
        store._db.execute(mend)
        store.resume()
        again = history[durable:]
        for one in again:
            store.submit(100 + one.seq, Persist((one,)))
        ears.until_written(112)
        assert len(ears.refused) == 1
    contents, seq, records = kept(tmp_path)
    assert (seq, set(records)) == (12, {"seen"} if durable > 3 else set())
    assert contents == everything(contents_of(history))
    assert verify(tmp_path).is_sound


def test_nothing_slips_in_after_a_lost_entry_until_the_desk_says_resume(tmp_path: Path) -> None:
    history = drawn_on(6)
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[:2])
        write_protect(store._db)
        store.submit(3, Persist((history[2],)))
        ears.until(lambda: bool(ears.refused))
        store._db.execute("PRAGMA query_only = OFF")
        store.submit(4, Persist((history[3],)))
        assert not store.checkpoint(contents_of(history[:4]), 4)
        store.resume()
        keep(store, ears, history[2:])
    assert ears.refused[0][0] == 3
    assert kept(tmp_path)[1] == 6


@pytest.mark.parametrize("wrong", [float("nan"), {1, 2}, "\ud800"], ids=["nan", "set", "surrogate"])
def test_an_entry_that_is_no_json_is_refused_and_those_before_it_are_kept(
    tmp_path: Path, wrong: object
) -> None:
    history = drawn_on(4)
    with running(tmp_path) as (store, ears):
        store.submit(1, Persist((history[0],)))
        store.submit(2, Persist((replace(history[1], result={"x": wrong}),)))
        store.submit(3, Persist((history[2],)))
        ears.until(lambda: bool(ears.refused))
        assert (ears.written, ears.refused[0][0]) == ([1], 2)
    assert kept(tmp_path)[1] == 1


def test_a_commit_out_of_order_is_a_fault(tmp_path: Path) -> None:
    history = drawn_on(5)
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[:2])
        for wrong in ((history[3],), (history[1],), (history[2], history[4])):
            with pytest.raises(Fault, match="does not follow"):
                store.submit(9, Persist(wrong))
        with pytest.raises(Fault, match="submitted last"):
            store.checkpoint(contents_of(history[:2]), 1)


def test_a_checkpoint_that_fails_costs_no_entry_and_the_next_one_covers_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    history = drawn_on(9)
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[:5])
        with monkeypatch.context() as patch:
            patch.setattr(write, "chunk_to_bytes", lambda chunk: 1 / 0)
            assert store.checkpoint(contents_of(history[:5]), 5)
            keep(store, ears, history[5:8])
        assert (ears.refused, store.tail) == ([], 8)
        assert "a checkpoint was not stored" in caplog.text
        assert store.checkpoint(contents_of(history[:8]), 8)
        keep(store, ears, history[8:])
    with running(tmp_path) as (store, _):
        assert store.tail == 1
    assert kept(tmp_path)[0] == everything(contents_of(history))


def test_only_one_checkpoint_is_under_way_at_a_time(tmp_path: Path) -> None:
    history, begun, go_on = drawn_on(3), Event(), Event()
    store = Store.open(tmp_path)

    def hold(_: int) -> None:
        begun.set()
        assert go_on.wait(BOUND_S)

    with closing(store):
        store.start(hold, lambda ticket, error: None)
        store.submit(1, Persist((history[0],)))
        assert begun.wait(BOUND_S)
        assert store.checkpoint(contents_of(history[:1]), 1)
        assert not store.checkpoint(contents_of(history[:1]), 1)
        go_on.set()


# -- crashes ---------------------------------------------------------------------

WRITES_FOR_EVER = """
import os, sys
from pathlib import Path
from threading import Semaphore
from types import SimpleNamespace  # in place of Persist, whose imports would take most of the test's time
from drawings import commit, planned, put
from chardesk.broker.store.backup import backup
from chardesk.broker.store.store import Store
from chardesk.tools.model.replay import take
from chardesk.tools.model.steps import CanvasAdded, CellsChanged, SheetAdded
store = Store.open(Path(sys.argv[1]))
loaded = store.load()
contents, seq, written, free = loaded.contents, loaded.seq, [loaded.seq], Semaphore(20)
def heard(ticket):
    os.write(1, b"%d\\n" % ticket)
    free.release(ticket - written[0])
    written[0] = ticket
store.start(heard, lambda ticket, error: os._exit(1))
while free.acquire():
    seq += 1
    steps = (CanvasAdded("cv", "one", "freeform"), SheetAdded("cv", 0, "pg", "s", None))
    if seq > 1:
        scene = contents.sheet("pg").scene
        steps = (CellsChanged("pg", planned(scene, [put(seq % 300, seq // 300, "x")])),)
    one = commit(seq, steps, canvas="cv", sheet="pg")
    take(contents, one)
    store.submit(seq, SimpleNamespace(commits=(one,), records=()))
    if seq % 50 == 0:
        store.checkpoint(contents, seq)
"""


def test_what_was_acknowledged_survives_being_killed_at_any_moment(tmp_path: Path) -> None:
    dice, path = random.Random(7), f"{Path(__file__).parent}:{Path(__file__).parent / 'importroot'}"
    for _ in range(10):
        with subprocess.Popen(
            [sys.executable, "-c", WRITES_FOR_EVER, str(tmp_path)],
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": path},
        ) as writer:
            assert writer.stdout is not None
            for _ in range(dice.randint(1, 60)):
                acknowledged = int(writer.stdout.readline())
            writer.kill()
        contents, seq, _ = kept(tmp_path)
        assert seq >= acknowledged
        cells = contents[0][-1][0][4]
        assert sum(span.end - span.x for span, _ in cells) == seq - 1
        verdict = verify(tmp_path)
        assert (verdict.checked, verdict.faults) == (seq, ())


def test_a_record_that_comes_again_and_again_is_kept_as_it_was_last(tmp_path: Path) -> None:
    """The writer leaves out what is stored just so; in between it may have been another, or gone."""
    turns: list[dict[str, int] | None] = [{"n": 1}, {"n": 1}, {"n": 2}, {"n": 1}, None, {"n": 1}, {"n": 2}]
    for count in range(1, len(turns) + 1):
        folder = tmp_path / str(count)
        with running(folder) as (store, ears):
            for ticket, turn in enumerate(turns[:count], 1):
                store.submit(ticket, Persist(records=(Record("kind", "key", turn),)))
            ears.until_written(count)
        with closing(Store.open(folder)) as store:
            found = store.load().records.get("kind", {})
        last = turns[count - 1]
        assert found == ({} if last is None else {"key": last})
