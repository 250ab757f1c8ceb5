"""The materials for agents are true: every example in them is run."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from drawing import do, drawn, scene_of, text_of
from scripting import run_on, started

from chardesk.broker.sandbox.outcome import Finished
from chardesk.materials import shelf
from chardesk.tools.draw import erase, fill, move, render, write
from chardesk.tools.errors import CODES
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.registry import BY_VERB
from chardesk.tools.text.markdown.deck import deck

DRAWING = {each.OPERATION.name: each.OPERATION for each in (write, erase, fill, move, render)}
TOOLS = {operation.name for operation in BY_VERB.values()}
TEXTS = {topic.name: shelf.read(topic.name)[1] for topic in shelf.topics()}
CALLS = [
    (name, json.loads(call))
    for name, text in TEXTS.items()
    for call in re.findall(r"```json call\n(.*?)\n```\n", text, re.S)
]

SCRIPTS = re.findall(r"```js script\n(.*?)```", TEXTS["scripts"], re.DOTALL)


def test_without_a_topic_stand_the_index_and_the_guide() -> None:
    topic, text = shelf.read(None)
    assert topic == "guide"
    assert text.endswith(TEXTS["guide"])
    assert all(f"`{name}`" in text for name in TEXTS)


def test_an_unknown_topic_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        shelf.read("../guide")


def test_there_are_examples_to_check() -> None:
    assert len(CALLS) >= 8
    assert len(SCRIPTS) >= 3
    assert {"guide", "markdown", "ansi", "scripts"} <= TEXTS.keys()


@pytest.mark.parametrize(
    ("name", "call"), CALLS, ids=lambda value: value if isinstance(value, str) else value["tool"]
)
def test_every_example_call_is_accepted(name: str, call: dict[str, Any]) -> None:
    scene = scene_of("here", at=(2, 1))
    batch = [(f"canvas_{each['op']}", each["args"]) for each in call["arguments"].get("ops", [])]
    for tool, arguments in batch or [(call["tool"], call["arguments"])]:
        do(scene, DRAWING[tool], **arguments)


@pytest.mark.parametrize("script", SCRIPTS)
async def test_every_example_script_runs_and_draws(script: str) -> None:
    scene = scene_of("a TODO", at=(0, 9))
    async with started() as backend:
        ran = await run_on(backend, script, scene)
    assert isinstance(ran.outcome, Finished), ran.outcome
    assert ran.scene != scene


DRAWN = [
    (name, json.loads(call), picture)
    for name, text in TEXTS.items()
    for call, picture in re.findall(r"```json call\n(.*?)\n```\n\n```drawn(\n.*?)\n```", text, re.S)
]


def test_every_format_has_a_worked_example() -> None:
    assert {"markdown", "ansi", "shapes", "diagrams", "charts", "math", "data"} <= {
        name for name, _, _ in DRAWN
    }


@pytest.mark.parametrize(
    ("name", "call", "picture"), DRAWN, ids=[f"{name}-{number}" for number, (name, _, _) in enumerate(DRAWN)]
)
def test_every_worked_example_draws_what_it_shows(name: str, call: dict[str, Any], picture: str) -> None:
    scene = Scene()
    reply = do(scene, DRAWING[call["tool"]], **call["arguments"])
    assert drawn(scene) == picture
    assert "diagnostics" not in reply


def test_boxes_in_the_guide_are_whole() -> None:
    for name, call in CALLS:
        if name == "guide" and "┌" in call["arguments"].get("content", ""):
            rows = call["arguments"]["content"].split("\n")
            for y, row in enumerate(rows):
                for x, char in enumerate(row):
                    below = rows[y + 1][x : x + 1] if y + 1 < len(rows) else ""
                    assert char not in "┌┐┬" or below in {*"│├┤└┘┼▼"}, f"{char} at {x}, {y} leads nowhere"


def test_the_text_of_the_materials_names_only_tools_that_exist() -> None:
    for text in TEXTS.values():
        assert set(re.findall(r"\b(?:canvas|chardesk)_[a-z_]+", text)) <= TOOLS


def test_the_guide_names_only_codes_that_exist() -> None:
    named = re.findall(r"\(`([a-z_]+)`\)", TEXTS["guide"])
    assert named
    assert set(named) <= CODES.keys()


def test_the_worked_deck_becomes_the_slides_it_shows() -> None:
    ((source, shown),) = re.findall(
        r"```markdown deck\n(.*?)```\n.*?```drawn slide(\n.*?)\n```", TEXTS["markdown"], re.S
    )
    first, second = deck(source, Size(100, 27)).slides
    assert first.notes == ("ask who has planted one",)
    assert "\n".join(row.rstrip() for row in text_of(second.picture).split("\n")) == shown
