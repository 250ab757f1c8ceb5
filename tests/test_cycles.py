"""Two hundred comings and goings of every kind; then nothing of them is left in the broker."""

from __future__ import annotations

import json
import os
import re
import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker
from parties import PATIENCE_S, Caller, Person, RawAgent, eventually, faultless
from raw_http import ask, upgrade
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from chardesk.broker.door import discovery
from chardesk.broker.door.key import read_key
from chardesk.broker.link.client import Client

CYCLES = 200
RELAYS = 10
"""Of the visits through a process of their own, which take longest."""

Visit = Callable[[RunningBroker], None]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("cycles") / "desk") as running:
        yield running


@pytest.fixture(scope="module")
def token(broker: RunningBroker) -> str:
    with Person(broker) as person:
        return person.token


# -- agents --------------------------------------------------------------------------

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "waits": ("canvas_inbox", {"action": "wait", "timeoutMs": 60_000}),
    "runs a script": ("canvas_code", {"script": "for (;;);", "timeoutMs": 10_000}),
    "asks for a file": ("canvas_write", {"at": [0, 0], "sourceRef": "a.txt"}),
    "renders much": ("canvas_render", {"at": [0, 0], "source": "much **text** " * 8_000}),
}


def an_agent_that_writes(broker: RunningBroker) -> None:
    with RawAgent(broker, "guest") as agent:
        arguments = {"at": [0, 0], "content": "x", "mode": "apply"}
        assert "result" in agent.ask("tools/call", name="canvas_write", arguments=arguments)


def an_agent_that_subscribes(broker: RunningBroker) -> None:
    with RawAgent(broker, "guest") as agent:
        assert agent.ask("resources/subscribe", uri="chardesk://inbox")


def an_agent_that_goes_while_it(what: str, broker: RunningBroker) -> None:
    """Without a goodbye, in the midst of a call; a ping behind it was answered, so the call is there."""
    tool, arguments = CALLS[what]
    with RawAgent(broker, "guest") as agent:
        call = {"name": tool, "arguments": arguments}
        agent._socket.send(json.dumps({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": call}))
        agent.ask("ping")
        agent._socket.socket.shutdown(socket.SHUT_RDWR)


def a_relayed_agent(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "relayed") as agent:
        agent.put(0, 0, "x", expectedRevision="any")


def a_command_line(broker: RunningBroker) -> None:
    found = discovery.running(broker.place)
    assert found is not None
    with Client(broker.place, found) as client:
        assert client.ask("status")["running"]
        assert "structuredContent" in client.call("canvas_manage", {"action": "list"})


# -- pages ---------------------------------------------------------------------------


def a_page_that_draws(token: str, broker: RunningBroker) -> None:
    with Person(broker, token, take_seat=True) as person:
        person.type(0, 3, "x")
        person.say("web_mcp_call", id="w", tool="canvas_manage", arguments={"action": "list"})
        person.until(lambda told: told["type"] == "web_mcp_result")


def a_reader_that_is_cut_off(token: str, broker: RunningBroker) -> None:
    with Person(broker, token, kind="reader") as person:
        person._socket.socket.shutdown(socket.SHUT_RDWR)


# -- who does not get in -------------------------------------------------------------

REFUSED: dict[str, tuple[str, Callable[[RunningBroker], Any]]] = {
    "a wrong key": ("/agent", lambda _: {"chardesk": "hello", "protocol": 1, "key": "0" * 64, "name": "x"}),
    "another protocol": (
        "/agent",
        lambda broker: {"chardesk": "hello", "protocol": 0, "key": read_key(broker.place), "name": "x"},
    ),
    "a wrong token": ("/page", lambda _: {"type": "hello", "protocol": 1, "token": "x" * 32}),
    "noise": ("/read", lambda _: [[[]]]),
}


def opened(broker: RunningBroker, path: str) -> Any:
    origin = Origin(f"http://{broker.address}")
    return connect(f"ws://{broker.address}{path}", origin=origin, compression=None, proxy=None)


def a_hello_with(what: str, broker: RunningBroker) -> None:
    path, hello = REFUSED[what]
    with opened(broker, path) as peer:
        peer.send(json.dumps(hello(broker)))
        with pytest.raises(ConnectionClosed):
            while True:
                peer.recv(timeout=PATIENCE_S)


def a_site_from_elsewhere(broker: RunningBroker) -> None:
    assert upgrade(broker.address, "/agent", ("Host", broker.address), ("Origin", "null")).status == 403
    assert ask(broker.address, "/", ("Host", broker.address)).status == 200


def half_a_request(broker: RunningBroker) -> None:
    with _tcp(broker) as sock:
        sock.sendall(b"GET /agent HTTP/1.1\r\nHost: ")


def a_connection_that_is_reset(broker: RunningBroker) -> None:
    with _tcp(broker) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def a_socket_that_goes_before_its_hello(broker: RunningBroker) -> None:
    with opened(broker, "/agent") as peer:
        peer.socket.shutdown(socket.SHUT_RDWR)


def _tcp(broker: RunningBroker) -> socket.socket:
    host, _, port = broker.address.rpartition(":")
    return socket.create_connection((host, int(port)), PATIENCE_S)


def silent(broker: RunningBroker) -> list[Any]:
    """Half-open: each got as far as it can get without a word, and says nothing more."""
    request = f"GET /page HTTP/1.1\r\nHost: {broker.address}\r\n".encode()
    half = _tcp(broker)
    half.sendall(request)
    return [half, _tcp(broker), *(opened(broker, path) for path in ("/agent", "/page", "/read"))]


# -- the count -----------------------------------------------------------------------


def visits(token: str) -> list[Visit]:
    return [
        an_agent_that_writes,
        an_agent_that_subscribes,
        *(partial(an_agent_that_goes_while_it, what) for what in CALLS),
        a_command_line,
        partial(a_page_that_draws, token),
        partial(a_reader_that_is_cut_off, token),
        *(partial(a_hello_with, what) for what in REFUSED),
        a_site_from_elsewhere,
        half_a_request,
        a_connection_that_is_reset,
        a_socket_that_goes_before_its_hello,
    ]


def counts(broker: RunningBroker) -> dict[str, int]:
    """What one connection adds to, as the broker and as the system count it."""
    proc, told = Path(f"/proc/{broker.pid}"), broker.call("status")
    sockets = [_readlink(one) for one in (proc / "fd").iterdir()]
    return {
        **{what: told[what] for what in ("tasks", "links", "watchers", "pages", "waits", "jobs")},
        "tenants": len(told["tenants"]),
        "open calls": told["calls"]["open"],
        "descriptors": len(sockets),
        "sockets": len([one for one in sockets if one.startswith("socket:")]),
        "listeners": _listening(proc, sockets),
        "threads": len(list((proc / "task").iterdir())),
    }


def _readlink(file: Path) -> str:
    try:
        return os.readlink(file)
    except FileNotFoundError:
        return ""


def _listening(proc: Path, sockets: list[str]) -> int:
    rows = [row.split() for row in (proc / "net/tcp").read_text().splitlines()[1:]]
    ours = {found[1] for one in sockets if (found := re.fullmatch(r"socket:\[(\d+)\]", one))}
    return len([row for row in rows if row[3] == "0A" and row[9] in ours])


def settled(broker: RunningBroker, before: dict[str, int]) -> None:
    """Wait until nothing is above its count; fails with what is."""
    over: dict[str, tuple[int, int]] = {}

    def is_settled() -> bool:
        now = counts(broker)
        over.clear()
        over.update({what: (before[what], n) for what, n in now.items() if n > before[what]})
        return not over

    with suppress(AssertionError):
        eventually(is_settled)
    assert over == {}


def once(broker: RunningBroker, kinds: list[Visit]) -> None:
    """Each kind, and two that keep both threads for work busy at once: threads stay in their pools."""
    busy: Visit = partial(an_agent_that_goes_while_it, "renders much")
    for visit in (*kinds, busy, busy):
        visit(broker)
    a_relayed_agent(broker)
    with ExitStack() as stack:
        for one in silent(broker):
            stack.enter_context(one)
    eventually(lambda: counts(broker)["links"] == 1)


def test_two_hundred_visits_leave_nothing_behind(broker: RunningBroker, token: str) -> None:
    """R87, R97: tasks, links, listeners, descriptors and threads return to their count."""
    kinds = visits(token)
    once(broker, kinds)
    before = counts(broker)
    assert (before["listeners"], before["tenants"], before["links"]) == (1, 0, 1), "the one that asks"
    with ExitStack() as stack:
        for one in silent(broker):
            stack.enter_context(one)
        for visit in islice(cycle(kinds), CYCLES):
            visit(broker)
        for _ in range(RELAYS):
            a_relayed_agent(broker)
    settled(broker, before)
