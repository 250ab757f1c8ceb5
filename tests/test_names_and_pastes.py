"""Two cases of the product's behaviour, by a real broker: names of canvases, and a paste that is undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from brokers import RunningBroker
from parties import Caller, Person, eventually


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path / "desk") as running:
        yield running


def test_contents_follow_the_canvas_whatever_it_is_called(broker: RunningBroker) -> None:
    """SYN-05"""
    ids = {}
    with Caller(broker.place.root, "ada") as ada:
        for name in "ABC":
            ids[name] = ada.ok("canvas_manage", action="create", kind="freeform", name=name)["canvasId"]
            ada.ok("canvas_write", at=[0, 0], content=name * 3, mode="apply", canvasId=ids[name])

        def rename(name: str) -> str | None:
            told = ada.tool("canvas_manage", action="rename", canvasId=ids["A"], name=name)
            return told.code if told.refused else None

        assert [rename("B"), rename("D"), rename("")] == ["name_taken", None, "invalid_input"]
        ada.ok("canvas_manage", action="archive", canvasId=ids["A"], mode="apply")
        assert _names(ada) == {"Canvas 1", "B", "C"}
    broker.restart()
    with Caller(broker.place.root, "ada") as ada:
        for name in "ABC":
            assert ada.rows((0, 0, 5, 1), canvasId=ids[name]) == [name * 3]
        ada.ok("canvas_manage", action="unarchive", canvasId=ids["A"])
        assert _names(ada) == {"Canvas 1", "B", "C", "D"}


def _names(agent: Caller) -> set[str]:
    return {one["name"] for one in agent.ok("canvas_manage", action="list")["canvases"]}


def test_a_paste_goes_as_it_came(broker: RunningBroker) -> None:
    """UND-07"""
    with Person(broker) as person, Caller(broker.place.root, "ada") as ada:
        person.edit("text", at=[0, 0], text="box")
        person.edit("paste", at=[0, 2], material="a  \nb", format="text")
        assert ada.rows((0, 0, 5, 4)) == ["box", "", "a", "b"]
        assert len(ada.cells((0, 0, 5, 4))) == 7, "blanks at the end are kept"
        person.edit("undo")
        eventually(lambda: ada.rows((0, 0, 5, 4)) == ["box", "", "", ""])
        person.edit("undo")
        eventually(lambda: ada.rows((0, 0, 5, 4)) == ["", "", "", ""])
