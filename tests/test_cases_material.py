"""Markdown and terminal output as the product's cases give them, byte for byte."""

from __future__ import annotations

import pytest
from drawing import do, styles_of, text_of

from chardesk.tools.draw import render
from chardesk.tools.look import search
from chardesk.tools.model.cell import BOLD, ITALIC, PLAIN, UNDERLINE, Style
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Look
from chardesk.tools.schema import parse
from chardesk.tools.text import ansi
from chardesk.tools.text.markdown.deck import deck
from chardesk.tools.text.markdown.reader import read
from chardesk.tools.text.picture import Picture


def log(source: str, width: int = 80) -> Picture:
    return ansi.read(source, width)


def markdown(source: str, width: int = 40) -> str:
    return "\n".join(row.rstrip() for row in text_of(read(source, width)).split("\n"))


# -- Markdown ------------------------------------------------------------------------


@pytest.mark.parametrize("indent", ["  ", "    ", "\t"])
def test_three_levels_of_a_list_look_alike_at_every_indent(indent: str) -> None:
    """MDS-01"""
    deeper = "    " if indent == "  " else indent * 2
    assert (
        markdown(f"- a\n{indent}- b\n{deeper}1. c\n{deeper}2. d\n- e")
        == """
- a
    - b
        1. c
        2. d
- e"""
    )
    assert markdown("7. seven\n8. eight") == "\n7. seven\n8. eight"


def test_a_table_in_an_item_stays_in_it() -> None:
    """MDS-02"""
    assert (
        markdown("- item\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |\n- next")
        == """
- item

  a  b
  ━  ━
  1  2
- next"""
    )


def test_bars_in_cells_and_a_row_with_too_many_of_them() -> None:
    """MDS-03"""
    rows = ["| `a \\| b` | union |", "| -v \\| --verbose | verbose |", "| `x | y` | odd |"]
    found = read("\n".join(["| form | means |", "|---|---|", *rows]), 60)
    assert (
        "\n".join(row.rstrip() for row in text_of(found).split("\n"))
        == """
form            means
━━━━━━━━━━━━━━  ━━━━━━━
a | b           union
-v | --verbose  verbose
`x              y`"""
    )
    (told,) = found.diagnostics
    assert (told.code, told.line) == ("markdown-table-cells-left-out", 5)
    assert told.message.endswith("left out: odd")


def test_a_long_address_is_whole_in_its_pieces_its_target_and_for_search() -> None:
    """MDS-04"""
    address = "https://example.org/" + "a1b2c3d4e5" * 18
    found = read(address, 40)
    pieces = text_of(found).strip("\n").split("\n")
    assert len(address) == 200 and "".join(pieces) == address
    assert found.width <= 40
    assert {style.href for row in found.rows for style in row.styles} == {address}
    scene = Scene()
    do(scene, render.OPERATION, at=[0, 0], source=address, format="markdown", width=40)
    assert isinstance(search.OPERATION.body, Look)
    query = parse(search.OPERATION.args, {"query": "\n".join(pieces)})
    assert search.OPERATION.body.show(scene, None, query).result.fields()["matches"]


def test_dashes_in_code_separate_no_slides() -> None:
    """MDS-05"""
    one = "# One\n\n```yaml\na: 1\n---\nb: 2\n---\nc: 3\n```"
    two = "# Two\n\n~~~\n---\n~~~\n\n    ---\n\n```\nnever closed\n---"
    slides = deck(f"{one}\n\n---\n\n{two}", Size(40, 20)).slides
    assert [slide.name for slide in slides] == ["One", "Two"]
    assert [text_of(slide.picture).count("---") for slide in slides] == [2, 3]


@pytest.mark.parametrize("end", ["\n", "\r\n", "   \n"], ids=["LF", "CRLF", "spaces"])
def test_what_separates_slides_and_what_does_not(end: str) -> None:
    """MDS-06"""
    source = "---\ntitle: x\n---\nTitle\n---\ntext\n\n---\n\ntext\n\n***\n\ntext\n"
    slides = deck(source.replace("---\n", f"---{end}"), Size(40, 20)).slides
    assert [slide.name for slide in slides] == ["Title", "Slide 2"]
    assert text_of(slides[0].picture).startswith("\n## Title\ntext")
    assert "———" in text_of(slides[1].picture)


def test_a_fence_in_an_item_does_not_end_the_list() -> None:
    """MDS-07"""
    assert (
        markdown("1. a\n\n   ```\n   code\n   ```\n2. b\n3. c")
        == """
1. a

   code
2. b
3. c"""
    )


def test_words_between_colons_stay_literal_and_aligned_in_tables_too() -> None:
    """MDS-08"""
    cells = ("Bank:Checking:X", ":x:", "10:30:45", ":not_an_emoji:")
    rows = "\n".join(f"| {cell} | 1 |" for cell in cells)
    shown = markdown(f"| name | n |\n|---|---|\n{rows}")
    assert shown.split("\n")[3:] == [f"{cell:<15}  1" for cell in cells]


def test_html_runs_nothing_and_loses_no_text() -> None:
    """MDS-09"""
    found = read("a <b>x</b> <br> <!-- note --> <script>alert(1)</script> <details>", 80)
    assert text_of(found) == "\na x\n<script>alert(1)</script> <details>"
    assert [told.message for told in found.diagnostics] == ["a comment is not drawn: note"]
    (slide,) = deck("# Slide\n\n<!-- say hello -->\n\ntext", Size(40, 10)).slides
    assert slide.notes == ("say hello",)


def test_what_does_not_fit_on_a_slide_goes_on_and_is_counted() -> None:
    """MDS-10"""
    lines = "\n\n".join(f"line {number}" for number in range(40))
    code = "```\n" + "x" * 120 + "\n```"
    table = "| " + " | ".join("abcdefgh" * 2 for _ in range(6)) + " |\n" + "|---" * 6 + "|\n"
    found = deck(f"{lines}\n\n{code}\n\n{table}", Size(80, 24))
    text = "".join(text_of(slide.picture) for slide in found.slides)
    assert all(f"line {number}" in text for number in range(40))
    assert text.replace("\n", "").count("x") == 120
    assert all(slide.picture.width <= 80 and slide.picture.height <= 24 for slide in found.slides)
    assert {told.code for told in found.diagnostics} == {"deck-rows-continued", "deck-columns-continued"}


# -- terminal output -----------------------------------------------------------------


def test_underlines_with_sub_parameters() -> None:
    """ANS-01"""
    found = log("\x1b[4:3mA\x1b[4:0mB\x1b[4;3mC")
    assert styles_of(found) == [
        ("A", Style(attrs=UNDERLINE)),
        ("B", PLAIN),
        ("C", Style(attrs=UNDERLINE | ITALIC)),
    ]


@pytest.mark.parametrize(
    ("sequence", "style"),
    [
        ("\x1b[38;2;255;0;0m", Style("#ff0000")),
        ("\x1b[38:2:255:0:0m", Style("#ff0000")),
        ("\x1b[38:2::255:0:0m", Style("#ff0000")),
        ("\x1b[38:2::255:0:0;1;48:5:21m", Style("#ff0000", "#0000ff", BOLD)),
    ],
)
def test_rgb_in_every_spelling(sequence: str, style: Style) -> None:
    """ANS-02"""
    assert styles_of(log(f"{sequence}X")) == [("X", style)]


def test_parts_of_a_colour_mean_nothing_else() -> None:
    """ANS-03"""
    assert styles_of(log("\x1b[1;38;5;2mA")) == [("A", Style("#00cd00", attrs=BOLD))]
    assert styles_of(log("\x1b[1;38;2;255;0;128mB")) == [("B", Style("#ff0080", attrs=BOLD))]
    assert styles_of(log("\x1b[1;48;5;4mC")) == [("C", Style(bg_color="#0000ee", attrs=BOLD))]


def test_broken_graphics_lose_no_text() -> None:
    """ANS-04"""
    found = log("\x1b[38;2;255mA\x1b[38;5mB\x1b[999mC\x1b[31;;1mD\x1b[;mE\x1b[38;5;999mF\x1b[3")
    assert text_of(found) == "\nABCDEF"
    styles = dict(zip("ABCDEF", found.rows[0].styles, strict=True))
    assert styles["D"] == Style(attrs=BOLD)
    assert styles["E"] == styles["F"] == PLAIN


def test_the_colour_of_an_underline_sets_nothing_else() -> None:
    """ANS-05"""
    found = log("\x1b[58;5;41;4mA\x1b[59mB\x1b[58:2::1:2:3mC")
    assert styles_of(found) == [("ABC", Style(attrs=UNDERLINE))]


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("Hello\r\nWorld\r\n", "\nHello\nWorld"),
        ("10%\r100%\n", "\n100%"),
        ("abcdef\rXY\n", "\nXYcdef"),
        ("aaa\bx\n", "\naax"),
    ],
)
def test_returns_and_backspaces(source: str, rows: str) -> None:
    """ANS-06"""
    assert text_of(log(source)) == rows


def test_sequences_that_draw_nothing_leave_nothing() -> None:
    """ANS-07"""
    source = "\x1b[12$pA\x1b[?25lB\x1bP1$r0m\x1b\\C\x1b(BD\x1b[>4;2mE\x1b#8F\x1b_x\x1b\\G\x1b^y\x1b\\H"
    assert text_of(log(source)) == "\nABCDEFGH"


def test_the_right_edge_of_art_and_of_a_log() -> None:
    """ANS-08"""
    source = "\x1b[79C#\x1b[73CX"
    art, row = text_of(ansi.read_art(source, 80)).split("\n")[1:], text_of(log(source))
    assert art == [" " * 79 + "#", " " * 73 + "X"]
    assert row == "\n" + " " * 79 + "X"


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("AB\x1b[2DXY", "\nXY"),
        ("\x1b[3;5HZ", "\n\n\n    Z"),
        ("abc\x1b[2Dx\x1b[K", "\nax"),
        ("\x1b[s12\x1b[u3", "\n32"),
        ("ab\x1b[2Jc", "\n  c"),
        ("a\x1b[3Cb\x1b[1Gc", "\nc   b"),
    ],
)
def test_the_cursor_goes_where_it_is_sent(source: str, rows: str) -> None:
    """ANS-10"""
    assert text_of(log(source)) == rows


def test_a_cursor_sent_too_far_stops_at_the_last_place_there_is() -> None:
    """ANS-10"""
    found = log("\x1b[99999;99999H.")
    assert (found.height, found.width) == (1000, 80)
    assert text_of(found).strip() == "."
