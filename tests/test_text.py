"""Literal and plain text to cells: widths, what is dropped, what is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from unicodedata import category

import pytest
from drawing import text_of
from hypothesis import given
from hypothesis import strategies as st

from chardesk.tools.errors import Refused
from chardesk.tools.model.width import cluster_width
from chardesk.tools.text import formats, widthtable
from chardesk.tools.text.clusters import Dropped
from chardesk.tools.text.picture import Picture
from chardesk.tools.text.plain import expanded, literal

ROOT = Path(__file__).resolve().parents[1]
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)


def anchors(picture: Picture) -> list[int]:
    return [column for column, char in enumerate(picture.rows[0].chars) if char]


def test_a_row_knows_its_columns() -> None:
    row = expanded("A界😀é")
    assert row.width == 6
    assert anchors(row) == [0, 1, 3, 5]


def test_cjk_and_ascii_of_the_same_columns_end_together() -> None:
    assert anchors(expanded("日本語|"))[-1] == anchors(expanded("123456|"))[-1] == 6


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("\u26a0\ufe0f|", 2),
        ("\u26a0|", 1),
        ("1\ufe0f\u20e3|", 2),
        ("\U0001f469\U0001f3ff\u200d\U0001f527|", 2),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466|", 2),
        ("\U0001f3f4\u200d\u2620\ufe0f|", 2),
        ("\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f|", 2),
        ("\U0001f1ef\U0001f1f5|", 2),
        ("葛\U000e0100|", 2),
        ("क्\u200dष|", 1),
        ("┌─┐①→■|", 6),
    ],
)
def test_clusters_are_kept_whole_and_end_where_they_should(text: str, column: int) -> None:
    found = literal(text)
    assert found.dropped == ()
    assert "".join(char or "" for char in found.rows[0].chars) == text
    assert anchors(found)[-1] == column


@pytest.mark.parametrize("lone", ["\u0301", "\u200d", "\ufe0f", "\u202e", "\U000e0041", "\u115f", "\ufeff"])
def test_what_cannot_be_seen_is_dropped_with_its_code_points(lone: str) -> None:
    found = literal(f"{lone}abc")
    assert text_of(found) == "\nabc"
    assert found.dropped == (Dropped((f"U+{ord(lone):04X}",), 1),)


@pytest.mark.parametrize(
    "hidden", ["\u200d", "\u200b\u200b", "\U000e0041", "\U000e0100", "\ufe00", "\u034f", "\u115f"]
)
def test_nothing_hides_behind_a_letter(hidden: str) -> None:
    found = expanded(f"a{hidden}|")
    assert text_of(found) == "\na|"
    assert sum(kind.count for kind in found.dropped) >= 1


def test_only_one_selector_stays_behind_a_symbol() -> None:
    assert text_of(expanded("\u26a0\ufe0f\ufe0f\ufe01|")) == "\n\u26a0\ufe0f|"


def test_crlf_and_cr_are_line_feeds() -> None:
    assert text_of(literal("a\r\nb\rc")) == "\na\nb\nc"


def test_no_text_has_no_rows() -> None:
    assert (expanded("").width, expanded("").height) == (0, 0)


def test_tabs_stop_at_four_from_the_origin_of_the_text() -> None:
    assert text_of(expanded("a\tb\n123\tc\n1234\td\n界\te")) == "\na   b\n123 c\n1234    d\n界  e"
    three = expanded("A\tB\r\n界\n")
    assert (three.width, three.height) == (5, 3)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("a\tb", "U+0009 (tab) at line 1, character 2"),
        ("ok\n\x1b[1m", "U+001B (escape) at line 2, character 1"),
        ("\x7f", "U+007F (delete) at line 1, character 1"),
        ("a\x85", "U+0085 (control character) at line 1, character 2"),
        ("\ud800", "U+D800 (surrogate character) at line 1, character 1"),
    ],
)
def test_literal_text_refuses_controls_by_name_and_place(text: str, named: str) -> None:
    with pytest.raises(Refused) as refused:
        literal(text)
    assert refused.value.code == "invalid_input"
    assert refused.value.field == "content"
    assert named in refused.value.message


def test_literal_text_refuses_a_cluster_without_end() -> None:
    literal("e" + "\u0301" * 31)
    with pytest.raises(Refused, match="33 code points at line 1, character 3"):
        literal("ab" + "e" + "\u0301" * 32)


def test_imported_text_keeps_the_beginning_of_such_a_cluster() -> None:
    found = expanded("e" + "\u0301" * 100)
    assert found.rows[0].chars == ("e" + "\u0301" * 31,)
    (dropped,) = found.dropped
    assert len(dropped.code_points) == 9, "eight of them and an ellipsis"


def test_a_report_of_drops_is_short_however_many_kinds_there_are() -> None:
    kinds = "".join(f"{chr(point)}\n" for point in range(0x300, 0x36F))
    report = expanded(kinds).dropped
    assert len(report) == 33
    assert report[-1] == Dropped((), 0x36F - 0x300 - 32)


@given(ANY_TEXT)
def test_no_text_makes_plain_import_fail_and_widths_add_up(text: str) -> None:
    for row in expanded(text).rows:
        assert sum(cluster_width(char) for char in row.chars if char) == len(row.chars)
        assert not any(category(each) in ("Cc", "Cs") for char in row.chars if char for each in char)


@given(ANY_TEXT)
def test_literal_text_is_drawn_or_refused(text: str) -> None:
    try:
        rows = literal(text).rows
    except Refused as refused:
        assert refused.code == "invalid_input"
    else:
        assert all(len(row.chars) == len(row.styles) for row in rows)


@pytest.mark.parametrize(
    ("source", "format"),
    [
        ("plain words", "raw"),
        (" /\\_/\\\n( o.o )\n > ^ <", "raw"),
        ("┌──┐\n│ab│\n└──┘", "raw"),
        ("+---+\n| a |\n+---+", "raw"),
        ("2 * 3 * 4 and snake_case_name", "raw"),
        ("\x1b[1mbold", "ansi"),
        ("# Title", "markdown"),
        ("- item", "markdown"),
        ("| a | b |\n|---|---|", "markdown"),
        ("some **bold** words", "markdown"),
        ("see [here](http://a.b)", "markdown"),
        ("a\n|||\nb", "markdown"),
        ("```\ncode\n```", "markdown"),
    ],
)
def test_a_format_is_recognised(source: str, format: str) -> None:
    assert formats.detect(source) == format


@given(st.text(max_size=80))
def test_every_recognised_format_has_a_reader(source: str) -> None:
    assert formats.picture(source, formats.detect(source), 40).height >= 0


def test_the_page_has_the_width_table_of_this_version() -> None:
    assert widthtable.main([str(ROOT / "page/model/widths.js"), "--check"]) == 0


def test_a_stale_width_table_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "deep" / "widths.js"
    assert widthtable.main([str(target), "--check"]) == 1
    assert widthtable.main([str(target)]) == 0
    assert widthtable.main([str(target), "--check"]) == 0
    target.write_text(target.read_text(encoding="utf-8").replace("0x300", "0x301"), encoding="utf-8")
    assert widthtable.main([str(target), "--check"]) == 1
    assert widthtable.main([]) == 2
    assert "out of date" in capsys.readouterr().err


def test_runs_hold_every_code_point_that_is_not_one_column() -> None:
    runs = list(widthtable.runs())
    assert all(first < end for first, end, _ in runs)
    assert [run[0] for run in runs] == sorted(run[0] for run in runs)
    assert not any(first < 0xE000 and end > 0xD800 for first, end, _ in runs)
    named = {point: width for first, end, width in runs for point in range(first, end)}
    assert named[ord("界")] == 2
    assert named[0x301] == 0
    assert ord("a") not in named


def test_declaring_the_tools_loads_no_markdown() -> None:
    code = "import sys, chardesk.tools.draw.render; sys.exit('markdown_it' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], timeout=30, check=True)
