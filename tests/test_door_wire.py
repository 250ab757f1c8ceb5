"""Bytes on the wire: lean JSON, frames, and the WebSocket client against a server of another make."""

from __future__ import annotations

import json
import math
import socket
import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.sync.server import ServerConnection, serve

from chardesk.broker.door import frames, lean
from chardesk.broker.door.dialogue import LinkClosed, connect
from chardesk.broker.door.frames import Closed, FrameReader, Ping, Pong, Text, WireError

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)

# -- JSON


@given(JSON_VALUES)
def test_lean_json_reads_and_writes_what_json_does(value: Any) -> None:
    assert lean.loads(lean.dumps(value)) == json.loads(lean.dumps(value)) == value
    assert lean.loads(json.dumps(value, indent=1).encode()) == value


@pytest.mark.parametrize(
    "data",
    [b"", b" ", b"{", b"{} {}", b"nul", b"NaN", b"-Infinity", b'"\xff"', b"[" * 200_000, b'{"a":1,}', b"'a'"],
)
def test_what_is_not_one_json_value_is_told(data: bytes) -> None:
    with pytest.raises(lean.NotJson):
        lean.loads(data)


def test_text_stays_text_and_a_lone_surrogate_still_gets_through() -> None:
    assert lean.dumps(["漢é→😀"]) == '["漢é→😀"]'.encode()
    assert lean.dumps(["漢\ud800"]) == b'["\\u6f22\\ud800"]'
    with pytest.raises(ValueError, match="JSON"):
        lean.dumps(math.inf)


# -- frames


def fed(data: bytes, *cuts: int, limit: int = frames.MESSAGE_LIMIT) -> list[frames.Event]:
    """What a reader makes of `data` that comes in pieces, cut at `cuts`."""
    reader = FrameReader(limit)
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return [event for a, b in pairwise(edges) for event in reader.feed(data[a:b])]


def server_frame(opcode: int, payload: bytes, fin: bool = True) -> bytes:
    return Frame(Opcode(opcode), payload, fin=fin).serialize(mask=False)


@given(st.lists(st.text(max_size=70_000), max_size=4), st.lists(st.integers(0, 10**6), max_size=6))
def test_messages_come_out_whole_however_they_are_cut(texts: list[str], cuts: list[int]) -> None:
    data = b"".join(server_frame(frames.TEXT, text.encode()) for text in texts)
    assert [event.payload.decode() for event in fed(data, *cuts) if isinstance(event, Text)] == texts


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=4))
def test_any_bytes_end_in_events_or_in_a_wire_error(data: bytes, cuts: list[int]) -> None:
    try:
        events = fed(data, *cuts, limit=64)
    except WireError as error:
        assert error.code in (1002, 1003, 1007, 1009)
        return
    assert all(isinstance(event, (Text, Ping, Pong, Closed)) for event in events)


@given(st.binary(max_size=3000), st.binary(min_size=4, max_size=4))
def test_masking_is_the_xor_of_the_standard_and_undoes_itself(payload: bytes, key: bytes) -> None:
    under = frames.masked(payload, key)
    assert under == bytes(byte ^ key[i % 4] for i, byte in enumerate(payload))
    assert frames.masked(under, key) == payload


def test_a_message_in_pieces_may_have_a_ping_between_them() -> None:
    data = (
        server_frame(frames.TEXT, b"one ", fin=False)
        + server_frame(frames.PING, b"?")
        + server_frame(frames.CONTINUATION, b"two", fin=True)
    )
    ping, text = fed(data)
    assert isinstance(ping, Ping) and ping.payload == b"?"
    assert isinstance(text, Text) and text.payload == b"one two"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xc1\x00", 1002),  # a reserved bit
        (b"\x81\x80\0\0\0\0", 1002),  # masked by a server
        (b"\x83\x00", 1002),  # an opcode of the future
        (b"\x09\x00", 1002),  # a ping in pieces
        (b"\x89\x7e\x00\x80", 1002),  # a ping of 128 bytes
        (b"\x80\x00", 1002),  # a continuation of nothing
        (b"\x01\x01a\x81\x01b", 1002),  # a message inside a message
        (b"\x88\x01\x03", 1002),  # half a close code
        (b"\x82\x00", 1003),  # binary
        (b"\x81\x02\xc3\x28", 1007),  # not UTF-8
        (b"\x81\x7f" + (65).to_bytes(8, "big"), 1009),  # told before it is read
        (b"\x01\x28" + b"a" * 40 + b"\x80\x28", 1009),  # too big in sum
    ],
)
def test_each_breach_has_its_close_code(data: bytes, code: int) -> None:
    with pytest.raises(WireError) as breach:
        fed(data, limit=64)
    assert breach.value.code == code


def test_a_close_says_its_code_and_none_is_1005() -> None:
    (said,) = fed(server_frame(frames.CLOSE, b"\x11\x31token"))
    (silent,) = fed(server_frame(frames.CLOSE, b""))
    assert isinstance(said, Closed) and (said.code, said.reason) == (4401, "token")
    assert isinstance(silent, Closed) and silent.code == 1005


def test_a_reason_too_long_for_a_close_frame_is_cut_at_a_character() -> None:
    frame = frames.encode_close(1000, "漢" * 100)
    assert frames.masked(frame[6:], frame[2:6])[2:].decode() == "漢" * 41


# -- the client


def echo(connection: ServerConnection) -> None:
    for message in connection:
        if message == "bye":
            connection.close(4409, "replaced")
        else:
            connection.send(message)


@pytest.fixture
def address() -> Iterator[str]:
    """A WebSocket server of another make that echoes, and closes with 4409 after `bye`."""
    with serve(echo, "127.0.0.1", 0, compression=None, max_size=None) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 3_000_000])
def test_a_dialogue_echoes_messages_of_every_size(address: str, size: int) -> None:
    with connect(address) as dialogue:
        dialogue.send("x" * size)
        assert dialogue.receive(10) == "x" * size


def test_a_dialogue_tells_how_it_was_closed(address: str) -> None:
    with connect(address) as dialogue:
        dialogue.send("last")
        dialogue.send("bye")
        assert dialogue.receive(10) == "last"
        with pytest.raises(LinkClosed, match="4409 replaced"):
            dialogue.receive(10)
        with pytest.raises(LinkClosed):
            dialogue.send("more")


def test_a_quiet_dialogue_times_out_with_nothing(address: str) -> None:
    with connect(address) as dialogue:
        assert dialogue.receive(0.01) is None


def test_a_message_over_the_transports_limit_ends_the_link_with_1009(address: str) -> None:
    with connect(address) as dialogue:
        dialogue.send("x" * (frames.MESSAGE_LIMIT + 1))
        with pytest.raises(LinkClosed, match="1009"):
            dialogue.receive(10)


def test_nobody_there_is_a_closed_link() -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with pytest.raises(LinkClosed, match="1006"):
        connect(f"127.0.0.1:{port}")


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 403 Forbidden\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        b"hello\r\n\r\n",
        b"x" * 20_000,
        b"",
    ],
)
def test_who_is_no_websocket_server_is_found_out(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as stranger:

        def serve_once() -> None:
            peer, _ = stranger.accept()
            with peer:
                peer.recv(65536)
                peer.sendall(answer)

        thread = threading.Thread(target=serve_once)
        thread.start()
        with pytest.raises(LinkClosed):
            connect(f"127.0.0.1:{stranger.getsockname()[1]}")
        thread.join()
