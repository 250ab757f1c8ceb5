"""`chardesk-mcp --http`: the same tools for who shows the token, and nothing for anybody else."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from brokers import RunningBroker
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from relay_process import RELAY

from chardesk.tools.registry import BY_NAME

PATIENCE_S = 30


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("http") / "desk") as running:
        yield running


@pytest.fixture(scope="module")
def address(broker: RunningBroker) -> Iterator[str]:
    command = [*RELAY, "--http", "--desk", broker.place.root]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        ready = re.match(r"Chardesk over HTTP: (http://127\.0\.0\.1:\d+/mcp) ", process.stdout.readline())
        assert ready is not None
        yield ready[1]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) in (0, -signal.SIGTERM)


def token(broker: RunningBroker) -> str:
    file = Path(broker.place.root) / "http-token"
    assert file.stat().st_mode & 0o077 == 0
    return file.read_text()


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
    headers = {"Authorization": f"Bearer {token(broker)}"}
    async with (
        httpx.AsyncClient(headers=headers, timeout=PATIENCE_S) as http,
        Client(streamable_http_client(address, http_client=http), mode=era) as client,
    ):
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
