"""Floods, peers that never read, and goodbyes: what each side is told, and that nobody else notices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from brokers import RunningBroker
from parties import PATIENCE_S, Caller, Person, RawAgent, answer_of, eventually, faultless, sheet_of
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from chardesk.broker.door.key import read_key
from chardesk.broker.wire import codes

MANY = 200


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("load") / "desk") as running:
        yield running


@pytest.fixture
def agent(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root, "ada") as found:
        yield found


def test_two_hundred_calls_at_once_are_all_served_in_order(agent: Caller) -> None:
    where = sheet_of(agent)
    asked = [
        agent.send("canvas_write", at=[n % 100, n // 100], content="x", mode="apply", **where)
        for n in range(MANY)
    ]
    heard = [agent.hear() for _ in asked]
    assert [message["id"] for message in heard] == asked
    revisions = [answer_of(message).fields["revision"] for message in heard]
    assert revisions == sorted(set(revisions))
    assert agent.rows((0, 0, 100, 2), **where) == ["x" * 100] * 2


def test_calls_edits_and_a_cancellation_at_once_are_each_handled_once(
    broker: RunningBroker, agent: Caller
) -> None:
    """WSL-03"""
    with Person(broker) as person:
        where = {"canvasId": person.welcome["canvas"], "pageId": person.welcome["sheet"]}
        calls = [
            agent.send("canvas_write", at=[n, 50], content="a", mode="apply", **where) for n in range(50)
        ]
        slow = agent.send("canvas_code", script="for (;;);", timeoutMs=9_000, **where)
        calls += [
            agent.send("canvas_write", at=[n, 51], content="b", mode="apply", **where) for n in range(50)
        ]
        agent.write(
            json.dumps(
                {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": slow}}
            ).encode()
            + b"\n"
        )
        edits = [person.edit("text", at=[n, 52], text="p") for n in range(20)]
        assert all(told["type"] in ("change", "done") for told in edits)
        heard = [agent.hear()["id"] for _ in calls]
        assert heard == calls
    assert agent.rows((0, 50, 50, 3), **where) == ["a" * 50, "b" * 50, "p" * 20]


UNREAD_WRITES = 200
"""Of some 150 kB each: more than the broker's limit of 8 MiB and what kernels buffer together."""


HISTORY_MIB = 64
"""What the broker keeps of the writes themselves, for undo; it is there without a slow page too."""


def test_a_page_that_never_reads_is_cut_and_others_go_on(broker: RunningBroker, agent: Caller) -> None:
    """WSL-01, at the scale of a test: some thirty megabytes that nobody reads."""
    with Person(broker) as person:
        token, sheet = person.token, person.welcome["sheet"]
        before = _resident_mib(broker.pid)
        with connect(
            f"ws://{broker.address}/page",
            origin=Origin(f"http://{broker.address}"),
            compression=None,
            proxy=None,
            max_queue=1,
        ) as deaf:
            deaf.send(json.dumps({"type": "hello", "protocol": 1, "kind": "reader", "token": token}))
            deaf.recv(timeout=PATIENCE_S)
            rows = "\n".join(f"{'世' * 90}" for _ in range(180))
            pages = broker.call("status")["pages"]
            for n in range(UNREAD_WRITES):
                content = rows if n % 2 else rows.replace("世", "界")
                agent.put(0, 100, content, pageId=sheet, expectedRevision="any")
                person.until(lambda told: told["type"] in ("change", "snapshot"))
                if n % 20 == 19 and broker.call("status")["pages"] < pages:
                    break
            eventually(lambda: broker.call("status")["pages"] < pages)
            assert _resident_mib(broker.pid) - before < 64 + HISTORY_MIB
        assert person.edit("text", at=[0, 60], text="still here")["type"] in ("change", "done")


def _resident_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024


# -- goodbyes ------------------------------------------------------------------------


def test_every_goodbye_says_why(tmp_path: Path) -> None:
    """WSL-04: bad token, wrong key, another protocol, replaced, and a shutdown that is no error."""
    with faultless(tmp_path / "desk") as broker:
        assert _closed(broker, "/page", {"type": "hello", "protocol": 1, "token": "no"})[0] == codes.AUTH
        hello = {"chardesk": "hello", "protocol": 1, "name": "x", "resume": None}
        assert _closed(broker, "/agent", {**hello, "key": "wrong"})[0] == codes.AUTH
        key = read_key(broker.place)
        code, reason = _closed(broker, "/agent", {**hello, "key": key, "protocol": 0})
        assert code == codes.INCOMPATIBLE and "protocol 1" in reason
        with RawAgent(broker, "first") as first:
            resume = {**hello, "key": key, "resume": first.welcome["token"]}
            with connect(f"ws://{broker.address}/agent", compression=None, proxy=None) as second:
                second.send(json.dumps(resume))
                assert json.loads(second.recv(timeout=PATIENCE_S))["name"] == "first"
                with pytest.raises(ConnectionClosed) as replaced:
                    first._socket.recv(timeout=PATIENCE_S)
                assert replaced.value.rcvd is not None and replaced.value.rcvd.code == codes.REPLACED
                broker.stop()
                with pytest.raises(ConnectionClosed) as over:
                    while True:
                        second.recv(timeout=PATIENCE_S)
                assert over.value.rcvd is not None and over.value.rcvd.code == codes.RESTARTING
        assert "ERROR" not in broker.log
        broker.start()


def _closed(broker: RunningBroker, path: str, hello: dict[str, object]) -> tuple[int, str]:
    """The close code and reason that this hello gets."""
    origin = Origin(f"http://{broker.address}")
    with connect(f"ws://{broker.address}{path}", origin=origin, compression=None, proxy=None) as peer:
        peer.send(json.dumps(hello))
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                peer.recv(timeout=PATIENCE_S)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code, closed.value.rcvd.reason


def test_a_stop_ends_waits_and_messages_are_there_afterwards(tmp_path: Path) -> None:
    with faultless(tmp_path / "desk") as broker, RawAgent(broker, "ada") as ada:
        with Caller(broker.place.root, "bo") as bo:
            bo.ok("canvas_inbox", action="post", to="ada", text="keep this")
        told = ada.ask("tools/call", name="canvas_inbox", arguments={"action": "receive"})
        assert [one["text"] for one in answer_of(told).fields["messages"]] == ["keep this"]
        wait = {"name": "canvas_inbox", "arguments": {"action": "wait"}}
        ada._socket.send(json.dumps({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": wait}))
        eventually(lambda: broker.call("status")["waits"] == 1)
        broker.stop()
        ended = json.loads(ada._socket.recv(timeout=PATIENCE_S))
        assert ended["id"] == 77 and answer_of(ended).fields["ended"] == "broker_restarting"
        broker.start()
        with Caller(broker.place.root, "ada") as again:
            assert [one["text"] for one in again.ok("canvas_inbox", action="receive")["messages"]] == [
                "keep this"
            ]
