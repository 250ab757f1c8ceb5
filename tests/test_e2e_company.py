"""Between the person and agents, on the page: lines both ways, proposals and what each shows, and a page that
does not hold the seat."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from pipes import Agent
from typing import Any

import pytest
from brokers import RunningBroker
from browsers import launched, opened, profile, row_of, until_live, until_row
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path / "desk") as running:
        yield running


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    with profile(browser) as found:
        greeted = "localStorage.setItem('chardesk/preferences', '{\"greeting\": \"done\"}')"
        found.add_init_script(f"if (location.protocol === 'http:') {greeted}")
        yield found


@pytest.fixture
def page(context: BrowserContext, broker: RunningBroker) -> Page:
    return opened(context, broker.place.root)


@pytest.fixture
def ada(broker: RunningBroker) -> Iterator[Agent]:
    with Agent(broker.place.root, "ada") as found:
        yield found


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True).first


def item(page: Page, name: str) -> Locator:
    """A line of the open menu; the key beside it is part of its name."""
    return page.get_by_role("menuitem", name=re.compile(rf"^{name}( ?(Ctrl|Del|F).*)?$"))


def inbox(agent: Agent, action: str, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = agent.call("canvas_inbox", action=action, **more)["structuredContent"]
    return found


def write_to(page: Page, name: str) -> None:
    button(page, f"More for {name}").click()
    item(page, f"Write to {name}").click()


# -- lines ---------------------------------------------------------------------------


def test_a_line_to_an_agent_lands_in_its_inbox_and_the_page_shows_when_it_was_read(
    page: Page, ada: Agent
) -> None:
    write_to(page, "ada")
    page.keyboard.type("The box is too wide.")
    page.keyboard.press("Enter")
    line = page.locator("#letters .letter")
    expect(line).to_contain_text("You to ada")
    expect(line).to_contain_text("waits until the agent looks")
    (message,) = inbox(ada, "wait", timeoutMs=10_000)["messages"]
    assert (message["from"], message["text"]) == ("person", "The box is too wide.")
    expect(line).to_contain_text("given to the agent")
    inbox(ada, "ack", messageIds=[message["messageId"]])
    expect(line.locator(".counts")).to_have_text("read")
    button(page, "Hide this message").click()
    expect(page.locator("#letters-section")).to_be_hidden()


def test_what_an_agent_says_is_shown_answered_and_put_away_for_good(page: Page, ada: Agent) -> None:
    inbox(ada, "post", to="person", text="<b>Which colour?</b>\nred or blue")
    letter = page.locator("#letters .letter")
    expect(letter.locator(".words")).to_have_text("<b>Which colour?</b>\nred or blue")
    expect(page.locator(".notice")).to_contain_text("ada: <b>Which colour?</b>")
    button(letter, "Reply").click()
    page.keyboard.type("blue")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("please")
    button(page, "Send").click()
    (answer,) = inbox(ada, "wait", timeoutMs=10_000)["messages"]
    assert answer["text"] == "blue\nplease"
    page.reload()
    until_live(page)
    expect(letter).to_have_count(2)
    button(letter.filter(has_text="Which colour?"), "Put away").click()
    expect(letter).to_have_count(1)
    page.reload()
    until_live(page)
    expect(letter).to_have_text(re.compile("You to ada.*please", re.DOTALL))


def test_a_line_that_is_begun_or_written_while_the_desk_is_away_survives_a_reload_and_is_sent_once(
    page: Page, ada: Agent, broker: RunningBroker
) -> None:
    """SYN-07: closed in the middle of it, nothing that was written is lost."""
    write_to(page, "ada")
    page.keyboard.type("begun")
    page.reload()
    until_live(page)
    write_to(page, "ada")
    expect(page.locator("#letter-form textarea")).to_have_value("begun")
    page.route("**/health", lambda route: route.abort())
    broker.kill()
    page.locator("html[data-state=offline]").wait_for(state="attached")
    page.locator("#letter-form textarea").press("Enter")
    expect(page.locator("#letters .letter")).to_contain_text("not sent yet")
    assert inbox(ada, "receive")["messages"] == [], "and by now the agent's process has started a broker"
    page.reload()
    expect(page.locator("#letters .letter")).to_contain_text("begun")
    page.unroute("**/health")
    until_live(page)
    expect(page.locator("#letters .letter")).to_contain_text("waits until the agent looks")
    assert [one["text"] for one in inbox(ada, "wait", timeoutMs=10_000)["messages"]] == ["begun"]


# -- proposals -----------------------------------------------------------------------


def propose(page: Page, name: str) -> None:
    page.get_by_label(f"What {name} may do").select_option("propose")
    page.wait_for_function("window.chardesk.link.agents.value[0]?.grant === 'propose'")


def test_a_card_says_who_where_what_and_how_much(page: Page, ada: Agent) -> None:
    """APR-02"""
    ada.call("canvas_write", at=[0, 0], content="x" * 100, mode="apply")
    propose(page, "ada")
    block = "\n".join(["#" * 30] * 5)
    assert (ada.refused("canvas_write", at=[2, 2], content=block, mode="apply") or {})["code"] == (
        "approval_required"
    )
    card = page.locator("#previews .card")
    expect(card).to_contain_text("ada")
    expect(card.locator(".counts:not(.alternative)").first).to_contain_text("30 × 5 at 2, 2, 150 cells")
    expect(button(card, "Before")).to_be_visible()
    button(card, "Dismiss").click()
    expect(card).to_have_count(0)
    ada.refused("canvas_erase", at=[0, 0], size=[100, 1], mode="apply")
    expect(card).to_contain_text("clears 100 cells")
    button(card, "Dismiss").click()
    expect(card).to_have_count(0)
    ada.refused("canvas_manage", action="rename", name="Plans")
    expect(card).to_contain_text("Renames canvas Canvas 1 to Plans")
    button(card, "Apply").click()
    page.get_by_role("button", name="Plans", exact=True).wait_for()


def test_an_answer_that_is_lost_or_pressed_twice_counts_once(
    page: Page, ada: Agent, broker: RunningBroker
) -> None:
    """APR-06"""
    propose(page, "ada")
    ada.refused("canvas_write", at=[0, 0], content="once", mode="apply")
    card = page.locator("#previews .card")
    card.wait_for()
    page.route("**/health", lambda route: route.abort())
    broker.kill()
    page.locator("html[data-state=offline]").wait_for(state="attached")
    expect(button(card, "Apply")).to_be_disabled()
    expect(button(card, "Apply")).to_have_attribute("title", "Not now: the desk is away.")
    page.keyboard.press("Alt+Enter")
    expect(card.locator("p.warns[role=status]")).to_contain_text("the desk is away")
    page.unroute("**/health")
    until_live(page)
    button(card, "Apply").dblclick()
    expect(card).to_have_count(0)
    until_row(page, 0, 0, 6, "once")
    page.locator("#field").focus()
    page.keyboard.press("Control+z")
    until_row(page, 0, 0, 6, "")


# -- without the seat ------------------------------------------------------------------


def test_a_page_without_the_seat_shows_every_control_and_why_it_does_nothing(
    page: Page, context: BrowserContext, ada: Agent, broker: RunningBroker
) -> None:
    ada.call("canvas_write", at=[0, 0], content="there", mode="apply")
    ada.call("canvas_write", at=[0, 2], content="ghost")
    inbox(ada, "post", to="person", text="hello")
    page.evaluate("window.chardesk.editor.select([0, 0, 2, 1])")
    button(page, "Pin selection").click()
    button(page, "Pin").click()
    button(page, "Remove the pin: 2 × 1 at 0, 0").wait_for()
    second = context.new_page()
    second.goto(f"http://{broker.address}/")
    second.locator("html[data-state=read_only]").wait_for(state="attached")
    second.locator("#previews .card").wait_for()
    why = "Another page holds the desk. Take over to do this here."
    barred = [
        *(button(second, name) for name in ("Undo", "Redo", "Pause all", "Pin selection", "New canvas")),
        *(button(second, name) for name in ("Apply", "Dismiss", "With a note", "Put away")),
        button(second, "Remove the pin: 2 × 1 at 0, 0"),
        second.get_by_label("What ada may do"),
    ]
    for control in barred:
        expect(control).to_be_disabled()
        expect(control).to_have_attribute("title", why)
    button(second, "More for ada").click()
    for name in ("Write to ada", "Revoke"):
        expect(item(second, name)).to_be_disabled()
    second.keyboard.press("Escape")
    button(second, "More for Canvas 1").click()
    for name in ("Rename", "Duplicate", "Archive"):
        expect(item(second, name)).to_be_disabled()
        expect(item(second, name)).to_have_attribute("title", why)
    second.keyboard.press("Escape")
    second.locator("#activity li").first.hover()
    expect(second.locator("#activity").get_by_role("button", name="Undo writing by ada")).to_be_disabled()
    button(second, "History").click()
    for name in ("Tag", "Restore to #1"):
        expect(button(second, name)).to_be_disabled()
    second.keyboard.press("Escape")
    second.locator("#field").focus()
    second.keyboard.press("Shift+F10")
    for name in ("Cut", "Paste", "Duplicate", "Delete", "Pin selection"):
        expect(item(second, name)).to_be_disabled()
    expect(item(second, "Copy as plain ASCII")).to_be_enabled()
    second.keyboard.press("Escape")
    button(second, "Take over").click()
    until_live(second)
    for control in barred:
        expect(control).to_be_enabled()
    button(second, "Apply").click()
    until_row(second, 2, 0, 6, "ghost")
    assert row_of(second, 0, 0, 6) == "there"
    second.close()
    until_live(page)
    expect(button(page, "Pin selection")).to_be_enabled()
