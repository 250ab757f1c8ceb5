"""Frames at and over the limit, and frames that are no message: each is answered, and the session goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, RawAgent, answer_of, faultless, sheet_of

from chardesk.broker.faces.amiss import bounded, not_a_message, too_large
from chardesk.broker.wire.messages import MAX_FRAME_BYTES


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("frames") / "desk") as running:
        yield running


def call(number: int, tool: str, arguments: str) -> str:
    """A `tools/call` whose arguments are spelt out as JSON text."""
    params = f'{{"name":"{tool}","arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{params}}}'


# -- the limit


def written(number: int, size: int, letter: str = "x") -> str:
    """A write whose frame has exactly so many bytes. Its content is far over what a write takes."""
    empty = call(number, "canvas_write", '{"at":[0,0],"content":""}')
    room = size - len(empty.encode())
    content = letter * (room // len(letter.encode())) + "x" * (room % len(letter.encode()))
    frame = call(number, "canvas_write", f'{{"at":[0,0],"content":"{content}"}}')
    assert len(frame.encode()) == size
    return frame


@pytest.mark.parametrize("letter", ["x", "世"], ids=["narrow", "wide"])
@pytest.mark.parametrize("over", [-1, 0, 1, 1024 * 1024])
def test_a_call_over_the_limit_fails_alone_and_says_both_numbers(
    broker: RunningBroker, over: int, letter: str
) -> None:
    with RawAgent(broker, "big") as agent:
        size = MAX_FRAME_BYTES + over
        told = answer_of(agent.say(written(7, size, letter)))
        assert told.code == "too_large"
        is_frame = told.fields["details"] == {"limit": MAX_FRAME_BYTES, "actual": size}
        assert is_frame == (over > 0), "up to the limit it is the content that is too large, not the frame"
        assert agent.ask("ping")["result"] == {}


def test_a_link_stays_over_the_limit_for_other_requests_too(broker: RunningBroker) -> None:
    with RawAgent(broker, "big") as agent:
        padding = "x" * MAX_FRAME_BYTES
        message = agent.say(
            f'{{"jsonrpc":"2.0","id":5,"method":"ping","params":{{"_meta":{{"a":"{padding}"}}}}}}'
        )
        assert message["id"] == 5 and str(MAX_FRAME_BYTES) in message["error"]["message"]
        assert agent.ask("ping")["result"] == {}


def test_a_reply_over_the_limit_is_refused_in_its_place() -> None:
    result = {"content": [], "structuredContent": {"text": "x" * MAX_FRAME_BYTES}}
    frame = json.dumps({"jsonrpc": "2.0", "id": "seven", "result": result})
    message = json.loads(bounded(frame))
    assert message["id"] == "seven" and message["result"]["isError"]
    assert message["result"]["structuredContent"]["code"] == "too_large"
    assert message["result"]["structuredContent"]["details"]["actual"] == len(frame)


@pytest.mark.parametrize("letter", ["x", "世", "😀"])
def test_a_reply_of_the_limit_passes_as_it_is(letter: str) -> None:
    shell = len(json.dumps({"id": 1, "result": ""}, ensure_ascii=False))
    text = letter * ((MAX_FRAME_BYTES - shell) // len(letter.encode()))
    frame = json.dumps({"id": 1, "result": text}, ensure_ascii=False)
    assert bounded(frame) is frame
    over = json.dumps({"id": 1, "result": text + letter * 2}, ensure_ascii=False)
    assert json.loads(bounded(over))["result"]["isError"]


# -- no message


HALF = '"\\ud83d"'
"""Half of an emoji, as a client writes it that cut a text in the middle."""

TORN = (
    call(7, "canvas_write", f'{{"at":[0,0],"content":{HALF},"mode":"apply"}}'),
    call(7, "canvas_write", f'{{"at":[0,0],"content":"x","why":{HALF},"mode":"apply"}}'),
    call(7, "canvas_search", f'{{"query":{HALF}}}'),
    call(7, "canvas_read", f'{{"canvasId":{HALF}}}'),
    call(7, "canvas_manage", f'{{"action":"create","kind":"freeform","name":{HALF}}}'),
    call(7, "canvas_code", f'{{"script":{HALF}}}'),
    call(7, "canvas_write", f"{{{HALF}:1}}"),
)


@pytest.mark.parametrize("frame", TORN)
def test_half_a_character_is_refused_and_nobody_waits_for_ever(broker: RunningBroker, frame: str) -> None:
    with RawAgent(broker, "raw") as agent, Caller(broker.place.root, "ada") as relayed:
        relayed.write(frame.encode() + b"\n")
        for message in (agent.say(frame), relayed.hear()):
            assert message["id"] == 7
            told = answer_of(message)
            assert told.code == "invalid_input" and "surrogate" in told.text
        where = sheet_of(relayed)
        assert relayed.put(0, 0, "still here", **where)["applied"]


ODD: tuple[tuple[str, int, int | str | None], ...] = (
    ("not json", -32700, None),
    ('{"jsonrpc":"2.0","id":7,"method":"ping"', -32700, None),
    ("[" * 5000, -32700, None),
    ("[]", -32600, None),
    ("null", -32600, None),
    ("7", -32600, None),
    ("{}", -32600, None),
    ('{"id":7,"method":"ping"}', -32600, 7),
    ('{"jsonrpc":"1.0","id":"seven","method":"ping"}', -32600, "seven"),
    ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}', -32600, 7),
    ('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{}}}', -32602, 7),
    ('{"jsonrpc":"2.0","id":7,"method":"nope"}', -32601, 7),
)


@pytest.mark.parametrize(("frame", "code", "identity"), ODD)
def test_what_is_no_request_is_a_json_rpc_error_under_its_own_id(
    broker: RunningBroker, frame: str, code: int, identity: int | str | None
) -> None:
    with RawAgent(broker, "odd") as agent:
        message = agent.say(frame)
        assert (message["error"]["code"], message["id"]) == (code, identity)
        assert agent.ask("ping")["result"] == {}


@pytest.mark.parametrize("arguments", ["null", "{}", '{"at":[1e400,0]}', '{"at":[99999999999999999999,0]}'])
def test_odd_arguments_are_refused_as_arguments(broker: RunningBroker, arguments: str) -> None:
    with RawAgent(broker, "odd") as agent:
        assert answer_of(agent.say(call(7, "canvas_write", arguments))).code == "invalid_input"


@pytest.mark.parametrize("identity", ["1.5", "true", "null", "[1]", '{"a":1}'])
def test_an_id_that_is_none_is_not_given_back(identity: str) -> None:
    frame = f'{{"id":{identity},"method":"ping"}}'
    for answer in (not_a_message(frame), too_large(frame)):
        assert json.loads(answer)["id"] is None


def test_every_answer_is_plain_json() -> None:
    frames: list[str] = ["", "\ud83d", f'{{"id":{HALF}}}', *TORN]
    answers: list[Fields] = [json.loads(not_a_message(frame).encode()) for frame in frames]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
