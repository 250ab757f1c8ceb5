"""Sockets of strangers, and texts that would like to be commands. For HTTP see test_security_http.py."""

from __future__ import annotations

import json
import threading
import time
import unicodedata
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, Person, RawAgent, faultless, sheet_of
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from chardesk.broker.door.key import read_key
from chardesk.broker.wire.codes import AUTH, INCOMPATIBLE
from chardesk.tools.arrange.forms import Action

PATIENCE_S = 8.0
"""A silent peer is closed after five seconds."""

AGENT_HELLO = {"chardesk": "hello", "protocol": 1, "name": "stranger", "cwd": "/", "resume": None}
PAGE_HELLO = {"type": "hello", "protocol": 1}
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "canvas_manage", "arguments": {"action": "list"}},
}
EDIT = {"type": "edit", "id": "e", "epoch": 1, "sheet": "pg-2345abcdef", "op": {"kind": "undo"}}

STRANGERS: tuple[tuple[str, str, Any], ...] = (
    ("/agent", "a wrong key", {**AGENT_HELLO, "key": "0" * 64}),
    ("/agent", "no key", AGENT_HELLO),
    ("/agent", "a key that is no text", {**AGENT_HELLO, "key": {"$ne": ""}}),
    ("/agent", "a call first", CALL),
    ("/agent", "a list", [1, 2]),
    ("/agent", "a question of the command line", {"chardesk": "ask", "id": 1, "what": "open"}),
    ("/agent", "a page's hello", {**PAGE_HELLO, "token": "x"}),
    ("/page", "a wrong token", {**PAGE_HELLO, "token": "x" * 32}),
    ("/page", "a wrong code", {**PAGE_HELLO, "code": "x" * 16}),
    ("/page", "nothing to show", PAGE_HELLO),
    ("/page", "an edit first", EDIT),
    ("/page", "an agent's hello", {**AGENT_HELLO, "key": "0" * 64}),
)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("security") / "desk") as running:
        yield running


@pytest.fixture
def agent(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root) as found:
        yield found


def turned_away(broker: RunningBroker, path: str, first: bytes | str | None) -> tuple[int, list[str | bytes]]:
    """Connect, say `first`; the close code, and whatever was heard before."""
    heard: list[str | bytes] = []
    with connect(f"ws://{broker.address}{path}", compression=None, proxy=None) as socket:
        if first is not None:
            socket.send(first)
        end = time.monotonic() + PATIENCE_S
        try:
            while True:
                heard.append(socket.recv(timeout=max(0.0, end - time.monotonic())))
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code, heard


@pytest.mark.parametrize(
    ("path", "who", "says"), STRANGERS, ids=[f"{path} {who}" for path, who, _ in STRANGERS]
)
def test_a_stranger_hears_nothing_but_the_close(
    broker: RunningBroker, path: str, who: str, says: Any
) -> None:
    """SEC-03, CON-10"""
    start = time.monotonic()
    assert turned_away(broker, path, json.dumps(says)) == (AUTH, [])
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("says", [b"\xff\x00\xfe", "not json", "", "[" * 5000, "null"])
@pytest.mark.parametrize("path", ["/agent", "/page"])
def test_noise_is_no_hello(broker: RunningBroker, path: str, says: bytes | str) -> None:
    """SEC-03"""
    assert turned_away(broker, path, says) == (AUTH, [])


def test_a_silent_peer_is_closed_within_seconds_and_told_nothing(broker: RunningBroker) -> None:
    """SEC-03: within the five seconds that a hello may take, and a moment."""
    ends: dict[str, tuple[int, list[str | bytes]]] = {}

    def wait(path: str) -> None:
        ends[path] = turned_away(broker, path, None)

    threads = [threading.Thread(target=wait, args=[path]) for path in ("/agent", "/page")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S + 1)
    assert ends == {"/agent": (AUTH, []), "/page": (AUTH, [])}


def test_a_right_key_with_another_protocol_is_told_both(broker: RunningBroker) -> None:
    hello = {**AGENT_HELLO, "key": read_key(broker.place), "protocol": 0}
    code, heard = turned_away(broker, "/agent", json.dumps(hello))
    assert code == INCOMPATIBLE
    assert json.loads(heard[0])["protocols"] == [1]


def test_another_protocol_does_not_help_a_wrong_key(broker: RunningBroker) -> None:
    hello = {**AGENT_HELLO, "key": "0" * 64, "protocol": 99}
    assert turned_away(broker, "/agent", json.dumps(hello)) == (AUTH, [])


# -- texts


HOSTILE = "A\x1b]52;c;QUJD\x07B\u009b2J\x07C"
"""Sets the clipboard, then clears the screen, in a terminal that believes it."""


def no_controls(agent: Caller, where: Fields) -> None:
    """Nothing stored on the sheet is a control, nor is anything that a read or a search shows."""
    told = agent.tool("canvas_read", representation="cells", **where)
    assert not [cell for cell in told.fields["cells"] if _has_control(cell["char"])]
    assert not _has_control(agent.tool("canvas_read", style="appearance", **where).text.replace("\n", ""))
    assert not _has_control(json.dumps(told.fields, ensure_ascii=False))


def _has_control(text: str) -> bool:
    return any(unicodedata.category(char) == "Cc" for char in text)


def test_a_literal_stroke_with_controls_is_refused_and_says_which(agent: Caller) -> None:
    """SEC-07"""
    where = sheet_of(agent)
    told = agent.tool("canvas_write", at=[0, 0], content=HOSTILE, mode="apply", **where)
    assert told.code == "invalid_input" and "U+001B" in told.text
    assert not _has_control(told.text.replace("\n", ""))
    assert agent.cells((0, 0, 30, 1), **where) == {}


@pytest.mark.parametrize(
    ("format_", "letters"), [("raw", "ABC"), ("markdown", "ABC"), ("ansi", "C"), ("auto", "C")]
)
def test_rendered_material_keeps_its_letters_and_no_control(
    agent: Caller, format_: str, letters: str
) -> None:
    """SEC-07; where the material is a terminal's, its "clear the screen" leaves the last letter only."""
    where = sheet_of(agent)
    told = agent.ok("canvas_render", at=[0, 0], source=HOSTILE, format=format_, mode="apply", **where)
    assert told.get("dropped") or told.get("diagnostics"), "what was left out is told"
    no_controls(agent, where)
    for letter in letters:
        assert agent.ok("canvas_search", query=letter, **where)["matches"]


def test_a_search_for_a_control_is_refused(agent: Caller) -> None:
    """SEC-07"""
    assert agent.tool("canvas_search", query="\x1b").code == "invalid_input"


# -- who may decide


PAGE_STYLE: tuple[Fields, ...] = (
    {"type": "decide", "epoch": 1, "preview": "", "version": 1, "verdict": "apply"},
    {"type": "govern", "epoch": 1, "author": "mallory", "grant": "apply"},
    {"type": "newcomers", "epoch": 1, "grant": "apply"},
    {"type": "edit", "id": "e", "epoch": 1, "sheet": "", "op": {"kind": "text", "at": [0, 0], "text": "x"}},
    {"chardesk": "ask", "id": 1, "what": "open"},
    {"chardesk": "ask", "id": 1, "what": "stop"},
    {"jsonrpc": "2.0", "id": 7, "method": "approve", "params": {"previewId": ""}},
)
LOOK_FOR_A_WAY = """
const names = [...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertyNames(canvas)];
return names.filter((name) => /appro|grant|decide|accept|polic|verdict|person/i.test(name));
"""


def test_an_agent_that_must_ask_finds_no_other_way(broker: RunningBroker) -> None:
    """SEC-08: every action, made-up parameters, a script that looks for a door, and a page's own messages."""
    with Caller(broker.place.root, "mallory") as mallory, Person(broker) as person:
        where = {"canvasId": person.welcome["canvas"], "pageId": person.welcome["sheet"]}
        person.say("govern", epoch=person.epoch, author="mallory", grant="propose")
        person.until(lambda told: told["type"] == "governed" and _grant(told) == "propose")
        before = broker.call("status")["seq"]
        ghost = mallory.ok("canvas_write", at=[0, 0], content="please", **where)["previewId"]
        write = {"at": [0, 0], "content": "mine", **where}
        codes = {
            str(more): mallory.tool("canvas_write", **write, **more).code
            for more in ({"mode": "apply"}, {"mode": "force"}, {"approved": True}, {"force": True})
        }
        assert list(codes.values()) == ["approval_required", *["invalid_input"] * 3]
        assert mallory.tool("canvas_history", action="apply_preview", previewId=ghost).code == (
            "approval_required"
        )
        for action in get_args(Action):
            told = mallory.tool("canvas_manage", action=action, **MANAGED.get(action, {}))
            is_look = action in ("list", "list_pages", "status", "show")
            is_ghost = told.fields.get("applied") is False
            assert (told.code is None) is (is_look or is_ghost), f"{action}: {told.text}"
        found = mallory.ok("canvas_code", script=LOOK_FOR_A_WAY, **where)
        assert found["result"] == []
        script = "canvas.write({at: [0, 0], content: 'x', mode: 'apply'}); return 1"
        assert mallory.tool("canvas_code", script=script, mode="apply", **where).refused
        with RawAgent(broker, "mallory") as raw:
            for message in PAGE_STYLE:
                said = json.dumps(message).replace('""', f'"{ghost}"')
                raw._socket.send(said)
                heard = json.dumps(raw.ask("ping"))
                while '"result": {}' not in heard:
                    assert "#code=" not in heard
                    heard = json.dumps(json.loads(raw._socket.recv(timeout=PATIENCE_S)))
        assert broker.call("status")["seq"] == before
        agents = {one["name"]: one["grant"] for one in broker.call("agents")["agents"]}
        assert agents["mallory"] == "propose"
        person.type(0, 20, "mine")
        cards = [told for told in person.heard if told["type"] == "preview" and told["author"] == "mallory"]
        assert len(cards) >= 2, "the person sees what was tried"


MANAGED: dict[str, Fields] = {
    "create": {"kind": "freeform"},
    "rename": {"name": "Taken over"},
    "show": {"rect": [0, 0, 5, 5]},
}


def _grant(told: Fields) -> str:
    return next(str(one["grant"]) for one in told["names"] if one["name"] == "mallory")
