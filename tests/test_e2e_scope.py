"""Where an agent may change cells and what it may use: chosen on its card on the page, felt by the agent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from brokers import RunningBroker
from browsers import launched, opened, profile, until_live
from parties import Caller, Fields
from playwright.sync_api import Browser, Locator, Page, expect

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
def page(browser: Browser, broker: RunningBroker) -> Iterator[Page]:
    with profile(browser) as found:
        greeted = "localStorage.setItem('chardesk/preferences', '{\"greeting\": \"done\"}')"
        found.add_init_script(f"if (location.protocol === 'http:') {greeted}")
        yield opened(found, broker.place.root)


@pytest.fixture
def ada(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root, "ada") as found:
        yield found


def where(page: Page) -> Locator:
    return page.get_by_label("Where ada may change cells")


def write(agent: Caller, x: int) -> Fields:
    told = agent.tool("canvas_write", at=[x, 0], content="x", mode="apply", expectedRevision="any")
    return told.fields


def select_three_columns(page: Page) -> None:
    page.locator("#field").focus()
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")


def test_an_agent_is_held_to_the_selected_rectangle_and_set_free_again(page: Page, ada: Caller) -> None:
    expect(where(page)).to_have_value("everywhere")
    where(page).select_option("selected")
    expect(page.locator(".notice")).to_contain_text("Select cells first")
    expect(where(page)).to_have_value("everywhere")
    select_three_columns(page)
    where(page).select_option("selected")
    expect(where(page)).to_have_value("kept")
    expect(where(page).locator("option:checked")).to_have_text(
        re.compile(r"^Only \d × 1 at .* on .* of Canvas 1$")
    )
    denied = write(ada, 50)
    assert denied["code"] == "permission_denied"
    assert denied["details"]["outside"][0]["bounds"] == [50, 0, 1, 1]
    (area,) = denied["details"]["scope"]
    assert write(ada, area["bounds"][0])["applied"]
    page.reload()
    until_live(page)
    expect(where(page)).to_have_value("kept")
    where(page).select_option("everywhere")
    expect(where(page)).to_have_value("everywhere")
    assert write(ada, 50)["applied"]


def test_the_scope_is_outlined_while_the_card_has_the_focus(page: Page, ada: Caller) -> None:
    select_three_columns(page)
    where(page).select_option("selected")
    expect(where(page)).to_have_value("kept")
    frame = page.locator(".scope-frame")
    where(page).focus()
    expect(frame).to_have_count(1)
    expect(frame).to_be_visible()
    write(ada, 50)
    expect(frame).to_have_count(1)
    page.locator("#field").focus()
    expect(frame).to_have_count(0)


def test_a_feature_is_turned_off_in_the_agents_menu_and_on_again(page: Page, ada: Caller) -> None:
    more = page.get_by_role("button", name="More for ada", exact=True)
    more.click()
    page.get_by_role("menuitem", name="Turn scripts off").click()
    expect(page.locator("#agents .doing")).to_contain_text("without scripts")
    denied = ada.tool("canvas_code", script="return 1").fields
    assert (denied["code"], denied["details"]) == ("permission_denied", {"feature": "code"})
    more.click()
    page.get_by_role("menuitem", name="Let it run scripts").click()
    expect(page.locator("#agents .doing")).not_to_contain_text("without")
    assert ada.tool("canvas_code", script="return 1").fields["result"] == 1


def test_the_page_says_that_the_policy_cant_be_followed_until_it_can(
    page: Page, ada: Caller, broker: RunningBroker
) -> None:
    policy = Path(broker.place.policy)
    policy.write_text('{"feature": {}}', encoding="utf-8")
    fault = page.locator("#agents .fault")
    expect(fault).to_contain_text("unknown key feature; did you mean features?")
    assert write(ada, 0)["code"] == "permission_denied"
    policy.unlink()
    expect(fault).to_have_count(0)
    assert write(ada, 0)["applied"]
