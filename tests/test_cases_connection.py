"""Coming, going and coming back: relays, brokers, ports, locks, stops, and which canvas a call means.

The page in a browser, which reconnects by itself too, is in test_cases_page.py.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
from brokers import CLI, READY, RunningBroker, cli
from parties import Caller, Fields, Person, eventually, faultless, swept

from chardesk.broker.door import discovery
from chardesk.broker.door.lock import is_held
from chardesk.broker.door.place import Place
from chardesk.broker.faces.listen import DEFAULT_PORT


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("connection") / "desk") as running:
        yield running


# -- relays come and go


def test_relays_that_come_and_go_leave_nothing_behind(broker: RunningBroker) -> None:
    """CON-01"""
    for number in range(12):
        with Caller(broker.place.root, f"guest{number}") as agent:
            status, took_s, errors = agent.end()
            assert (status, errors) == (0, b"") and took_s < 0.5
    assert len(_listening(broker.pid)) == 1
    eventually(lambda: broker.call("status")["tenants"] == [])
    with Caller(broker.place.root, "guest") as agent:
        assert agent.ok("canvas_manage", action="list")["canvases"]


def _listening(pid: int) -> list[str]:
    """The addresses on which a process accepts connections, IPv4 and IPv6, as the kernel writes them."""
    inodes = set()
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # a connection that has just ended
            if found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(fd)):
                inodes.add(found[1])
    rows = [
        row.split()
        for table in ("tcp", "tcp6")
        for row in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
    ]
    return [row[1] for row in rows if row[3] == "0A" and row[9] in inodes]


def test_only_loopback_is_listened_on(broker: RunningBroker) -> None:
    """CON-11"""
    address, _, port = _listening(broker.pid)[0].partition(":")
    assert address == "0100007F", "127.0.0.1 as the kernel writes it"
    assert int(port, 16) == int(broker.address.rpartition(":")[2])


# -- ports and locks


@contextmanager
def served(desk: Path, *words: str, **env: str) -> Iterator[tuple[str, float]]:
    """`chardesk serve` as a person starts it: the address it announces, and the seconds it took."""
    start = time.monotonic()
    process = subprocess.Popen(
        [*CLI, "serve", "--desk", str(desk), "--no-open", *words],
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdout is not None and process.stderr is not None
        try:
            ready = READY.match(process.stdout.readline())
            assert ready is not None, process.stderr.read()
            yield ready[2], time.monotonic() - start
        finally:
            process.terminate()
            said = process.stderr.read()
        assert said == "", "nothing that looks like an error"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def occupied(port: int) -> Iterator[None]:
    """Somebody listens there: we, or whoever was faster."""
    try:
        listener = socket.create_server(("127.0.0.1", port))
    except OSError:
        yield
        return
    with listener:
        yield


def test_when_the_default_port_is_taken_the_next_free_one_is_announced(tmp_path: Path) -> None:
    """CON-02"""
    with occupied(DEFAULT_PORT), served(tmp_path / "desk") as (address, _):
        assert int(address.rpartition(":")[2]) > DEFAULT_PORT
        _is_found(tmp_path / "desk", address)


def _is_found(desk: Path, address: str) -> None:
    """Page and relay find the port without anybody's help."""
    assert cli("open", "--print", "--desk", str(desk)).stdout.startswith(f"http://{address}/#code=")
    with Caller(str(desk)) as agent:
        agent.put(0, 0, "found")
    found = discovery.read(Place(str(desk)))
    assert found is not None and found.address == address


def test_a_port_can_be_chosen_by_option_and_by_variable(tmp_path: Path) -> None:
    """CON-02"""
    first, second = _free_port(), _free_port()
    with served(tmp_path / "desk", "--port", str(first)) as (address, _):
        assert address == f"127.0.0.1:{first}"
        _is_found(tmp_path / "desk", address)
    with served(tmp_path / "desk", CHARDESK_PORT=str(second)) as (address, _):
        assert address == f"127.0.0.1:{second}"
        _is_found(tmp_path / "desk", address)


def test_a_chosen_port_that_is_taken_is_an_error_of_one_line(tmp_path: Path) -> None:
    """CON-02"""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        done = cli("serve", "--desk", str(tmp_path / "desk"), "--no-open", "--port", str(port))
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert str(port) in done.stderr and "--port" in done.stderr


def test_a_start_needs_no_other_program_and_says_nothing_alarming(tmp_path: Path) -> None:
    """CON-03"""
    with served(tmp_path / "desk", "--port", "0", PATH="") as (address, _):
        assert address.startswith("127.0.0.1:")


def test_lock_files_that_were_left_behind_are_nothing(tmp_path: Path) -> None:
    """CON-04: a lock is held by a process, not by a file, so there is nothing to replace and to report."""
    place = Place(str(tmp_path / "desk"))
    place.make()
    for lock in (place.broker_lock, place.start_lock):
        Path(lock).touch()
    with served(tmp_path / "desk", "--port", "0") as (_, took_s), Caller(place.root) as agent:
        assert agent.put(0, 0, "x")["applied"]
        assert took_s < 5
    assert not is_held(place.broker_lock)


def test_a_relay_starts_a_broker_in_spite_of_old_lock_files(tmp_path: Path) -> None:
    """CON-04"""
    with swept(Place(str(tmp_path / "desk"))) as place:
        place.make()
        Path(place.broker_lock).touch()
        start = time.monotonic()
        with Caller(place.root) as agent:
            assert agent.put(0, 0, "x")["applied"]
        assert time.monotonic() - start < 5


# -- crashes, stops, keys


def test_after_a_crash_agents_and_page_go_on_with_what_was_there(tmp_path: Path) -> None:
    """CON-05"""
    with (
        swept(Place(str(tmp_path / "desk"))) as place,
        RunningBroker(tmp_path / "desk") as broker,
        Caller(place.root, "ada") as ada,
        Caller(place.root, "bob") as bob,
        Person(broker) as page,
    ):
        ada.put(0, 0, "before")
        broker.kill()
        killed = time.monotonic()
        assert bob.rows((0, 0, 10, 1)) == ["before"]
        ada.put(0, 1, "after")
        assert time.monotonic() - killed < 15
        found = discovery.running(place)
        assert found is not None
        assert found.address == broker.address, "pages look for it where it was"
        with Person(broker, token=page.token) as again:
            again.type(0, 2, "typed")
        assert bob.rows((0, 0, 10, 3)) == ["before", "after", "typed"]


def test_after_a_stop_relays_wait_say_so_and_find_the_next_broker_by_themselves(tmp_path: Path) -> None:
    """CON-08"""
    with RunningBroker(tmp_path / "desk") as broker, Caller(broker.place.root) as agent:
        agent.put(0, 0, "before")
        assert broker.cli("stop").returncode == 0
        broker.kill()  # what is left of the process; the desk is closed
        told = agent.tool("canvas_read", viewport=[0, 0, 10, 1])
        assert told.code == "broker_unavailable"
        assert "chardesk serve" in told.fields["nextStep"]
        assert discovery.running(broker.place) is None, "nobody has started it behind the person's back"
        broker.start()
        started = time.monotonic()
        eventually(lambda: [one["name"] for one in broker.call("status")["tenants"]] == ["ada"])
        assert time.monotonic() - started < 3
        assert agent.rows((0, 0, 10, 1)) == ["before"]


def test_a_wrong_key_is_said_clearly_and_the_process_stays_idle(tmp_path: Path) -> None:
    """CON-10; that it makes one attempt only is in test_relay_link.py."""
    with RunningBroker(tmp_path / "desk", CHARDESK_LOG="debug") as broker:
        Path(broker.place.key).write_text("0" * 64)
        with Caller(broker.place.root) as agent:
            before_s = _cpu_s(agent.process.pid)
            for _ in range(2):
                told = agent.tool("canvas_manage", action="list")
                assert told.code == "permission_denied"
                assert "Token rejected" in told.fields["message"] and told.fields["nextStep"]
                assert told.fields["retryable"] is False
            assert _cpu_s(agent.process.pid) - before_s < 0.2


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# -- which canvas


def test_a_named_canvas_is_meant_whatever_the_person_looks_at(broker: RunningBroker) -> None:
    """CON-13"""
    with Caller(broker.place.root) as agent, Person(broker) as page:
        first, second = (
            agent.ok("canvas_manage", action="create", kind="freeform", name=name) for name in ("S1", "S2")
        )
        for number in range(20):
            page.say("activate", canvas=(first, second)[number % 2]["canvasId"])
            told = agent.put(number, 0, "x", canvasId=first["canvasId"])
            assert (told["canvasId"], told["pageId"]) == (first["canvasId"], first["pageId"])
        assert agent.rows((0, 0, 20, 1), canvasId=first["canvasId"]) == ["x" * 20]
        assert agent.cells((0, 0, 20, 1), canvasId=second["canvasId"]) == {}


def test_without_a_name_the_canvas_that_was_active_when_the_call_came_is_meant(
    broker: RunningBroker,
) -> None:
    """CON-13"""
    with Caller(broker.place.root) as agent, Person(broker) as page:
        made = [
            agent.ok("canvas_manage", action="create", kind="freeform", name=f"unnamed {n}")["canvasId"]
            for n in range(2)
        ]
        for number in range(5):
            wanted = made[number % 2]
            page.say("activate", canvas=wanted)
            page.until(partial(_shows, canvas=wanted))
            assert agent.put(number, 0, "y")["canvasId"] == wanted
        assert agent.rows((0, 0, 5, 1), canvasId=made[0]) == ["y y y"]
        assert agent.rows((0, 0, 5, 1), canvasId=made[1]) == [" y y"]


def test_a_call_that_waits_means_the_canvas_of_its_arrival(broker: RunningBroker) -> None:
    """CON-13"""
    with Caller(broker.place.root) as agent, Person(broker) as page:
        other = agent.ok("canvas_manage", action="create", kind="freeform", name="elsewhere")["canvasId"]
        here = page.welcome["canvas"]
        busy = "const end = Date.now() + 500; while (Date.now() < end); return {}"
        agent.send("canvas_code", script=busy)
        agent.send("canvas_write", at=[0, 30], content="z", mode="apply")
        page.until(lambda told: _waits(told, "ada"))
        page.say("activate", canvas=other)
        page.until(partial(_shows, canvas=other))
        agent.hear()
        assert agent.hear()["result"]["structuredContent"]["canvasId"] == here
        page.say("activate", canvas=here)
        page.until(partial(_shows, canvas=here))


def _shows(told: Fields, canvas: str) -> bool:
    return bool(told["type"] == "canvases" and told["canvas"] == canvas)


def _waits(told: Fields, name: str) -> bool:
    agents = told["agents"] if told["type"] == "presence" else []
    return any(one["name"] == name and one["waiting"] for one in agents)


# -- no page


def test_without_a_page_agents_work_and_what_they_did_is_there_when_one_comes(tmp_path: Path) -> None:
    """CON-14"""
    with RunningBroker(tmp_path / "desk") as broker, Caller(broker.place.root) as agent:
        told = agent.put(0, 0, "alone")
        assert told["live"] is False and told["shownRevision"] is None and told["persisted"] is True
        with Person(broker) as page:
            token = page.token
        for _ in range(2):
            with Person(broker, token=token) as page:
                assert agent.ok("canvas_read", viewport=[0, 0, 1, 1])["live"] is True
        with Person(broker, token=token) as page:
            page.type(0, 1, "together")
            assert agent.rows((0, 0, 10, 2)) == ["alone", "together"]


# -- two desks


def test_two_desks_side_by_side_know_nothing_of_each_other(broker: RunningBroker, tmp_path: Path) -> None:
    """Each has its key, its port, its canvases and its end."""
    with faultless(tmp_path / "other") as other:
        assert other.address != broker.address
        assert Path(other.place.key).read_text() != Path(broker.place.key).read_text()
        with Caller(broker.place.root, "here") as here, Caller(other.place.root, "there") as there:
            here.put(0, 70, "of the one")
            there.put(0, 70, "of the other")
            assert [one.rows((0, 70, 12, 1)) for one in (here, there)] == [["of the one"], ["of the other"]]
            assert [one["name"] for one in other.call("status")["tenants"]] == ["there"]
            Path(other.place.key).write_text(Path(broker.place.key).read_text())
            assert other.cli("status", "--json").returncode != 0, "the key of one desk opens no other"
        assert other.stop() == 0
        assert broker.call("status")["running"]
