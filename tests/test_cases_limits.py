"""Pictures and texts beyond the limits, two agents that want one name, a desk in a folder with an odd name:
through real relays."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from brokers import PATIENCE_S, RunningBroker
from parties import Caller, Person, faultless, sheet_of
from test_cli import server
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from chardesk.broker.door.key import read_key
from chardesk.broker.wire import codes

THREE_MB = "x" * 3_000_000


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("limits") / "desk") as running:
        yield running


@pytest.fixture
def ada(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root, "ada") as agent:
        yield agent


def test_an_image_comes_or_is_refused_with_what_would_fit(ada: Caller) -> None:
    """MCP-12"""
    where = sheet_of(ada)
    ada.put(0, 0, "picture", **where)
    small = ada.answer(
        "tools/call",
        name="canvas_read",
        arguments={"representation": "image", "viewport": [0, 0, 40, 10], **where},
    )["result"]
    assert "image" in {block["type"] for block in small["content"]} and not small.get("isError")
    large = ada.tool("canvas_read", representation="image", viewport=[0, 0, 3_000, 3_000], **where)
    assert large.code == "too_large", large.text
    fits = large.fields["details"]["largest"]
    again = ada.answer(
        "tools/call", name="canvas_read", arguments={"representation": "image", "viewport": fits, **where}
    )["result"]
    assert "image" in {block["type"] for block in again["content"]}


def test_three_megabytes_are_refused_with_the_limit_and_the_link_stays(
    broker: RunningBroker, ada: Caller
) -> None:
    """WSL-02"""
    where = sheet_of(ada)
    told = ada.tool("canvas_write", at=[0, 0], content=THREE_MB, mode="apply", **where)
    assert told.code == "too_large" and told.fields["message"]
    assert ada.put(0, 0, "small", **where)["applied"]
    with Person(broker) as person:
        reconnects = [one for one in person.heard if one["type"] == "seat_lost"]
        assert reconnects == [] and ada.rows((0, 0, 5, 1), **where) == ["small"]


def test_a_sheet_of_many_megabytes_comes_to_a_page_in_parts(broker: RunningBroker, ada: Caller) -> None:
    """WSL-02"""
    where = sheet_of(ada)
    for row in range(0, 1_000, 250):
        ada.put(0, row, "\n".join(["漢字" * 200] * 250), **where)
    with Person(broker) as person:
        person.say("activate", canvas=where["canvasId"], sheet=where["pageId"])
        last = person.until(lambda told: told["type"] == "snapshot" and told["part"] + 1 == told["parts"] > 1)
        parts = [one for one in person.heard if one["type"] == "snapshot" and one["sheet"] == last["sheet"]]
        assert [one["part"] for one in parts] == list(range(last["parts"]))
        assert all(len(json.dumps(one).encode()) < 1_048_576 for one in parts)
        assert person.edit("text", at=[0, 1_001], text="still here")["type"] in ("change", "done")


def test_the_older_of_two_connections_is_told_and_two_processes_are_two_authors(
    broker: RunningBroker,
) -> None:
    """QUE-06"""
    hello = {"chardesk": "hello", "protocol": 1, "key": read_key(broker.place), "name": "twin", "cwd": "/"}
    with connected(broker) as first, connected(broker) as newer:
        first.send(json.dumps({**hello, "resume": None}))
        token = json.loads(first.recv(timeout=PATIENCE_S))["token"]
        newer.send(json.dumps({**hello, "resume": token}))
        assert json.loads(newer.recv(timeout=PATIENCE_S))["name"] == "twin"
        with pytest.raises(ConnectionClosed) as closed:
            first.recv(timeout=PATIENCE_S)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == codes.REPLACED
    with Caller(broker.place.root, "same") as one, Caller(broker.place.root, "same") as two:
        where = sheet_of(one)
        one.put(0, 0, "one", **where)
        two.put(0, 5, "two", **where)
        log = one.ok("canvas_history", action="log", limit=2)["entries"]
        assert {entry["author"] for entry in log} == {"same", "same-2"}


@contextmanager
def connected(broker: RunningBroker) -> Iterator[ClientConnection]:
    with connect(f"ws://{broker.address}/agent", compression=None, proxy=None) as socket:
        yield socket


@pytest.mark.parametrize("host", ["claude-code", "claude-desktop", "codex"])
def test_the_printed_snippet_starts_a_server_whatever_the_folder_is_called(tmp_path: Path, host: str) -> None:
    """MCP-13"""
    folder = tmp_path / "My Project (1)" / "chár desk"
    folder.parent.mkdir()
    with faultless(folder) as broker:
        command, arguments = server(host, broker.cli("connect", host).stdout)
        about = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        said = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
        ]
        with subprocess.Popen(
            [command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        ) as process:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write("".join(json.dumps(one) + "\n" for one in said))
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            process.stdin.close()
            assert process.wait(PATIENCE_S) == 0
        assert answer["result"]["serverInfo"]["name"] == "chardesk", shlex.join([command, *arguments])
