"""What agents have read, over the end of a broker: they need not read again what they would write over."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from brokers import RunningBroker
from parties import Caller, eventually, faultless, sheet_of


@pytest.mark.parametrize("end", [RunningBroker.stop, RunningBroker.kill], ids=["stopped", "killed"])
def test_an_agent_goes_on_with_what_it_had_read(
    tmp_path: Path, end: Callable[[RunningBroker], object]
) -> None:
    with (
        faultless(tmp_path / "desk") as broker,
        Caller(broker.place.root, "bob") as bob,
        Caller(broker.place.root, "ada") as ada,
    ):
        where = sheet_of(bob)
        bob.put(0, 0, "read", **where)
        bob.put(0, 5, "not read", **where)
        assert ada.rows((0, 0, 8, 1), **where) == ["read"]
        eventually(lambda: where["pageId"] in _kept(broker, "ada"))
        end(broker)
        over = {"content": "over", "mode": "apply", **where}
        assert ada.tool("canvas_write", at=[0, 0], **over).code is None
        assert ada.tool("canvas_write", at=[0, 5], **over).code == "conflict"


def _kept(broker: RunningBroker, author: str) -> set[str]:
    """The sheets of which is on disk what this agent has read."""
    with contextlib.closing(sqlite3.connect(broker.place.database)) as db:
        rows = db.execute("SELECT value FROM record WHERE kind = 'tenant'").fetchall()
    found = [json.loads(value) for (value,) in rows]
    return {sheet for one in found if one["author"] == author for sheet in one["read"]}
