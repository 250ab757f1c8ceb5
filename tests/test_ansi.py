"""Terminal output to cells."""

from __future__ import annotations

import pytest
from drawing import styles_of, text_of
from hypothesis import given
from hypothesis import strategies as st

from chardesk.tools.model.cell import BOLD, INVERSE, ITALIC, PLAIN, STRIKE, UNDERLINE, Style
from chardesk.tools.model.width import cluster_width
from chardesk.tools.text import escapes
from chardesk.tools.text.ansi import read, read_art, read_bytes
from chardesk.tools.text.picture import Picture
from chardesk.tools.text.sgr import palette

RED = Style("#ff0000")


def ansi(source: str) -> Picture:
    return read(source, 80)


def test_underline_has_sub_parameters_of_its_own() -> None:
    found = styles_of(ansi("\x1b[4:3mA\x1b[4:0mB\x1b[4;3mC"))
    assert found == [("A", Style(attrs=UNDERLINE)), ("B", PLAIN), ("C", Style(attrs=UNDERLINE | ITALIC))]


@pytest.mark.parametrize("sequence", ["38;2;255;0;0", "38:2:255:0:0", "38:2::255:0:0"])
def test_rgb_comes_in_three_spellings(sequence: str) -> None:
    assert styles_of(ansi(f"\x1b[{sequence}mX")) == [("X", RED)]


def test_what_follows_a_colour_of_colons_still_counts() -> None:
    assert styles_of(ansi("\x1b[38:2::255:0:0;1;48:5:21mX")) == [("X", Style("#ff0000", palette(21), BOLD))]


def test_parts_of_a_colour_are_no_attributes() -> None:
    assert styles_of(ansi("\x1b[1;38;5;2mA")) == [("A", Style("#00cd00", attrs=BOLD))]
    assert styles_of(ansi("\x1b[1;38;2;255;0;128mB")) == [("B", Style("#ff0080", attrs=BOLD))]
    assert styles_of(ansi("\x1b[1;48;5;4mC")) == [("C", Style(bg_color="#0000ee", attrs=BOLD))]


def test_broken_sequences_lose_and_add_nothing() -> None:
    source = "\x1b[38;2;255mA\x1b[38;5mB\x1b[999mC\x1b[31;;1mD\x1b[;mE\x1b[38;5;999mF\x1b[3"
    found = styles_of(ansi(source))
    assert found == [("ABC", PLAIN), ("D", Style(attrs=BOLD)), ("EF", PLAIN)]


def test_an_underlines_own_colour_is_let_go() -> None:
    found = styles_of(ansi("\x1b[58;5;41;4mA\x1b[59mB\x1b[58:2::1:2:3mC"))
    assert found == [("ABC", Style(attrs=UNDERLINE))]


def test_attributes_are_set_and_cleared_one_by_one() -> None:
    found = styles_of(ansi("\x1b[7;9;97;104mA\x1b[27mB\x1b[29;39;49mC\x1b[2mD\x1b[22mE"))
    assert found == [
        ("A", Style("#ffffff", "#5c5cff", INVERSE | STRIKE)),
        ("B", Style("#ffffff", "#5c5cff", STRIKE)),
        ("C", PLAIN),
        ("D", Style("muted")),
        ("E", PLAIN),
    ]


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("Hello\r\nWorld\r\n", "\nHello\nWorld"),
        ("10%\r100%\n", "\n100%"),
        ("abcdef\rXY\n", "\nXYcdef"),
        ("aaa\bx\n", "\naax"),
        ("\b\bx", "\nx"),
        ("a\tb\r\n\tc", "\na   b\n    c"),
        ("世界\rx", "\nx 界"),
        ("a世\b世", "\na 世"),
        ("", ""),
        ("\n\n", ""),
        ("a\n\nb", "\na\n\nb"),
    ],
)
def test_controls_move_within_a_row(source: str, rows: str) -> None:
    assert text_of(ansi(source)) == rows


def test_other_sequences_are_removed_whole_and_counted() -> None:
    source = (
        "\x1b[12$pA\x1b[?25lB\x1bP1$r0m\x1b\\C\x1b(BD\x1b[>4;2mE\x1b#8F\x1b_x\x1b\\G\x1b^y\x1b\\H"
        "\x1b]0;title\x07\x9b?7h\x07"
    )
    found = ansi(source)
    assert text_of(found) == "\nABCDEFGH"
    (note,) = found.diagnostics
    assert note.code == "ansi-sequences-removed"
    assert "11" in note.message


def test_a_clipboard_sequence_never_reaches_a_cell() -> None:
    assert text_of(ansi("A\x1b]52;c;QUJD\x07B\x9b?7h\x07C")) == "\nABC"


def test_a_string_that_is_never_closed_ends_with_its_row() -> None:
    assert text_of(ansi("a\x1b]0;title\nb")) == "\na\nb"


def test_links_are_kept_unless_they_run_something() -> None:
    found = styles_of(ansi("\x1b]8;id=1;https://a.b/c\x1b\\go\x1b]8;;\x07 on"))
    assert found == [("go", Style(href="https://a.b/c")), (" on", PLAIN)]
    assert styles_of(ansi("\x1b]8;;javascript:alert(1)\x07go")) == [("go", PLAIN)]


@pytest.mark.parametrize(
    ("source", "rows"),
    [
        ("AB\x1b[2DXY", "\nXY"),
        ("\x1b[3;5HZ", "\n\n\n    Z"),
        ("abc\x1b[2Dx\x1b[K", "\nax"),
        ("\x1b[s12\x1b[u3", "\n32"),
        ("\x1b712\x1b83", "\n32"),
        ("ab\x1b[2Jc", "\n  c"),
        ("a\x1b[3Cb\x1b[1Gc", "\nc   b"),
        ("abcdef\x1b[3D\x1b[1K", "\n    ef"),
        ("one\ntwo\x1b[Jx\x1b[A!", "\none !\ntwox"),
        ("abcdef\x1b[1G\x1b[2P\x1b[1@", "\n cdef"),
        ("abcdef\x1b[1G\x1b[2X", "\n  cdef"),
        ("a\nb\x1b[1;1H\x1b[Lx", "\nx\na\nb"),
        ("a\nb\nc\x1b[2;1H\x1b[M", "\na\nc"),
        ("a\x1b[2Eb\x1b[1Fc", "\na\nc\nb"),
        ("a\x1b[5db\x1b[8`c", "\na\n\n\n\n b     c"),
        ("世界\x1b[2D\x1b[K", "\n世"),
        ("世界\x1b[3D\x1b[K", "\n "),
    ],
)
def test_the_cursor_can_be_sent_about_and_what_it_leaves_erased(source: str, rows: str) -> None:
    assert text_of(ansi(source)) == rows


def test_a_cursor_sent_far_away_stops_at_column_79_of_row_999() -> None:
    found = ansi("\x1b[99999;99999H.")
    assert (found.height, found.rows[999].chars[79]) == (1000, ".")
    assert sum(len(row.chars) for row in found.rows) == 80


def test_the_right_edge_holds_in_a_log_and_wraps_in_art() -> None:
    source = "\x1b[79C#\x1b[73CX"
    assert text_of(ansi(source)) == "\n" + " " * 79 + "X"
    assert text_of(read_art(source, 80)) == "\n" + " " * 79 + "#\n" + " " * 73 + "X"


def test_a_long_row_of_a_log_stays_one_row_and_art_wraps_it() -> None:
    assert ansi("x" * 200).height == 1
    assert text_of(read_art("abcdefg世h", 4)) == "\nabcd\nefg\n世h"
    assert text_of(read_art("世", 1)) == "\n世"


def test_erasing_on_coloured_paper_leaves_the_paper() -> None:
    (row,) = read("\x1b[44ma\x1b[K", 4).rows
    assert (row.chars, {style.bg_color for style in row.styles}) == (("a", " ", " ", " "), {"#0000ee"})


def test_attributes_that_no_cell_has_are_named() -> None:
    (note,) = ansi("\x1b[5;31;2mA\x1b[4:3;53mB\x1b[38;5;5mC").diagnostics
    assert note.code == "ansi-attributes-not-shown"
    assert note.message.endswith("blink ×1, curly underline ×1, dim ×1, overline ×1")
    assert ansi("\x1b[2mdim").diagnostics == ()


def _sauce(art: bytes, columns: int) -> bytes:
    words = b"Title".ljust(35) + b"Ada".ljust(20) + b"ACiD".ljust(20) + b"20240131"
    return art + b"\x1aSAUCE00" + words + b"\0\0\0\0\x01\x01" + bytes((columns, 0, 2, 0)) + bytes(28)


def test_a_file_of_art_has_its_width_and_its_characters() -> None:
    found = read_bytes(_sauce(b"\xb0\xb1\xb2\xdb\x01\x1b[1;31mX", 4), 80)
    assert text_of(found) == "\n░▒▓█\n☺X"
    (note,) = found.diagnostics
    assert (note.code, "Title, by Ada / ACiD" in note.message) == ("ansi-sauce", True)


def test_a_file_in_utf_8_needs_no_code_page() -> None:
    assert text_of(read_bytes("é世".encode(), 80)) == "\né世"
    assert text_of(read_bytes(b"caf\x82", 80)) == "\ncafé"


def test_endless_erasing_is_bounded_and_said() -> None:
    found = read("x" * 100_000 + "\x1b[1K" * 1000, 80)
    assert [each.code for each in found.diagnostics] == ["ansi-erasures-left-out"]


def test_a_reset_does_not_end_a_link() -> None:
    assert styles_of(ansi("\x1b]8;;https://a.b\x07\x1b[1mx\x1b[0my"))[1] == ("y", Style(href="https://a.b"))


@given(
    st.text(
        st.sampled_from("\x1b\x9b\x9d\x07\x08\x90\\[]P^_X();:?>$#0123456789 mHJAKLM@Xdsu\r\n\tab世é\u0301"),
        max_size=80,
    )
)
def test_nothing_makes_terminal_output_fail_and_no_control_gets_through(source: str) -> None:
    for row in (*ansi(source).rows, *read_art(source, 5).rows):
        assert sum(cluster_width(char) for char in row.chars if char) == len(row.chars)
        assert not any("\x00" <= char[0] < " " or "\x7f" <= char[0] < "\xa0" for char in row.chars if char)


@given(st.text(max_size=60))
def test_tokens_lose_no_character_of_the_text(source: str) -> None:
    plain = source.translate(dict.fromkeys([*range(32), *range(127, 160)]))
    kept = "".join(token.text for token in escapes.tokens(plain) if isinstance(token, escapes.Text))
    assert kept == plain


def test_hostile_output_takes_linear_time() -> None:
    for part in (
        "\x9d8;;\n",
        "\x1b[@a",
        "\x1b[L\n",
        "\x1b[J\n",
        "\x1b[999Ca\n",
        "\x1b]8;;",
        "\x1b[1;",
        "\x1b[38;5;",
        "\x1bP",
        "\x9b" + "1;" * 50,
    ):
        ansi(part * (100_000 // len(part)))
