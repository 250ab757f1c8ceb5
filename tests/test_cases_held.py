"""What comes too late: a disk and a worker that keep a call waiting beyond its limit, under a real broker."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker
from parties import Caller, eventually, faultless, sheet_of
from planted import planted

GATES = """
import os
from pathlib import Path
from threading import Event
from chardesk.broker.store import write
from chardesk.tools.draw import render

def held(gate, work):
    def late(*arguments):
        while Path(os.environ["GATES"], gate).exists():
            Event().wait(0.01)
        return work(*arguments)
    return late

write.append = held("disk", write.append)
object.__setattr__(render.OPERATION.body, "plan", held("worker", render.OPERATION.body.plan))
"""
"""The store's commit, and the drawing of a render, wait as long as a file is there."""

LONG = "long words " * 6_000
"""A render that is drawn on a thread."""


@pytest.fixture(scope="module")
def gates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("gates")


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory, gates: Path) -> Iterator[RunningBroker]:
    home = tmp_path_factory.mktemp("held")
    with faultless(home / "desk", **planted(home / "planted", GATES), GATES=str(gates)) as running:
        yield running


@contextmanager
def closed(gates: Path, name: str) -> Iterator[None]:
    (gates / name).touch()
    try:
        yield
    finally:
        (gates / name).unlink()


def operations(agent: Caller, where: dict[str, Any]) -> list[str]:
    found = agent.ok("canvas_history", action="log", tool="canvas_write", **where)["entries"]
    return [one["operationId"] for one in found]


def test_a_write_that_the_disk_holds_up_is_done_once_however_often_it_is_asked_for(
    broker: RunningBroker, gates: Path
) -> None:
    """QUE-05: with a key and without one."""
    with Caller(broker.place.root, "ada") as ada, Caller(broker.place.root, "eve") as eve:
        where = sheet_of(ada)
        keyed = {"at": [0, 0], "content": "once", "mode": "apply", "idempotencyKey": "k", **where}
        with closed(gates, "disk"):
            asked = ada.send("canvas_write", **keyed)
            unkeyed = eve.send("canvas_write", at=[0, 1], content="too", mode="apply", **where)
            first, second = ada.hear(), eve.hear()
        assert (first["id"], second["id"]) == (asked, unkeyed)
        told = [one["result"]["structuredContent"] for one in (first, second)]
        assert [(one["code"], one["outcomeUnknown"]) for one in told] == [("timeout", True)] * 2
        names = [one["details"]["operationId"] for one in told]
        again = ada.ok("canvas_write", **keyed)
        assert again["repeated"] and again["operationId"] == names[0]
        other = ada.tool("canvas_write", **{**keyed, "content": "other"})
        assert other.code == "invalid_input"
        shown = ada.ok("canvas_history", action="show", operationId=names[1], **where)
        assert shown["stands"]
        assert sorted(operations(ada, where)) == sorted(names)
        assert ada.rows((0, 0, 5, 2), **where) == ["once", "too"]
    assert broker.call("status")["calls"]["late"] >= 2


def test_what_a_late_worker_gives_is_counted_and_reaches_nobody(broker: RunningBroker, gates: Path) -> None:
    """QUE-07"""
    with Caller(broker.place.root, "bo") as bo:
        where = sheet_of(bo)
        bo.put(0, 100, "second region", **where)
        before = broker.call("status")["lateResults"]
        with closed(gates, "worker"):
            asked = bo.send("canvas_render", at=[0, 0], source=LONG, mode="apply", **where)
            late = bo.hear()
            assert (late["id"], late["result"]["structuredContent"]["code"]) == (asked, "timeout")
            assert bo.rows((0, 100, 13, 1), **where) == ["second region"]
        eventually(lambda: broker.call("status")["lateResults"] == before + 1)
        assert bo.rows((0, 100, 13, 1), **where) == ["second region"]
        assert bo.cells((0, 0, 100, 40), **where) == {}, "a change that came too late is no change"
        assert bo.lines.empty()
