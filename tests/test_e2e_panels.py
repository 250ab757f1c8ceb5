"""The rooms around the canvas, by mouse and by keyboard alone: a real broker, real agents, Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from pipes import Agent
from typing import Any

import pytest
from brokers import RunningBroker
from browsers import PATIENCE_MS, launched, opened, profile, row_of, until_live, until_row, until_settled
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
        yield found


@pytest.fixture
def page(context: BrowserContext, broker: RunningBroker) -> Page:
    """The page of a desk whose greeting was seen."""
    found = opened(context, broker.place.root)
    found.evaluate("() => localStorage.setItem('chardesk/preferences', '{\"greeting\": \"done\"}')")
    found.reload()
    until_live(found)
    return found


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True).first


def item(page: Page, name: str) -> Locator:
    return page.get_by_role("menuitem", name=name, exact=True)


def canvases(page: Page) -> list[str]:
    return page.locator(".sheets > ul > li > .canvas .name").all_inner_texts()


def slides(page: Page) -> list[str]:
    return page.locator(".slides .name").all_inner_texts()


def until(page: Page, script: str, wanted: Any) -> None:
    page.wait_for_function(f"(wanted) => JSON.stringify({script}) === wanted", arg=compact(wanted))


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


SLIDES = "[...document.querySelectorAll('.slides .name')].map((each) => each.textContent)"


def make_slides(page: Page) -> None:
    button(page, "New canvas").click()
    item(page, "Slides").click()
    page.locator(".slides").wait_for()
    button(page, "Add a slide").click()
    page.wait_for_function(f"{SLIDES}.length === 2")


# -- canvases and slides ---------------------------------------------------------


def test_a_canvas_is_made_renamed_duplicated_archived_and_restored(page: Page) -> None:
    button(page, "New canvas").click()
    item(page, "Endless canvas").click()
    page.get_by_role("button", name="Canvas 2", exact=True).wait_for()
    button(page, "More for Canvas 2").click()
    item(page, "Rename").click()
    page.keyboard.type("Plans")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Plans", exact=True).wait_for()
    button(page, "More for Plans").click()
    item(page, "Duplicate").click()
    page.wait_for_function("document.querySelectorAll('.sheets > ul > li').length === 3")
    button(page, "More for Plans").click()
    item(page, "Archive").click()
    page.get_by_text("Archived (1)").click()
    button(page, "Restore Plans").click()
    page.wait_for_function("document.querySelectorAll('.sheets > ul > li').length === 3")
    assert "Plans" in canvases(page)


def test_a_canvas_has_a_small_picture_of_what_is_on_it(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_write", at=[0, 0], content="████████\n████████", mode="apply")
    page.wait_for_function(
        """() => {
            const paper = document.querySelector(".thumb");
            const { data } = paper.getContext("2d").getImageData(0, 0, paper.width, paper.height);
            return data.some((byte) => byte);
        }"""
    )


def test_slides_are_moved_by_keys_and_by_dragging(page: Page) -> None:
    make_slides(page)
    page.locator(".slides .open").nth(1).focus()
    page.keyboard.press("F2")
    page.keyboard.type("Second")
    page.keyboard.press("Enter")
    until(page, SLIDES, ["Page 1", "Second"])
    page.locator(".slides .open").nth(1).focus()
    page.keyboard.press("Alt+ArrowUp")
    until(page, SLIDES, ["Second", "Page 1"])
    page.locator(".slides .canvas").nth(0).drag_to(page.locator(".slides .canvas").nth(1))
    until(page, SLIDES, ["Page 1", "Second"])


def test_a_slide_is_cropped_only_when_the_person_agrees(page: Page, broker: RunningBroker) -> None:
    make_slides(page)
    sheet = page.evaluate("() => window.chardesk.replica.sheetId")
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_write", at=[90, 20], content="far", mode="apply", pageId=sheet)
    page.locator(".slides .more").first.click(force=True)
    item(page, "Resize").click()
    button(page, "80 × 24").click()
    button(page, "Resize").click()
    page.get_by_text("Some cells would be cropped").wait_for()
    page.get_by_label("Drop what no longer fits").check()
    button(page, "Resize").click()
    page.wait_for_function(
        """() => window.chardesk.link.canvases.value.canvases.some(({ sheets }) =>
            sheets.some(({ size }) => String(size) === "80,24"))"""
    )


def test_a_presentation_turns_with_keys_and_ends_with_escape(page: Page) -> None:
    make_slides(page)
    button(page, "Present").click()
    page.get_by_text("1 of 2", exact=True).wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("2 of 2", exact=True).wait_for()
    page.keyboard.press("x")
    page.keyboard.press("n")
    page.get_by_text("This slide has no note.", exact=True).wait_for()
    page.keyboard.press("n")
    page.wait_for_function("document.querySelector('.present-note').hidden")
    page.keyboard.press("Escape")
    page.wait_for_function("!document.querySelector('.is-presenting')")
    assert page.evaluate("() => window.chardesk.replica.bounds()") is None, (
        "nothing is typed while presenting"
    )


def test_the_note_of_a_slide_is_shown_to_its_speaker_only(page: Page, broker: RunningBroker) -> None:
    make_slides(page)
    sheet = page.evaluate("() => window.chardesk.link.canvases.value.sheet")
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_manage", action="note_page", note="smile\nand wave", pageId=sheet)
    button(page, "Present").click()
    note = page.get_by_role("note", name="Your note for this slide")
    assert note.count() == 0, "the audience sees no note"
    page.keyboard.press("n")
    note.wait_for()
    assert note.inner_text() == "smile\nand wave"
    page.keyboard.press("Escape")


# -- agents ----------------------------------------------------------------------


def test_a_grant_holds_from_the_page_to_the_agent(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada:
        page.get_by_label("What ada may do").select_option("observe")
        page.wait_for_function("window.chardesk.link.agents.value[0]?.grant === 'observe'")
        refusal = ada.refused("canvas_write", at=[0, 0], content="hi", mode="apply")
        assert refusal is not None and refusal["code"] == "permission_denied"


def test_who_is_new_asks_first_and_one_agent_may_go_ahead_for_a_while(
    page: Page, broker: RunningBroker
) -> None:
    page.get_by_label("New agents may").select_option("propose")
    page.wait_for_function("window.chardesk.link.governed.value.newcomers === 'propose'")
    with Agent(broker.place.root, "ada") as ada:
        refusal = ada.refused("canvas_manage", action="rename", name="Plan")
        assert refusal is not None and refusal["code"] == "approval_required"
        card = page.locator(".card")
        card.get_by_text("ada waits for your decision.").wait_for()
        card.get_by_text("Renames canvas Canvas 1 to Plan").wait_for()
        button(page, "More for ada").click()
        item(page, "Let it apply for 10 minutes").click()
        page.get_by_text("may apply until").wait_for()
        ada.call("canvas_write", at=[0, 0], content="ahead", mode="apply")
        until_row(page, 0, 0, 10, "ahead")
        card.get_by_role("button", name="Apply").click()
        card.wait_for(state="detached")
        page.wait_for_function("document.title.startsWith('Plan')")


def test_all_agents_are_paused_and_go_on(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada:
        button(page, "Pause all").click()
        button(page, "Resume all").wait_for()
        refusal = ada.refused("canvas_write", at=[0, 0], content="hi", mode="apply")
        assert refusal is not None and (refusal["code"], refusal["retryable"]) == ("disabled", True)
        button(page, "Resume all").click()
        button(page, "Pause all").wait_for()
        ada.call("canvas_write", at=[0, 0], content="hi", mode="apply")


def test_a_revoked_agent_is_out_until_it_is_let_in_again(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_write", at=[0, 5], content="ghost")
        page.locator(".card").wait_for()
        button(page, "More for ada").click()
        item(page, "Revoke").click()
        button(page, "Revoke").click()
        page.locator(".card").wait_for(state="detached")
        page.get_by_text("Not here now (1)").click()
        button(page, "Let ada in again").click()
    with Agent(broker.place.root, "ada") as again:
        again.call("canvas_write", at=[0, 0], content="back", mode="apply")
    until_row(page, 0, 0, 10, "back")


def test_a_ghost_is_compared_and_dismissed_with_a_note_that_the_agent_reads(
    page: Page, broker: RunningBroker
) -> None:
    with Agent(broker.place.root, "ada") as ada:
        preview = ada.call("canvas_write", at=[2, 2], content="ghost")["structuredContent"]["previewId"]
        button(page, "Before").click()
        page.locator(".ghost.is-aside").wait_for(state="attached")
        button(page, "With a note").click()
        page.keyboard.type("use the other column")
        page.keyboard.press("Enter")
        page.locator(".card").wait_for(state="detached")
        refusal = ada.refused("canvas_history", action="apply_preview", previewId=preview)
        assert refusal is not None and "use the other column" in refusal["message"]


def test_of_alternatives_the_chosen_is_seen_and_the_others_end_with_it(
    page: Page, broker: RunningBroker
) -> None:
    with Agent(broker.place.root, "ada") as ada:
        for text in ("left", "right"):
            ada.call("canvas_write", at=[2, 2], content=text, altGroup="layout")
        page.get_by_text("Alternative 2 of 2").wait_for()
        page.locator(".card").nth(0).get_by_role("button", name="Apply").focus()
        page.wait_for_function("document.querySelectorAll('.ghost.is-aside').length === 1")
        page.keyboard.press("Enter")
        page.wait_for_function("document.querySelectorAll('.card').length === 0")
        until_row(page, 2, 0, 10, "  left")


def test_of_alternatives_that_nobody_chose_the_oldest_is_seen_and_each_can_be_compared_and_dismissed(
    page: Page, broker: RunningBroker
) -> None:
    aside = "document.querySelectorAll('.ghost.is-aside').length === {}"
    with Agent(broker.place.root, "ada") as ada:
        for y, text in enumerate(("left", "middle", "right")):
            ada.call("canvas_write", at=[2, 2 + y], content=text, altGroup="layout", why=f"the {text} one")
        page.get_by_text("Alternative 3 of 3").wait_for()
        page.wait_for_function(aside.format(2))
        cards = page.locator("#previews .card")
        befores = cards.get_by_role("button", name="Before")
        expect(befores.nth(0)).to_have_attribute("aria-pressed", "false")
        befores.nth(2).click()
        page.wait_for_function(aside.format(3))
        befores.nth(0).focus()
        page.wait_for_function(aside.format(2))
        expect(befores.nth(0)).to_have_attribute("aria-pressed", "false")
        page.locator("#side").evaluate("side => (side.scrollTop = 150)")
        cards.nth(0).get_by_role("button", name="Dismiss").click()
        page.get_by_text("Alternative 2 of 2").wait_for()
        cards.nth(0).get_by_role("button", name="Dismiss").click()
        expect(cards).to_have_count(1)
        page.wait_for_function(aside.format(0))


def test_why_is_this_here_names_the_author_and_takes_it_back(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_write", at=[0, 0], content="x", mode="apply", why="a mark")
    until_row(page, 0, 0, 5, "x")
    page.locator("#field").focus()
    page.keyboard.press("F2")
    story = page.get_by_role("dialog", name=re.compile("Why is this here"))
    story.get_by_text("a mark").wait_for()
    story.get_by_role("button", name="Undo writing by ada").click()
    until_row(page, 0, 0, 5, "")


@pytest.mark.parametrize("mode", ["apply", "preview"])
def test_how_a_script_ran_is_told_by_the_cell_and_by_the_history(
    page: Page, broker: RunningBroker, mode: str
) -> None:
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_code", script="canvas.write({at: [0, 0], content: 'made'})", mode=mode)
    if mode == "preview":
        page.locator(".card").get_by_role("button", name="Apply").click()
    until_row(page, 0, 0, 9, "made")
    page.locator("#field").focus()
    page.keyboard.press("F2")
    story = page.get_by_role("dialog", name=re.compile("Why is this here"))
    expect(story.locator(".head")).to_contain_text("ada ran a script")
    story.get_by_text(re.compile(r"^Run by \S+ \(.+\) in [\d,]+ ms\.$")).wait_for()
    held = story.get_by_text(re.compile("^Limits that "))
    assert "the network" in " ".join(held.all_inner_texts())
    page.keyboard.press("Escape")
    button(page, "History").click()
    page.get_by_role("button", name=re.compile("ada ran a script")).click()
    pane = page.get_by_role("region", name="History")
    pane.get_by_text("Evidence (SHA-256)").click()
    code = pane.locator("dt", has_text="Script").locator("+ dd")
    assert re.fullmatch(r"[0-9a-f]{64}", code.inner_text())
    assert "made" in pane.locator("pre").inner_text()


def test_a_selection_is_pinned_and_unpinned(page: Page) -> None:
    button(page, "Pin selection").click()
    page.get_by_text("Select cells first").wait_for()
    page.evaluate("() => window.chardesk.editor.select([1, 1, 4, 2])")
    button(page, "Pin selection").click()
    page.get_by_label("A note for the agents").fill("keep")
    button(page, "Pin").click()
    page.locator(".pin-frame").wait_for(state="attached")
    button(page, "Remove the pin: keep").click()
    page.locator(".pin-frame").wait_for(state="detached")


def test_the_menu_of_the_canvas_pins_and_asks_why(page: Page) -> None:
    page.locator("#field").focus()
    page.keyboard.type("hm")
    until_settled(page)
    page.evaluate("() => window.chardesk.editor.select([0, 0, 2, 1])")
    page.keyboard.press("Shift+F10")
    page.get_by_role("menuitem", name=re.compile("Why is this here")).click()
    page.get_by_role("dialog", name=re.compile("Why is this here")).wait_for()
    page.keyboard.press("Escape")
    page.evaluate("() => window.chardesk.editor.select([0, 0, 2, 1])")
    page.locator("#field").focus()
    page.keyboard.press("Shift+F10")
    page.get_by_role("menuitem", name="Pin selection").click()
    page.get_by_role("dialog", name=re.compile("^Pin")).wait_for()


def test_all_of_one_author_is_undone_after_asking(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada, Agent(broker.place.root, "bob") as bob:
        for y in range(3):
            ada.call("canvas_write", at=[0, y], content=f"line {y}", mode="apply")
        bob.call("canvas_write", at=[0, 5], content="stays", mode="apply")
    until_row(page, 5, 0, 10, "stays")
    page.get_by_label("Show what whom did").select_option("ada")
    button(page, "Undo all by ada").click()
    page.get_by_text("3 operations will be taken back").wait_for()
    button(page, "Undo all").click()
    for y in range(3):
        until_row(page, y, 0, 10, "")
    assert row_of(page, 5, 0, 10) == "stays"


def test_look_here_raises_a_chip_and_moves_nothing_until_it_is_followed(page: Page) -> None:
    sheet = page.evaluate("() => window.chardesk.replica.sheetId")
    before = page.evaluate("() => window.chardesk.viewport.visible()")
    page.evaluate(
        """(sheet) => window.chardesk.link.chips.emit({type: "chip", id: "ch-1", author: "ada",
        color: "#0b7a75", canvas: "", sheet, rect: [500, 500, 4, 2], note: "here"})""",
        sheet,
    )
    page.locator(".chip").wait_for()
    assert page.evaluate("() => window.chardesk.viewport.visible()") == before
    page.locator(".chip-go").click()
    page.wait_for_function("window.chardesk.viewport.visible()[0] > 400")


# -- settings, help, the first run ---------------------------------------------------


def test_a_theme_is_chosen_at_once_and_kept(page: Page) -> None:
    page.keyboard.press("Control+,")
    page.get_by_label("Paper").check(force=True)
    page.keyboard.press("Escape")
    paper = "getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
    assert page.evaluate(paper) == "#fbf6ea"
    page.reload()
    until_live(page)
    assert page.evaluate(paper) == "#fbf6ea"


def test_cells_are_larger_when_the_person_wants_it_so(page: Page) -> None:
    page.keyboard.press("Control+,")
    page.get_by_label("Large").check(force=True)
    assert page.evaluate("() => window.chardesk.viewport.cell.height") == 25


def test_help_shows_the_materials_that_agents_read(page: Page, broker: RunningBroker) -> None:
    page.keyboard.press("F1")
    page.get_by_role("button", name="Guide", exact=True).click()
    with Agent(broker.place.root, "ada") as ada:
        text = ada.call("chardesk_read_materials", topic="guide")["content"][0]["text"]
    title = re.sub("^#+ ", "", text.splitlines()[0])
    page.get_by_role("heading", name=title).wait_for()


def test_an_empty_desk_greets_once_and_its_sample_is_one_canvas_more(
    context: BrowserContext, broker: RunningBroker
) -> None:
    page = opened(context, broker.place.root)
    page.get_by_role("heading", name="Welcome to your desk").wait_for()
    page.get_by_role("button", name=re.compile("System sketch")).click()
    page.wait_for_function("window.chardesk.replica.bounds() !== null", timeout=PATIENCE_MS)
    assert canvases(page) == ["Canvas 1", "System sketch"]
    page.get_by_role("button", name="Canvas 1", exact=True).click()
    page.wait_for_function("window.chardesk.replica.bounds() === null")
    assert not page.get_by_role("heading", name="Welcome to your desk").is_visible()


def test_the_tour_goes_round_and_can_be_left(context: BrowserContext, broker: RunningBroker) -> None:
    page = opened(context, broker.place.root)
    button(page, "Take the tour").click()
    for _ in range(5):
        page.keyboard.press("Enter")
    button(page, "Done").wait_for()
    page.keyboard.press("Escape")
    page.locator(".tour").wait_for(state="detached")


def test_the_connect_card_says_when_the_agent_has_joined(page: Page, broker: RunningBroker) -> None:
    button(page, "Connect an agent").click()
    page.get_by_text("Waiting for an agent to join").wait_for()
    page.locator(".snippet code", has_text="claude mcp add chardesk").wait_for()
    page.get_by_label("Your agent", exact=True).select_option("codex")
    page.locator(".snippet code", has_text=broker.place.root).wait_for()
    with Agent(broker.place.root, "newcomer"):
        page.get_by_text("newcomer joined").wait_for()


def test_a_moment_is_tagged_compared_and_restored(page: Page, broker: RunningBroker) -> None:
    with Agent(broker.place.root, "ada") as ada:
        ada.call("canvas_write", at=[0, 0], content="first", mode="apply")
        until_row(page, 0, 0, 10, "first")
        button(page, "History").click()
        page.get_by_label("Name for this moment").fill("draft")
        button(page, "Tag").click()
        button(page, "Compare draft with now").wait_for()
        ada.call("canvas_write", at=[0, 1], content="second", mode="apply")
        button(page, "Compare draft with now").click()
        page.locator(".history-pane pre", has_text="second").wait_for()
        button(page, "Restore to draft").click()
        button(page, "Restore").click()
        until_row(page, 1, 0, 10, "")
        button(page, "Drop the tag draft").click()
        button(page, "Drop the tag draft").wait_for(state="detached")
    assert row_of(page, 0, 0, 10) == "first"


# -- never lost ----------------------------------------------------------------------


def test_a_full_storage_loses_nothing_the_vault_keeps_it_over_a_reload(
    page: Page, broker: RunningBroker
) -> None:
    page.route("**/health", lambda route: route.abort())
    broker.kill()
    page.wait_for_function("document.documentElement.dataset.state === 'offline'")
    page.evaluate(
        """() => {
            const fill = (size) => {
                for (let n = 0; ; n++) localStorage.setItem(`filler/${size}/${n}`, "x".repeat(size));
            };
            for (const size of [1e5, 1e3, 10]) try { fill(size); } catch { /* that much is full */ }
        }"""
    )
    page.locator("#field").focus()
    page.keyboard.type("big")
    page.wait_for_function("window.chardesk.link.unsent.value === 3")
    broker.start()
    page.goto(f"http://{broker.address}/")
    page.wait_for_function("window.chardesk?.link.unsent.value === 3")
    page.unroute("**/health")
    until_live(page)
    until_row(page, 0, 0, 10, "big")
    until_settled(page)
    assert not page.get_by_text("storage is full").is_visible()


# -- other pages -----------------------------------------------------------------------


def test_a_reading_page_follows_and_cannot_write(
    page: Page, context: BrowserContext, broker: RunningBroker
) -> None:
    canvas = page.evaluate("() => window.chardesk.link.canvases.value.canvas")
    reader = context.new_page()
    reader.goto(f"http://{broker.address}/read/{canvas}")
    reader.locator("html[data-state=read_only]").wait_for(state="attached")
    page.bring_to_front()
    page.locator("#field").focus()
    page.keyboard.type("seen")
    until_row(reader, 0, 0, 10, "seen")
    reader.bring_to_front()
    reader.locator("#field").focus()
    reader.keyboard.type("no")
    assert row_of(reader, 0, 0, 10) == "seen"
    assert not reader.get_by_role("button", name="Take over").is_visible()
    assert page.evaluate("document.documentElement.dataset.state") == "live", "the seat stays where it is"


def test_the_desk_page_lists_canvases_and_agents(
    page: Page, context: BrowserContext, broker: RunningBroker
) -> None:
    with Agent(broker.place.root, "ada"):
        desk = context.new_page()
        desk.goto(f"http://{broker.address}/desk")
        desk.get_by_role("link", name=re.compile("Canvas 1")).wait_for()
        desk.get_by_text("ada", exact=True).wait_for()
