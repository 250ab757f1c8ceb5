"""Many calls at once: none lost, none mixed up, each agent in its turn, and a bound that is told."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, Person, RawAgent, answer_of, eventually, faultless, sheet_of
from relay_process import INITIALIZE, RELAY, line

from chardesk.broker.desk.known.tenants import MAX_PENDING

LETTERS = "abcdefghijklmnopqrst"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("queue") / "desk") as running:
        yield running


@pytest.fixture
def agent(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root) as found:
        yield found


def test_twenty_writes_at_once_are_all_there(agent: Caller) -> None:
    """QUE-01"""
    where = sheet_of(agent)
    asked = [
        agent.send("canvas_write", at=[x, 0], content=letter, mode="apply", **where)
        for x, letter in enumerate(LETTERS)
    ]
    heard = [agent.hear() for _ in asked]
    assert [message["id"] for message in heard] == asked
    assert not [told.text for told in map(answer_of, heard) if told.refused]
    assert agent.rows((0, 0, 20, 1), **where) == [LETTERS]


def test_fifty_reads_in_flight_each_get_the_cell_they_asked_for(broker: RunningBroker, agent: Caller) -> None:
    """QUE-02; the delays come from a second agent that writes on the same sheet meanwhile, since a read that
    saw its cells waits until they are on disk."""
    where = sheet_of(agent)
    agent.put(0, 0, "\n".join(LETTERS[:10] for _ in range(5)), **where)
    spots = [(x, y) for y in range(5) for x in range(10)]
    with Caller(broker.place.root, "other") as other:
        for round_ in range(20):
            written = [
                other.send("canvas_write", at=[20 + n, round_], content="w", mode="apply", **where)
                for n in range(5)
            ]
            look = {"representation": "cells", **where}
            asked = {agent.send("canvas_read", viewport=[x, y, 1, 1], **look): (x, y) for x, y in spots}
            messages = [agent.hear() for _ in asked]
            heard = {message["id"]: answer_of(message).fields for message in messages}
            assert heard.keys() == asked.keys()
            for number, (x, y) in asked.items():
                assert heard[number]["viewport"] == [x, y, 1, 1]
                assert [cell["char"] for cell in heard[number]["cells"]] == [LETTERS[x]]
            assert [other.hear()["id"] for _ in written] == written


SLOW = "const end = Date.now() + 200; while (Date.now() < end); return {}"


def test_a_busy_agent_is_served_in_order_and_delays_nobody_else(broker: RunningBroker) -> None:
    """QUE-03: within an agent first come, first served; between agents one call each, in turn."""
    with (
        Caller(broker.place.root, "slow") as slow,
        Caller(broker.place.root, "quick") as quick,
        Person(broker) as page,
    ):
        where = sheet_of(quick)
        asked = [slow.send("canvas_code", script=SLOW, **where) for _ in range(10)]
        assert slow.hear()["id"] == asked[0]
        page.until(lambda told: _presence(told, "slow") == ("canvas_code", 8))
        quick.put(0, 0, "in between", **where)
        assert slow.lines.qsize() <= 1, "at most the call that ran was before it"
        assert [slow.hear()["id"] for _ in asked[1:]] == asked[1:]
        page.until(lambda told: _presence(told, "slow") == (None, 0))
        assert _positions(page.heard, "slow")[-9:] == [*range(8, -1, -1)]


def _presence(told: Fields, name: str) -> tuple[str | None, int] | None:
    """What a presence message says of that agent: the tool that runs, and how many calls wait."""
    for one in told["agents"] if told["type"] == "presence" else []:
        if one["name"] == name:
            return one.get("doing"), one["waiting"]
    return None


def _positions(heard: list[Fields], name: str) -> list[int]:
    """The lengths of its queue that the page was told while a call of its ran, without repeats in a row."""
    seen = [found[1] for told in heard if (found := _presence(told, name)) and found[0]]
    return [length for length, _ in groupby(seen)]


def test_beyond_the_limit_calls_are_refused_at_once_and_others_are_served(
    broker: RunningBroker, agent: Caller
) -> None:
    """QUE-04"""
    where = sheet_of(agent)
    before = _resident_bytes(broker.pid)
    with Flood(broker, 5000) as flood:
        eventually(lambda: _waiting(broker, "flood") == MAX_PENDING - 1)
        start = time.monotonic()
        agent.put(0, 0, "served", **where)
        assert time.monotonic() - start < 2
        assert _resident_bytes(broker.pid) - before < 50_000_000
        told = flood.answers()
    refused = [one for one in told if one.code == "budget_exceeded"]
    assert len(told) == 5001
    assert len(refused) > 1000, "how many depends on how far the slow call is when the last ones arrive"
    assert len(told) - len(refused) >= MAX_PENDING
    assert all(one.fields["retryable"] and one.fields["retryAfterMs"] > 0 for one in refused)
    assert refused[0].fields["details"] == {"limit": MAX_PENDING, "actual": MAX_PENDING}


class Flood:
    """An agent that asks for a slow script, then for `calls` reads, and reads nothing before `answers`."""

    def __init__(self, broker: RunningBroker, calls: int) -> None:
        self._calls = calls
        hello = {**INITIALIZE, "clientInfo": {"name": "flood", "version": "1"}}
        slow = {"script": "for (;;);", "timeoutMs": 3000}
        look = {"viewport": [0, 0, 1, 1]}
        self._process = subprocess.Popen(
            [*RELAY, "--desk", broker.place.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdin is not None
        self._process.stdin.write(line({"id": 0, "method": "initialize", "params": hello}))
        self._process.stdin.write(line({"method": "notifications/initialized"}))
        self._process.stdin.write(_call(1, "canvas_code", slow))
        self._process.stdin.writelines(_call(2 + n, "canvas_read", look) for n in range(calls))
        self._process.stdin.flush()

    def answers(self) -> list[Any]:
        """The answers to its calls, in the order in which they came."""
        assert self._process.stdout is not None
        lines = [self._process.stdout.readline() for _ in range(self._calls + 2)]
        return [answer_of(message) for message in map(json.loads, lines) if message["id"] != 0]

    def __enter__(self) -> Flood:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        with self._process:
            pass


def _call(number: int, tool: str, arguments: Fields) -> bytes:
    return line({"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})


def _waiting(broker: RunningBroker, name: str) -> int | None:
    tenants = broker.call("status")["tenants"]
    return next((one["waiting"] for one in tenants if one["name"] == name), None)


def _resident_bytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def test_nobody_sees_the_calls_of_another(broker: RunningBroker) -> None:
    """QUE-08"""
    secret = "reading-this-is-private"
    with (
        Person(broker) as page,
        RawAgent(broker, "one") as one,
        RawAgent(broker, "other") as other,
    ):
        where = {"canvasId": page.welcome["canvas"]}
        answered = [
            one.ask("tools/call", name="canvas_search", arguments={"query": secret, **where}),
            one.ask(
                "tools/call",
                name="canvas_write",
                arguments={"at": [0, 40], "content": "shown", "mode": "apply", **where},
            ),
            one.ask("tools/call", name="canvas_read", arguments={"viewport": [0, 40, 9, 1], **where}),
        ]
        page.until(lambda told: told["type"] == "activity" and told["author"] == "one")
        other.ask("ping")
        assert [message["id"] for message in one.frames] == [1, 2, 3, 4]
        assert all("method" not in message for message in answered)
        assert [message["id"] for message in other.frames] == [1, 2]
        assert "shown" not in json.dumps(other.frames)
        assert secret not in json.dumps(page.heard)
        changes = [told for told in page.heard if told["type"] == "change"]
        assert [told["author"] for told in changes] == ["one"]
