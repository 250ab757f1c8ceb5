"""`chardesk-mcp` as a process whose broker goes away, comes back, crashes, or will not have it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_broker import FakeBroker, echo
from relay_process import Agent

from chardesk.broker.door import discovery, lock
from chardesk.broker.door.place import Place

TESTS = Path(__file__).resolve().parent
PATIENCE_S = 15.0


@pytest.fixture
def desk(tmp_path: Path) -> Place:
    return Place(str(tmp_path / "desk"))


def test_a_call_in_flight_is_sent_again_to_the_next_broker_under_its_key(desk: Place) -> None:
    with FakeBroker(
        desk, answer=lambda message: None if message.get("method") == "tools/call" else echo(message)
    ) as first:
        agent = Agent(desk.root)
        agent.initialize()
        asked = agent.call("hi")
        sent = first.peer().next("tools/call")
    with FakeBroker(desk) as second, agent:
        answer = agent.hear()
        assert (answer["id"], answer["result"]["content"][0]["text"]) == (asked, "hi")
        assert second.port != first.port
        peer = second.peer()
        assert peer.next()["method"] == "initialize"
        assert peer.next()["method"] == "notifications/initialized"
        assert peer.next() == sent


def test_a_lost_connection_is_made_again_without_the_client_noticing(desk: Place) -> None:
    with FakeBroker(desk) as broker, Agent(desk.root) as agent:
        agent.initialize()
        for number in range(3):
            broker.peer().close(1012)
            agent.call(f"{number}")
            assert agent.hear()["result"]["content"][0]["text"] == f"{number}"


def test_a_client_that_joined_one_broker_is_served_by_the_next_on_another_port(desk: Place) -> None:
    with FakeBroker(desk):
        agent = Agent(desk.root)
        agent.initialize()
        desk.mark_stopped()
    with agent:
        assert agent.answer("ping")["result"] == {}
        with FakeBroker(desk) as again:
            published = time.monotonic()
            again.peer()
            assert time.monotonic() - published < 3
        assert agent.process.poll() is None


def test_a_wrong_key_is_told_at_each_call_and_not_tried_again(desk: Place) -> None:
    with FakeBroker(desk) as broker:
        Path(desk.key).write_text("0" * 64)
        with Agent(desk.root) as agent:
            agent.initialize()
            for _ in range(2):
                refusal = agent.refusal()
                assert refusal["code"] == "permission_denied"
                assert "Token rejected" in refusal["message"] and "Restart" in refusal["nextStep"]
                assert refusal["retryable"] is False
        assert broker.attempts == 1


@pytest.mark.parametrize(("close", "code"), [(4403, "revoked"), (4409, "replaced")])
def test_revoked_and_replaced_are_told_at_each_call(desk: Place, close: int, code: str) -> None:
    with FakeBroker(desk) as broker, Agent(desk.root) as agent:
        agent.initialize()
        broker.answer = lambda message: None
        in_flight = agent.call("hi")
        peer = broker.peer()
        peer.next("tools/call")
        peer.close(close)
        told = agent.hear()
        assert (told["id"], told["result"]["structuredContent"]["code"]) == (in_flight, code)
        assert agent.refusal()["code"] == code
        assert broker.attempts == 1


def test_an_incompatible_broker_is_named_with_both_versions(desk: Place) -> None:
    with FakeBroker(desk, turn_away=4426) as broker, Agent(desk.root) as agent:
        broker.protocols = [9]
        agent.initialize()
        refusal = agent.refusal()
        assert refusal["code"] == "incompatible_broker"
        assert "protocol 1" in refusal["message"] and "speaks 9" in refusal["message"]


def test_the_broker_reads_files_through_the_relay_and_only_inside_its_folder(
    desk: Place, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.md").write_text("漢", encoding="utf-8")
    (tmp_path / "secret").write_text("s")
    with FakeBroker(desk, answer=lambda m: None if "chardesk" in m else echo(m)) as broker:
        with Agent(desk.root, cwd=str(folder)) as agent:
            agent.initialize()
            peer = broker.peer()
            assert broker.hello()["cwd"] == str(folder)
            for number, path in enumerate(["a.md", "../secret"]):
                peer.send({"chardesk": "readFile", "id": number, "path": path, "maxBytes": 100})
            heard = [message for message in (peer.next() for _ in range(4)) if "chardesk" in message]
        assert heard[0] == {"chardesk": "file", "id": 0, "text": "漢"}
        assert heard[1]["id"] == 1 and "outside" in heard[1]["error"]


# -- starting a broker, which here is the stand-in under the broker's name


@pytest.fixture
def overlay(tmp_path: Path, desk: Place) -> Iterator[dict[str, str]]:
    """An environment where `-m chardesk.broker.cli` is the stand-in; what it started is ended afterwards."""
    package = tmp_path / "overlay" / "chardesk"
    package.mkdir(parents=True)
    started = tmp_path / "started"
    started.mkdir()
    (package / "__init__.py").write_text(
        f"__path__ = [{str(TESTS.parent)!r}]\n"
        "import chardesk.broker\n"
        f"chardesk.broker.__path__ = [{str(package)!r}, *chardesk.broker.__path__]\n"
    )
    (package / "cli.py").write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(TESTS)!r})\n"
        f"open(os.path.join({str(started)!r}, str(os.getpid())), 'w').close()\n"
        "import fake_broker\n"
        "fake_broker.main()\n"
    )
    yield {"PYTHONPATH": str(package.parent), "STARTED": str(started)}
    for pid in os.listdir(started):
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            continue


def eventually(condition: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, "it did not come to pass"
        lock.pause(lock.POLL_S)


def test_the_first_request_starts_a_broker(desk: Place, overlay: dict[str, str]) -> None:
    with Agent(desk.root, env=overlay) as agent:
        agent.initialize()
        agent.call("hi")
        assert agent.hear()["result"]["content"][0]["text"] == "hi"
        found = discovery.running(desk)
        assert found is not None and os.listdir(overlay["STARTED"]) == [str(found.pid)]
        assert os.getsid(found.pid) == found.pid
        agent.end()
        assert discovery.running(desk) is not None, "the broker outlives the agent that started it"


def test_a_new_process_overrules_the_stop_mark(desk: Place, overlay: dict[str, str]) -> None:
    desk.make()
    desk.mark_stopped()
    with Agent(desk.root, env=overlay) as agent:
        agent.initialize()
        assert not desk.is_stopped()


def test_after_a_crash_the_relays_start_one_new_broker_between_them(
    desk: Place, overlay: dict[str, str]
) -> None:
    agents = [Agent(desk.root, env=overlay) for _ in range(4)]
    for agent in agents:
        agent.initialize()
    before = discovery.running(desk)
    assert before is not None
    os.kill(before.pid, signal.SIGKILL)
    killed = time.monotonic()
    for agent in agents:
        agent.call("hi")
    for agent in agents:
        assert agent.hear()["result"]["content"][0]["text"] == "hi"
    assert time.monotonic() - killed < 5
    after = discovery.running(desk)
    assert after is not None and after.pid != before.pid
    alive = [pid for pid in map(int, os.listdir(overlay["STARTED"])) if pid != before.pid]
    eventually(lambda: sum(os.path.exists(f"/proc/{pid}/exe") for pid in alive) == 1)
    for agent in agents:
        with agent:
            assert agent.end()[0] == 0


def test_what_a_broker_says_that_cannot_start_is_in_the_desks_log(
    desk: Place, overlay: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "overlay" / "chardesk" / "cli.py").write_text("import sys; sys.exit('no such luck')")
    log = Path(desk.log, "broker.err")
    with Agent(desk.root, env=overlay) as agent:
        agent.call("hi")
        eventually(lambda: log.exists() and "no such luck" in log.read_text())
        assert agent.end()[0] == 0
