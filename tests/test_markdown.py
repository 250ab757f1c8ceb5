"""Markdown laid out in cells."""

from __future__ import annotations

import pytest
from drawing import styles_of, text_of
from hypothesis import given, settings
from hypothesis import strategies as st

from chardesk.tools.model.cell import BOLD, ITALIC, PLAIN, STRIKE, UNDERLINE, Style
from chardesk.tools.model.width import cluster_width
from chardesk.tools.text.markdown.reader import read
from chardesk.tools.text.picture import Picture


def md(source: str, width: int = 80) -> Picture:
    return read(source, width)


def text(source: str, width: int = 80) -> str:
    return text_of(md(source, width))


def codes(picture: Picture) -> list[str]:
    return [each.code for each in picture.diagnostics]


def test_a_heading_keeps_its_marks_in_the_accent_colour() -> None:
    assert styles_of(md("# One")) == [("# ", Style("accent")), ("One", Style(attrs=BOLD | UNDERLINE))]
    assert styles_of(md("## Plan")) == [("## ", Style("accent")), ("Plan", Style(attrs=BOLD))]
    assert styles_of(md("### X")) == [("### ", Style("accent")), ("X", Style(attrs=BOLD | ITALIC))]


def test_words_are_styled_without_their_marks() -> None:
    assert styles_of(md("**Hello**")) == [("Hello", Style(attrs=BOLD))]
    assert styles_of(md("*a* ~~b~~ ***c***")) == [
        ("a", Style(attrs=ITALIC)),
        (" ", PLAIN),
        ("b", Style(attrs=STRIKE)),
        (" ", PLAIN),
        ("c", Style(attrs=BOLD | ITALIC)),
    ]
    assert styles_of(md("`x = 1`")) == [("x = 1", Style("info"))]


def test_a_link_is_underlined_and_keeps_its_target() -> None:
    assert styles_of(md("[here](https://a.b)")) == [("here", Style(attrs=UNDERLINE, href="https://a.b"))]


def test_a_link_that_runs_code_is_only_text() -> None:
    assert all(style.href is None for _, style in styles_of(md("[x](javascript:alert(1)) <vbscript:x>")))


def test_a_line_breaks_where_it_is_told_to() -> None:
    source = "two spaces  \nbackslash\\\ntag<br>and a soft\nbreak"
    assert (
        text(source)
        == """
two spaces
backslash
tag
and a soft break"""
    )


def test_blocks_are_drawn_and_blank_rows_stay_where_they_were() -> None:
    source = "## Plan\n> q\n\n---\n- [x] a\n- [ ] b\n\n1. x\n   - y\n2. z"
    assert (
        text(source)
        == """
## Plan
│ q

———
● a
○ b

1. x
    - y
2. z"""
    )


@pytest.mark.parametrize("indent", ["  ", "    ", "\t"])
def test_every_way_to_indent_a_list_looks_the_same(indent: str) -> None:
    source = f"- a\n{indent}- b\n{indent * 2}1. c\n{indent * 2}2. d\n- e"
    assert (
        text(source)
        == """
- a
    - b
        1. c
        2. d
- e"""
    )


def test_numbers_are_kept_and_line_up() -> None:
    assert text("9. a\n10. b") == "\n 9. a\n10. b"
    assert text("7. a\n8. b") == "\n7. a\n8. b"
    assert text("0. a") == "\n0. a"


def test_code_stands_under_its_item_and_the_numbers_go_on() -> None:
    assert text("1. a\n   ```\n   x\n     y\n   ```\n2. b\n3. c") == "\n1. a\n   x\n     y\n2. b\n3. c"


def test_a_wrapped_item_hangs_behind_its_mark() -> None:
    assert text("- one two three four", 10) == "\n- one two\n  three\n  four"


def test_quotes_nest() -> None:
    assert text("> a\n>\n> > b") == "\n│ a\n│\n│ │ b"


def test_an_alert_has_a_coloured_rail_and_a_bold_title() -> None:
    found = md("> [!NOTE]\n> hi")
    assert text_of(found) == "\n│ NOTE\n│ hi"
    assert styles_of(found) == [("│ ", Style("info")), ("NOTE", Style("info", attrs=BOLD))]
    assert text("> [!CAUTION]\n>\n> hi") == "\n│ CAUTION\n│ hi"
    assert text("> [!OTHER]\n> hi") == "\n│ [!OTHER] hi"
    assert text("> [!TIP]") == "\n│ TIP"


def test_a_table_lines_up_in_columns_of_the_screen() -> None:
    assert (
        text("| Name | 数量 | n |\n|:-----|:---:|------:|\n| a \\| b | 世界 | 1 |\n| `x` | c | 1000 |")
        == """
Name   数量     n
━━━━━  ━━━━  ━━━━
a | b  世界     1
x       c    1000"""
    )


def test_a_table_that_is_too_wide_wraps_in_its_cells() -> None:
    found = text("| a | b |\n|---|---|\n| one two three | x |", 10)
    assert (
        found
        == """
a        b
━━━━━━━  ━
one two  x
three"""
    )


def test_a_cell_that_a_table_leaves_out_is_named() -> None:
    found = md("| a | b |\n|---|---|\n| 1 | 2 | lost |")
    assert "lost" not in text_of(found)
    (note,) = found.diagnostics
    assert (note.code, note.line) == ("markdown-table-cells-left-out", 3)
    assert "lost" in note.message
    assert md("> | a |\n> |---|\n> | 1 |\n").diagnostics == ()


def test_a_table_stays_inside_its_item() -> None:
    assert (
        text("- item\n\n  | a | b |\n  |---|---|\n  | c | d |\n- next")
        == """
- item

  a  b
  ━  ━
  c  d
- next"""
    )


def test_code_is_verbatim_and_coloured() -> None:
    found = md("```python\ndef f():\n\treturn 'x'  # y\n```")
    assert text_of(found) == "\ndef f():\n    return 'x'  # y"
    assert ("def", Style("accent")) in styles_of(found)
    assert text("```nonsense\n a  b \n```") == "\n a  b "
    assert text("    indented\n\n      more") == "\nindented\n\n  more"


@pytest.mark.parametrize(
    ("language", "code", "line"),
    [
        ("mermaid", "markdown-diagram-render-failed", 4),
        ("vega-lite", "markdown-chart-render-failed", 4),
        ("math", "markdown-math-render-failed", 3),
    ],
)
def test_what_cannot_be_drawn_keeps_its_source(language: str, code: str, line: int) -> None:
    found = md(f"words\n\n```{language}\n\\nonsense{{\n```")
    assert text_of(found) == f"\nwords\n\n```{language}\n\\nonsense{{\n```"
    assert [(each.code, each.line) for each in found.diagnostics] == [(code, line)]


def test_yaml_is_coloured_source() -> None:
    found = md("```yaml\nkey: value\n```")
    assert text_of(found) == "\nkey: value"
    assert len({style for _, style in styles_of(found)}) > 1


def test_shapes_can_stand_in_a_document() -> None:
    box = '{"type": "box", "id": "a", "rect": [2, 0, 5, 3], "text": "a"}'
    assert text(f"```shapes\n[{box}]\n```") == "\n┌───┐\n│ a │\n└───┘"
    found = md("```shapes\n[{}]\n```")
    assert text_of(found) == "\n```shapes\n[{}]\n```"
    assert codes(found) == ["markdown-shapes-render-failed"]


def test_money_is_no_math_and_images_are_links_with_their_description() -> None:
    found = md("a $x_1 + y_1$ costs $5 and $6\n\n$$\nE = mc^2\n$$\n\n![alt](img.png) $\\what$")
    assert text_of(found) == "\na x₁ + y₁ costs $5 and $6\n\nE = mc²\n\nalt $\\what$"
    assert codes(found) == ["markdown-image-not-drawn", "markdown-math-render-failed"]


def test_html_of_the_list_is_read_and_other_tags_are_text() -> None:
    found = md("a <b>x</b> <br> <!-- note --> <script>alert(1)</script> <details>")
    assert text_of(found) == "\na x\n<script>alert(1)</script> <details>"
    assert [(each.code, each.message) for each in found.diagnostics] == [
        ("markdown-comment-left-out", "a comment is not drawn: note")
    ]
    assert styles_of(md("<b>x <i>y</i></b> </b><kbd>k</kbd>")) == [
        ("x ", Style(attrs=BOLD)),
        ("y", Style(attrs=BOLD | ITALIC)),
        (" </b>", PLAIN),
        ("k", Style("info")),
    ]


def test_links_of_html_are_kept_unless_they_run_something() -> None:
    assert styles_of(md('<a href="https://a.b?x=1&amp;y">go</a>')) == [
        ("go", Style(attrs=UNDERLINE, href="https://a.b?x=1&y"))
    ]
    assert styles_of(md("<a href=javascript:alert(1)>go</a>")) == [("go", Style(attrs=UNDERLINE))]


def test_raised_and_lowered_digits_have_characters_of_their_own() -> None:
    assert text("H<sub>2</sub>O, x<sup>10</sup>") == "\nH₂O, x¹⁰"


def test_blocks_of_html_are_shown_and_comments_left_out() -> None:
    assert text("<div>\n*x*\n</div>") == "\n<div>\n*x*\n</div>"
    found = md("a\n\n<!-- say\nhello -->\n\nb")
    assert text_of(found) == "\na\n\nb"
    assert [(each.line, each.message) for each in found.diagnostics] == [
        (3, "a comment is not drawn: say hello")
    ]


def test_footnotes_are_numbered_and_stand_at_the_end() -> None:
    source = "One[^a] two^[inline] three[^a].\n\n[^a]: The *first*\n    goes on."
    assert text(source) == "\nOne[1] two[2] three[1].\n\n[1] The first goes on.\n[2] inline"


def test_definitions_stand_below_their_terms() -> None:
    assert text("Term\n: What it means\n\nOther\n: One\n: Two\n", 14) == (
        "\nTerm\n    What it\n    means\n\nOther\n    One\n    Two"
    )


def test_front_matter_is_left_out_and_said() -> None:
    found = md("---\ntitle: x\n---\n\n# Title")
    assert text_of(found) == "\n# Title"
    assert codes(found) == ["markdown-front-matter-left-out"]


def test_a_line_end_between_chinese_characters_is_no_space() -> None:
    assert text("世界\n你好\nabc\n한국\n한국") == "\n世界你好 abc 한국 한국"


def test_a_diff_has_tinted_rows() -> None:
    found = md("```diff\n@@ -1 +1 @@\n-old\n+new line\n same\n```")
    assert text_of(found) == "\n@@ -1 +1 @@\n-old       \n+new line  \n same"
    assert [row.styles[0].bg_color for row in found.rows] == [None, "#ffebe9", "#dafbe1", None]
    assert [row.styles[-1].bg_color for row in found.rows] == [None, "#ffebe9", "#dafbe1", None]


def test_words_between_colons_stay_as_they_are() -> None:
    assert text("| a |\n|---|\n| Bank:Checking:X :x: 10:30:45 :not_an_emoji: |").endswith(
        "\nBank:Checking:X :x: 10:30:45 :not_an_emoji:"
    )


def test_prose_wraps_between_words() -> None:
    assert text("the quick brown fox", 9) == "\nthe quick\nbrown fox"
    assert text("the quick brown fox", 8) == "\nthe\nquick\nbrown\nfox"
    assert text("a  \nb\nc") == "\na\nb c"


def test_a_word_longer_than_the_width_is_cut_and_whole_when_joined() -> None:
    url = "https://example.org/" + "a" * 180
    found = md(f"see {url}", 40)
    assert "".join(text_of(found).split("\n")[2:]) == url
    assert {style.href for row in found.rows[1:] for style in row.styles} == {url}


def test_a_link_is_not_broken_unless_it_is_too_long() -> None:
    assert text("see [two words](http://a) here", 12) == "\nsee\ntwo words\nhere"
    assert text("[a very long link text](http://a) end", 10) == "\na very\nlong link\ntext end"


def test_cjk_breaks_anywhere_but_not_before_closing_marks() -> None:
    assert text("世界你好世界你好，世界（你好）。", 10) == "\n世界你好世\n界你好，世\n界（你\n好）。"


def test_a_width_of_one_still_draws_everything() -> None:
    assert text("ab 世", 1) == "\na\nb\n世"


def test_columns_stand_side_by_side() -> None:
    assert text("a\n|||\nbb\n---\nc") == "\na    bb\n\nc"
    assert text("# A\nx\n|||\n# B\ny") == "\n# A    # B\nx      y"


def test_an_escaped_column_mark_and_one_in_a_fence_are_text() -> None:
    assert "|||" in text("a\n\n\\|||\n\n---\n\nb")
    assert text("```\n|||\n```") == "\n|||"


def test_diagnostics_of_columns_name_the_line_of_the_whole_source() -> None:
    found = md("a\n|||\n\n![x](y)")
    assert [each.line for each in found.diagnostics] == [4]


def test_columns_too_large_for_their_blanks_stand_below_each_other() -> None:
    found = md("x\n" + "\n\ny" * 2000 + "\n|||\n```\n" + "z" * 2000 + "\n```")
    assert codes(found) == ["markdown-columns-too-large"]


def test_controls_by_the_back_door_reach_no_cell() -> None:
    found = md("a&#27;[31mb&#9;c&#x202e;d")
    assert text_of(found) == "\na\ufffd[31mb cd"
    assert [kind.code_points for kind in found.dropped] == [("U+202E",)]


def test_brackets_without_end_are_text_and_say_so() -> None:
    found = md("[" * 20_000 + "a](http://b)")
    assert codes(found) == ["markdown-links-not-read"]


def test_an_empty_document_draws_nothing() -> None:
    assert md("").rows == md("\n\n").rows == ()


WORDS = st.sampled_from(
    [
        *"#>-*_`~|[]()!$\n\n \t:1.\x1b\u200d\ud800\\é😀",
        *("- [x] ", "1. ", "```", "|---|\n", "\n|||\n", "> [!NOTE]\n", "世界", "&#9;", "https://a.b/c "),
        *("**", "    ", "word ", "\r\n", "<b>", "$$\n"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=40).map("".join), st.integers(1, 40))
def test_nothing_makes_markdown_fail_and_widths_add_up(source: str, width: int) -> None:
    found = md(source, width)
    assert "markdown-not-read" not in codes(found)
    for row in found.rows:
        assert sum(cluster_width(char) for char in row.chars if char) == len(row.chars) == len(row.styles)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("abcdefg世界", min_size=1, max_size=12), max_size=30), st.integers(4, 30))
def test_wrapping_keeps_every_character_and_the_width(words: list[str], width: int) -> None:
    found = md(" ".join(words), width)
    assert "".join(text_of(found).split()) == "".join(words)
    assert found.width <= width


@pytest.mark.parametrize(
    "part", ["*a ", "[", "> ", "- ", "`", "![", "a|", "|", "<", "\\", "~~", "**", "$", "&", "_a_ ", "|||\n"]
)
def test_hostile_markdown_is_drawn_in_the_end(part: str) -> None:
    md(part * 3000, 40)
    md((part + "\n") * 1000, 40)


def test_the_diagrams_of_a_document_have_a_budget_and_what_is_beyond_it_keeps_its_source() -> None:
    big = "```mermaid\npie\n" + "%% a remark\n" * 1_500 + '"a" : 1\n```'
    found = read("\n\n".join([big] * 3 + ['```mermaid\npie\n"b" : 1\n```']), 40)
    (told,) = found.diagnostics
    assert told.code == "markdown-diagram-render-failed" and "50000 characters together" in told.message
    assert "b" in text_of(found).split("\n")[-1]


def test_formulas_count_in_the_budget_of_what_is_drawn_too() -> None:
    block = "$$\n" + "x + " * 1_200 + "y\n$$"
    found = read("\n\n".join([block] * 11 + ["and $z^2$"]), 40)
    (told,) = found.diagnostics
    assert told.code == "markdown-math-render-failed" and "50000 characters together" in told.message
    assert text_of(found).endswith("z²")


def test_a_large_picture_counts_for_more_than_its_source() -> None:
    box = '```shapes\n[{"type": "box", "rect": [0, 0, 1000, 90]}]\n```'
    found = read("\n\n".join([box] * 8), 80)
    assert text_of(found).count("┌") == 6
    assert [told.code for told in found.diagnostics] == ["markdown-shapes-render-failed"] * 2
