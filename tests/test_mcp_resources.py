"""What an MCP client reads without a tool: resources, their updates, prompts. Through a real relay."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, faultless, sheet_of

from chardesk.broker.faces import prompts, sdk
from chardesk.broker.faces.updates import GAP_S, Updates
from chardesk.materials import shelf


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("resources") / "desk") as running:
        yield running


@pytest.fixture
def ada(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root, "ada") as found:
        yield found


def read(agent: Caller, uri: str) -> str:
    (contents,) = agent.answer("resources/read", uri=uri)["result"]["contents"]
    assert contents["uri"] == uri
    return str(contents["text"])


def updates(agent: Caller, uri: str) -> Fields:
    """The next notification, which must be of this address."""
    while (heard := agent.hear()).get("method") != "notifications/resources/updated":
        assert "id" in heard
    assert heard["params"] == {"uri": uri}
    return heard


def test_resources_are_listed_with_a_template_for_sheets(ada: Caller) -> None:
    listed = {one["uri"] for one in ada.answer("resources/list")["result"]["resources"]}
    assert {"chardesk://desk", "chardesk://context", "chardesk://inbox", "chardesk://log"} <= listed
    assert {f"chardesk://materials/{topic.name}" for topic in shelf.topics()} <= listed
    templates = ada.answer("resources/templates/list")["result"]["resourceTemplates"]
    assert "chardesk://canvas/{canvasId}/{pageId}" in {one["uriTemplate"] for one in templates}


def test_every_resource_is_what_the_tool_says(ada: Caller) -> None:
    where = sheet_of(ada)
    ada.put(0, 0, "hello", **where)
    sheet = f"chardesk://canvas/{where['canvasId']}/{where['pageId']}"
    assert read(ada, sheet) == ada.tool("canvas_read", **where).text
    assert read(ada, "chardesk://materials/guide") == ada.tool("chardesk_read_materials", topic="guide").text
    desk = json.loads(read(ada, "chardesk://desk"))
    assert where["canvasId"] in {one["canvasId"] for one in desk["canvases"]}
    assert json.loads(read(ada, "chardesk://log"))["entries"][0]["tool"] == "canvas_write"
    assert [one["name"] for one in json.loads(read(ada, "chardesk://context"))["context"]["agents"]] == [
        "ada"
    ]


def test_reading_the_inbox_takes_nothing_out_of_it(broker: RunningBroker, ada: Caller) -> None:
    with Caller(broker.place.root, "bo") as bo:
        bo.ok("canvas_inbox", action="post", to="ada", text="hi")
        told = json.loads(read(ada, "chardesk://inbox"))
        assert (told["messages"], told["inbox"]) == ([], {"unread": 1, "open": 0})
        (message,) = ada.ok("canvas_inbox", action="receive")["messages"]
        ada.ok("canvas_inbox", action="ack", messageIds=[message["messageId"]])


@pytest.mark.parametrize(
    "uri",
    ["chardesk://nothing", "file:///etc/passwd", "chardesk://canvas/cv-x/../y", "chardesk://materials/no"],
)
def test_what_is_no_resource_is_an_error_that_names_it(ada: Caller, uri: str) -> None:
    error = ada.answer("resources/read", uri=uri)["error"]
    assert error["code"] == -32602 and "Traceback" not in json.dumps(error)


# -- updates -------------------------------------------------------------------------


def test_a_client_hears_of_what_it_subscribed_to_and_of_nothing_else(
    broker: RunningBroker, ada: Caller
) -> None:
    where = sheet_of(ada)
    sheet = f"chardesk://canvas/{where['canvasId']}/{where['pageId']}"
    ada.answer("resources/subscribe", uri=sheet)
    with Caller(broker.place.root, "bo") as bo:
        other = sheet_of(bo)
        bo.put(0, 0, "elsewhere", **other)
        bo.put(0, 0, "here", **where)
        updates(ada, sheet)
        ada.answer("resources/unsubscribe", uri=sheet)
        bo.put(0, 0, "more", **where)
        bo.ok("canvas_inbox", action="post", to="ada", text="hi")
        assert ada.answer("ping")["result"] == {}


def test_a_message_is_told_to_the_one_it_is_for(broker: RunningBroker, ada: Caller) -> None:
    ada.answer("resources/subscribe", uri="chardesk://inbox")
    with Caller(broker.place.root, "bo") as bo:
        bo.ok("canvas_inbox", action="post", to="person", text="not for ada")
        bo.ok("canvas_inbox", action="post", to="ada", text="for ada")
        updates(ada, "chardesk://inbox")


async def test_updates_of_one_address_are_at_most_four_a_second() -> None:
    sdk.load()
    told: list[str] = []
    bus = Updates(told.append)
    bus.changed("a")
    assert told == [], "nobody asked"
    bus.add("a")
    loop = asyncio.get_running_loop()
    start, second = loop.time(), asyncio.Event()
    loop.call_later(4 * GAP_S - 0.01, second.set)
    while not second.is_set():
        bus.changed("a")
        bus.changed("b")
        await asyncio.wait([asyncio.ensure_future(second.wait())], timeout=0.01)
    assert set(told) == {"a"} and 2 <= len(told) <= 1 + (loop.time() - start) / GAP_S
    bus.close()


async def test_the_newer_eras_listeners_hear_it_through_the_same_gap() -> None:
    told: list[Any] = []
    bus = Updates(lambda uri: told.append(uri))
    stop = bus.subscribe(told.append)
    bus.changed("a")
    bus.changed("a")
    assert [one.uri for one in told] == ["a"]
    stop()
    bus.changed("b")
    assert len(told) == 1
    bus.close()


# -- prompts -------------------------------------------------------------------------


def test_prompts_are_listed_and_filled_in(ada: Caller) -> None:
    listed = {one["name"]: one for one in ada.answer("prompts/list")["result"]["prompts"]}
    assert listed.keys() == prompts.PROMPTS.keys() == {"draw_diagram", "review_plan", "continue_work"}
    got = ada.answer("prompts/get", name="draw_diagram", arguments={"subject": "the {road} of a call"})
    (message,) = got["result"]["messages"]
    assert "Draw the {road} of a call on" in message["content"]["text"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("draw_diagram", {}), ("draw_diagram", {"subject": "x", "colour": "red"}), ("nothing", {})],
)
def test_a_prompt_that_can_not_be_made_is_an_error(ada: Caller, name: str, arguments: Fields) -> None:
    assert ada.answer("prompts/get", name=name, arguments=arguments)["error"]["code"] == -32602


def test_prompts_name_tools_that_there_are() -> None:
    import re

    from chardesk.tools.registry import BY_NAME

    text = " ".join(prompt.text for prompt in prompts.PROMPTS.values())
    named = set(re.findall(r"\b(?:canvas|chardesk)_[a-z_]+", text))
    assert named and named <= BY_NAME.keys()
