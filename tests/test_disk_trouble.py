"""A disk that is full or read-only under a real broker: what is refused and how, and that nothing is lost."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from brokers import RunningBroker, cli
from disks import NO_FOLDER, Disk, mounted, read_only_desk, small_disk
from parties import PATIENCE_S, Caller, Person, RawAgent, eventually
from relay_process import INITIALIZE, Agent
from stores import drawn_on, keep, running

from chardesk.broker.store import schema
from chardesk.broker.store.verify import verify
from chardesk.broker.verbs import exits


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path) as found:
        yield found


# -- while it runs -------------------------------------------------------------------


def test_a_full_disk_refuses_changes_and_takes_them_again_when_it_has_room(disk: Disk) -> None:
    with RunningBroker(disk.desk) as broker, Caller(broker.place.root, "ada") as ada:
        ada.put(0, 0, "before")
        disk.fill()
        refusal = ada.tool("canvas_write", at=[0, 0], content="during", mode="apply")
        assert (refusal.code, refusal.fields["retryable"]) == ("store_failed", True)
        assert "Free disk space" in refusal.fields["nextStep"]
        assert ada.tool("canvas_write", at=[0, 0], content="x").code == "store_failed", (
            "a preview is kept too"
        )
        assert ada.rows((0, 0, 6, 1)) == ["before"], "reading goes on"
        assert broker.call("status")["storeOk"] is False
        disk.free()
        eventually(lambda: broker.call("status")["storeOk"])
        ada.put(0, 1, "after")
        broker.kill()
        assert ada.rows((0, 0, 6, 2)) == ["before", "after"], "by the broker that this agent has started"
        assert verify(disk.desk).is_sound
        assert "Traceback" not in broker.log


def test_what_is_acknowledged_while_a_disk_fills_and_heals_is_there_after_a_crash(disk: Disk) -> None:
    rows: dict[int, str] = {}
    enough = threading.Event()

    def write(ada: Caller) -> None:
        for row in range(100_000):
            if enough.is_set():
                return
            told = ada.tool("canvas_write", at=[0, row], content="x" * 9, mode="apply")
            assert told.code in (None, "store_failed", "timeout"), told.text
            if not told.refused:
                rows[row] = told.fields["operationId"]

    def fill_and_free(broker: RunningBroker) -> None:
        wanted = len(rows) + 20
        eventually(lambda: len(rows) > wanted)
        disk.fill()
        eventually(lambda: not broker.call("status")["storeOk"])
        disk.free()
        eventually(lambda: broker.call("status")["storeOk"])

    with RunningBroker(disk.desk) as broker:
        with Caller(broker.place.root, "ada") as ada:
            thread = threading.Thread(target=write, args=[ada])
            thread.start()
            try:
                for _ in range(3):
                    fill_and_free(broker)
            finally:
                enough.set()
                thread.join(PATIENCE_S)
            assert not thread.is_alive(), "a call hangs"
        broker.kill()
        broker.start()
        with Caller(broker.place.root, "bo") as bo:
            for row in rows:
                assert bo.rows((0, row, 9, 1)) == ["x" * 9]
        assert verify(disk.desk).is_sound


def test_the_page_is_told_and_what_was_drawn_meanwhile_is_refused_whole(disk: Disk) -> None:
    with RunningBroker(disk.desk) as broker, Person(broker) as person:
        assert person.type(0, 0, "a")["type"] in ("change", "done")
        disk.fill()
        refused = person.type(1, 0, "b")
        assert (refused["type"], refused["code"]) == ("refused", "store_failed")
        person.until(lambda told: told["type"] == "disk" and told["refuses"])
        with Person(broker, person.token, kind="reader") as late:
            assert late.until(lambda told: told["type"] == "disk")["refuses"] is True
            disk.free()
            assert late.until(lambda told: told["type"] == "disk")["refuses"] is False
        person.until(lambda told: told["type"] == "disk" and not told["refuses"])
        assert person.type(1, 0, "c")["type"] in ("change", "done")
        with Caller(broker.place.root, "ada") as ada:
            assert ada.rows((0, 0, 3, 1)) == ["ac"]


def test_a_broker_on_a_full_disk_can_be_stopped(disk: Disk) -> None:
    with RunningBroker(disk.desk) as broker, RawAgent(broker, "ada"):
        disk.fill()
        done = broker.cli("stop")
        assert (done.returncode, done.stdout) == (exits.OK, "stopped\n"), done.stderr
        assert broker.ended() == exits.OK and "Traceback" not in broker.log
        disk.free()
        broker.start()
        assert broker.call("status")["storeOk"]


# -- at the start ----------------------------------------------------------------------


def test_a_start_on_a_full_disk_is_refused_and_succeeds_when_there_is_room(tmp_path: Path) -> None:
    with mounted(tmp_path) as disk:
        if disk is None:  # this user can't fill a disk: a folder that can't be made is refused alike
            _is_refused(NO_FOLDER)
            return
        disk.fill()
        _is_refused(disk.desk)
        disk.free()
        with RunningBroker(disk.desk) as broker:
            assert broker.call("status")["storeOk"]


def _is_refused(desk: Path) -> None:
    done = cli("serve", "--desk", str(desk), "--port", "0", "--no-open")
    assert done.returncode == exits.REFUSED and "Traceback" not in done.stderr, done.stderr
    assert done.stderr.startswith("chardesk: ") and str(desk) in done.stderr
    assert list(desk.glob("desk.sqlite")) == [], "nothing is left that looks like a desk"


@pytest.fixture
def refusing(tmp_path: Path) -> Iterator[Path]:
    """A desk's folder that takes nothing."""
    made = tmp_path / "made"
    with RunningBroker(made) as broker:
        broker.call("write", "--at", "0,0", "--content", "kept", "--mode", "apply")
        broker.stop()
    (tmp_path / "disk").mkdir()
    with read_only_desk(tmp_path / "disk", made) as folder:
        yield folder


def test_a_start_on_a_read_only_disk_is_refused_with_what_to_do(refusing: Path) -> None:
    for words in (["serve", "--port", "0", "--no-open"], ["open", "--print"], ["read"]):
        done = cli(words[0], "--desk", str(refusing), *words[1:])
        assert done.returncode in (exits.REFUSED, exits.NO_BROKER)
        assert str(refusing) in done.stderr and "make it writable for this user" in done.stderr
        assert done.stderr.count("\n") == 1
    assert cli("status", "--desk", str(refusing)).returncode == exits.NO_BROKER


def test_an_agent_on_a_read_only_disk_is_told_so_and_its_process_lives_on(refusing: Path) -> None:
    with Agent(str(refusing), env={"CHARDESK_PORT": "0"}) as agent:
        agent.ask("initialize", **INITIALIZE)
        asked = agent.ask("tools/call", name="canvas_read", arguments={})
        message = agent.hear()
        assert message["id"] == asked
        refusal = message["result"]["structuredContent"]
        assert refusal["code"] == "broker_unavailable" and "make it writable" in refusal["message"]
        assert str(refusing) not in json.dumps(message), "no path goes to an agent"
        assert agent.answer("ping")["result"] == {}


def test_a_desk_on_a_read_only_disk_can_be_checked_and_backed_up(refusing: Path, tmp_path: Path) -> None:
    if refusing == NO_FOLDER:  # this user can't have such a disk: the next test shows the same in a process
        assert cli("log", "--desk", str(refusing), "verify").returncode == exits.REFUSED
        return
    assert "all sound" in cli("doctor", "--desk", str(refusing)).stdout
    assert "2 rows checked: sound" in cli("log", "--desk", str(refusing), "verify").stdout
    into = tmp_path / "backup"
    assert cli("backup", "--desk", str(refusing), str(into)).returncode == exits.OK
    done = cli("restore", "--desk", str(refusing), str(into))
    assert done.returncode == exits.REFUSED and "make it writable" in done.stderr
    assert cli("restore", "--desk", str(tmp_path / "anew"), str(into)).returncode == exits.OK


def test_a_database_that_nobody_can_write_to_is_read_without_its_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as (store, ears):
        keep(store, ears, drawn_on(3))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with closing(schema.connect(tmp_path / "desk.sqlite", read_only=True)) as db:
        assert db.execute("SELECT count(*) FROM journal").fetchone() == (3,)
    assert [one.name for one in tmp_path.iterdir() if one.name.endswith("-shm")] == []
