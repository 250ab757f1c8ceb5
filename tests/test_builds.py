"""An agent's process of another build than the broker that runs: it is replaced while nobody else uses it."""

from __future__ import annotations

import json
import os
import select
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from brokers import RunningBroker
from parties import PATIENCE_S, Caller, Person, eventually, faultless
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from chardesk.broker.door import discovery
from chardesk.broker.door.build import PACKAGE, ROOMS, fingerprint
from chardesk.broker.door.key import read_key
from chardesk.broker.wire import codes


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another installation of the package, of which one file has another comment."""
    site = tmp_path_factory.mktemp("other") / "site"
    for room in ROOMS:
        shutil.copytree(
            Path(PACKAGE) / room,
            site / "chardesk" / room,
            ignore=shutil.ignore_patterns("__pycache__", "node_modules", "fonts"),
        )
    (site / "chardesk" / "__init__.py").touch()
    with (site / "chardesk" / "tools" / "__init__.py").open("a") as changed:
        changed.write("# another build\n")
    assert fingerprint(str(site / "chardesk")) != fingerprint()
    return site


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    with faultless(tmp_path / "desk") as running:
        yield running


def agent_of(other: Path, broker: RunningBroker) -> Caller:
    path = os.pathsep.join([str(other), *filter(None, [os.environ.get("PYTHONPATH")])])
    return Caller(broker.place.root, "ada", env={"PYTHONPATH": path})


def test_a_broker_that_nobody_else_uses_makes_way_for_the_build_of_a_new_agent(
    broker: RunningBroker, other: Path
) -> None:
    theirs = fingerprint(str(other / "chardesk"))
    with agent_of(other, broker) as ada:
        ada.put(0, 0, "kept")
        eventually(lambda: (found := discovery.running(broker.place)) is not None and found.build == theirs)
        assert ada.rows((0, 0, 4, 1)) == ["kept"]
        log = ada.ok("canvas_history", action="log")["entries"]
        assert [one["tool"] for one in log].count("canvas_write") == 1


def test_a_broker_in_use_goes_on_and_the_new_agent_says_so(broker: RunningBroker, other: Path) -> None:
    for user in (Caller(broker.place.root, "bob"), Person(broker)):
        with user, agent_of(other, broker) as ada:
            ada.put(0, 0, "all the same")
            assert "another build and in use" in noted(ada)
            assert broker.call("status")["pid"] == broker.pid


def test_agents_of_the_same_build_replace_nothing(broker: RunningBroker) -> None:
    for _ in range(2):
        with Caller(broker.place.root, "ada") as ada:
            ada.put(0, 0, "x")
    assert broker.call("status")["pid"] == broker.pid


@pytest.mark.parametrize("package", ["/nowhere", "\0", "", 5])
def test_a_folder_without_our_files_is_no_other_build(broker: RunningBroker, package: object) -> None:
    key = read_key(broker.place)
    hello = {"chardesk": "hello", "protocol": 1, "key": key, "name": "odd", "cwd": "/", "resume": None}
    with connect(f"ws://{broker.address}/agent", compression=None, proxy=None) as socket:
        socket.send(json.dumps({**hello, "package": package}))
        assert json.loads(socket.recv(timeout=10))["chardesk"] == "welcome"
        socket.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
        assert "id" in json.loads(socket.recv(timeout=10))


def test_a_newer_protocol_takes_over_an_idle_broker_and_is_told_of_one_in_use(broker: RunningBroker) -> None:
    key = read_key(broker.place)
    hello = {"chardesk": "hello", "protocol": 2, "key": key, "name": "new", "cwd": "/", "resume": None}
    with Caller(broker.place.root, "bob") as bob:
        bob.put(0, 0, "x")
        assert turned_away(broker, hello) == codes.INCOMPATIBLE
    eventually(lambda: broker.call("status")["tenants"] == [])
    assert turned_away(broker, {**hello, "key": "wrong"}) == codes.AUTH
    assert turned_away(broker, hello) == codes.RESTARTING
    eventually(lambda: discovery.running(broker.place) is None)
    assert not broker.place.is_stopped()


def noted(agent: Caller) -> str:
    """The first line that its process says on stderr."""
    stderr = agent.process.stderr
    assert stderr is not None
    ready, _, _ = select.select([stderr], [], [], PATIENCE_S)
    assert ready, "it said nothing"
    return stderr.readline().decode()


def turned_away(broker: RunningBroker, hello: dict[str, object]) -> int | None:
    """The code that the link is closed with."""
    with connect(f"ws://{broker.address}/agent", compression=None, proxy=None) as socket:
        socket.send(json.dumps(hello))
        try:
            while True:
                socket.recv(timeout=10)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd is not None else None
