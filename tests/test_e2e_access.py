"""Everybody can use the page: axe-core finds nothing, and every room is used by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from pipes import Agent
from typing import Any

import pytest
from brokers import RunningBroker
from browsers import launched, opened, profile, until_live, until_row
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.e2e

AXE = Path(__file__).with_name("node_modules") / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("access") / "desk") as running:
        yield running


@pytest.fixture(scope="module")
def ada(broker: RunningBroker) -> Iterator[Agent]:
    with Agent(broker.place.root, "ada") as agent:
        agent.call("canvas_write", at=[2, 1], content="hello 世界", mode="apply", why="something to see")
        agent.call("canvas_code", script="canvas.write({at: [2, 2], content: 'ran'})", mode="apply")
        agent.call("canvas_write", at=[2, 4], content="a ghost", why="something to decide")
        agent.call("canvas_inbox", action="post", to="person", text="I have drawn **something**")
        yield agent


@pytest.fixture
def page(browser: Browser, broker: RunningBroker, ada: Agent) -> Iterator[Page]:
    with profile(browser) as context:
        yield opened(context, broker.place.root)


def faults(page: Page) -> list[str]:
    """What axe-core has against the page as it is now, one line each."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate(
        "(rules) => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES
    )
    return [
        f"{fault['id']}: {node['target']} {node['failureSummary']}"
        for fault in found["violations"]
        for node in fault["nodes"]
    ]


def nothing(page: Page) -> None:
    """The page as it opens, with a ghost and its card."""


def settings(page: Page) -> None:
    page.keyboard.press("Control+,")
    page.get_by_role("dialog").wait_for()


def help_page(page: Page) -> None:
    page.keyboard.press("F1")
    page.get_by_role("button", name="Guide", exact=True).click()
    page.locator(".prose").wait_for()


def connect(page: Page) -> None:
    page.get_by_role("button", name="Connect an agent").first.click()


def story(page: Page) -> None:
    page.evaluate("() => window.chardesk.editor.place([2, 1])")
    page.locator("#field").focus()
    page.keyboard.press("F2")
    page.locator(".story li").first.wait_for()


def menu(page: Page) -> None:
    page.get_by_role("button", name="More for ada").click()


def tour(page: Page) -> None:
    page.keyboard.press("F1")
    page.get_by_role("button", name="Take the tour").click()


def history(page: Page) -> None:
    page.get_by_role("button", name="History").click()
    page.get_by_role("button", name=re.compile("ada ran a script")).first.click()
    page.get_by_text("Evidence (SHA-256)").click()


def pinning(page: Page) -> None:
    page.evaluate("() => window.chardesk.editor.select([1, 1, 4, 2])")
    page.get_by_role("button", name="Pin selection").click()
    page.get_by_role("dialog", name=re.compile("^Pin")).wait_for()


def revoking(page: Page) -> None:
    menu(page)
    page.get_by_role("menuitem", name="Revoke").click()
    page.get_by_role("dialog", name="Revoke ada?").wait_for()


def undoing_all(page: Page) -> None:
    page.get_by_label("Show what whom did").select_option("ada")
    page.get_by_role("button", name="Undo all by ada").click()
    page.get_by_role("dialog", name="Undo all by ada").wait_for()


def vetoing(page: Page) -> None:
    page.get_by_role("button", name="With a note").click()
    page.get_by_label("Why not? The agent reads this.").wait_for()


def messages(page: Page) -> None:
    """What an agent says, what the person wrote, and a line that is being written."""
    page.locator(".letter").first.wait_for()
    for text in ("done", "being written"):
        page.get_by_role("button", name="More for ada").click()
        page.get_by_role("menuitem", name="Write to ada").click()
        page.get_by_label("To ada").fill(text)
        if text == "done":
            page.get_by_role("button", name="Send").click()
    page.get_by_text("You to ada").first.wait_for()


def locked(page: Page) -> None:
    page.evaluate("() => window.chardesk.link.state.set('locked')")


def outdated(page: Page) -> None:
    page.evaluate("() => window.chardesk.link.state.set('outdated')")


STATES = (
    nothing,
    settings,
    help_page,
    connect,
    story,
    menu,
    tour,
    history,
    pinning,
    revoking,
    undoing_all,
    vetoing,
    messages,
    locked,
    outdated,
)


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_axe_finds_nothing(page: Page, state: Callable[[Page], None]) -> None:
    page.locator("#previews .card").wait_for()
    state(page)
    assert faults(page) == []


@pytest.mark.parametrize("theme", ["light", "dark", "paper", "contrast"])
def test_axe_finds_nothing_in_any_theme(page: Page, theme: str) -> None:
    page.locator("#previews .card").wait_for()
    page.evaluate("(theme) => document.documentElement.dataset.theme = theme", theme)
    assert faults(page) == []


def test_axe_finds_nothing_on_a_phone(browser: Browser, broker: RunningBroker, ada: Agent) -> None:
    with profile(browser, size=(390, 844), has_touch=True) as context:
        page = opened(context, broker.place.root)
        page.get_by_role("button", name="Agents and activity").click()
        assert faults(page) == []


@pytest.mark.parametrize("address", ["/desk", "/read/"])
def test_axe_finds_nothing_on_the_other_pages(page: Page, broker: RunningBroker, address: str) -> None:
    canvas = page.evaluate("() => window.chardesk.link.canvases.value.canvas")
    other = page.context.new_page()
    other.goto(f"http://{broker.address}{address}{canvas if address != '/desk' else ''}")
    other.locator("html[data-state=read_only]").wait_for(state="attached")
    assert faults(other) == []


def test_axe_finds_nothing_in_the_greeting(browser: Browser, tmp_path: Path) -> None:
    with RunningBroker(tmp_path / "desk") as broker, profile(browser) as context:
        page = opened(context, broker.place.root)
        page.get_by_role("heading", name="Welcome to your desk").wait_for()
        assert faults(page) == []


def test_axe_finds_nothing_beside_slides_and_where_one_is_resized(browser: Browser, tmp_path: Path) -> None:
    with RunningBroker(tmp_path / "desk") as broker, profile(browser) as context:
        page = opened(context, broker.place.root)
        page.evaluate(
            """() => window.chardesk.link.callTool(
                "canvas_manage", { action: "create", kind: "slides", name: "Talk", activate: true })"""
        )
        slide = page.locator(".slides .is-sheet").first
        slide.wait_for()
        assert faults(page) == []
        slide.hover()
        slide.locator(".more").click()
        page.get_by_role("menuitem", name="Resize").click()
        page.get_by_role("dialog", name=re.compile("^Resize")).wait_for()
        assert faults(page) == []


# -- by keyboard alone ---------------------------------------------------------------


def focused(page: Page) -> str:
    found: str = page.evaluate(
        "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
    )
    return found


def walk_to(page: Page, name: str, key: str = "Tab") -> None:
    """Press a key until what is called so has the focus; what has it is seen to have it."""
    for _ in range(60):
        if focused(page).strip() == name:
            assert page.evaluate("() => document.activeElement.matches(':focus-visible')"), name
            return
        page.keyboard.press(key)
    raise AssertionError(f"{name} was not reached")


def go_round_to(page: Page, part: str) -> None:
    """F6 from the canvas goes round the parts of the page until this one is reached."""
    page.locator("#field").focus()
    for _ in range(10):
        page.keyboard.press("F6")
        if page.evaluate("(part) => document.querySelector(part).contains(document.activeElement)", part):
            return
    raise AssertionError(f"{part} was not reached")


def test_a_ghost_is_found_and_applied_from_the_keyboard(page: Page, ada: Agent) -> None:
    ada.call("canvas_write", at=[2, 8], content="by keys")
    page.locator(".card").nth(1).wait_for()
    page.locator("#field").focus()
    page.keyboard.press("Alt+Enter")
    until_row(page, 8, 0, 20, "  by keys")


def test_agents_are_paused_and_granted_from_the_keyboard(page: Page) -> None:
    go_round_to(page, "#side")
    walk_to(page, "Pause all")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Resume all").wait_for()
    walk_to(page, "Resume all")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Pause all").wait_for()
    walk_to(page, "What ada may do")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("window.chardesk.link.agents.value[0].grant === 'propose'")
    walk_to(page, "What ada may do")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("window.chardesk.link.agents.value[0].grant === 'apply'")


def test_a_canvas_is_made_renamed_and_left_from_the_keyboard(page: Page) -> None:
    go_round_to(page, "#sheets")
    walk_to(page, "New canvas")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_function("window.chardesk.link.canvases.value.canvases.length === 2")
    walk_to(page, "Canvas 2")
    page.keyboard.press("F2")
    page.keyboard.type("Keys")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Keys", exact=True).wait_for()
    walk_to(page, "Canvas 1", "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("document.title.startsWith('Canvas 1')")


def test_a_dialog_gives_the_focus_back(page: Page) -> None:
    page.locator("#field").focus()
    page.keyboard.press("F1")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_function("document.activeElement.id === 'field'")


def test_the_canvas_is_there_as_text(page: Page) -> None:
    page.get_by_text("Row 1: hello 世界").wait_for(state="attached")
    page.locator("#field").focus()
    page.evaluate("() => window.chardesk.editor.place([0, 12])")
    page.keyboard.type("typed")
    page.get_by_text("Row 12: typed").wait_for(state="attached")


def test_without_motion_nothing_blinks(browser: Browser, broker: RunningBroker) -> None:
    with profile(browser, reduced_motion="reduce") as context:
        page = opened(context, broker.place.root)
        until_live(page)
        name = "() => getComputedStyle(document.querySelector('.caret')).animationName"
        assert page.evaluate(name) == "none"
