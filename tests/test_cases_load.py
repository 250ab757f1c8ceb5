"""Floods, peers that never read, and goodbyes: what each side is told, and that nobody else notices."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from brokers import RunningBroker
from drawings import commit
from parties import PATIENCE_S, Caller, Person, RawAgent, answer_of, eventually, faultless, sheet_of
from stores import keep, running
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from chardesk.broker.desk.known.tenants import MAX_TENANTS
from chardesk.broker.door.key import read_key
from chardesk.broker.wire import codes
from chardesk.broker.wire.messages import MAX_FRAME_BYTES
from chardesk.tools.model.cell import Style
from chardesk.tools.model.change import Change, Run, Strip
from chardesk.tools.model.steps import CanvasAdded, SheetAdded

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


# -- much at once --------------------------------------------------------------------


def colourful(folder: Path) -> int:
    """A desk with a sheet of half a million cells in two colours by turns; bytes of its snapshot at least."""
    columns, rows = 500, 1_000
    strip = Strip(("a",) * columns, (Style("#ff0000"), Style("#00ff00")) * (columns // 2))
    cells = Change(tuple(Run(y, 0, Strip.empty(columns), strip) for y in range(rows)))
    steps = (CanvasAdded("cv", "one", "freeform"), SheetAdded("cv", 0, "pg", "s", None, cells))
    with running(folder) as (store, ears):
        keep(store, ears, [commit(1, steps, canvas="cv", sheet="pg")])
    return len('[0,"a",0],') * columns * rows


def test_a_page_that_reads_late_gets_a_sheet_that_is_larger_than_what_it_may_leave_unread(
    tmp_path: Path,
) -> None:
    """WSL-02: a snapshot comes in parts, each within a frame, and the link stays."""
    size = colourful(tmp_path / "desk")
    with faultless(tmp_path / "desk") as broker:
        with Person(broker) as person:
            token = person.token
            parts = [told for told in person.heard if told["type"] == "snapshot"]
            assert len(parts) > 4
            assert sum(len(row) for part in parts for row in part["cells"]["rows"]) > 0
            assert person.type(0, 2_000, "mine")["type"] in ("change", "done")
        with connect(
            f"ws://{broker.address}/page",
            origin=Origin(f"http://{broker.address}"),
            compression=None,
            proxy=None,
            max_queue=1,
        ) as late:
            late.send(json.dumps({"type": "hello", "protocol": 1, "kind": "reader", "token": token}))
            eventually(lambda: broker.call("status")["pages"] == 1)
            frames: list[str] = []
            while "governed" not in (frames[-1:] or [""])[0][:30]:
                frames.append(str(late.recv(timeout=PATIENCE_S)))
            assert sum(map(len, frames)) > size > 4 * 1024 * 1024
            assert max(map(len, frames)) <= MAX_FRAME_BYTES


def test_a_desk_takes_sixty_four_agents_serves_each_and_tells_the_next_to_come_later(tmp_path: Path) -> None:
    with faultless(tmp_path / "desk") as broker, ExitStack() as stack:
        agents = [stack.enter_context(RawAgent(broker, f"agent-{n}")) for n in range(MAX_TENANTS)]
        for number, one in enumerate(agents):
            arguments = {"at": [0, number], "content": f"by {number}", "mode": "apply"}
            assert answer_of(one.ask("tools/call", name="canvas_write", arguments=arguments)).code is None
        with pytest.raises(ConnectionClosed) as closed:
            stack.enter_context(RawAgent(broker, "one-too-many"))
        assert closed.value.rcvd is not None and "64" in closed.value.rcvd.reason
        assert len(broker.call("status")["tenants"]) == MAX_TENANTS
        agents[0]._stack.close()
        with Caller(broker.place.root, "late") as late:
            assert len(late.rows((0, 0, 9, MAX_TENANTS // 2))) == MAX_TENANTS // 2


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
