"""Rows of data as tables."""

from __future__ import annotations

import pytest
from drawing import text_of
from hypothesis import given
from hypothesis import strategies as st

from chardesk.tools.model.cell import BOLD
from chardesk.tools.model.width import cluster_width
from chardesk.tools.text.tables.reader import read

CITIES = """
city    people
━━━━━━  ━━━━━━
東京        14
Zürich     0.4"""


@pytest.mark.parametrize(
    "source",
    [
        "city,people\n東京,14\nZürich,0.4",
        "city;people\n東京;14\nZürich;0.4\n",
        "city\tpeople\r\n東京\t14\r\nZürich\t0.4",
        '\ufeffcity, people\n"東京", 14\n\nZürich,0.4',
        '[{"city": "東京", "people": 14}, {"city": "Zürich", "people": 0.4}]',
        '[["city", "people"], ["東京", 14], ["Zürich", 0.4]]',
        '{"city": ["東京", "Zürich"], "people": [14, 0.4]}',
    ],
)
def test_the_same_rows_are_the_same_table_in_every_notation(source: str) -> None:
    found = read(source, 80)
    assert text_of(found) == CITIES
    assert found.rows[0].styles[0].attrs == BOLD
    assert found.diagnostics == ()


def test_quoted_cells_keep_their_commas_and_lose_their_line_feeds() -> None:
    assert text_of(read('a,b\n"x, y","say ""hi"""', 80)) == '\na     b\n━━━━  ━━━━━━━━\nx, y  say "hi"'
    assert text_of(read('a,b\n"two\nlines",1', 80)) == "\na          b\n━━━━━━━━━  ━\ntwo lines  1"
    assert text_of(read('[{"a": "x\\ny"}]', 80)) == "\na\n━━━\nx y"


def test_a_column_with_a_word_in_it_stands_to_the_left() -> None:
    assert text_of(read("n,m\n1,-1.5\nx,10%", 80)) == "\nn     m\n━  ━━━━\n1  -1.5\nx   10%"


def test_a_table_that_is_too_wide_wraps_in_its_cells() -> None:
    assert text_of(read("a,b\none two three,x", 10)) == "\na        b\n━━━━━━━  ━\none two  x\nthree"


def test_a_table_with_too_many_columns_is_shown_whole_and_said() -> None:
    found = read(",".join(f"column{at}" for at in range(9)) + "\n", 30)
    assert found.width == 43
    assert [told.message for told in found.diagnostics] == ["the table is 43 columns wide, 30 were asked for"]


def test_values_that_are_no_words_are_shown_as_json() -> None:
    assert (
        text_of(read('[{"a": null, "b": true, "c": [1, 2]}]', 80))
        == "\na  b     c\n━  ━━━━  ━━━━━━\n   true  [1, 2]"
    )


def test_uneven_rows_are_filled_up_and_counted() -> None:
    found = read("a,b\n1\n2,3", 80)
    assert text_of(found) == "\na  b\n━  ━\n1\n2  3"
    assert [(each.code, "1, the first is row 2" in each.message) for each in found.diagnostics] == [
        ("table-rows-uneven", True)
    ]


def test_what_looks_like_json_and_is_none_is_read_as_csv_and_said() -> None:
    found = read("[a,b\n1,2", 80)
    assert text_of(found) == "\n[a  b\n━━  ━\n 1  2"
    assert [each.code for each in found.diagnostics] == ["table-not-json"]


def test_a_table_beyond_the_limit_says_what_is_left_out() -> None:
    found = read("a\n" + "1\n" * 60_000, 80)
    assert found.height == 50_001
    assert "10001 rows" in found.diagnostics[0].message


@pytest.mark.parametrize("source", ["", "\n", "[]", "{}", "[[]]", "[" * 5000, '"', "\x00", "1"])
def test_odd_sources_are_drawn_somehow(source: str) -> None:
    read(source, 80)


@given(st.text('a,;\t"\n[]{}:1世\x1b', max_size=60), st.integers(1, 30))
def test_nothing_makes_a_table_fail_and_widths_add_up(source: str, width: int) -> None:
    for row in read(source, width).rows:
        assert sum(cluster_width(char) for char in row.chars if char) == len(row.chars)
