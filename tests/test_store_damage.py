"""Damage to a desk is found, named and refused; it is never taken for emptiness."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from drawings import contents_of
from stores import database, drawn_on, keep, kept, running

from chardesk.broker.store import head, schema
from chardesk.broker.store.restore import restore
from chardesk.broker.store.store import Store
from chardesk.broker.store.verify import verify
from chardesk.tools.errors import Refused

# -- damage ----------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A closed desk of 8 commits with a checkpoint at 5."""
    history = drawn_on(8)
    with running(tmp_path) as (store, ears):
        keep(store, ears, history[:5])
        store.checkpoint(contents_of(history[:5]), 5)
        keep(store, ears, history[5:])
    return tmp_path


def refusal(folder: Path) -> Refused:
    with pytest.raises(Refused) as raised, closing(Store.open(folder)) as store:
        store.load()
    assert raised.value.code == "corrupt"
    return raised.value


def cut_to_nothing(folder: Path) -> None:
    (folder / "desk.sqlite").write_bytes(b"")


def garbage(folder: Path) -> None:
    (folder / "desk.sqlite").write_bytes(random.Random(1).randbytes(40_000))


def cut_in_half(folder: Path) -> None:
    file = folder / "desk.sqlite"
    file.write_bytes(file.read_bytes()[:8192])


def removed(folder: Path) -> None:
    (folder / "desk.sqlite").unlink()


def newer(folder: Path) -> None:
    with closing(database(folder)) as db:
        db.execute(f"PRAGMA user_version = {schema.VERSION + 1}")


def of_somebody_else(folder: Path) -> None:
    (folder / "desk.sqlite").unlink()
    with closing(database(folder)) as db:
        db.execute("CREATE TABLE t (x)")


def behind(folder: Path) -> None:
    with closing(database(folder)) as db:
        db.execute("DELETE FROM journal WHERE seq > 6")


def without_its_head_line(folder: Path) -> None:
    (folder / "desk.head").write_bytes(b"hello")


def of_another_past(folder: Path) -> None:
    head.create(folder, head.Head(8, bytes(32)))


def with_an_edited_tail(folder: Path) -> None:
    with closing(database(folder)) as db:
        db.execute("UPDATE journal SET author = 'eve' WHERE seq = 7")


def with_a_broken_chunk(folder: Path) -> None:
    with closing(database(folder)) as db:
        db.execute("UPDATE chunk SET body = zeroblob(40)")


def with_a_strange_outline(folder: Path) -> None:
    with closing(database(folder)) as db:
        db.execute("UPDATE checkpoint SET outline = '[{}]'")


@pytest.mark.parametrize(
    ("harm", "hint"),
    [
        (cut_to_nothing, "Restore the newest backup"),
        (garbage, "chardesk log verify"),
        (cut_in_half, "chardesk log verify"),
        (removed, "Restore the newest backup"),
        (newer, "Update chardesk"),
        (of_somebody_else, "not the database of a desk"),
        (behind, "the journal ends at commit 6, but commit 8 was written"),
        (without_its_head_line, "desk.head"),
        (of_another_past, "commit 8 is not the one that was written"),
        (with_an_edited_tail, "the journal breaks at commit 7"),
        (with_a_broken_chunk, "damaged"),
        (with_a_strange_outline, "damaged"),
    ],
)
def test_a_damaged_desk_is_refused_with_a_way_back(
    desk: Path, harm: Callable[[Path], None], hint: str
) -> None:
    harm(desk)
    before = {one.name: one.read_bytes() for one in desk.iterdir() if one.suffix in (".sqlite", ".head")}
    assert hint in refusal(desk).message
    assert {
        one.name: one.read_bytes() for one in desk.iterdir() if one.suffix in (".sqlite", ".head")
    } == before
    assert not verify(desk).is_sound


def test_a_crash_while_a_desk_is_made_leaves_nothing_that_looks_damaged(tmp_path: Path) -> None:
    (tmp_path / "desk.sqlite.new").write_bytes(b"SQLite for")
    assert kept(tmp_path) == ([], 0, {})


def test_a_folder_that_lost_only_its_side_file_gets_a_new_one(desk: Path) -> None:
    line = (desk / "desk.head").read_bytes()
    (desk / "desk.head").unlink()
    assert "desk.head is missing" in verify(desk).notes[0]
    assert kept(desk)[1] == 8
    assert (desk / "desk.head").read_bytes() == line


def test_an_unwilling_disk_is_not_called_damage(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Refused) as raised:
        Store.open(tmp_path / "file" / "desk")
    assert raised.value.code == "store_failed"


# -- newer tables ----------------------------------------------------------------


@pytest.fixture
def next_version(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a version that adds a table had come out since the desk was used."""
    monkeypatch.setattr(schema, "_MIGRATIONS", (*schema._MIGRATIONS, "CREATE TABLE note (text TEXT)"))
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)


def tables(folder: Path) -> set[str]:
    with closing(database(folder)) as db:
        return {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


@pytest.mark.usefixtures("next_version")
def test_a_desk_of_an_older_version_is_brought_up_to_date_and_kept_as_it_was(desk: Path) -> None:
    before = kept(desk)
    assert before[1] == 8 and "note" in tables(desk) and verify(desk).is_sound
    backup = desk / f"before-schema-{schema.VERSION}"
    assert "note" not in tables(backup) and verify(backup).is_sound
    assert kept(desk) == before, "and at the second start"
    restore(desk, backup, "replaced")
    assert "note" not in tables(desk) and kept(desk) == before, "a backup can be gone back to"


@pytest.mark.usefixtures("next_version")
def test_a_desk_that_can_not_be_kept_as_it_was_is_not_changed(desk: Path) -> None:
    (desk / f"before-schema-{schema.VERSION}").write_text("in the way")
    with pytest.raises(Refused) as raised:
        Store.open(desk)
    assert raised.value.code == "store_failed" and "note" not in tables(desk)


@pytest.mark.usefixtures("next_version")
def test_a_new_desk_has_nothing_to_keep(tmp_path: Path) -> None:
    kept(tmp_path / "new")
    assert "note" in tables(tmp_path / "new")
    assert not list((tmp_path / "new").glob("before-schema-*"))


def test_an_older_build_leaves_a_newer_desk_alone(desk: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_MIGRATIONS", (*schema._MIGRATIONS, "CREATE TABLE note (text TEXT)"))
        patch.setattr(schema, "VERSION", schema.VERSION + 1)
        kept(desk)
    assert "Update chardesk" in refusal(desk).message
    assert "note" in tables(desk) and verify(desk).is_sound is False


# -- verify ----------------------------------------------------------------------


def swap(db: sqlite3.Connection) -> None:
    for old, new in ((3, -1), (4, 3), (-1, 4)):
        db.execute("UPDATE journal SET seq = ? WHERE seq = ?", (new, old))


def insert(db: sqlite3.Connection) -> None:
    columns = "time, author, applied_by, 'op-x', NULL, about, result, prev_hash, hash, steps"
    db.execute("UPDATE journal SET seq = seq + 100 WHERE seq > 4")
    db.execute(f"INSERT INTO journal SELECT 5, {columns} FROM journal WHERE seq = 4")
    db.execute("UPDATE journal SET seq = seq - 99 WHERE seq > 100")


PLANTED = {
    "UPDATE journal SET steps = zeroblob(9) WHERE seq = 4": "commit 4 was changed",
    "UPDATE journal SET author = 'eve' WHERE seq = 4": "commit 4 was changed",
    "UPDATE journal SET time = time + 1 WHERE seq = 4": "commit 4 was changed",
    "UPDATE journal SET about = replace(about, 'pg', 'pq') WHERE seq = 4": "commit 4 was changed",
    "UPDATE journal SET result = NULL WHERE seq = 4": "commit 4 was changed",
    "UPDATE journal SET call_key = NULL WHERE seq = 4": "commit 4 was changed",
    "UPDATE journal SET steps = 'text' WHERE seq = 4": "commit 4 was changed",
    "UPDATE journal SET hash = zeroblob(32) WHERE seq = 4": "commit 4 was changed",
    "DELETE FROM journal WHERE seq = 4": "commits 4 to 4 are missing",
    "DELETE FROM journal WHERE seq < 4": "commits 1 to 3 are missing",
    "DELETE FROM journal WHERE seq > 6": "ends at commit 6, but commit 8 was written",
    "DELETE FROM journal": "ends at commit 0, but commit 8 was written",
    "UPDATE journal SET seq = 0 WHERE seq = 1": "commit 0 was never written",
    "UPDATE journal SET seq = 9 WHERE seq = 8": "commits 8 to 8 are missing",
    "UPDATE tile SET body = x'00'": "the checkpoint is damaged",
    "UPDATE checkpoint SET hash = zeroblob(32)": "the checkpoint follows commit 5",
}


@pytest.mark.parametrize("planted", PLANTED)
def test_verify_finds_what_was_done_to_a_row(desk: Path, planted: str) -> None:
    assert verify(desk).is_sound
    with closing(database(desk)) as db:
        db.execute(planted)
    assert any(PLANTED[planted] in fault for fault in verify(desk).faults), verify(desk)


@pytest.mark.parametrize("plant", [swap, insert])
def test_verify_finds_rows_out_of_place(desk: Path, plant: Callable[[sqlite3.Connection], None]) -> None:
    with closing(database(desk)) as db:
        plant(db)
    assert "commit 4 " in str(verify(desk).faults) or "commit 5 " in str(verify(desk).faults)


def test_verify_says_how_much_it_checked_and_fails_when_it_was_nothing(desk: Path, tmp_path: Path) -> None:
    assert verify(desk).checked == 8
    assert not verify(tmp_path / "nowhere").is_sound
    fresh = tmp_path / "fresh"
    assert kept(fresh)[1] == 0
    assert verify(fresh).is_sound
    (fresh / "desk.head").unlink()
    assert "nothing was checked" in verify(fresh).faults[0]


def test_verify_looks_at_a_running_desk_and_changes_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as (store, ears):
        keep(store, ears, drawn_on(6))
        assert (verify(tmp_path).checked, verify(tmp_path).is_sound) == (6, True)


def test_a_side_file_that_lags_as_after_a_crash_is_only_noted(desk: Path) -> None:
    with closing(database(desk)) as db:
        (hash_,) = db.execute("SELECT hash FROM journal WHERE seq = 6").fetchone()
    head.create(desk, head.Head(6, hash_))
    verdict = verify(desk)
    assert verdict.is_sound
    assert "2 commits are newer than desk.head" in verdict.notes[0]
    assert kept(desk)[1] == 8
