"""The page as an editor: tools by mouse, keyboard and touch, typing, selections, and finding one's way."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker
from browsers import PATIENCE_MS, launched, opened, profile, row_of, until_row, until_settled
from hand import (
    GREETED,
    choose,
    click,
    drag,
    dragging,
    drawn,
    fresh_sheet,
    picture,
    point,
    rows,
    swipe,
    touch,
    undo,
)
from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.e2e

HUGE_S = 2
"""The case's bound for one operation over a million by a million cells."""

SMOOTH_MS = 100
"""The case's bound for a frame of a pan; a busy machine has such frames when nothing moves, too."""

GAPS = """async (right) => {
    const gaps = [];
    let last = await new Promise(requestAnimationFrame);
    for (let n = 0; n < 40; n++) {
        if (right) window.chardesk.viewport.pan(n % 20 < 10 ? right : -right, 2);
        const now = await new Promise(requestAnimationFrame);
        gaps.push(now - last);
        last = now;
    }
    return gaps;
}"""

FAMILY = "👨‍👩‍👧"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(Path(tmp_path_factory.mktemp("editor")) / "desk") as running:
        yield running


@pytest.fixture
def context(browser: Browser, broker: RunningBroker) -> Iterator[BrowserContext]:
    with profile(browser) as found:
        found.grant_permissions(["clipboard-read", "clipboard-write"])
        found.add_init_script(GREETED)
        yield found


@pytest.fixture
def page(context: BrowserContext, broker: RunningBroker) -> Page:
    found = opened(context, broker.place.root)
    fresh_sheet(found)
    return found


def call(page: Page, tool: str, **args: Any) -> dict[str, Any]:
    """A tool as the person calls it, on the sheet that is shown; a refusal comes back as its code."""
    script = """([tool, args]) => window.chardesk.link.callTool(tool, args).catch(({code}) => ({code}))"""
    found: dict[str, Any] = page.evaluate(script, [tool, args])
    return found


def steps(page: Page) -> int:
    """How many commits the person has made on this desk."""
    log = call(page, "canvas_history", action="log", limit=100)
    return len(log["entries"])


def write(page: Page, x: int, y: int, text: str) -> None:
    call(page, "canvas_write", at=[x, y], content=text, mode="apply")
    until_row(page, y, x, x + len(text.split("\n")[0]) + 20, text.split("\n")[0])


def tool_in_hand(page: Page) -> str | None:
    return page.locator("#sheet").get_attribute("data-tool")


# -- drawing ---------------------------------------------------------------------


@pytest.mark.parametrize("is_down_first", [False, True])
def test_lines_join_in_either_order_and_end_on_each_other(page: Page, is_down_first: bool) -> None:
    """DRW-01"""
    choose(page, "Line")
    across, down = ((0, 2), (6, 2)), ((3, 0), (3, 4))
    for start, end in (down, across) if is_down_first else (across, down):
        drag(page, start, end)
    drag(page, (5, 4), (5, 2))
    assert drawn(page) == picture("""
   │
   │
───┼─┬─
   │ │
   │ │""")


def test_weights_mix_letters_stay_letters_and_lines_can_lie_over(page: Page) -> None:
    """DRW-01"""
    write(page, 1, 2, "T")
    choose(page, "Line")
    drag(page, (0, 1), (6, 1))
    page.get_by_role("button", name="Heavy").click()
    drag(page, (2, 0), (2, 3))
    page.get_by_role("button", name="Light").click()
    page.get_by_role("button", name="Join what lines meet").click()
    drag(page, (4, 0), (4, 3))
    assert drawn(page) == picture("""
  ┃ │
──╂─│──
 T┃ │
  ┃ │""")


def test_a_box_over_words_is_undone_and_redone_exactly(page: Page) -> None:
    """DRW-02"""
    write(page, 2, 1, "hello")
    choose(page, "Box")
    drag(page, (0, 0), (5, 2))
    boxed = picture("""
┌────┐
│ hel│o
└────┘""")
    assert drawn(page) == boxed
    undo(page)
    assert drawn(page) == "\n  hello"
    page.keyboard.press("Control+Shift+z")
    until_row(page, 0, 0, 9, "┌────┐")
    assert drawn(page) == boxed
    undo(page)
    assert drawn(page) == "\n  hello"


def test_the_eraser_takes_only_what_it_goes_over(page: Page) -> None:
    """DRW-03"""
    write(page, 0, 0, "a \\ b\nc  \\ d\ne   \\ f")
    choose(page, "Eraser")
    drag(page, (2, 0), (3, 1), (4, 2))
    assert drawn(page) == "a   b\nc    d\ne     f"
    undo(page)
    assert drawn(page) == "a \\ b\nc  \\ d\ne   \\ f"


def test_an_area_without_a_border_is_refused_at_once(page: Page) -> None:
    """DRW-04"""
    choose(page, "Fill area")
    click(page, (0, 0))
    notice = page.get_by_text("The area is not closed.")
    notice.wait_for()
    page.get_by_role("button", name="Dismiss this message").click()
    choose(page, "Box")
    drag(page, (0, 0), (6, 3))
    choose(page, "Eraser")
    click(page, (3, 3))
    before = drawn(page)
    choose(page, "Fill area")
    click(page, (2, 1))
    notice.wait_for()
    assert drawn(page) == before
    huge = {"at": [-500_000, -500_000], "size": [1_000_000, 1_000_000], "mode": "apply"}
    start = time.monotonic()
    assert call(page, "canvas_fill", **huge, style={"color": "danger"})["applied"] is True
    assert call(page, "canvas_erase", **huge)["applied"] is True
    assert time.monotonic() - start < 2 * HUGE_S
    until_row(page, 0, 0, 12, "")


def test_a_closed_area_is_filled_in_one_step(page: Page) -> None:
    choose(page, "Box")
    drag(page, (0, 0), (6, 3))
    choose(page, "Fill area")
    page.get_by_role("button", name="Draw with ░").click()
    click(page, (2, 1))
    assert drawn(page) == picture("""
┌─────┐
│░░░░░│
│░░░░░│
└─────┘""")
    undo(page)
    assert row_of(page, 1, 0, 9) == "│     │"


def test_filling_with_the_same_is_no_step_and_another_colour_is_one(page: Page) -> None:
    """DRW-05"""
    write(page, 0, 0, "\n".join(["#" * 10] * 5))
    choose(page, "Fill area")
    page.get_by_role("button", name="Draw with #").click()
    before = steps(page)
    click(page, (3, 2))
    until_settled(page)
    assert steps(page) == before
    page.get_by_role("button", name="Colour of the text").click()
    page.get_by_role("button", name="Danger").click()
    click(page, (3, 2))
    until_settled(page)
    assert steps(page) == before + 1
    cells = call(page, "canvas_read", viewport=[0, 0, 10, 5], representation="cells")["cells"]
    assert [cell["color"] for cell in cells] == ["danger"] * 50
    again = {"at": [0, 0], "size": [10, 5], "style": {"color": "danger"}, "mode": "apply"}
    assert call(page, "canvas_fill", **again)["styledCells"] == 0
    assert steps(page) == before + 1


def test_half_a_wide_glyph_is_selected_moved_and_deleted_whole(page: Page) -> None:
    """DRW-06"""
    page.keyboard.type("A漢B")
    choose(page, "Select")
    drag(page, (2, 0), (3, 0))
    assert page.evaluate("window.chardesk.editor.selected") == [1, 0, 3, 1]
    drag(page, (2, 0), (11, 0))
    assert drawn(page, 16) == "A" + " " * 9 + "漢B"
    undo(page)
    assert drawn(page, 16) == "A漢B"
    click(page, (6, 3))
    drag(page, (0, 1), (2, 0))
    page.keyboard.press("Escape")
    page.evaluate("window.chardesk.editor.select([2, 0, 1, 1])")
    page.keyboard.press("Delete")
    until_row(page, 0, 0, 9, "A  B")
    undo(page)
    assert drawn(page) == "A漢B"


def test_a_double_box_meets_a_light_line_in_mixed_pieces(page: Page) -> None:
    """DRW-07"""
    choose(page, "Box")
    page.get_by_role("button", name="Double").click()
    drag(page, (0, 0), (6, 4))
    choose(page, "Line")
    page.get_by_role("button", name="Light").click()
    drag(page, (0, 2), (6, 2))
    assert drawn(page) == picture("""
╔═════╗
║     ║
╟─────╢
║     ║
╚═════╝""")
    page.keyboard.press("Control+a")
    page.keyboard.press("Shift+F10")
    page.get_by_role("menuitem", name="Copy as plain ASCII").click()
    wanted = "+-----+\n|     |\n+-----+\n|     |\n+-----+"
    copied = "wanted => navigator.clipboard.readText().then(text => text === wanted)"
    page.wait_for_function(copied, arg=wanted)


def test_a_box_takes_its_title_and_a_pencil_any_grapheme(page: Page) -> None:
    choose(page, "Box")
    page.get_by_placeholder("Title").fill("世界")
    drag(page, (0, 0), (11, 2))
    choose(page, "Pencil")
    page.get_by_label("Glyph to draw with").fill(FAMILY)
    drag(page, (1, 1), (4, 1))
    assert drawn(page) == picture(f"""
┌─ 世界 ───┐
│{FAMILY}{FAMILY}      │
└──────────┘""")


def test_an_arrow_turns_its_corner_and_points_on(page: Page) -> None:
    choose(page, "Arrow")
    page.get_by_role("button", name="Turn a corner").click()
    drag(page, (0, 0), (5, 3))
    assert drawn(page) == picture("""
─────┐
     │
     │
     ▼""")


def test_the_brush_colours_and_the_eyedropper_takes_it_up(page: Page) -> None:
    page.keyboard.type("abc")
    choose(page, "Colour brush")
    page.get_by_role("button", name="Colour of the text").click()
    page.get_by_role("button", name="Success").click()
    page.get_by_role("button", name="Bold").click()
    drag(page, (0, 0), (1, 0))
    choose(page, "Pencil")
    choose(page, "Eyedropper")
    click(page, (2, 0))
    assert tool_in_hand(page) == "pencil"
    click(page, (4, 0))
    choose(page, "Eyedropper")
    click(page, (0, 0))
    click(page, (5, 0))
    until_settled(page)
    cells = call(page, "canvas_read", viewport=[0, 0, 6, 1], representation="cells")["cells"]
    looks = {cell["char"]: (cell["color"], cell.get("attrs")) for cell in cells}
    bold = {"bold": True}
    assert looks == {"a": ("success", bold), "b": ("success", bold), "c": ("#000000", None)}
    assert [cell["char"] for cell in cells] == ["a", "b", "c", "c", "a"]


# -- gestures ---------------------------------------------------------------------


def test_undo_during_a_drag_cancels_the_drag_and_nothing_else(page: Page) -> None:
    """UND-01"""
    choose(page, "Box")
    drag(page, (0, 0), (4, 2))
    box = picture("""
┌───┐
│   │
└───┘""")
    assert drawn(page) == box
    with dragging(page, (6, 0), (10, 2)):
        assert row_of(page, 0, 0, 12) == "┌───┐ ┌───┐", "a gesture is shown while it goes on"
        page.keyboard.press("Control+z")
        assert "\n".join(rows(page)).rstrip() == box
    assert drawn(page) == box
    undo(page)
    assert drawn(page) == ""
    undo(page)
    assert drawn(page) == ""


def test_escape_cancels_a_gesture_and_only_that(page: Page) -> None:
    choose(page, "Box")
    with dragging(page, (0, 0), (4, 2)):
        page.keyboard.press("Escape")
        assert rows(page) == [""] * 6
    assert drawn(page) == ""
    assert tool_in_hand(page) == "box"


def test_every_tool_has_a_key_and_typing_has_none_of_them(page: Page) -> None:
    page.keyboard.type("vtperlafbih")
    assert drawn(page) == "vtperlafbih"
    page.keyboard.press("Escape")
    tools = ["select", "pencil", "eraser", "box", "line", "arrow", "area", "brush", "picker", "hand", "text"]
    for key, tool in zip("vperlafbiht", tools, strict=True):
        page.keyboard.press(key)
        assert tool_in_hand(page) == tool
    page.keyboard.type("t")
    assert drawn(page) == "vtperlafbiht"


def test_a_box_is_drawn_by_keyboard_alone(page: Page) -> None:
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    for key in ("ArrowRight",) * 3 + ("ArrowDown",) * 2:
        page.keyboard.press(key)
    assert row_of(page, 0, 0, 9) == "┌──┐"
    page.keyboard.press("Enter")
    assert drawn(page) == picture("""
┌──┐
│  │
└──┘""")


# -- typing ---------------------------------------------------------------------


def test_a_composition_is_typed_once_where_it_began(page: Page, context: BrowserContext) -> None:
    """EDT-01"""
    cdp = context.new_cdp_session(page)
    cdp.send("Input.imeSetComposition", {"text": "にほ", "selectionStart": 2, "selectionEnd": 2})
    page.locator(".draft", has_text="にほ").wait_for()
    click(page, (20, 10))
    until_row(page, 0, 0, 30, "にほ")
    assert row_of(page, 10, 0, 40) == ""
    cdp.send("Input.imeSetComposition", {"text": "んご", "selectionStart": 2, "selectionEnd": 2})
    page.locator(".draft", has_text="んご").wait_for()
    cdp.send("Input.imeSetComposition", {"text": "", "selectionStart": 0, "selectionEnd": 0})
    page.locator(".draft").wait_for(state="detached")
    page.keyboard.type("ok")
    until_row(page, 10, 20, 40, "ok")
    assert row_of(page, 0, 0, 30) == "にほ"
    assert tool_in_hand(page) == "text"


def test_altgr_and_dead_keys_type_and_letters_choose_no_tool(page: Page, context: BrowserContext) -> None:
    """EDT-02"""
    cdp = context.new_cdp_session(page)
    for key, code in (("@", "KeyQ"), ("{", "Digit7")):
        stroke = {"key": key, "code": code, "text": key, "unmodifiedText": key}
        cdp.send("Input.dispatchKeyEvent", {"type": "keyDown", **stroke})
        cdp.send("Input.dispatchKeyEvent", {"type": "keyUp", "key": key, "code": code})
    cdp.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Dead", "code": "Equal"})
    cdp.send("Input.imeSetComposition", {"text": "´", "selectionStart": 1, "selectionEnd": 1})
    cdp.send("Input.insertText", {"text": "é"})
    page.keyboard.type("ref")
    assert drawn(page) == "@{éref"
    assert tool_in_hand(page) == "text"


def test_space_writes_and_delete_clears_whatever_had_the_focus_between(page: Page) -> None:
    """EDT-03"""
    page.keyboard.type("ab")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowLeft")
    until_row(page, 0, 0, 9, "a")
    assert page.evaluate("window.chardesk.replica.charAt(1, 0)") == " "
    page.keyboard.press("Delete")
    assert page.evaluate("window.chardesk.replica.charAt(1, 0)") is None
    page.keyboard.press("Control+f")
    page.keyboard.type("x y")
    page.keyboard.press("Delete")
    assert page.get_by_role("searchbox").input_value() == "x y"
    assert row_of(page, 0, 0, 9) == "a"
    click(page, (0, 0))
    page.keyboard.press("Space")
    assert page.evaluate("window.chardesk.replica.charAt(0, 0)") == " "
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Delete")
    assert page.evaluate("window.chardesk.replica.charAt(0, 0)") is None


def test_arrows_go_by_cluster_and_a_click_on_a_half_takes_the_whole(page: Page) -> None:
    """EDT-04"""
    page.keyboard.insert_text(f"a{FAMILY}b")
    page.keyboard.press("Home")
    column = "window.chardesk.editor.cursor.x"
    visited = []
    for key in ("ArrowRight",) * 3 + ("ArrowLeft",) * 3:
        page.keyboard.press(key)
        visited.append(page.evaluate(column))
    assert visited == [1, 3, 4, 3, 1, 0]
    click(page, (2, 0))
    assert page.evaluate(column) == 1


def test_three_lines_keep_their_leading_spaces(page: Page) -> None:
    """CHR-11"""
    cat = [" /\\_/\\", "( o.o )", " > ^ <"]
    click(page, (2, 1))
    page.keyboard.type("\n".join(cat))
    wanted = "\n" + "\n".join("  " + line for line in cat)
    assert drawn(page) == wanted
    click(page, (9, 5))
    click(page, (2, 1))
    page.reload()
    until_row(page, 3, 0, 12, "   > ^ <")
    assert drawn(page) == wanted


def test_insertion_makes_room_up_to_the_border(page: Page) -> None:
    write(page, 0, 0, "│ab    │")
    click(page, (1, 0))
    page.keyboard.press("Insert")
    page.keyboard.type("xy")
    assert drawn(page) == "│xyab  │"
    page.keyboard.press("Backspace")
    assert drawn(page) == "│xab   │"
    page.keyboard.press("Delete")
    assert drawn(page) == "│xb    │"
    undo(page)
    assert drawn(page) == "│xab   │"


def test_words_and_runs_are_jumped_over(page: Page) -> None:
    write(page, 0, 0, "one two\n\n\nthree")
    click(page, (0, 0))
    page.keyboard.press("Control+ArrowRight")
    assert page.evaluate("window.chardesk.editor.cursor.x") == 4
    page.keyboard.press("Control+Shift+ArrowRight")
    assert page.evaluate("window.chardesk.editor.cursor.x") == 7
    page.keyboard.press("Control+ArrowLeft")
    page.keyboard.press("Control+ArrowDown")
    assert page.evaluate("window.chardesk.editor.cursor.y") == 3


def test_typing_over_a_selection_fills_it(page: Page) -> None:
    click(page, (1, 1))
    for key in ("Shift+ArrowRight",) * 3 + ("Shift+ArrowDown",):
        page.keyboard.press(key)
    page.keyboard.type("#")
    assert drawn(page) == "\n ####\n ####"
    undo(page)
    assert drawn(page) == ""


# -- selections and the clipboard ----------------------------------------------


def test_a_copy_keeps_its_looks_and_several_ranges_go_together(page: Page) -> None:
    call(page, "canvas_write", at=[0, 0], content="red", style={"color": "danger"}, mode="apply")
    write(page, 0, 2, "low")
    choose(page, "Select")
    drag(page, (0, 0), (2, 0))
    page.keyboard.down("Control")
    drag(page, (0, 2), (1, 2))
    page.keyboard.up("Control")
    page.keyboard.press("Control+c")
    click(page, (6, 1))
    page.keyboard.press("Control+v")
    assert drawn(page) == "red\n      red\nlow\n      lo"
    cells = call(page, "canvas_read", viewport=[6, 1, 1, 1], representation="cells")["cells"]
    assert cells[0]["color"] == "danger"


def test_a_selection_is_moved_by_keys_duplicated_and_deleted_at_once(page: Page) -> None:
    write(page, 0, 0, "ab")
    click(page, (0, 0))
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Alt+ArrowDown")
    page.keyboard.press("Alt+ArrowRight")
    assert drawn(page) == "\n ab"
    page.keyboard.press("Control+d")
    assert drawn(page) == "\n ab\n   ab"
    page.keyboard.press("Delete")
    assert drawn(page) == "\n ab"
    undo(page)
    assert drawn(page) == "\n ab\n   ab"


def test_a_menu_cuts_and_selects_the_connected_drawing(page: Page) -> None:
    choose(page, "Box")
    drag(page, (0, 0), (3, 2))
    choose(page, "Line")
    drag(page, (3, 1), (6, 1))
    write(page, 0, 5, "apart")
    choose(page, "Select")
    page.mouse.click(*point(page, (0, 0)), button="right")
    page.get_by_role("menuitem", name="Select connected drawing").click()
    page.keyboard.press("Delete")
    assert drawn(page) == "\n\n\n\n\napart"
    page.mouse.click(*point(page, (1, 5)), button="right")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+a")
    page.keyboard.press("Shift+F10")
    page.get_by_role("menuitem", name="Copy with terminal colours").click()
    page.wait_for_function("navigator.clipboard.readText().then(text => text === 'apart')")


def test_a_picture_of_the_selection_goes_onto_the_clipboard(page: Page) -> None:
    write(page, 0, 0, "┌─┐\n└─┘")
    page.keyboard.press("Control+a")
    page.keyboard.press("Shift+F10")
    page.get_by_role("menuitem", name="Copy as an image").click()
    script = """navigator.clipboard.read().then(async ([item]) => {
        const image = await createImageBitmap(await item.getType('image/png'));
        return image.width === 54 && image.height === 80;
    }).catch(() => false)"""
    page.wait_for_function(script)


def paste(page: Page, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def test_pasted_lines_stand_under_each_other_and_tabs_have_stops(page: Page) -> None:
    """CHR-10"""
    for x in (0, 3):
        click(page, (x, 0))
        paste(page, "a\tb\r\n123\tc\r\n1234\td")
        assert [row_of(page, y, x, 20) for y in range(3)] == ["a   b", "123 c", "1234    d"]
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        until_settled(page)


def test_pasted_markdown_is_asked_about_and_terminal_brackets_are_dropped(page: Page) -> None:
    paste(page, "# Title\n\n- one")
    page.get_by_role("menuitem", name="Paste as Markdown, drawn").click()
    until_row(page, 2, 0, 12, "- one")
    cells = call(page, "canvas_read", viewport=[0, 0, 9, 1], representation="cells")["cells"]
    assert cells[0]["color"] == "accent"
    click(page, (0, 5))
    paste(page, "\x1b[200~plain\x1b[201~")
    until_row(page, 5, 0, 12, "plain")


def test_pasted_terminal_text_keeps_its_colours(page: Page) -> None:
    paste(page, "\x1b[31mred\x1b[0m")
    page.get_by_role("menuitem", name="Terminal text").click()
    until_row(page, 0, 0, 9, "red")
    cells = call(page, "canvas_read", viewport=[0, 0, 1, 1], representation="cells")["cells"]
    assert cells[0]["color"] != "#000000"


# -- finding one's way ------------------------------------------------------------


def test_zoom_stays_within_its_limits_and_numbers_stay_finite(page: Page) -> None:
    """EDT-05"""
    zoom = "window.chardesk.viewport.zoom"
    for notches, factor, limit in ((200, 1.2, 8), (400, 1 / 1.2, 0.1)):
        page.evaluate(f"for (let n = 0; n < {notches}; n++) window.chardesk.viewport.zoomBy({factor})")
        assert page.evaluate(zoom) == pytest.approx(limit)
    page.mouse.move(*point(page, (2, 2)))
    page.mouse.down()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    page.mouse.up()
    page.get_by_role("button", name="Fit everything").click()
    page.evaluate("window.chardesk.viewport.zoomBy(0); window.chardesk.viewport.zoomBy(NaN)")
    page.get_by_role("button", name="Go to the origin").click()
    assert page.evaluate(zoom) == 1
    assert page.evaluate("Object.values(window.chardesk.viewport.origin).every(Number.isFinite)")


def test_two_fingers_in_one_place_neither_zoom_nor_break_anything(page: Page) -> None:
    """EDT-05: the distance between them is nothing, and something after it; and the sheet is empty."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    spot = point(page, (8, 8))
    touch(cdp, "touchStart", spot, spot)
    touch(cdp, "touchMove", (spot[0] + 40, spot[1]), spot)
    touch(cdp, "touchMove", spot, spot)
    touch(cdp, "touchEnd")
    page.get_by_role("button", name="Fit everything").click()
    numbers = "[...window.chardesk.viewport.visible(), window.chardesk.viewport.zoom]"
    assert page.evaluate(f"{numbers}.every(Number.isFinite)")
    page.get_by_role("button", name="Go to the origin").click()
    assert page.evaluate("window.chardesk.viewport.zoom") == 1


def test_far_places_are_written_found_and_gone_to(page: Page) -> None:
    """EDT-06"""
    limit = 2**53 - 1
    for at in ([1_000_000, -1_000_000], [limit - 1, 0]):
        assert call(page, "canvas_write", at=at, content="X", mode="apply")["applied"] is True
    for x in (limit + 1, 1.5, None):
        assert call(page, "canvas_write", at=[x, 0], content="X", mode="apply")["code"] == "invalid_input"
    page.keyboard.press("Control+g")
    page.get_by_label("Column and row to go to").fill("1000000, -1000000")
    page.keyboard.press("Enter")
    seen = "window.chardesk.viewport.visible()"
    x, y, columns, height = page.evaluate(seen)
    assert x <= 1_000_000 < x + columns
    assert y <= -1_000_000 < y + height
    page.keyboard.press("Control+f")
    page.keyboard.type("X")
    page.get_by_role("search").get_by_text("1 / 2").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("search").get_by_text("2 / 2").wait_for()
    x, _, columns, _ = page.evaluate(seen)
    assert x <= limit - 1 < x + columns


def test_a_large_picture_is_fitted_whole_and_pans_smoothly(page: Page) -> None:
    """EDT-07"""
    for y in range(0, 376, 47):
        call(page, "canvas_write", at=[0, y], content="\n".join(["#" * 752] * 47), mode="apply")
    until_row(page, 375, 0, 3, "###")
    page.get_by_role("button", name="Fit everything").click()
    x, y, columns, height = page.evaluate("window.chardesk.viewport.visible()")
    assert x <= 0 and y <= 0 and x + columns >= 752 and y + height >= 376
    idle, panned = (page.evaluate(GAPS, right) for right in (0, 3))
    assert sum(gap > SMOOTH_MS for gap in panned) <= sum(gap > SMOOTH_MS for gap in idle) + len(panned) // 10


def test_a_drag_that_begins_beside_the_canvas_selects_nothing(page: Page) -> None:
    """EDT-07"""
    write(page, 0, 0, "abc")
    page.mouse.move(10, 400)
    page.mouse.down()
    page.mouse.move(*point(page, (2, 2)), steps=4)
    page.mouse.up()
    assert page.evaluate("window.chardesk.editor.ranges") == []


def test_a_drag_that_begins_on_a_ruler_selects_from_the_edge_of_the_canvas(page: Page) -> None:
    """EDT-07"""
    write(page, 0, 0, "abc")
    x, y, *_ = page.evaluate("window.chardesk.viewport.visible()")
    inside = point(page, (4, 4))
    drag_from(page, (beside(page, "#ruler-left")[0], point(page, (0, 2))[1]), inside)
    assert page.evaluate("window.chardesk.editor.ranges") == [[x, 2, 5 - x, 3]]
    drag_from(page, (inside[0], beside(page, "#ruler-top")[1]), inside)
    assert page.evaluate("window.chardesk.editor.ranges") == [[4, y, 1, 5 - y]]


def beside(page: Page, ruler: str) -> tuple[float, float]:
    """A point on a ruler, near its start."""
    box = page.locator(ruler).bounding_box()
    assert box is not None
    return box["x"] + 8, box["y"] + 8


def drag_from(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def test_a_drag_from_beside_a_slide_selects_no_more_than_the_slide(page: Page) -> None:
    """EDT-07"""
    call(page, "canvas_manage", action="create", kind="slides", name="Talk", activate=True)
    page.wait_for_function("document.title.startsWith('Talk')")
    page.wait_for_function("window.chardesk.viewport.visible()[0] < 0")
    drag_from(page, (beside(page, "#ruler-left")[0], point(page, (0, 2))[1]), point(page, (4, 4)))
    assert page.evaluate("window.chardesk.editor.ranges") == [[0, 2, 5, 3]]


def test_the_search_box_knows_patterns_and_case(page: Page) -> None:
    write(page, 0, 0, "Needle needle v1 v22")
    page.keyboard.press("Control+f")
    page.keyboard.type("needle")
    search = page.get_by_role("search")
    search.get_by_text("1 / 2").wait_for()
    search.get_by_role("button", name="Match case").click()
    search.get_by_text("1 / 1").wait_for()
    search.get_by_role("button", name="Regular expression").click()
    search.get_by_role("searchbox").fill("v[0-9]+")
    search.get_by_text("1 / 2").wait_for()
    search.get_by_role("searchbox").fill("v[")
    page.locator(".search.is-refused").wait_for()
    page.keyboard.press("Escape")
    search.wait_for(state="hidden")
    page.keyboard.type("k")
    until_row(page, 0, 0, 1, "k")


def test_what_others_change_out_of_sight_is_counted_and_gone_to(page: Page, broker: RunningBroker) -> None:
    sheet = page.evaluate("window.chardesk.replica.sheetId")
    broker.call("write", "--at", "400,300", "--content", "news", "--mode", "apply", "--page-id", sheet)
    jump = page.get_by_role("button", name="1 change out of sight")
    jump.wait_for()
    before = page.evaluate("window.chardesk.viewport.visible()")
    assert before[0] < 10, "the view is never moved by others"
    page.keyboard.press("F8")
    jump.wait_for(state="hidden")
    x, y, columns, height = page.evaluate("window.chardesk.viewport.visible()")
    assert x <= 400 < x + columns and y <= 300 < y + height


# -- a pen -------------------------------------------------------------------------


def test_a_pen_draws_with_the_tool_in_hand_and_writes_with_the_text_tool(page: Page) -> None:
    cdp = page.context.new_cdp_session(page)

    def pen(kind: str, place: tuple[int, int], **more: Any) -> None:
        x, y = point(page, place)
        how = {"type": kind, "x": x, "y": y, "pointerType": "pen", "force": 0.5, **more}
        cdp.send("Input.dispatchMouseEvent", how)

    def stroke(*way: tuple[int, int]) -> None:
        pen("mouseMoved", way[0])
        pen("mousePressed", way[0], button="left", buttons=1, clickCount=1)
        for place in way[1:]:
            pen("mouseMoved", place, button="left", buttons=1)
        pen("mouseReleased", way[-1], button="left", clickCount=1)

    kinds = page.evaluate_handle(
        """() => {
            const kinds = [];
            document.addEventListener("pointerdown", (event) => kinds.push(event.pointerType), true);
            return kinds;
        }"""
    )
    choose(page, "Box")
    stroke((1, 1), (4, 2), (6, 3))
    assert drawn(page) == picture("""

 ┌────┐
 │    │
 └────┘""")
    choose(page, "Text")
    stroke((3, 2))
    page.keyboard.type("pen")
    until_row(page, 2, 0, 9, " │ pen│")
    # Each time a button of the bar, then the sheet.
    assert kinds.json_value() == ["mouse", "pen", "mouse", "pen"]


# -- a telephone ---------------------------------------------------------------------


@pytest.fixture
def phone(browser: Browser, broker: RunningBroker) -> Iterator[Page]:
    with profile(browser, size=(390, 844), has_touch=True, is_mobile=True) as context:
        context.add_init_script(GREETED)
        page = opened(context, broker.place.root)
        fresh_sheet(page)
        yield page


def test_on_a_telephone_a_tap_types_a_finger_pans_and_two_zoom(phone: Page) -> None:
    phone.touchscreen.tap(*point(phone, (3, 2)))
    phone.keyboard.type("hi")
    until_row(phone, 2, 0, 9, "   hi")
    cdp = phone.context.new_cdp_session(phone)
    origin = phone.evaluate("window.chardesk.viewport.origin.y")
    swipe(cdp, [(200, 500), (200, 450), (200, 380), (200, 300)])
    assert phone.evaluate("window.chardesk.viewport.origin.y") > origin
    touch(cdp, "touchStart", (180, 400), (220, 400))
    touch(cdp, "touchMove", (150, 400), (250, 400))
    touch(cdp, "touchMove", (120, 400), (280, 400))
    touch(cdp, "touchEnd")
    phone.wait_for_function("window.chardesk.viewport.zoom > 2", timeout=PATIENCE_MS)
    assert drawn(phone) == "\n\n   hi"


def test_on_a_telephone_tools_are_at_the_bottom_and_draw_with_a_finger(phone: Page) -> None:
    bar = phone.get_by_role("toolbar", name="Tools", exact=True)
    box = bar.bounding_box()
    assert box is not None and box["y"] > 700 and box["width"] >= 389
    bar.get_by_role("button", name="Box").tap()
    cdp = phone.context.new_cdp_session(phone)
    swipe(cdp, [point(phone, (1, 1)), point(phone, (3, 2)), point(phone, (6, 3))])
    assert drawn(phone) == picture("""

 ┌────┐
 │    │
 └────┘""")
    bar.get_by_role("button", name="Select").tap()
    for _ in range(2):
        phone.touchscreen.tap(*point(phone, (3, 2)))
    assert tool_in_hand(phone) == "text"
    phone.keyboard.type("ok")
    until_row(phone, 2, 0, 9, " │ ok │")
