"""Characters through a real browser: what the page predicts, what it shows, and what an agent reads."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import pytest
from brokers import RunningBroker
from browsers import PATIENCE_MS, launched, opened, profile, row_of, until_row, until_settled
from fuzz_texts import is_character, texts
from hand import GREETED
from parties import Caller, faultless, sheet_of
from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.e2e

Cells = dict[tuple[int, int], str]

COLUMNS = 24
"""A fuzzed text has at most ten characters, so at most twenty columns."""

FUZZED = {
    "assigned": tuple(texts(150, seed=3)),
    "any": tuple(texts(150, seed=4, of=is_character)),
}

HOSTILE = ("safe\u202etxt.exe", "a\u200bb", "x" + "".join(map(chr, range(0xE0041, 0xE005B))) + "y")
"""SEC-06: text that turns around, a space without width, a message in tags."""

SEEN = ("safetxt.exe", "ab", "xy")

SHOWN = """([height, width]) => Array.from({ length: height }, (_, y) =>
    window.chardesk.replica.strip(y, 0, width).chars.map(char => char ?? null))"""

PREDICTED = f"""([kind, texts, width]) => {{
    for (const [y, text] of texts.entries()) {{
        const what = kind === "text" ? {{ text }} : {{ material: text, format: "text" }};
        window.chardesk.perform({{ kind, at: [0, y], ...what }});
    }}
    return ({SHOWN})([texts.length, width]);
}}"""
"""One turn of the page: no answer of the broker comes in between."""

SIMPLE_ENGINE = """Intl.Segmenter = class {
    segment(text) { return Array.from(text, segment => ({ segment })); }
}"""
"""A browser that takes every code point for a character of its own."""

GHOST = """() => window.chardesk.ghosts.list().flatMap(({ runs }) =>
    runs.map(({ x, y, chars }) => [x, y, chars.map(char => char ?? " ").join("")]))"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("characters") / "desk") as running:
        yield running


@pytest.fixture
def ada(broker: RunningBroker) -> Iterator[Caller]:
    """An agent, and a fresh canvas that is the active one."""
    with Caller(broker.place.root, "ada") as agent:
        sheet_of(agent, activate=True)
        yield agent


@pytest.fixture
def page(browser: Browser, broker: RunningBroker, ada: Caller) -> Iterator[Page]:
    with profile(browser) as context:
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.add_init_script(GREETED)
        found = opened(context, broker.place.root)
        found.locator("#field").focus()
        yield found


def glyphs(rows: list[list[str | None]]) -> Cells:
    """The glyphs of rows of columns, by left column and row."""
    return {(x, y): char for y, row in enumerate(rows) for x, char in enumerate(row) if char}


def edited(page: Page, kind: str, fuzzed: Sequence[str]) -> tuple[Cells, Cells]:
    """Types or pastes every text onto a row of its own: what the page predicted, and what it shows after the
    answers."""
    predicted = glyphs(page.evaluate(PREDICTED, [kind, list(fuzzed), COLUMNS]))
    until_settled(page)
    return predicted, glyphs(page.evaluate(SHOWN, [len(fuzzed), COLUMNS]))


def read(agent: Caller, height: int) -> Cells:
    """The glyphs that the agent reads, in pieces of the rows that one exact read may have."""
    pieces = (agent.cells((0, y, COLUMNS, min(40, height - y))) for y in range(0, height, 40))
    return {place: char for piece in pieces for place, char in piece.items()}


def rows_between(predicted: Cells, settled: Cells) -> int:
    """How many rows differ."""
    return len({y for (_, y), _ in predicted.items() ^ settled.items()})


@pytest.mark.parametrize("kind", ["text", "paste"])
@pytest.mark.parametrize("of", FUZZED)
def test_after_the_answer_page_and_agent_have_the_same_cells_whatever_was_typed(
    page: Page, ada: Caller, kind: str, of: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """CHR-08"""
    fuzzed = FUZZED[of]
    predicted, settled = edited(page, kind, fuzzed)
    assert settled == read(ada, len(fuzzed))
    assert len(settled) > len(fuzzed)
    wrong = rows_between(predicted, settled)
    with capsys.disabled():
        sys.stdout.write(f"\n{kind}, {of}: {wrong} of {len(fuzzed)} rows were predicted otherwise\n")
    assert wrong <= len(fuzzed) // 20


def test_a_browser_that_breaks_text_otherwise_is_corrected_by_the_answer(
    browser: Browser, broker: RunningBroker, ada: Caller
) -> None:
    """CHR-08: its predictions are wrong, what it shows in the end is not."""
    with profile(browser) as context:
        context.add_init_script(GREETED)
        context.add_init_script(SIMPLE_ENGINE)
        predicted, settled = edited(opened(context, broker.place.root), "text", FUZZED["assigned"])
        assert rows_between(predicted, settled) > 10
        assert settled == read(ada, len(FUZZED["assigned"]))


def paste(page: Page, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def test_what_hides_in_a_proposal_is_named_to_the_agent_and_not_in_the_ghost(page: Page, ada: Caller) -> None:
    """SEC-06"""
    told = ada.tool("canvas_write", at=[0, 0], content="\n".join(HOSTILE))
    assert told.fields["applied"] is False
    points = {point for drop in told.fields["dropped"] for point in drop["codePoints"]}
    assert {"U+202E", "U+200B", "U+E0041", "U+E005A"} <= points
    assert (set("".join(HOSTILE)) - set("".join(SEEN))).isdisjoint(told.text)
    page.wait_for_function("() => window.chardesk.ghosts.list().length === 1", timeout=PATIENCE_MS)
    assert page.evaluate(GHOST) == [[0, y, text] for y, text in enumerate(SEEN)]
    ada.ok("canvas_history", action="apply_preview", previewId=told.fields["previewId"])
    for y, text in enumerate(SEEN):
        until_row(page, y, 0, COLUMNS, text)
    assert ada.rows((0, 0, COLUMNS, len(SEEN))) == list(SEEN)


def test_pasted_text_that_hides_something_shows_all_it_leaves_behind(page: Page, ada: Caller) -> None:
    """SEC-06"""
    paste(page, "\n".join(HOSTILE))
    until_row(page, len(SEEN) - 1, 0, COLUMNS, SEEN[-1])
    until_settled(page)
    assert [row_of(page, y, 0, COLUMNS) for y in range(len(SEEN))] == list(SEEN)
    assert ada.rows((0, 0, COLUMNS, len(SEEN))) == list(SEEN)


def test_letters_that_run_from_right_to_left_stand_in_columns_from_left_to_right(
    page: Page, ada: Caller
) -> None:
    """SEC-06: the grid has one direction, and the page and an agent count columns alike."""
    page.keyboard.insert_text("\u05d0\u05d1\u05d2 12|")
    until_settled(page)
    assert row_of(page, 0, 6, 7) == "|"
    assert ada.cells((0, 0, COLUMNS, 1))[0, 0] == "\u05d0"
    assert ada.ok("canvas_search", query="|")["matches"][0]["origin"] == [6, 0]


def test_a_copied_block_has_a_line_a_row_and_no_unseen_blanks_at_their_ends(page: Page, ada: Caller) -> None:
    """CHR-12: only blanks that can be seen are kept, here by their background."""
    ada.put(0, 0, "abc")
    ada.ok("canvas_write", at=[0, 1], content="abc       ", style={"bgColor": "#336699"}, mode="apply")
    ada.put(0, 3, "x  y")
    until_row(page, 3, 0, COLUMNS, "x  y")
    page.evaluate("() => window.chardesk.editor.select([0, 0, 10, 4])")
    page.keyboard.press("Control+c")
    assert copied(page) == "abc\nabc       \n\nx  y"


def copied(page: Page) -> str:
    found: str = page.evaluate("() => navigator.clipboard.readText()")
    return found
