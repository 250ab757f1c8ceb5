"""Roots that the client grants: files there may be read too, and nothing else may."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from brokers import RunningBroker
from mcp import types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from parties import faultless

from chardesk.broker.door.granted import MAX_ROOTS, PREFIX, Granted


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("roots") / "desk") as running:
        yield running


def relay(broker: RunningBroker, cwd: Path) -> StdioServerParameters:
    cwd.mkdir()
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "chardesk.broker.relay", "--desk", broker.place.root],
        env={**os.environ, "CHARDESK_AGENT": "rooted"},
        cwd=cwd,
    )


async def source(client: Client, file: Path) -> str | None:
    """How a write of this file ended: None when it was written."""
    arguments = {"at": [0, 0], "sourceRef": str(file)}
    told = (await client.call_tool("canvas_write", arguments)).structured_content
    assert told is not None
    return None if "code" not in told else str(told["code"])


async def test_files_below_a_granted_root_are_read_and_others_are_not(
    broker: RunningBroker, tmp_path: Path
) -> None:
    folders = {name: tmp_path / name for name in ("grant ed", "later", "never")}
    for folder in folders.values():
        folder.mkdir()
        (folder / "notes.txt").write_text("words")
    (folders["grant ed"] / "link.txt").symlink_to(folders["never"] / "notes.txt")
    granted = ["grant ed"]

    async def roots(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(
            roots=[types.Root.model_validate({"uri": folders[name].as_uri()}) for name in granted]
        )

    async with Client(
        relay(broker, tmp_path / "cwd"), mode="legacy", cache=None, list_roots_callback=roots
    ) as client:
        assert await source(client, folders["grant ed"] / "notes.txt") is None
        assert await source(client, folders["grant ed"] / "link.txt") == "permission_denied"
        assert await source(client, folders["later"] / "notes.txt") == "permission_denied"
        granted[:] = ["later"]
        await client.session.send_notification(types.RootsListChangedNotification())
        with anyio.fail_after(20):
            while await source(client, folders["later"] / "notes.txt") is not None:
                pass
        assert await source(client, folders["grant ed"] / "notes.txt") == "permission_denied"


async def test_a_client_without_roots_is_not_asked(broker: RunningBroker, tmp_path: Path) -> None:
    async with Client(relay(broker, tmp_path / "cwd"), mode="legacy", cache=None) as client:
        (tmp_path / "outside.txt").write_text("x")
        assert await source(client, tmp_path / "outside.txt") == "permission_denied"


# -- what the client answers -----------------------------------------------------------


def asked() -> tuple[Granted, str]:
    found = Granted()
    found.promised({"capabilities": {"roots": {}}})
    request = found.asks()
    assert request is not None and found.is_pending
    return found, json.loads(request)["id"]


@pytest.mark.parametrize(
    "result",
    [
        None,
        [],
        {"roots": None},
        {"roots": [None, {}, {"uri": 5}]},
        {"roots": [{"uri": "https://example.org/etc"}, {"uri": "file://elsewhere/etc"}, {"uri": "file:"}]},
        {"roots": [{"uri": "file:///a%00b"}, {"uri": "file:///%ff"}, {"uri": "file://[/x"}]},
    ],
)
def test_what_names_no_folder_of_this_machine_grants_nothing(result: object) -> None:
    found, name = asked()
    assert found.takes({"id": name, "result": result})
    assert (found.folders, found.is_pending) == ((), False)


def test_a_refusal_grants_nothing_and_holds_nothing_up() -> None:
    found, name = asked()
    assert found.takes({"id": name, "error": {"code": -32601, "message": "no"}})
    assert (found.folders, found.is_pending) == ((), False)


def test_the_newest_answer_counts_and_their_number_is_bounded(tmp_path: Path) -> None:
    found, first = asked()
    found.asks()
    assert found.takes({"id": first, "result": {"roots": [{"uri": tmp_path.as_uri()}]}})
    assert found.is_pending and found.folders == ()
    many = [{"uri": (tmp_path / str(number)).as_uri()} for number in range(MAX_ROOTS + 1)]
    assert found.takes({"id": f"{PREFIX}2", "result": {"roots": many}})
    assert len(found.folders) == MAX_ROOTS


@pytest.mark.parametrize("name", [1, "chardesk/0", "x", None])
def test_answers_to_others_are_left_alone(name: object) -> None:
    found, _ = asked()
    assert not found.takes({"id": name, "result": {"roots": []}})
