"""`chardesk-mcp --http`: the same tools for who shows the token, and nothing for anybody else."""

from __future__ import annotations

import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2 as httpx
import pytest
from brokers import RunningBroker
from mcp import types
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.subscriptions import ResourceUpdated
from over_http import serving, token
from relay_process import RELAY

from chardesk.tools.registry import BY_NAME

PATIENCE_S = 30


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("http") / "desk") as running:
        yield running


@pytest.fixture(scope="module")
def address(broker: RunningBroker) -> Iterator[str]:
    with serving(broker) as found:
        yield found


@asynccontextmanager
async def joined(broker: RunningBroker, address: str, era: Any, **more: Any) -> AsyncIterator[Client]:
    """A client of the official SDK that shows the token."""
    headers = {"Authorization": f"Bearer {token(broker)}"}
    async with (
        httpx.AsyncClient(headers=headers, timeout=PATIENCE_S) as http,
        Client(streamable_http_client(address, http_client=http), mode=era, **more) as client,
    ):
        yield client


def status(address: str, **headers: str) -> int:
    request = urllib.request.Request(address, b"{}", {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        with error:
            assert b"Traceback" not in error.read()
            return error.code


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_the_tools_are_the_same_over_http(broker: RunningBroker, address: str, era: Any) -> None:
    async with joined(broker, address, era) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == BY_NAME.keys()
        done = await client.call_tool("canvas_write", {"at": [0, 0], "content": "over http", "mode": "apply"})
        assert done.structured_content is not None and not done.is_error
        assert "over http" in broker.cli("read").stdout
        refused = await client.call_tool("canvas_write", {"at": [0, 0]})
        assert refused.is_error and json.dumps(refused.structured_content)
        read = await client.read_resource("chardesk://materials/guide")
        assert read.contents
        assert (await client.list_prompts()).prompts
    names = {one["name"] for one in broker.call("status")["tenants"]}
    assert "http" in names


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
async def test_a_long_call_reports_its_progress_to_who_asks_for_it(
    broker: RunningBroker, address: str, era: Any
) -> None:
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async with joined(broker, address, era) as client:
        script = "const end = Date.now() + 900; while (Date.now() < end); return 1"
        done = await client.call_tool(
            "canvas_code", {"script": script, "timeoutMs": 10_000}, progress_callback=hear
        )
        assert done.structured_content is not None and done.structured_content["result"] == 1
    assert heard and heard == sorted(heard)


def post(broker: RunningBroker, address: str, body: Any, **headers: str) -> tuple[Any, Any]:
    """One request as a client without an SDK sends it; headers and body of the answer."""
    shown = {"Authorization": f"Bearer {token(broker)}", "Content-Type": "application/json", **headers}
    shown["Accept"] = "application/json, text/event-stream"
    request = urllib.request.Request(address, json.dumps(body).encode(), shown)
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
        text = response.read().decode()
        found = re.findall(r"^data: (\{.*)$", text, re.MULTILINE)
        return response.headers, json.loads(found[-1]) if found else None


def test_a_request_that_a_client_sends_again_has_its_effect_once(broker: RunningBroker, address: str) -> None:
    about = {"name": "bare", "version": "1"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": about}
    sessions = []
    for _ in range(2):
        headers, _ = post(
            broker, address, {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}
        )
        sessions.append(headers["mcp-session-id"])
        post(
            broker,
            address,
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            **{"Mcp-Session-Id": sessions[-1]},
        )
    write = {"at": [0, 30], "content": "once", "mode": "apply", "expectedRevision": "any"}
    call = {
        "jsonrpc": "2.0",
        "id": 7,
        "method": "tools/call",
        "params": {"name": "canvas_write", "arguments": write},
    }
    told = [
        post(broker, address, call, **{"Mcp-Session-Id": session})[1]["result"]["structuredContent"]
        for session in (sessions[0], sessions[0], sessions[1])
    ]
    assert told[1]["repeated"] and told[1]["operationId"] == told[0]["operationId"]
    assert "repeated" not in told[2], "another client's request of the same id is another request"


async def test_a_call_that_its_client_gives_up_is_ended_at_the_broker(
    broker: RunningBroker, address: str
) -> None:
    async with joined(broker, address, "legacy") as client:
        with anyio.move_on_after(1.0):
            await client.call_tool("canvas_inbox", {"action": "wait", "timeoutMs": 50_000})
        running: dict[str, Any] = {"script": "for (;;);", "timeoutMs": 10_000}
        with anyio.move_on_after(1.0):
            await client.call_tool("canvas_code", running)
        with anyio.fail_after(5.0):
            assert not (await client.call_tool("canvas_manage", {"action": "list"})).is_error


async def test_an_update_reaches_every_session_that_subscribed_and_no_other(
    broker: RunningBroker, address: str
) -> None:
    heard: dict[str, list[str]] = {"one": [], "two": [], "other": []}
    came = anyio.Event()

    def hears(name: str) -> Any:
        async def hear(message: Any) -> None:
            if isinstance(message, types.ResourceUpdatedNotification):
                heard[name].append(str(message.params.uri))
                if heard["one"] and heard["two"]:
                    came.set()

        return hear

    async with (
        joined(broker, address, "legacy", message_handler=hears("one")) as one,
        joined(broker, address, "legacy", message_handler=hears("two")) as two,
        joined(broker, address, "legacy", message_handler=hears("other")),
    ):
        for client in (one, two):
            await subscription(client, types.SubscribeRequest, types.SubscribeRequestParams)
        broker.call("write", "--at", "0,41", "--content", "x", "--mode", "apply")
        with anyio.fail_after(PATIENCE_S):
            await came.wait()
        await subscription(one, types.UnsubscribeRequest, types.UnsubscribeRequestParams)
    assert set(heard["one"]) == set(heard["two"]) == {LOG} and heard["other"] == []


LOG = "chardesk://log"


async def subscription(client: Client, request: Any, params: Any) -> None:
    await client.session.send_request(request(params=params(uri=LOG)), types.EmptyResult)


async def test_a_stream_of_the_newer_era_hears_of_what_it_listens_to(
    broker: RunningBroker, address: str
) -> None:
    async with (
        joined(broker, address, "2026-07-28") as client,
        client.listen(resource_subscriptions=[LOG]) as events,
    ):
        broker.call("write", "--at", "0,42", "--content", "y", "--mode", "apply")
        with anyio.fail_after(PATIENCE_S):
            async for event in events:
                assert isinstance(event, ResourceUpdated) and str(event.uri) == LOG
                break


def test_without_the_token_there_is_nothing_to_see(broker: RunningBroker, address: str) -> None:
    assert status(address) == 401
    assert status(address, Authorization="Bearer wrong") == 401
    assert status(address, Authorization=f"Basic {token(broker)}") == 401
    assert status(address + f"?token={token(broker)}") == 401


def test_another_sites_page_gets_nothing_even_with_the_token(broker: RunningBroker, address: str) -> None:
    shown = {"Authorization": f"Bearer {token(broker)}", "Accept": "application/json, text/event-stream"}
    assert status(address, **shown, Origin="http://evil.example") == 403
    assert status(address, **shown, Host="evil.example") in (403, 421)


def test_a_port_that_is_taken_is_one_line(broker: RunningBroker, address: str) -> None:
    port = re.findall(r":(\d+)/", address)[0]
    done = subprocess.run(
        [*RELAY, "--http", "--port", port, "--desk", broker.place.root],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1
