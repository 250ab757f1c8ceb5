"""What a relay remembers of a conversation: lines and frames in, lines and frames out, and no process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from chardesk.broker.door import refusals, session
from chardesk.broker.door.refusals import REVOKED, UNREACHABLE
from chardesk.broker.door.request import NEVER
from chardesk.broker.door.session import Out, Session, ToBroker, ToClient

Message = dict[str, Any]
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bo", "version": "1"},
}


def line(message: Message) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()


def request(request_id: object, method: str, **params: Any) -> bytes:
    return line({"id": request_id, "method": method, "params": params})


def result(request_id: object, **fields: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": fields}, separators=(",", ":")).encode()


INITIALIZE = request(
    0, "initialize", protocolVersion="2025-11-25", clientInfo={"name": "ada", "version": "1"}
)
INITIALIZED = line({"method": "notifications/initialized"})
CALL = request(1, "tools/call", name="canvas_read", arguments={})


def told(outs: Iterable[Out]) -> tuple[list[Message], list[Message]]:
    """(to the broker, to the client)"""
    both = list(outs)
    to_broker = [json.loads(out.frame) for out in both if isinstance(out, ToBroker)]
    return to_broker, [json.loads(out.line) for out in both if isinstance(out, ToClient)]


def shape(messages: list[Message]) -> list[object]:
    """Methods of requests and notifications, ids of answers."""
    return [message.get("method", message.get("id")) for message in messages]


def opened() -> Session:
    """A session of the older era whose handshake is done."""
    talk = Session("nonce")
    list(talk.joined())
    list(talk.from_client(INITIALIZE, 0.0))
    list(talk.from_broker(result(0)))
    list(talk.from_client(INITIALIZED, 0.0))
    return talk


# -- lines that are no requests


@pytest.mark.parametrize(
    "noise", [b"hello", b"{", b'{"a":NaN}', b"\xff\xfe", b"[" * 100_000, b"\xef\xbb\xbf{}"]
)
def test_a_line_that_is_not_json_is_a_parse_error_and_the_session_goes_on(noise: bytes) -> None:
    talk = opened()
    _, (error,) = told(talk.from_client(noise, 0.0))
    assert (error["error"]["code"], error["id"]) == (-32700, None)
    assert shape(told(talk.from_client(CALL, 0.0))[0]) == ["tools/call"]


@pytest.mark.parametrize(
    "odd", [b"[]", b"[{}]", b"42", b"{}", b'{"id":1}', request(None, "x"), request(True, "x")]
)
def test_what_is_no_message_is_an_invalid_request(odd: bytes) -> None:
    _, (error,) = told(opened().from_client(odd, 0.0))
    assert (error["error"]["code"], error["id"]) == (-32600, None)


def test_blank_lines_are_nothing() -> None:
    assert told(opened().from_client(b" \r", 0.0)) == ([], [])


# -- passing on


def test_a_tool_call_is_stamped_with_nonce_and_id() -> None:
    talk = opened()
    (first,), _ = told(talk.from_client(CALL, 0.0))
    assert first["params"]["_meta"] == {"chardesk/call": "nonce:1#1"}
    list(talk.from_broker(result(1)))
    (again,), _ = told(talk.from_client(CALL, 0.0))
    assert again["params"]["_meta"] != first["params"]["_meta"], (
        "one id for everything must not look like a repeat"
    )


@pytest.mark.parametrize(
    "whole",
    [
        request(1, "tools/call", name="x", arguments={}, _meta={"chardesk/call": "mine"}),
        request(1, "tools/call", name="x", arguments={}, _meta=[]),
        b'{"jsonrpc":"2.0", "id":1,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n":1e999}}',
        b'{"jsonrpc":"2.0",  "id":7, "method":"tools/list"}',
    ],
)
def test_everything_else_goes_through_byte_for_byte(whole: bytes) -> None:
    (out,) = opened().from_client(whole, 0.0)
    assert isinstance(out, ToBroker) and out.frame == whole


def test_answers_and_notifications_of_the_broker_go_through_byte_for_byte() -> None:
    talk = opened()
    list(talk.from_client(CALL, 0.0))
    for frame in (
        line({"method": "notifications/progress", "params": {}}),
        request("e1:5", "sampling/createMessage"),
        line({"id": None, "error": {"code": -1, "message": "?"}}),
        b'{"result":{"x":"\xe6\xbc\xa2"},  "id":1, "jsonrpc":"2.0"}',
    ):
        (out,) = talk.from_broker(frame)
        assert isinstance(out, ToClient) and out.line == frame


def test_nothing_is_answered_twice_and_noise_never_reaches_the_client() -> None:
    talk = opened()
    list(talk.from_client(CALL, 0.0))
    assert len(list(talk.from_broker(result(1)))) == 1
    assert list(talk.from_broker(result(1))) == []
    assert list(talk.from_broker(result("1"))) == []
    assert list(talk.from_broker(b"oops")) == []


def test_the_clients_answers_to_the_broker_pass_while_there_is_a_session() -> None:
    talk = opened()
    assert shape(told(talk.from_client(line({"id": "e1:5", "result": {}}), 0.0))[0]) == ["e1:5"]
    talk.lost(1.0)
    assert told(talk.from_client(line({"id": "e1:6", "result": {}}), 1.0)) == ([], [])


def test_a_long_id_or_a_large_answer_is_still_matched() -> None:
    talk = opened()
    for request_id in ("x" * 2000, "漢" * 300, 'a"b', 2**63):
        list(talk.from_client(request(request_id, "tools/list"), 0.0))
        assert len(list(talk.from_broker(result(request_id, text="y" * 100_000)))) == 1


# -- bounds


def test_a_call_at_the_limit_passes_and_one_byte_more_is_refused_with_both_numbers() -> None:
    talk = opened()
    talk.limit = len(request(1, "tools/list", pad="x" * 100))
    assert shape(told(talk.from_client(request(1, "tools/list", pad="x" * 100), 0.0))[0]) == ["tools/list"]
    _, (error,) = told(talk.from_client(request(2, "tools/list", pad="x" * 101), 0.0))
    assert error["error"]["code"] == -32600
    call = request(3, "tools/call", name="canvas_write", arguments={"content": "x" * 200})
    to_broker, (refused,) = told(talk.from_client(call, 0.0))
    assert to_broker == []
    said = refused["result"]["structuredContent"]
    assert refused["result"]["isError"] and said["code"] == "too_large" and not said["retryable"]
    assert str(talk.limit) in said["message"] and said["nextStep"]


def test_no_more_is_kept_unanswered_than_can_be_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "UNANSWERED_LIMIT", 300)
    talk = opened()
    list(talk.from_client(request(1, "tools/list", pad="x" * 150), 0.0))
    _, (error,) = told(talk.from_client(request(2, "tools/list", pad="x" * 150), 0.0))
    assert error["error"]["data"]["code"] == "budget_exceeded"
    list(talk.from_broker(result(1)))
    assert shape(told(talk.from_client(request(3, "tools/list", pad="x" * 150), 0.0))[0]) == ["tools/list"]


# -- the handshake and the reconnect


def test_calls_sent_with_the_handshake_wait_for_its_answer() -> None:
    talk = Session("nonce")
    for each in (INITIALIZE, INITIALIZED, CALL):
        assert told(talk.from_client(each, 0.0)) == ([], [])
    assert shape(told(talk.joined())[0]) == ["initialize"]
    to_broker, to_client = told(talk.from_broker(result(0)))
    assert shape(to_client) == [0]
    assert shape(to_broker) == ["notifications/initialized", "tools/call"]


def test_a_reconnect_replays_the_handshake_swallows_its_answer_and_resends_what_is_unanswered() -> None:
    talk = opened()
    list(talk.from_client(request(5, "resources/subscribe", uri="chardesk://desk"), 0.0))
    list(talk.from_broker(result(5)))
    (sent,), _ = told(talk.from_client(CALL, 0.0))
    talk.lost(1.0)
    assert shape(told(talk.joined())[0]) == ["initialize"]
    to_broker, to_client = told(talk.from_broker(result(0)))
    assert to_client == []
    assert shape(to_broker) == ["notifications/initialized", "resources/subscribe", "tools/call"]
    assert to_broker[1]["params"] == {"uri": "chardesk://desk"}
    assert to_broker[2] == sent, "the same call key"
    assert told(talk.from_broker(result(to_broker[1]["id"]))) == ([], [])
    assert shape(told(talk.from_broker(result(1)))[1]) == [1]


def test_an_unsubscribed_resource_is_not_subscribed_again() -> None:
    talk = opened()
    for number, method in ((5, "resources/subscribe"), (6, "resources/unsubscribe")):
        list(talk.from_client(request(number, method, uri="chardesk://desk"), 0.0))
        list(talk.from_broker(result(number)))
    talk.lost(1.0)
    list(talk.joined())
    assert shape(told(talk.from_broker(result(0)))[0]) == ["notifications/initialized"]


def test_an_unanswered_handshake_is_answered_by_the_next_broker() -> None:
    talk = Session()
    list(talk.from_client(INITIALIZE, 0.0))
    list(talk.joined())
    talk.lost(1.0)
    list(talk.joined())
    assert shape(told(talk.from_broker(result(0)))[1]) == [0]


def test_a_refused_handshake_is_passed_on_and_not_replayed() -> None:
    talk = Session()
    list(talk.from_client(INITIALIZE, 0.0))
    list(talk.joined())
    no = b'{"jsonrpc":"2.0","id":0,"error":{"code":-32602,"message":"version"}}'
    assert shape(told(talk.from_broker(no))[1]) == [0]
    talk.lost(1.0)
    assert told(talk.joined()) == ([], [])


def test_the_newer_era_has_no_handshake_and_opens_its_subscription_again() -> None:
    talk = Session()
    list(talk.joined())
    listen = request(1, "subscriptions/listen", _meta=MODERN)
    assert shape(told(talk.from_client(listen, 0.0))[0]) == ["subscriptions/listen"]
    assert talk.client == "bo"
    talk.lost(1.0)
    assert told(talk.overdue(1e9, UNREACHABLE)) == ([], [])
    assert shape(told(talk.joined())[0]) == ["subscriptions/listen"]


def test_a_cancelled_call_is_not_sent_again() -> None:
    talk = opened()
    cancel = line({"method": "notifications/cancelled", "params": {"requestId": 1}})
    list(talk.from_client(CALL, 0.0))
    assert shape(told(talk.from_client(cancel, 0.0))[0]) == ["notifications/cancelled"]
    talk.lost(1.0)
    list(talk.from_client(CALL, 1.0))
    assert told(talk.from_client(cancel, 1.0)) == ([], [])
    list(talk.joined())
    assert shape(told(talk.from_broker(result(0)))[0]) == ["notifications/initialized"]


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"clientInfo": {"name": "ada"}}, "ada"),
        ({"clientInfo": {"name": 3}}, "agent"),
        ({"clientInfo": 1}, "agent"),
        ({}, "agent"),
    ],
)
def test_the_first_request_names_the_client(params: Message, name: str) -> None:
    talk = Session()
    list(talk.from_client(request(0, "initialize", **params), 0.0))
    assert talk.client == name


# -- in the dark


def test_a_ping_is_answered_at_once_without_a_broker() -> None:
    _, (pong,) = told(Session().from_client(request("p", "ping"), 0.0))
    assert pong == {"jsonrpc": "2.0", "id": "p", "result": {}}


def test_a_call_waits_eight_seconds_and_is_then_refused_with_how_to_go_on() -> None:
    talk = opened()
    talk.lost(10.0)
    list(talk.from_client(CALL, 11.0))
    assert talk.next_due == 19.0
    assert told(talk.overdue(18.9, UNREACHABLE)) == ([], [])
    _, (refused,) = told(talk.overdue(19.0, UNREACHABLE))
    said = refused["result"]["structuredContent"]
    assert said["code"] == "broker_unavailable" and said["retryable"] and said["retryAfterMs"] > 0
    assert "chardesk serve" in said["nextStep"] and "outcomeUnknown" not in said
    assert refused["result"]["content"][0]["text"].startswith("broker_unavailable: ")
    assert talk.next_due == NEVER
    list(talk.joined())
    assert shape(told(talk.from_broker(result(0)))[0]) == ["notifications/initialized"]


def test_a_call_that_was_sent_may_have_happened_and_the_refusal_says_so() -> None:
    talk = opened()
    list(talk.from_client(CALL, 0.0))
    talk.lost(100.0)
    talk.lost(105.0)
    _, (refused,) = told(talk.overdue(108.0, UNREACHABLE))
    assert refused["result"]["structuredContent"]["outcomeUnknown"] is True


def test_other_requests_are_refused_as_json_rpc_errors_with_the_same_fields() -> None:
    talk = opened()
    talk.lost(0.0)
    list(talk.from_client(request(1, "tools/list"), 0.0))
    _, (error,) = told(talk.overdue(8.0, refusals.STOPPED))
    assert error["error"]["code"] == -32000
    assert error["error"]["data"]["nextStep"] == refusals.STOPPED.next_step


def test_with_a_link_the_broker_keeps_the_time() -> None:
    talk = opened()
    list(talk.from_client(CALL, 0.0))
    assert talk.next_due == NEVER
    assert told(talk.overdue(1e9, UNREACHABLE)) == ([], [])


def test_a_tools_refusal_in_the_newer_era_carries_its_result_type() -> None:
    talk = Session()
    list(talk.from_client(request(1, "tools/call", name="x", arguments={}, _meta=MODERN), 0.0))
    _, (refused,) = told(talk.refuse_all(REVOKED))
    assert refused["result"]["resultType"] == "complete"


def test_when_no_broker_will_have_us_the_handshake_is_granted_so_that_a_call_can_say_why() -> None:
    talk = Session()
    list(talk.from_client(INITIALIZE, 0.0))
    list(talk.from_client(CALL, 0.0))
    _, (granted, refused) = told(talk.refuse_all(refusals.WRONG_KEY))
    assert granted["result"]["protocolVersion"] == "2025-11-25"
    assert refused["result"]["structuredContent"]["code"] == "permission_denied"
    assert talk.unanswered == 0
