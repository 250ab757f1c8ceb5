"""What a person did is never lost without a word: what no cell can hold is named, what was done while the
desk was away is kept until it has a place, and what others did meanwhile is shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from brokers import RunningBroker
from browsers import launched, opened, profile, until_row
from playwright.sync_api import Browser, BrowserContext, Page, expect

pytestmark = pytest.mark.e2e

SETTLED = """if (location.protocol === "http:")
    localStorage.setItem("chardesk/preferences", '{"greeting": "done", "paste": "ansi"}');"""
"""The greeting was seen, and what is pasted from a terminal keeps its looks without a question."""


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
        found.grant_permissions(["clipboard-read", "clipboard-write"])
        found.add_init_script(SETTLED)
        yield found


@pytest.fixture
def page(context: BrowserContext, broker: RunningBroker) -> Page:
    found = opened(context, broker.place.root)
    found.locator("#field").focus()
    return found


# -- what no cell can hold -------------------------------------------------------------


def test_what_typing_pasting_and_an_input_method_lose_is_named_once(
    page: Page, context: BrowserContext
) -> None:
    notices = page.locator(".notice")
    cdp = context.new_cdp_session(page)
    page.keyboard.insert_text("a\u202eb\u0007c")
    until_row(page, 0, 0, 9, "abc")
    expect(notices).to_contain_text(["2 characters that no cell can hold were left out: U+202E, U+0007"])
    cdp.send("Input.imeSetComposition", {"text": "\u200bに", "selectionStart": 2, "selectionEnd": 2})
    cdp.send("Input.insertText", {"text": "\u200bに"})
    until_row(page, 0, 0, 9, "abcに")
    expect(notices.last).to_contain_text("1 character that no cell can hold was left out: U+200B")
    for _ in range(5):
        page.keyboard.insert_text("\u2066")
    expect(notices).to_have_count(3)
    page.keyboard.press("Enter")
    page.evaluate("navigator.clipboard.writeText('\x1b[31mred\u202e\u202e\x1b[0m')")
    page.keyboard.press("Control+v")
    until_row(page, 1, 0, 9, "red")
    expect(notices.last).to_contain_text("2 characters that no cell can hold were left out: U+202E ×2")
    expect(page.locator("#notices")).to_have_attribute("aria-live", "polite")
