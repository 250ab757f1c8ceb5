"""The protocol, against a real broker: schemas in both eras, honest errors, noise, locales, ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp import Client, StdioServerParameters
from mcp.types import Tool
from parties import Caller, answer_of, eventually, faultless, sheet_of
from relay_process import RELAY

ERAS = ("legacy", "2026-07-28")
"""How the official client calls 2025-11-25, the era with a handshake, and the one without."""

COMMON = {"canvasId", "pageId", "revision", "live", "shownRevision"}
PREVIEWED = {"applied", "previewId", "expiresAt", "overwrites", "nextStep", "bounds"}
APPLIED = {"applied", "operationId", "persisted", "bounds"}
IMPACT = {f"{what}{part}" for what in ("overwritten", "cleared", "styled") for part in ("Cells", "Bounds")}
SCHEMA_FREE = COMMON | PREVIEWED | APPLIED | IMPACT
"""Fields of all tools, or all changing ones; output schemas name a tool's own (contract, section 3)."""

PLAIN_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("canvas_manage", {"action": "list"}),
    ("canvas_manage", {"action": "list_pages"}),
    ("canvas_manage", {"action": "status"}),
    ("canvas_manage", {"action": "show", "rect": [0, 0, 1, 1]}),
    ("canvas_read", {}),
    ("canvas_write", {"at": [0, 0], "content": "no colour, no link"}),
    ("canvas_write", {"at": [0, 0], "content": " ", "mode": "apply"}),
    ("canvas_write", {"at": [0, 0], "content": "x", "mode": "apply"}),
    ("canvas_read", {"style": "appearance"}),
    ("canvas_read", {"representation": "cells", "viewport": [0, 0, 2, 2]}),
    ("canvas_search", {"query": "not there"}),
    ("canvas_search", {"query": "x"}),
    ("canvas_fill", {"at": [0, 0], "size": [1, 1], "style": {"color": "#000"}}),
    ("canvas_erase", {"at": [50, 50], "size": [1, 1], "mode": "apply"}),
    ("canvas_erase", {"at": [0, 0], "size": [1, 1]}),
    ("canvas_render", {"at": [0, 5], "source": "plain"}),
    ("canvas_batch", {"ops": [{"op": "search", "args": {"query": "not there"}}]}),
    ("canvas_batch", {"ops": [{"op": "write", "args": {"at": [0, 7], "content": "x"}}]}),
    ("canvas_code", {"script": "null"}),
    ("canvas_code", {"script": "return canvas.read({})"}),
    ("canvas_history", {"action": "log", "author": "nobody"}),
    ("canvas_history", {"action": "undo"}),
    ("canvas_history", {"action": "redo"}),
    ("canvas_inbox", {"action": "receive"}),
    ("canvas_inbox", {"action": "wait", "timeoutMs": 0}),
    ("canvas_inbox", {"action": "ack", "messageIds": ["ms-2345abcdef"]}),
    ("canvas_inbox", {"action": "post", "to": "person", "text": "hi"}),
    ("chardesk_read_materials", {}),
    ("chardesk_read_materials", {"topic": "ansi"}),
)
"""A success of every tool with the optional parts left empty."""


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("mcp") / "desk", CHARDESK_LOG="debug") as running:
        yield running


@pytest.fixture
def agent(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root) as found:
        yield found


def official(broker: RunningBroker, era: str, **env: str) -> Client:
    """The official client on a `chardesk-mcp` process."""
    command = StdioServerParameters(
        command=RELAY[0],
        args=[*RELAY[1:], "--desk", broker.place.root],
        env={**os.environ, **env},
    )
    return Client(command, mode=era, read_timeout_seconds=15)


# -- schemas


@pytest.mark.parametrize("era", ERAS)
async def test_what_every_tool_answers_fits_its_output_schema(broker: RunningBroker, era: str) -> None:
    """MCP-07"""
    async with official(broker, era) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == {name for name, _ in PLAIN_CALLS}, "a tool without a call that is checked"
        made = await client.call_tool(
            "canvas_manage", {"action": "create", "kind": "freeform", "name": f"schemas {era}"}
        )
        assert made.structured_content is not None
        where = {"canvasId": made.structured_content["canvasId"]}
        for name, arguments in PLAIN_CALLS:
            placed = arguments if name == "chardesk_read_materials" else {**arguments, **where}
            told = await client.call_tool(name, placed)
            assert not told.is_error, told.content
            assert told.structured_content is not None
            _fits(tools[name], told.structured_content)


def _fits(tool: Tool, fields: dict[str, Any]) -> None:
    """Valid, and nothing in it that neither the schema nor the common fields name."""
    schema = tool.output_schema
    assert schema is not None
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(fields)
    assert fields.keys() <= schema["properties"].keys() | SCHEMA_FREE, tool.name


@pytest.mark.parametrize("era", ERAS)
async def test_a_refusal_reaches_the_official_client_as_a_result_with_its_fields(
    broker: RunningBroker, era: str
) -> None:
    """MCP-06, MCP-07: a refusal does not fit the tool's schema, and no client may fall over that."""
    async with official(broker, era) as client:
        await client.list_tools()
        told = await client.call_tool("canvas_erase", {"at": [0, 0], "size": [0, 1]})
        assert told.is_error
        assert told.structured_content is not None and told.structured_content["code"] == "invalid_input"


async def test_every_schema_is_one_that_all_clients_can_read(broker: RunningBroker) -> None:
    """MCP-08"""
    async with official(broker, "legacy") as client:
        tools = (await client.list_tools()).tools
    assert len(tools) >= 10
    for tool in tools:
        assert re.fullmatch(r"[a-z_]{1,32}", tool.name)
        assert tool.output_schema is not None
        for schema in (tool.input_schema, tool.output_schema):
            assert schema["type"] == "object"
            assert not {"anyOf", "oneOf", "allOf", "if", "not"} & schema.keys()
            assert not re.search(r'"\$(ref|defs)"', json.dumps(schema)), tool.name
        assert all(field["description"] for field in tool.input_schema["properties"].values()), tool.name


async def test_the_list_of_tools_costs_no_more_than_its_budget(broker: RunningBroker) -> None:
    """MCP-08; contract, section 3."""
    async with official(broker, "legacy") as client:
        tools = (await client.list_tools()).tools
    sizes = {tool.name: len(tool.model_dump_json(by_alias=True, exclude_none=True)) for tool in tools}
    assert max(sizes.values()) < 3_200, sizes
    assert sum(sizes.values()) < 36_000
    assert all(tool.description and len(tool.description) < 250 for tool in tools)


# -- honest errors


@pytest.mark.parametrize(
    ("tool", "arguments", "cause"),
    [
        ("canvas_read", {"canvasId": "nope"}, "no canvas nope"),
        ("canvas_erase", {"at": [0, 0], "size": [0, 1]}, "must be positive"),
        ("canvas_code", {"script": "let a = 1;\nlet let = 2;"}, "SyntaxError"),
    ],
)
def test_an_error_says_its_real_cause(
    agent: Caller, tool: str, arguments: dict[str, Any], cause: str
) -> None:
    """MCP-06"""
    told = agent.tool(tool, **arguments)
    assert told.refused
    assert cause in told.text and cause in told.fields["message"]
    assert "structured" not in told.text
    assert "/" not in told.fields["message"] and "Traceback" not in told.text


def test_a_syntax_error_names_the_line_of_the_script(agent: Caller) -> None:
    """MCP-06"""
    told = agent.tool("canvas_code", script="let a = 1;\nlet let = 2;")
    assert told.fields["details"]["line"] == 2
    assert "line 2" in told.text


def test_numbers_may_come_as_strings_and_lists_may_not(agent: Caller) -> None:
    """MCP-09"""
    where = sheet_of(agent)
    agent.ok("canvas_write", at=["3", "4"], content="x", mode="apply", **where)
    assert agent.cells((0, 0, 10, 10), **where) == {(3, 4): "x"}
    told = agent.tool("canvas_write", at="[3,4]", content="x", **where)
    assert told.code == "invalid_input" and told.fields["field"] == "at"
    assert "integers" in told.fields["message"]


def test_text_is_never_parsed(agent: Caller) -> None:
    """MCP-09"""
    where = sheet_of(agent)
    for row, text in enumerate(["[1,2]", '{"a":1}', "null", "12", "true"]):
        agent.put(0, row, text, **where)
        assert agent.rows((0, row, 10, 1), **where) == [text]


# -- noise, logs, locales


NOISE = """
import os
read = os.read
def noisy(fd, size):
    print('noise', flush=True)
    os.write(1, b'raw\\n')
    return read(fd, size)
os.read = noisy
"""


def test_a_process_that_prints_while_it_works_still_speaks_only_the_protocol(
    broker: RunningBroker, tmp_path: Path
) -> None:
    """MCP-01; noise from before `main` began is in test_relay.py."""
    (tmp_path / "sitecustomize.py").write_text(NOISE)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    with Caller(broker.place.root, "noisy", {"PYTHONPATH": path}) as agent:
        assert agent.answer("tools/list")["result"]["tools"]
        where = sheet_of(agent)
        agent.put(0, 0, "x", **where)
        assert agent.rows((0, 0, 1, 1), **where) == ["x"]
        errors = agent.end()[2]
        assert agent.lines.empty()
        assert b"noise" in errors and b"raw" in errors


def test_thousands_of_calls_with_a_stderr_that_nobody_reads_are_all_answered(broker: RunningBroker) -> None:
    """MCP-02; the broker of this file logs at debug level."""
    with Caller(broker.place.root, "busy", {"CHARDESK_LOG": "debug"}) as agent:
        where = sheet_of(agent)
        for batch in range(20):
            asked = [
                agent.send("canvas_read", viewport=[batch, number, 1, 1], **where) for number in range(100)
            ]
            assert [agent.hear()["id"] for _ in asked] == asked
        secret = "sesame"
        big = "\n".join([secret * 16] * 2084)
        assert len(big) > 200_000
        assert agent.ok("canvas_write", at=[0, 0], content=big, mode="apply", **where)["applied"]
        assert secret not in agent.end()[2].decode()
    assert secret not in broker.log


def test_text_is_utf8_whatever_the_locale_says(broker: RunningBroker) -> None:
    """MCP-10"""
    env = {"PYTHONIOENCODING": "ascii", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}
    with Caller(broker.place.root, "plain", env) as agent:
        where = sheet_of(agent)
        agent.put(0, 0, "漢é→😀", **where)
        assert agent.rows((0, 0, 10, 1), **where) == ["漢é→😀"]


# -- ends


WRAPPER = """
import json, subprocess, sys
relay = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
for line in sys.stdin.buffer:
    relay.stdin.write(line)
    relay.stdin.flush()
    if b'"id"' in line and b'initialize' in line:
        relay.stdout.readline()
        print(relay.pid, flush=True)
"""


def test_a_relay_whose_client_was_killed_ends_and_its_queue_is_withdrawn(
    broker: RunningBroker, agent: Caller
) -> None:
    """MCP-04"""
    where = sheet_of(agent)
    command = [sys.executable, "-c", WRAPPER, *RELAY, "--desk", broker.place.root]
    wrapper = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "CHARDESK_AGENT": "orphan"},
    )
    with wrapper:
        assert wrapper.stdin is not None and wrapper.stdout is not None
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}}
        hello["clientInfo"] = {"name": "orphan", "version": "1"}
        wrapper.stdin.write(_line(1, "initialize", hello))
        wrapper.stdin.flush()
        relay = int(wrapper.stdout.readline())
        slow = {"script": "for (;;) ;", "timeoutMs": 10_000}
        wrapper.stdin.write(_line(2, "tools/call", {"name": "canvas_code", "arguments": slow}))
        for number in range(10):
            late = {"at": [number, 0], "content": "x", "mode": "apply", **where}
            wrapper.stdin.write(_line(3 + number, "tools/call", {"name": "canvas_write", "arguments": late}))
        wrapper.stdin.flush()
        eventually(lambda: _waiting(broker, "orphan") == 10)
        used_s = _cpu_s(relay)
        wrapper.send_signal(signal.SIGKILL)
        assert eventually(lambda: not Path(f"/proc/{relay}").exists()) < 10
        assert used_s < 1
        eventually(lambda: _waiting(broker, "orphan") is None)
    assert agent.cells((0, 0, 20, 1), **where) == {}


def _line(number: int, method: str, params: dict[str, Any]) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode() + b"\n"


def _waiting(broker: RunningBroker, name: str) -> int | None:
    """Calls in that agent's queue; None when it is not connected."""
    tenants = broker.call("status")["tenants"]
    return next((one["waiting"] for one in tenants if one["name"] == name), None)


def _cpu_s(pid: int) -> float:
    """Seconds of processor time, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("in_flight", [False, True])
def test_a_signal_ends_the_process_at_once_and_quietly(
    broker: RunningBroker, number: signal.Signals, in_flight: bool
) -> None:
    """MCP-05"""
    with Caller(broker.place.root, "brief") as agent:
        if in_flight:
            agent.send("canvas_code", script="for (;;) ;", timeoutMs=10_000)
            eventually(lambda: _is_running(broker, "brief"))
        agent.process.send_signal(number)
        assert agent.process.wait(3) in (0, 128 + number)
        assert agent.process.stderr is not None
        assert agent.process.stderr.read() == b""


def _is_running(broker: RunningBroker, name: str) -> bool:
    return any(one["running"] for one in broker.call("status")["tenants"] if one["name"] == name)


# -- two at once


def test_two_agents_with_the_same_ids_get_their_own_answers(broker: RunningBroker) -> None:
    """MCP-11"""
    with Caller(broker.place.root, "left") as one, Caller(broker.place.root, "right") as other:
        where = sheet_of(one)
        one.put(0, 0, "a", **where)
        other.put(5, 5, "b", **where)
        for _ in range(200):
            for agent, x in ((one, 0), (other, 5)):
                arguments = {"viewport": [x, x, 1, 1], "representation": "cells", **where}
                agent.write(_line(1, "tools/call", {"name": "canvas_read", "arguments": arguments}))
            for agent, char in ((one, "a"), (other, "b")):
                message = agent.hear()
                assert message["id"] == 1
                assert [cell["char"] for cell in answer_of(message).fields["cells"]] == [char]
