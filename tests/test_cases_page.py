"""Cases that need a person's browser: real keys, real reloads, real addresses, and what the page shows."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from brokers import RunningBroker
from browsers import HeldBack, launched, opened, profile, row_of, until_live, until_row, until_settled, way_in
from parties import Caller, answer_of, eventually, faultless, sheet_of
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.e2e

CUT_OFF_S = 2
"""The case's bound between the gesture and the end of the agent's socket."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("page") / "desk") as running:
        yield running


@pytest.fixture
def ada(broker: RunningBroker) -> Iterator[Caller]:
    """An agent, and a fresh canvas that is the active one, so that tests can share a broker."""
    with Caller(broker.place.root, "ada") as agent:
        sheet_of(agent, activate=True)
        yield agent


@pytest.fixture
def page(browser: Browser, broker: RunningBroker, ada: Caller) -> Iterator[Page]:
    with profile(browser) as context:
        yield opened(context, broker.place.root)


PLACE = """([x, y]) => {
    const { left, top } = window.chardesk.viewport.place(x, y);
    return [left / devicePixelRatio, top / devicePixelRatio];
}"""


def click(page: Page, x: int, y: int) -> None:
    """Put the cursor on a cell. A click on the right half of a wide glyph means the glyph."""
    left, top = page.evaluate(PLACE, [x, y])
    box = page.locator("#cells").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + left + 3, box["y"] + top + 5)


def type_at(page: Page, x: int, y: int, text: str) -> None:
    """Click a cell, type, and wait until the broker has it."""
    click(page, x, y)
    page.keyboard.type(text)
    until_settled(page)


# -- getting in


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_every_address_that_loads_the_page_also_connects_it(
    browser: Browser, broker: RunningBroker, ada: Caller, name: str
) -> None:
    """CON-11; that only 127.0.0.1 is listened on is in test_cases_connection.py."""
    address = way_in(broker.place.root).replace("127.0.0.1", name)
    with profile(browser) as context:
        page = context.new_page()
        page.goto(address)
        until_live(page)
        type_at(page, 0, 0, name)
        page.reload()
        until_live(page)
        until_row(page, 0, 0, 20, name)
        assert ada.rows((0, 0, 20, 1)) == [name]


def test_what_was_done_without_a_page_is_there_after_reloads_and_a_persons_edit(
    browser: Browser, broker: RunningBroker, ada: Caller
) -> None:
    """CON-14"""
    eventually(lambda: not broker.call("status")["live"])
    assert ada.put(2, 1, "alone")["live"] is False
    with profile(browser) as context:
        page = opened(context, broker.place.root)
        for _ in range(2):
            page.reload()
            until_live(page)
        type_at(page, 2, 2, "together")
        assert ada.ok("canvas_read", viewport=[0, 0, 1, 1])["live"] is True
        assert ada.rows((0, 0, 20, 3)) == ["", "  alone", "  together"]
        until_row(page, 1, 0, 20, "  alone")


# -- undo


def test_the_undo_key_walks_the_persons_edits_and_no_others(
    broker: RunningBroker, page: Page, ada: Caller
) -> None:
    """UND-02, UND-08"""
    with Caller(broker.place.root, "bob") as bob:
        type_at(page, 2, 1, "x")
        ada.put(20, 1, "T")
        bob.put(30, 1, "U")
        until_row(page, 1, 0, 40, "  x" + " " * 17 + "T" + " " * 9 + "U")
        for _ in range(3):
            page.keyboard.press("Control+z")
        until_row(page, 1, 0, 40, " " * 20 + "T" + " " * 9 + "U")
        until_settled(page)
        ada.ok("canvas_history", action="undo")
        until_row(page, 1, 0, 40, " " * 30 + "U")
        page.reload()
        until_live(page)
        until_row(page, 1, 0, 40, " " * 30 + "U")
        assert bob.rows((0, 1, 40, 1)) == [" " * 30 + "U"]


def test_the_keys_walk_over_an_accepted_ghost_in_one_step(page: Page, ada: Caller) -> None:
    """UND-09. After the button was clicked the keys belong to the cells again."""
    type_at(page, 2, 1, "E")
    ada.ok("canvas_write", at=[20, 1], content="PPP\nPPP")
    page.get_by_role("button", name="Apply").first.click()
    accepted = "  E" + " " * 17 + "PPP"
    until_row(page, 1, 0, 40, accepted)
    until_row(page, 2, 0, 40, " " * 20 + "PPP")
    for key, row, below in (
        ("Control+z", "  E", ""),
        ("Control+y", accepted, " " * 20 + "PPP"),
        ("Control+z", "  E", ""),
        ("Control+z", "", ""),
    ):
        page.keyboard.press(key)
        until_row(page, 1, 0, 40, row)
        until_row(page, 2, 0, 40, below)
        until_settled(page)


# -- characters


ROWS = (
    ("日本語|", 6),  # CHR-01
    ("123456|", 6),
    ("\u26a0\ufe0f|", 2),  # CHR-04
    ("\u26a0|", 1),
    ("1\ufe0f\u20e3|", 2),
    ("\U0001f469\U0001f3ff\u200d\U0001f527|", 2),  # CHR-05
    ("\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466|", 2),
    ("\U0001f3f4\u200d\u2620\ufe0f|", 2),
    ("┌─┐①→■|", 6),  # CHR-07
)


@pytest.mark.parametrize("locale", ["ja-JP", "zh-CN", "en-US"])
def test_the_page_has_every_bar_in_the_column_where_the_tools_have_it(
    browser: Browser, broker: RunningBroker, ada: Caller, locale: str
) -> None:
    """CHR-01, CHR-04, CHR-05, CHR-07"""
    ada.put(0, 0, "\n".join(text for text, _ in ROWS))
    # Playwright's waiting evaluates strings, which the page's own policy forbids.
    with browser.new_context(locale=locale, bypass_csp=True) as context:
        page = opened(context, broker.place.root)
        for y, (text, column) in enumerate(ROWS):
            until_row(page, y, 0, 20, text)
            assert row_of(page, y, column, column + 1) == "|"
            assert row_of(page, y, 0, column) == text.removesuffix("|")


def test_no_half_of_a_glyph_is_left_on_the_page_whoever_writes_over_it(page: Page, ada: Caller) -> None:
    """CHR-02, CHR-03"""
    ada.put(0, 0, "橋\n橋\n日本")
    until_row(page, 2, 0, 10, "日本")
    ada.put(1, 0, "X")
    type_at(page, 0, 1, "a")
    ada.put(1, 2, "月")
    for y, row in enumerate([" X", "a", " 月"]):
        until_row(page, y, 0, 10, row)
    assert ada.rows((0, 0, 10, 3)) == [" X", "a", " 月"]


# -- a slow link


LETTERS = "abcdefghijklmnopqrstuvwxyz1234"


def test_what_was_typed_on_a_slow_link_is_there_after_the_tab_was_closed(
    browser: Browser, broker: RunningBroker, ada: Caller
) -> None:
    """SYN-07"""
    with profile(browser) as context:
        page = context.new_page()
        link = HeldBack(page)
        page.goto(way_in(broker.place.root))
        until_live(page)
        link.hold()
        click(page, 2, 1)
        page.keyboard.type(LETTERS)
        page.keyboard.press("Escape")
        page.close()
        assert ada.rows((0, 1, 40, 1)) == [""]
        again = context.new_page()
        again.goto(f"http://{broker.address}/")
        until_live(again)
        until_row(again, 1, 0, 40, f"  {LETTERS}")
        until_settled(again)
    assert ada.rows((0, 1, 40, 1)) == [f"  {LETTERS}"]


def test_on_a_slow_link_keys_show_at_once_and_what_comes_late_is_the_same(
    browser: Browser, broker: RunningBroker, ada: Caller
) -> None:
    with profile(browser) as context:
        page = context.new_page()
        link = HeldBack(page)
        page.goto(way_in(broker.place.root))
        until_live(page)
        link.hold()
        click(page, 2, 1)
        page.keyboard.type(LETTERS)
        ada.put(4, 1, "AGENT")
        until_row(page, 1, 0, 40, f"  {LETTERS}")
        link.flow()
        until_settled(page)
        until_row(page, 1, 0, 40, f"  {LETTERS}")
    assert ada.rows((0, 1, 40, 1)) == [f"  {LETTERS}"]


# -- revocation


def test_a_revoked_agent_is_cut_off_and_nobody_else_notices(
    broker: RunningBroker, page: Page, ada: Caller
) -> None:
    """SEC-04"""
    with Caller(broker.place.root, "eve") as eve:
        ghost = eve.ok("canvas_write", at=[2, 5], content="ghost")["previewId"]
        running = eve.send("canvas_code", script="while (true) {}", timeoutMs=10_000, mode="apply")
        queued = [eve.send("canvas_write", at=[0, y], content="late", mode="apply") for y in (1, 2)]
        waiting = "window.chardesk.link.agents.value.find(({ name }) => name === 'eve')?.waiting >= 2"
        page.wait_for_function(waiting)
        gone = page.evaluate_handle(
            """() => {
                const seen = [];
                const { previews } = window.chardesk.link;
                previews.subscribe((news) => news.type === "preview_gone" && seen.push(news));
                return seen;
            }"""
        )
        began = time.monotonic()
        page.evaluate(
            "() => window.chardesk.link.gesture({ type: 'govern', author: 'eve', isRevoked: true })"
        )
        told = [eve.hear() for _ in (running, *queued)]
        assert time.monotonic() - began < CUT_OFF_S
        assert {answer_of(each).code for each in told} == {"revoked"}
        page.wait_for_function("(seen) => seen.length > 0", arg=gone)
        assert gone.evaluate("(seen) => seen.map(({ id, reason }) => [id, reason])") == [[ghost, "revoked"]]
        assert eve.tool("canvas_read").code == "revoked"
        assert ada.rows((0, 1, 20, 2)) == ["", ""]
        assert ada.put(0, 8, "still here")["applied"] is True
