"""The whole house at once: a person in Chromium, agents over real `chardesk-mcp`s, a kill, a disk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from pipes import Agent
from typing import Any

import pytest
from brokers import RunningBroker
from browsers import launched, opened, profile, row_of, until_live, until_row, until_settled, way_in
from playwright.sync_api import Browser, Page

from chardesk.broker.store.store import Store
from chardesk.tools.look.read import text_map
from chardesk.tools.model.region import Rect
from chardesk.tools.registry import WEBMCP

pytestmark = pytest.mark.e2e

AREA = Rect(0, 0, 60, 12)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path / "desk") as running:
        yield running


@pytest.fixture
def page(browser: Browser, broker: RunningBroker) -> Iterator[Page]:
    with profile(browser) as context:
        yield opened(context, broker.place.root)


def put_cursor(page: Page, x: int, y: int) -> None:
    """Click the cell at column x of row y."""
    script = """([x, y]) => {
        const { left, top } = window.chardesk.viewport.place(x, y);
        return [left / devicePixelRatio, top / devicePixelRatio];
    }"""
    left, top = page.evaluate(script, [x, y])
    box = page.locator("#cells").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + left + 3, box["y"] + top + 5)


def shown(page: Page) -> list[str]:
    return [row_of(page, y, AREA.x, AREA.right) for y in range(AREA.y, AREA.bottom)]


def read_by(agent: Agent) -> str:
    text: str = agent.call("canvas_read", viewport=list(AREA))["content"][0]["text"]
    return text


def on_disk(desk: str) -> str:
    """The same area, from the database alone."""
    store = Store.open(Path(desk))
    try:
        loaded = store.load()
        sheet = next(iter(loaded.contents.canvases.values())).sheets[0]
        return text_map(sheet.scene, AREA)
    finally:
        store.close()


def test_a_person_and_two_agents_share_a_desk_through_a_crash(broker: RunningBroker, page: Page) -> None:
    desk = broker.place.root
    with Agent(desk, "ada") as ada, Agent(desk, "bob") as bob:
        put_cursor(page, 2, 1)
        page.keyboard.type("typed 世界 by a person")
        ada.call("canvas_write", at=[2, 3], content="ada was here", mode="apply")
        bob.call("canvas_write", at=[2, 5], content="bob was here", mode="apply")
        until_row(page, 3, 0, 30, "  ada was here")
        until_row(page, 5, 0, 30, "  bob was here")
        until_settled(page)

        preview = ada.call("canvas_write", at=[2, 7], content="ada proposes", why="to show a ghost")
        assert preview["structuredContent"]["applied"] is False
        page.get_by_role("button", name=re.compile("^Apply")).first.click()
        until_row(page, 7, 0, 30, "  ada proposes")

        put_cursor(page, 2, 9)
        page.keyboard.type("oops")
        until_settled(page)
        page.keyboard.press("Control+z")
        until_row(page, 9, 0, 30, "")
        assert row_of(page, 3, 0, 30) == "  ada was here", "undo took an agent's work"
        until_settled(page)

        broker.kill()
        page.wait_for_function("document.documentElement.dataset.state !== 'live'")
        put_cursor(page, 2, 10)
        page.keyboard.type("while away")
        until_live(page)
        until_settled(page)
        ada.call("canvas_write", at=[2, 11], content="ada is back", mode="apply")
        bob.call("canvas_write", at=[30, 11], content="bob is back", mode="apply")
        until_row(page, 11, 0, 60, "  ada is back" + " " * 17 + "bob is back")

        seen, told = shown(page), read_by(bob)
        assert told == read_by(ada)
        assert seen[1] == "  typed 世界 by a person"
        assert seen[10] == "  while away"
        for y, line in enumerate(seen):
            assert line.rstrip() == _row(told, y), f"row {y} differs between page and agents"
    assert broker.cli("stop").returncode == 0
    assert on_disk(desk) == told


def _row(text: str, y: int) -> str:
    """Row y of a text map of AREA: what stands after the ruler."""
    body = [line for line in text.split("\n") if re.match(r"^ *-?\d* [│┤]", line)]
    return re.split("[│┤]", body[y], maxsplit=1)[1].rstrip()


def test_reloads_keep_the_way_in_and_everything_typed(broker: RunningBroker, page: Page) -> None:
    put_cursor(page, 0, 0)
    page.keyboard.type("kept")
    page.reload()
    until_live(page)
    until_row(page, 0, 0, 10, "kept")
    assert "#" not in page.url, "the one-time code must leave the address"


def test_the_page_lives_under_its_own_content_policy(browser: Browser, broker: RunningBroker) -> None:
    context = browser.new_context()
    complaints: list[str] = []
    page = context.new_page()
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.goto(way_in(broker.place.root))
    page.locator("html[data-state=live]").wait_for(state="attached")
    assert not complaints
    context.close()


def test_an_agent_that_comes_and_goes_is_seen(broker: RunningBroker, page: Page) -> None:
    with Agent(broker.place.root, "carol"):
        page.get_by_text("carol", exact=False).first.wait_for()
    page.wait_for_function("!document.querySelector('#agents')?.textContent.includes('carol')")


@pytest.mark.parametrize(
    ("verdict", "becomes"), [("Apply", "  ghost"), ("Dismiss", "")], ids=["applied", "dismissed"]
)
def test_a_ghost_is_decided_by_keyboard_alone(
    broker: RunningBroker, page: Page, verdict: str, becomes: str
) -> None:
    with Agent(broker.place.root, "ada") as ada:
        preview = ada.call("canvas_write", at=[2, 2], content="ghost")["structuredContent"]["previewId"]
        button = page.get_by_role("button", name=re.compile(f"^{verdict}")).first
        button.focus()
        page.keyboard.press("Enter")
        button.wait_for(state="detached")
        until_row(page, 2, 0, 10, becomes)
        late = ada.refused("canvas_history", action="apply_preview", previewId=preview)
        assert (late is None) == (verdict == "Apply")


def test_the_page_gives_its_tools_to_the_browsers_agent(broker: RunningBroker, page: Page) -> None:
    page.wait_for_function("document.documentElement.dataset.webmcpStatus === 'ready'")
    tools = _web_tools(page)
    assert sorted(tool["name"] for tool in tools) == sorted(operation.name for operation in WEBMCP)
    _web_call(page, "canvas_write", {"at": [1, 1], "content": "from the browser", "mode": "apply"})
    until_row(page, 1, 0, 30, " from the browser")
    with Agent(broker.place.root, "ada") as ada:
        log = ada.call("canvas_history", action="log", limit=1)["structuredContent"]["entries"]
    assert log[0]["author"] == "browser-agent", "never the person"


def _web_tools(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        """async () => (await document.modelContext.getTools()).map(tool => ({name: tool.name}))"""
    )
    return found


def _web_call(page: Page, tool: str, arguments: dict[str, Any]) -> None:
    page.evaluate(
        """async ([name, args]) => {
            const tool = (await document.modelContext.getTools()).find(one => one.name === name);
            return document.modelContext.executeTool(tool, args);
        }""",
        [tool, arguments],
    )
