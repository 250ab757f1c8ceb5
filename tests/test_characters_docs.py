"""docs/characters.md says what the product does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from wcwidth import list_versions

from chardesk.tools.errors import Refused
from chardesk.tools.text.clusters import Drops, code_points, stored
from chardesk.tools.text.plain import TAB_STOP, expanded, literal

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "characters.md").read_text(encoding="utf-8")

WIDTHS = re.findall(r"^\| `([^`]+)` \| ((?:U\+\w+ ?)+) \| (\d) \|", PAGE, re.MULTILINE)

LEFT_OUT = PAGE[PAGE.index("| left out |") : PAGE.index("An invisible character stays")]


def test_every_example_of_a_width_is_stored_as_one_cell_of_that_width() -> None:
    assert len(WIDTHS) > 15
    for text, named, columns in WIDTHS:
        assert code_points(text) == tuple(named.split())
        assert [*stored(text, Drops())] == [(text, int(columns))], text


def test_every_example_of_what_is_left_out_is_left_out() -> None:
    points = [chr(int(point, 16)) for point in re.findall(r"U\+(\w+)", LEFT_OUT)]
    assert len(points) > 12
    for char in points:
        assert [*stored(char, Drops())] == [], ascii(char)


def test_tabs_stop_where_the_page_says() -> None:
    (row,) = expanded("1234\td").rows
    assert f"next multiple of {TAB_STOP} columns" in PAGE and "ninth column" in PAGE
    assert row.chars.index("d") == 8


@pytest.mark.parametrize("text", ["a\tb", "a\x1bb", "e" + "\u0301" * 32])
def test_literal_text_refuses_what_the_page_says(text: str) -> None:
    with pytest.raises(Refused, match=r"line 1, character"):
        literal(text)


def test_the_page_names_the_version_of_the_table() -> None:
    assert f"Unicode {'.'.join(list_versions()[-1].split('.')[:2])}**" in PAGE
