"""Nonsense at every socket and every operation: no crash, no hang, no traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from brokers import RunningBroker
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from parties import PATIENCE_S, Person, RawAgent, faultless
from playbook import SHEET, Agent, Playbook
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from chardesk.broker.desk import events as e
from chardesk.broker.wire import from_page as m_from
from chardesk.broker.wire.codec import decode
from chardesk.tools.errors import CODES, Refused
from chardesk.tools.registry import OPERATIONS
from chardesk.tools.schema import json_schema

CALM = settings(deadline=None, suppress_health_check=list(HealthCheck))

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**64), 2**64),
    st.floats(allow_nan=False),
    st.text(max_size=20),
    st.sampled_from(["", "\0", "\ud800", "‮", "👨‍👩‍👧", "pv-2345abcdef", "..", "$0.bounds", "any", "9" * 400]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def likely(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values that are often right for this field, so that more than the first check is met."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"]) | JSON
    match schema.get("type"):
        case "integer":
            return st.integers(-5, 300) | JSON
        case "array" if schema.get("items", {}).get("type") == "integer":
            count = schema.get("minItems", 2)
            return st.lists(st.integers(-3, 90), min_size=count, max_size=count) | JSON
        case "boolean":
            return st.booleans() | JSON
        case "string":
            return st.text(max_size=30) | JSON
        case _:
            return JSON


def calls() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """A tool with some of its fields, some that it has not, and now and then what is no tool."""
    known = []
    for operation in OPERATIONS:
        schema = json_schema(operation.args)
        needed = {name: likely(schema["properties"][name]) for name in schema.get("required", [])}
        others = {name: likely(field) for name, field in schema["properties"].items() if name not in needed}
        fields = st.fixed_dictionaries(needed, optional=others)
        known.append(st.tuples(st.just(operation.name), fields))
    nonsense = st.tuples(
        st.sampled_from([one.name for one in OPERATIONS]) | st.text(max_size=12),
        st.dictionaries(st.text(max_size=8), JSON, max_size=4),
    )
    return st.one_of(*known, nonsense)


@settings(CALM, max_examples=150)
@given(st.lists(calls(), min_size=1, max_size=6), st.sampled_from(["observe", "propose", "apply"]))
def test_every_call_whatever_it_holds_is_answered_or_goes_on_elsewhere(
    asked: list[tuple[str, dict[str, Any]]], grant: Any
) -> None:
    play = Playbook()
    agent = play.agent("ada", grant)
    for tool, arguments in asked:
        call = _ask(play, agent, tool, arguments)
        answers = play.turns()
        if not answers:
            assert play.state.jobs or play.state.waits.all, f"{tool} was lost"
            agent.leaves()
            agent = play.agent("ada", grant)
            continue
        (answer,) = [one for one in answers if one.call == call]
        if answer.reply.is_error:
            assert answer.reply.fields["code"] in CODES
        json.dumps(answer.reply.fields)
    assert play.sheet(SHEET)


def _ask(play: Playbook, agent: Agent, tool: str, arguments: dict[str, Any]) -> str:
    """As the wire gives it: names that are no Python words too."""
    agent._calls += 1
    call = f"{agent.name}-{agent._calls}"
    play.feed(e.Called(agent.link, call, tool, arguments, None, play.at))
    return call


MESSAGE_TYPES = [message.model_fields["type"].default for message in get_args(get_args(m_from.FromPage)[0])]


@settings(CALM, max_examples=300)
@given(
    st.one_of(
        st.binary(max_size=80),
        st.text(max_size=80),
        st.builds(
            lambda kind, rest: json.dumps({"type": kind, **rest}),
            st.sampled_from(MESSAGE_TYPES),
            st.dictionaries(st.sampled_from(["id", "epoch", "sheet", "op", "at", "rect", "to"]), JSON),
        ),
    )
)
def test_what_a_page_sends_is_a_message_or_refused(frame: str | bytes) -> None:
    try:
        decode(frame)
    except Refused as refusal:
        assert refusal.code in CODES


# -- sockets -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("fuzz") / "desk") as running:
        yield running


def socket(broker: RunningBroker, path: str) -> ClientConnection:
    return connect(
        f"ws://{broker.address}{path}",
        origin=Origin(f"http://{broker.address}"),
        compression=None,
        proxy=None,
        max_size=None,
    )


FRAMES: list[str | bytes] = [
    "",
    "{",
    "null",
    "[]",
    '"text"',
    "9" * 5_000,
    "[" * 30_000,
    '{"a":' * 20_000,
    b"\xff\xfe\x00",
    b"\x00" * 1_000,
    '{"chardesk":',
    '{"chardesk":"ask","what":"stop"}',
    '{"chardesk":"file","id":7,"text":[]}',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id":{},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7,"arguments":"x"}}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"canvas_read","arguments":{"\\ud800":1}}}',
    '{"jsonrpc":"2.0","id":1,"method":"no/such","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}',
    '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
    '{"type":"hello"}',
    '{"type":"hello","protocol":"one","token":{}}',
]


@pytest.mark.parametrize("path", ["/agent", "/page", "/read"])
def test_nonsense_before_hello_is_closed_and_told_nothing(broker: RunningBroker, path: str) -> None:
    for frame in FRAMES:
        with socket(broker, path) as peer:
            peer.send(frame)
            with pytest.raises(ConnectionClosed) as closed:
                peer.recv(timeout=PATIENCE_S)
            reason = closed.value.rcvd
            assert reason is None or "Traceback" not in reason.reason


def test_nonsense_within_a_session_leaves_the_session_going(broker: RunningBroker) -> None:
    """Each is answered, or says nothing; a ping behind it is always answered."""
    with RawAgent(broker, "fuzz") as agent:
        for frame in FRAMES:
            agent._socket.send(frame)
            heard = agent.ask("ping")
            while heard.get("result") != {}:
                said = json.dumps(heard)
                assert "Traceback" not in said and str(Path(__file__).parents[1]) not in said
                heard = json.loads(agent._socket.recv(timeout=PATIENCE_S))


@settings(CALM, max_examples=60)
@given(asked=calls())
def test_calls_over_the_wire_are_answered_whatever_they_hold(
    broker: RunningBroker, asked: tuple[str, dict[str, Any]]
) -> None:
    tool, arguments = asked
    if arguments.get("action") == "wait" or tool == "canvas_code":
        arguments = {**arguments, "timeoutMs": 50}
    with RawAgent(broker, "fuzz") as agent:
        told = agent.ask("tools/call", name=tool, arguments=arguments)
        assert "result" in told or told["error"]["code"] in (-32600, -32602, -32700)
        assert "Traceback" not in json.dumps(told)


def test_a_page_that_talks_nonsense_is_closed_with_a_reason(broker: RunningBroker) -> None:
    with Person(broker) as person:
        token = person.token
    for frame in FRAMES[:12]:
        with Person(broker, token) as person:
            person._socket.send(frame)
            with pytest.raises(ConnectionClosed) as closed:
                while True:
                    person._socket.recv(timeout=PATIENCE_S)
            assert closed.value.rcvd is not None and closed.value.rcvd.code in (1002, 1009)
