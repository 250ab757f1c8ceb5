"""canvas.d.ts says what a script really finds: names, fields, what is needed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from drawing import scene_of
from playbook import Playbook
from scripting import run_on, started

from chardesk.broker.sandbox import limits, typings
from chardesk.broker.sandbox.outcome import Finished
from chardesk.materials import shelf

MATERIAL = Path(shelf.__file__).with_name("canvas.d.ts.md")
TEXT = shelf.read("canvas.d.ts")[1]
FUNCTIONS = re.findall(r"readonly (\w+): \(.*?\) => Reply<(\w+)>;", TEXT, re.DOTALL)

CALLS = {
    "read": ["{}", '{representation: "cells", style: "appearance"}', '{view: "outline"}'],
    "search": ['{query: "hi"}', "{empty: [3, 2]}"],
    "write": ['{at: [0, 3], content: "a b\\u200b", style: {color: "accent"}}'],
    "erase": ["{at: [0, 0], size: [1, 1]}"],
    "fill": ["{at: [0, 0], size: [2, 1], style: {attrs: {bold: true}}}"],
    "move": ["{from: [0, 0], size: [2, 1], to: [4, 4]}"],
    "render": ['{at: [0, 5], source: "# hi"}'],
    "measure": ['"世界\\nx"'],
    "shapes": ['[{type: "box", id: "a", at: [0, 9], text: "a"}]'],
    "box": ['{at: [0, 0], size: [6, 3], title: "t", border: "double"}', '{at: [0, 0], text: "fits"}'],
    "line": ["{points: [[0, 0], [4, 0]]}"],
    "arrow": ['{points: [[0, 0], [4, 0]], label: "x"}'],
    "text": ['{at: [1, 1], text: "words", bold: true}'],
    "table": ['{at: [0, 0], rows: [["a", 1]]}'],
}


def declared(interface: str) -> dict[str, bool]:
    """The fields of an interface, and whether each must be there."""
    (body,) = re.findall(rf"^interface {interface} \{{ (.*) \}}$", TEXT, re.MULTILINE)
    outer = re.sub(r"\{[^{}]*\}", "", body)
    return {name: not optional for name, optional in re.findall(r"(\w+)(\??): ", outer)}


def test_the_material_is_written_from_the_registry() -> None:
    assert typings.main([str(MATERIAL), "--check"]) == 0


def test_a_stale_material_is_noticed_and_written_anew(tmp_path: Path) -> None:
    stale = tmp_path / "canvas.d.ts.md"
    stale.write_text("old")
    assert typings.main([str(stale), "--check"]) == 1
    assert typings.main([str(stale)]) == 0
    assert stale.read_text("utf-8") == MATERIAL.read_text("utf-8")


async def test_it_declares_the_functions_that_there_are() -> None:
    async with started() as backend:
        ran = await run_on(backend, "return Object.keys(canvas)", scene_of(""))
    assert isinstance(ran.outcome, Finished)
    assert ran.outcome.result == [name for name, _ in FUNCTIONS]
    assert ran.outcome.result == [*limits.PLAIN_OPERATIONS, *limits.HELPERS]


@pytest.mark.parametrize(("name", "args"), [(name, args) for name, each in CALLS.items() for args in each])
async def test_a_reply_has_the_declared_fields_and_no_others(name: str, args: str) -> None:
    async with started() as backend:
        ran = await run_on(backend, f"return canvas.{name}({args})", scene_of("hi there"))
    assert isinstance(ran.outcome, Finished), ran.outcome
    reply: dict[str, Any] = ran.outcome.result
    assert reply["ok"] is True, reply
    fields = declared(dict(FUNCTIONS)[name])
    assert reply.keys() - {"ok", "content"} <= fields.keys()
    assert {field for field, is_needed in fields.items() if is_needed} <= reply.keys()


DESK_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("manage", {"action": "list", "includeArchived": True}),
    ("manage", {"action": "list_pages"}),
    ("manage", {"action": "status"}),
    ("history", {"action": "log", "limit": 1, "tool": "canvas_write", "rect": [0, 0, 9, 9]}),
]


@pytest.mark.parametrize(("name", "args"), DESK_CALLS)
def test_a_reply_of_the_desk_has_the_declared_fields_too(name: str, args: dict[str, Any]) -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "hi")
    reply = ada.starts_script().does(name, **args)
    assert reply["ok"] is True, reply
    fields, common = (
        declared(dict(FUNCTIONS)[name]),
        {"ok", "canvasId", "pageId", "revision", "live", "shownRevision"},
    )
    assert reply.keys() - common <= fields.keys()
    assert {field for field, is_needed in fields.items() if is_needed} <= reply.keys()


OFFERED = re.findall(r"action: (.*?); //", TEXT)


def test_every_action_that_is_declared_is_one_that_scripts_may_do() -> None:
    offered = [action for line in OFFERED for action in re.findall(r'"(\w+)"', line)]
    assert offered == ["list", "list_pages", "status", "log"]
    assert {args["action"] for _, args in DESK_CALLS} == {*offered}


async def test_a_refusal_has_the_declared_fields() -> None:
    async with started() as backend:
        ran = await run_on(backend, "return canvas.box({at: [0, 0], colour: 'red'})", scene_of(""))
    assert isinstance(ran.outcome, Finished)
    reply = ran.outcome.result
    assert (reply["ok"], reply["code"]) == (False, "invalid_input")
    assert "color" in reply["message"]


async def test_what_is_not_declared_is_refused_by_name() -> None:
    async with started() as backend:
        ran = await run_on(backend, "return canvas.write({at: [0, 0], contents: 'x'}).message", scene_of(""))
    assert isinstance(ran.outcome, Finished)
    assert "did you mean content?" in ran.outcome.result
