"""What a person did is never lost without a word: what no cell can hold is named, what was done while the
desk was away is kept until it has a place, and what others did meanwhile is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from pipes import Agent

import pytest
from brokers import RunningBroker
from browsers import HeldBack, launched, opened, profile, until_live, until_row, until_settled, way_in
from parties import eventually
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from slow_link import SlowLink

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


# -- what was done while the desk was away ---------------------------------------------


def away(page: Page, broker: RunningBroker) -> None:
    """The page finds no desk, whoever starts one, until it is `back`."""
    page.route("**/health", lambda route: route.abort())
    broker.kill()
    page.locator("html[data-state=offline]").wait_for(state="attached")
    page.locator("#field").focus()


def back(page: Page) -> None:
    page.unroute("**/health")
    until_live(page)
    until_settled(page)


def rows(agent: Agent) -> str:
    """What an agent reads in the first row."""
    row = agent.call("canvas_read", viewport=[0, 0, 12, 1])["content"][0]["text"].split("\n")[-1]
    return str(row.split("┤")[-1].strip())


def place(page: Page) -> Locator:
    return page.locator("#conflicts").get_by_role("button", name=re.compile("^(Place anyway|Placing…)$"))


def cell(page: Page, x: int, y: int) -> None:
    page.evaluate("([x, y]) => window.chardesk.editor.place([x, y])", [x, y])


@pytest.mark.parametrize(("decision", "wanted"), [("Drop", "NEW3456789"), ("Place anyway", "")])
def test_an_erasing_offline_over_what_an_agent_wrote_is_the_persons_to_apply_or_drop(
    page: Page, broker: RunningBroker, decision: str, wanted: str
) -> None:
    """SYN-02"""
    with Agent(broker.place.root, "ada") as ada:
        page.keyboard.type("0123456789")
        until_settled(page)
        away(page, broker)
        page.evaluate("() => window.chardesk.perform({ kind: 'erase', at: [0, 0], size: [10, 1] })")
        until_row(page, 0, 0, 12, "")
        ada.call("canvas_write", at=[0, 0], content="NEW", mode="apply", expectedRevision="any")
        back(page)
        until_row(page, 0, 0, 12, "NEW3456789")
        card = page.locator("#conflicts .card")
        expect(card).to_contain_text("Erasing, while the desk was away")
        expect(card).to_contain_text("ada changed cells here")
        card.get_by_role("button", name=decision).click()
        expect(card).to_have_count(0)
        until_row(page, 0, 0, 12, wanted)
        until_settled(page)
        assert rows(ada) == wanted, "both sides end equal"
        page.reload()
        until_live(page)
        until_row(page, 0, 0, 12, wanted)
        expect(card).to_have_count(0)


def test_what_was_typed_in_one_go_is_one_card_oldest_first_and_can_be_saved(
    page: Page, broker: RunningBroker
) -> None:
    with Agent(broker.place.root, "ada") as ada:
        away(page, broker)
        page.keyboard.type("first line")
        page.keyboard.press("Enter")
        page.keyboard.type("secomd")
        for _ in range(2):
            page.keyboard.press("Backspace")
        page.keyboard.type("nd")
        cell(page, 0, 9)
        page.keyboard.type("elsewhere")
        ada.call("canvas_write", at=[0, 0], content="x" * 20 + "\n" + "x" * 20, mode="apply")
        ada.call("canvas_write", at=[0, 9], content="x" * 20, mode="apply")
        back(page)
    words = page.locator("#conflicts .card .words")
    wanted = ["“first line\nsecond”, while the desk was away", "“elsewhere”, while the desk was away"]
    expect(words).to_have_text(wanted)
    expect(page.locator(".notice", has_text="kept under “Not placed”")).to_have_count(1)
    page.reload()
    until_live(page)
    expect(words).to_have_text(wanted)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save what could not be placed as a text file").click()
    assert download.value.suggested_filename.startswith("chardesk-not-placed-")
    assert download.value.path().read_text(encoding="utf-8") == (
        "Not placed\n\n== Canvas 1, at 0, 0\nfirst line\nsecond\n\n== Canvas 1, at 0, 9\nelsewhere\n"
    )
    place(page).first.click()
    expect(words).to_have_text(wanted[1:])
    until_row(page, 0, 0, 30, "first line" + "x" * 10)
    until_row(page, 1, 0, 30, "second" + "x" * 14)


def test_what_is_placed_anyway_keeps_its_card_until_the_desk_has_it(
    context: BrowserContext, broker: RunningBroker
) -> None:
    page = context.new_page()
    link = HeldBack(page)
    page.goto(way_in(broker.place.root))
    until_live(page)
    with Agent(broker.place.root, "ada") as ada:
        away(page, broker)
        page.keyboard.type("mine")
        ada.call("canvas_write", at=[0, 0], content="hers!", mode="apply")
        back(page)
        expect(place(page)).to_have_text(["Place anyway"])
        link.hold()
        place(page).click()
        expect(place(page)).to_have_text(["Placing…"])
        expect(place(page)).to_be_disabled()
        page.reload()
        expect(place(page)).to_have_text(["Placing…"])
        link.flow()
        until_live(page)
        until_settled(page)
        expect(place(page)).to_have_count(0)
        until_row(page, 0, 0, 9, "mine!")


def test_what_is_refused_again_keeps_its_card_and_says_why(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada:
        made = ada.call("canvas_manage", action="create", kind="slides", activate=True)["structuredContent"]
        page.wait_for_function("(id) => window.chardesk.replica.sheetId === id", arg=made["pageId"])
        until_settled(page)
        away(page, broker)
        cell(page, 90, 0)
        page.keyboard.type("edge")
        where = {"canvasId": made["canvasId"], "pageId": made["pageId"]}
        ada.call("canvas_manage", action="resize_page", size=[80, 24], mode="apply", **where)
        back(page)
        card = page.locator("#conflicts .card")
        expect(card).to_contain_text("“edge”")
        place(page).click()
        expect(place(page)).to_have_text(["Place anyway"])
        until_settled(page)
        expect(card).to_contain_text("reaches over the edge; the sheet is 80×24")
        expect(card).to_contain_text("“edge”")
        ada.call("canvas_manage", action="resize_page", size=[100, 24], mode="apply", **where)
        place(page).click()
        expect(card).to_have_count(0)
        until_row(page, 0, 90, 99, "edge")


FULL = """(name) => {
    const refuse = () => { throw new DOMException("the quota is used up", name); };
    Storage.prototype.setItem = refuse;
    IDBObjectStore.prototype.put = refuse;
}"""


@pytest.mark.parametrize("name", ["QuotaExceededError", "NS_ERROR_DOM_QUOTA_REACHED"])
def test_a_browser_that_keeps_nothing_says_so_at_once_and_offers_a_file(
    page: Page, broker: RunningBroker, name: str
) -> None:
    """SYN-03"""
    away(page, broker)
    page.keyboard.type("good")
    page.evaluate(FULL, name)
    page.keyboard.press("Enter")
    page.keyboard.type("bad")
    banner = page.locator("#banner")
    expect(banner).to_contain_text("storage is full: a reload would lose what is unsent")
    with page.expect_download() as download:
        banner.get_by_role("button", name="Save as a text file").click()
    saved = download.value.path().read_text(encoding="utf-8")
    assert saved == (
        "Not sent yet\n\n== Canvas 1, at 0, 0\ngood\nbad\n\nThe sheet as it is shown\n\ngood\nbad\n"
    )
    broker.start()
    page.goto(f"http://{broker.address}/")
    page.wait_for_function("window.chardesk?.link.unsent.value === 4")
    back(page)
    until_row(page, 0, 0, 9, "good")


def test_with_a_full_browser_what_is_drawn_online_is_there_after_a_reload(page: Page) -> None:
    """SYN-03"""
    page.evaluate(FULL, "QuotaExceededError")
    page.keyboard.type("kept by the desk")
    expect(page.locator("#banner").get_by_role("button", name="Save as a text file")).to_be_visible()
    until_settled(page)
    page.reload()
    until_live(page)
    until_row(page, 0, 0, 20, "kept by the desk")
    expect(page.locator("#banner")).to_be_hidden()


# -- what others did meanwhile ---------------------------------------------------------


def test_what_agents_changed_while_the_page_was_closed_is_tinted_counted_and_gone_to(
    page: Page, context: BrowserContext, broker: RunningBroker
) -> None:
    page.keyboard.type("mine")
    until_settled(page)
    page.close()
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_write", at=[2, 3], content="near", mode="apply")
        ada.call("canvas_write", at=[400, 300], content="far", mode="apply")
    again = context.new_page()
    again.goto(f"http://{broker.address}/")
    until_live(again)
    jump = again.get_by_role("button", name="1 change out of sight")
    jump.wait_for()
    assert again.locator(".news.is-seen").count() == 1, "what is in sight is tinted"
    again.reload()
    until_live(again)
    jump.wait_for()
    again.locator("#field").focus()
    again.keyboard.press("F8")
    jump.wait_for(state="hidden")
    x, y, columns, height = again.evaluate("window.chardesk.viewport.visible()")
    assert x <= 400 < x + columns and y <= 300 < y + height
    again.reload()
    until_live(again)
    until_row(again, 300, 400, 410, "far")
    assert jump.is_hidden()


def test_a_letter_that_is_put_away_goes_from_every_page_at_once(
    page: Page, context: BrowserContext, broker: RunningBroker
) -> None:
    with Agent(broker.place.root, "ada") as ada:
        for text in ("first", "second"):
            ada.call("canvas_inbox", action="post", to="person", text=text)
    other = context.new_page()
    other.goto(f"http://{broker.address}/")
    expect(other.locator("#letters .letter")).to_have_count(2)
    first = page.locator("#letters .letter", has_text="first")
    first.get_by_role("button", name="Put away").click()
    expect(other.locator("#letters .letter .words")).to_have_text(["second"])
    other.route("**/health", lambda route: route.abort())
    broker.restart()
    until_live(page)
    page.locator("#letters .letter").get_by_role("button", name="Put away").click()
    expect(page.locator("#letters-section")).to_be_hidden()
    expect(other.locator("#letters .letter")).to_have_count(1)
    other.unroute("**/health")
    expect(other.locator("#letters-section")).to_be_hidden()


# -- a slow link -----------------------------------------------------------------------

LETTERS = "abcdefghijklmnopqrstuvwxyz1234"


@pytest.fixture
def link() -> Iterator[SlowLink]:
    with SlowLink() as found:
        yield found


@pytest.fixture
def far(browser: Browser, link: SlowLink) -> Iterator[BrowserContext]:
    """A browser whose way to the desk is the link."""
    with profile(browser, proxy=link.proxy) as found:
        found.add_init_script(SETTLED)
        yield found


def test_on_a_slow_link_that_breaks_nothing_is_lost_order_is_kept_and_the_page_says_so(
    far: BrowserContext, link: SlowLink, broker: RunningBroker
) -> None:
    page = opened(far, broker.place.root)
    pill = page.locator("#connection")
    page.locator("#field").focus()
    page.keyboard.type("quick")
    until_settled(page)
    expect(pill).to_have_text("Live")
    page.keyboard.press("Enter")
    link.latency_s, link.bytes_per_s = 1.0, 16_000
    page.keyboard.type(LETTERS)
    until_row(page, 1, 0, 40, LETTERS)
    expect(pill).to_have_text("Live, slow")
    page.keyboard.type("wrong")
    for _ in "wrong":
        page.keyboard.press("Backspace")
    page.keyboard.type("right")
    link.cut()
    expect(pill).to_have_text(re.compile(r"^Offline, \d+ unsent edits$"))
    page.keyboard.press("Enter")
    page.keyboard.type("far awau")
    page.keyboard.press("Backspace")
    page.keyboard.type("y")
    wanted = ["quick", f"{LETTERS}right", "far away"]
    for y, row in enumerate(wanted):
        until_row(page, y, 0, 60, row)
    link.mend()
    until_live(page)
    until_settled(page)
    for y, row in enumerate(wanted):
        until_row(page, y, 0, 60, row)
    with Agent(broker.place.root, "ada") as ada:
        read = ada.call("canvas_read", viewport=[0, 0, 60, 3])["content"][0]["text"]
    assert [re.split("[┤│] ?", row)[-1] for row in read.split("\n")[-3:]] == wanted
    expect(page.locator("#conflicts-section")).to_be_hidden()
    link.latency_s, link.bytes_per_s = 0.0, float("inf")
    page.keyboard.type("!")
    until_settled(page)
    expect(pill).to_have_text("Live")


def test_thirty_letters_on_a_link_of_two_seconds_survive_that_the_tab_is_closed(
    far: BrowserContext, link: SlowLink, broker: RunningBroker
) -> None:
    """SYN-07"""
    page = opened(far, broker.place.root)
    page.locator("#field").focus()
    link.latency_s = 2.0
    page.keyboard.type(LETTERS)
    page.keyboard.press("Escape")
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    link.latency_s = 0.0
    eventually(lambda: not broker.call("status")["live"])  # what was said before has arrived by then
    again = far.new_page()
    again.goto(f"http://{broker.address}/")
    until_live(again)
    until_row(again, 0, 0, 40, LETTERS)
    until_settled(again)
    with Agent(broker.place.root, "ada") as ada:
        assert LETTERS in ada.call("canvas_read", viewport=[0, 0, 40, 1])["content"][0]["text"]
