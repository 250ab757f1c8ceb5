"""Slides from Markdown."""

from __future__ import annotations

import pytest
from drawing import text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from chardesk.tools.model.sheet import Size
from chardesk.tools.text.markdown.deck import Deck, deck

SIZE = Size(80, 24)


def pictures(found: Deck) -> list[str]:
    return [text_of(slide.picture) for slide in found.slides]


def test_code_with_dashes_separates_nothing() -> None:
    one = "# One\n\n```yaml\na: 1\n---\nb: 2\n---\n```"
    source = one + "\n\n---\n\n# Two\n\n~~~\n---\n~~~\n\n    x\n    ---\n\n```\nopen\n---\n"
    found = deck(source, SIZE)
    assert pictures(found) == ["\n# One\n\na: 1\n---\nb: 2\n---", "\n# Two\n\n---\n\nx\n---\n\nopen\n---"]
    assert [slide.name for slide in found.slides] == ["One", "Two"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "  \n"])
def test_front_matter_is_no_slide_and_only_dashes_on_their_own_separate(end: str) -> None:
    lines = [
        "---",
        "title: x",
        "---",
        "",
        "Title",
        "---",
        "one",
        "",
        "---",
        "",
        "two",
        "",
        "***",
        "",
        "three",
    ]
    found = deck(end.join(lines), SIZE)
    assert pictures(found) == ["\n## Title\none", "\ntwo\n\n———\n\nthree"]
    assert found.diagnostics == ()


def test_comments_are_the_speakers_notes() -> None:
    found = deck("# A\n\n<!-- say\nhello -->\n\ntext <!-- wave -->", SIZE)
    assert found.slides[0].notes == ("say hello", "wave")
    assert pictures(found) == ["\n# A\n\ntext"]
    assert found.diagnostics == ()


def test_what_does_not_fit_goes_on_and_is_reported() -> None:
    code = "```\n" + "x" * 120 + "\n```"
    table = (
        "| "
        + " | ".join("word" * 3 for _ in range(12))
        + " |\n"
        + "|---" * 12
        + "|\n| "
        + " | ".join("abc def" for _ in range(12))
        + " |"
    )
    text = "\n\n".join(f"line {n}" for n in range(40))
    found = deck(f"# Big\n\n{text}\n\n{code}\n\n{table}", SIZE)
    assert [slide.name for slide in found.slides][:2] == ["Big", "Big (2)"]
    assert all(slide.picture.height <= 24 and slide.picture.width <= 80 for slide in found.slides)
    whole = "".join(pictures(found))
    assert all(f"line {n}" in whole for n in range(40))
    assert whole.count("x") == 120
    assert [each.code for each in found.diagnostics] == ["deck-columns-continued", "deck-rows-continued"]
    assert "slide 1: 1 rows are wider than 80 columns" in found.diagnostics[0].message


def test_columns_stand_side_by_side_on_a_slide() -> None:
    found = deck("a\n|||\nb\n\n---\n\nc", SIZE)
    assert pictures(found) == ["\na    b", "\nc"]


def test_diagnostics_name_the_line_of_the_whole_source() -> None:
    found = deck("a\n\n---\n\n```mermaid\nnope\n```", SIZE)
    assert [(each.code, each.line) for each in found.diagnostics] == [("markdown-diagram-render-failed", 6)]


def test_an_empty_document_is_one_empty_slide() -> None:
    assert pictures(deck("", SIZE)) == [""]


def test_a_deck_has_a_bounded_number_of_sheets() -> None:
    found = deck("a\n\n---\n\n" * 600, SIZE)
    assert len(found.slides) == 500
    assert found.diagnostics[-1].code == "deck-sheets-left-out"


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["---\n", "\n", "# a\n", "世界 ", "```\n", "- b\n", "|||\n", "<!-- c -->", "x" * 50]),
        max_size=30,
    ),
    st.builds(Size, st.integers(2, 40), st.integers(1, 8)),
)
def test_every_sheet_fits_and_nothing_fails(parts: list[str], size: Size) -> None:
    for slide in deck("".join(parts), size).slides:
        assert slide.picture.height <= size.rows
        assert slide.picture.width <= size.columns


def test_the_diagrams_of_a_deck_share_one_budget() -> None:
    big = "```mermaid\npie\n" + "%% a remark\n" * 1_500 + '"a" : 1\n```'
    found = deck("\n\n---\n\n".join([big] * 3), SIZE)
    assert "markdown-diagram-render-failed" in [each.code for each in found.diagnostics]
    assert found.slides[1].name == "Slide 2" and len(found.slides) > 3
