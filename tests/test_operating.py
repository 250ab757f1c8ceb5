"""An operator's tools: logs, figures, doctor, backup, restore; and brokers that end when nobody uses them."""

from __future__ import annotations

import json
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker, cli
from parties import Caller, eventually

from chardesk.broker.desk.effects import Reply
from chardesk.broker.door import discovery
from chardesk.broker.service.idle import IDLE_S, Idle
from chardesk.broker.service.ledger import BOUNDS_MS, Ledger
from chardesk.broker.service.logs import MAX_BYTES, NAME, logging_into
from chardesk.broker.store.writer import why
from chardesk.broker.verbs import asking, exits
from chardesk.broker.verbs.doctor import doctor

SECRET = "a sentence that only the canvas may know"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("operating") / "desk") as running:
        yield running


# -- figures -------------------------------------------------------------------------


def test_the_ledger_counts_calls_refusals_and_how_long_they_took() -> None:
    now = [100.0]
    ledger = Ledger(lambda: now[0])
    for number, (ms, code) in enumerate([(0.5, None), (3, None), (40, "conflict")]):
        ledger.called("tn", str(number), "ada", "canvas_write")
        now[0] += ms / 1000
        reply = Reply({"code": code}, is_error=True) if code else Reply({})
        ledger.answered("tn", str(number), reply, frozenset({"canvas_write"}))
    told = ledger.fields()
    assert (told["calls"], told["refused"], told["open"]) == (3, {"conflict": 1}, 0)
    assert (told["p50Ms"], told["p99Ms"]) == (5, 50)
    assert told["tools"]["canvas_write"]["calls"] == 3
    assert sum(told["latencyMs"].values()) == 3 and len(told["latencyMs"]) == len(BOUNDS_MS) + 1


def test_tools_that_nobody_knows_are_counted_under_one_name_and_lost_calls_are_forgotten() -> None:
    ledger = Ledger(lambda: 1.0)
    for number in range(3):
        ledger.called("tn", str(number), "ada", f"nonsense {number}")
    ledger.answered("tn", "0", Reply({}), frozenset())
    ledger.left("tn")
    ledger.answered("tn", "1", Reply({}), frozenset())
    assert list(ledger.fields()["tools"]) == ["unknown"] and ledger.fields()["open"] == 0


def test_status_has_counters_and_latencies(broker: RunningBroker) -> None:
    broker.call("write", "--at", "0,0", "--content", SECRET, "--mode", "apply")
    assert broker.cli("write", "--at", "0,0", "--content", "a\tb").returncode == exits.REFUSED
    calls = broker.call("status")["calls"]
    assert calls["tools"]["canvas_write"]["calls"] >= 2
    assert calls["refused"]["invalid_input"] >= 1
    assert calls["p99Ms"] is not None


# -- logs ----------------------------------------------------------------------------


def of_ada(broker: RunningBroker) -> list[dict[str, Any]]:
    """Her lines in the log so far; a call's comes within a second of its answer."""
    told = [json.loads(line) for line in broker.cli("logs", "--json").stdout.splitlines()]
    return [one for one in told if one.get("tenant") == "ada"]


def test_every_call_is_one_line_without_its_content(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "ada") as ada:
        ada.put(0, 5, SECRET)
    eventually(lambda: of_ada(broker))
    (mine,) = of_ada(broker)
    assert mine.keys() == {"at", "level", "from", "what", "tenant", "tool", "ms", "code"}
    assert (mine["tool"], mine["code"]) == ("canvas_write", "ok") and mine["ms"] >= 0
    assert "tenant=ada tool=canvas_write" in broker.cli("logs").stdout
    assert len(broker.cli("logs", "--lines", "1").stdout.splitlines()) == 1
    kept = "".join(file.read_text() for file in Path(broker.place.log).iterdir())
    assert SECRET not in kept and SECRET not in broker.log


def test_a_fault_is_logged_by_its_kind_and_places_not_by_its_words(tmp_path: Path) -> None:
    with logging_into(tmp_path):
        try:
            raise ValueError(SECRET)
        except ValueError:
            logging.getLogger("chardesk").exception("fault ft-1")
    (line,) = (tmp_path / NAME).read_text().splitlines()
    said = json.loads(line)
    assert (said["what"], said["fault"]) == ("fault ft-1", "ValueError")
    assert said["where"] and SECRET not in line


ENDS = {
    "the process": "raise ValueError(SECRET)",
    "a thread": "threading.Thread(target=int, args=[SECRET]).start()",
    "an object": "type('T', (), {'__del__': lambda self: int(SECRET)})()",
    "a callback": "loop.call_soon(int, SECRET); loop.call_soon(loop.stop); loop.run_forever()",
    "a task that nobody asked": "loop.run_until_complete(forgotten())",
    "what was caught": "try:\n    int(SECRET)\nexcept ValueError:\n    log.exception('fault %s', 'ft-1')",
}
UNCAUGHT = """
import asyncio, gc, logging, sys, threading
from chardesk.broker.service.discreet import speak_discreetly

async def failing():
    int(SECRET)

async def forgotten():
    task = asyncio.create_task(failing())
    await asyncio.wait([task])
    del task
    gc.collect()

SECRET = sys.stdin.read()
log, loop = logging.getLogger("chardesk"), asyncio.new_event_loop()
speak_discreetly()
"""


@pytest.mark.parametrize("what", ENDS)
def test_an_exception_that_ends_something_is_said_on_stderr_without_its_words(what: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", UNCAUGHT + ENDS[what]], input=SECRET, capture_output=True, text=True
    )
    assert " ERROR " in done.stderr and "\n  ValueError\n    at " in done.stderr, done.stderr
    assert SECRET not in done.stderr and "Traceback" not in done.stderr


def test_a_person_who_ends_a_broker_is_told_no_exception() -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{UNCAUGHT}raise KeyboardInterrupt"], input="", capture_output=True, text=True
    )
    assert done.stderr == ""


def test_what_a_disk_says_is_logged_and_what_a_value_says_is_not() -> None:
    assert why(sqlite3.OperationalError("database is locked")) == "database is locked"
    assert why(OSError(28, "No space left on device")) == "[Errno 28] No space left on device"
    assert why(ValueError(SECRET)) == "ValueError"


def test_the_log_is_rotated_and_only_for_this_user(tmp_path: Path) -> None:
    logging.getLogger("chardesk").setLevel(logging.INFO)
    (tmp_path / NAME).write_text("x" * MAX_BYTES)
    with logging_into(tmp_path):
        logging.getLogger("chardesk").info("anew")
    assert [one.name for one in sorted(tmp_path.iterdir())] == [NAME, f"{NAME}.1"]
    assert (tmp_path / NAME).stat().st_mode & 0o077 == 0


def test_a_desk_without_a_log_has_no_lines(tmp_path: Path) -> None:
    done = cli("logs", "--desk", str(tmp_path / "none"))
    assert (done.returncode, done.stdout) == (exits.OK, "")


def test_agents_are_listed_with_what_they_may_do(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "grace") as grace:
        grace.put(0, 7, "x")
        told = {one["name"]: one for one in broker.call("agents")["agents"]}
        assert (told["grace"]["grant"], told["grace"]["here"]) == ("apply", True)
    assert "grace" in broker.cli("agents").stdout


def test_agents_of_a_desk_that_does_not_run_are_not_made_up(tmp_path: Path) -> None:
    assert cli("agents", "--desk", str(tmp_path / "none")).returncode == exits.NO_BROKER


# -- doctor --------------------------------------------------------------------------


def test_doctor_finds_nothing_wrong_with_a_running_desk(broker: RunningBroker) -> None:
    done = broker.cli("doctor", "--json")
    found = json.loads(done.stdout)
    assert found["ok"], found
    assert {"python", "chardesk", "desk", "disk", "key", "journal", "broker"} <= {
        one["name"] for one in found["findings"]
    }
    assert f"pid {broker.pid}" in broker.cli("doctor").stdout


def test_a_report_names_no_home_and_no_key(broker: RunningBroker) -> None:
    report = broker.cli("doctor", "--report").stdout
    assert str(Path.home()) not in report
    assert Path(broker.place.key).read_text().strip() not in report


def test_doctor_says_what_to_do_about_a_damaged_journal(tmp_path: Path) -> None:
    with RunningBroker(tmp_path / "desk") as broker:
        broker.call("write", "--at", "0,0", "--content", "x", "--mode", "apply")
        broker.stop()
        db = sqlite3.connect(broker.place.database)
        with db:
            db.execute("UPDATE journal SET author = 'mallory' WHERE seq = 2")
        db.close()
        done = broker.cli("doctor")
        assert done.returncode == exits.REFUSED
        assert "FAULT   journal: commit 2 was changed" in done.stdout and "chardesk restore" in done.stdout


def test_doctor_knows_a_variable_that_nobody_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHARDESK_PROT", "1")
    assert "warning CHARDESK_PROT: nobody reads it" in cli("doctor", "--desk", str(tmp_path / "d")).stdout
    assert doctor.__doc__


# -- backup and restore --------------------------------------------------------------


def test_a_backup_is_taken_beside_a_running_broker_and_put_back(tmp_path: Path) -> None:
    with RunningBroker(tmp_path / "desk") as broker:
        broker.call("write", "--at", "0,0", "--content", "before", "--mode", "apply")
        taken = broker.call("backup", str(tmp_path / "backup"))
        assert taken["ok"] and taken["rows"] == 2
        broker.call("write", "--at", "0,0", "--content", "after!", "--mode", "apply")
        assert broker.cli("restore", str(tmp_path / "backup")).returncode == exits.REFUSED, "it runs"
        broker.stop()
        restored = broker.call("restore", str(tmp_path / "backup"))
        assert (Path(restored["replaced"]) / "desk.sqlite").exists()
        broker.start()
        assert "before" in broker.cli("read").stdout


def test_a_backup_never_goes_over_a_desk(broker: RunningBroker) -> None:
    done = broker.cli("backup", broker.place.root)
    assert done.returncode == exits.REFUSED and "holds a desk already" in done.stderr


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0" + b"\xff" * 4096, None])
def test_a_damaged_backup_is_refused_and_the_desk_left_alone(tmp_path: Path, damage: bytes | None) -> None:
    backup, desk = tmp_path / "backup", tmp_path / "desk"
    backup.mkdir()
    if damage is not None:
        (backup / "desk.sqlite").write_bytes(damage)
    done = cli("restore", "--desk", str(desk), str(backup))
    assert done.returncode == exits.REFUSED and done.stderr.startswith("chardesk restore: ")
    assert not (desk / "desk.sqlite").exists()


# -- the broker's life ---------------------------------------------------------------


def test_a_broker_that_nobody_uses_is_over_after_half_an_hour() -> None:
    idle = Idle(0.0)
    assert not idle.is_over(IDLE_S - 1, is_anyone_here=False)
    assert not idle.is_over(IDLE_S, is_anyone_here=True)
    assert not idle.is_over(2 * IDLE_S - 1, is_anyone_here=False)
    assert idle.is_over(2 * IDLE_S, is_anyone_here=False)


def test_a_broker_of_another_build_is_ended_while_nobody_uses_it_and_else_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with RunningBroker(tmp_path / "desk") as broker:
        found = discovery.running(broker.place)
        assert found is not None and not asking.is_unlike(found)
        found.build = "another"
        with Caller(broker.place.root, "ada"):
            assert not asking.end_unlike(broker.place, found)
            assert "in use by ada" in capsys.readouterr().err
        assert asking.end_unlike(broker.place, found)
        assert discovery.running(broker.place) is None


@pytest.mark.parametrize("damage", ["cut to nothing", "no database", "newer", "gone"])
def test_a_desk_that_can_not_be_read_is_refused_with_a_hint_and_left_as_it_is(
    tmp_path: Path, damage: str
) -> None:
    with RunningBroker(tmp_path / "desk") as broker:
        broker.stop()
        file = Path(broker.place.database)
        _DAMAGES[damage](file)
        before = file.read_bytes() if file.exists() else None
        done = cli("serve", "--desk", broker.place.root, "--port", "0", "--no-open")
        assert done.returncode == exits.REFUSED
        assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr
        assert any(hint in done.stderr for hint in ("estore", "Update chardesk"))
        assert (file.read_bytes() if file.exists() else None) == before


def _newer(file: Path) -> None:
    db = sqlite3.connect(file)
    db.execute("PRAGMA user_version = 999")
    db.close()


_DAMAGES: dict[str, Callable[[Path], object]] = {
    "cut to nothing": lambda file: file.write_bytes(b""),
    "no database": lambda file: file.write_bytes(b"hello" * 1000),
    "newer": _newer,
    "gone": lambda file: file.unlink(),
}
