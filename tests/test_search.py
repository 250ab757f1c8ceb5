"""canvas_search: literal and by pattern, with the contract's exact values."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pencil import look, put, stored_blank

from chardesk.tools.errors import Refused
from chardesk.tools.look.search import OPERATION, SearchArgs, search
from chardesk.tools.model.cell import MAX_COORDINATE, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.schema import parse

GREETING = put(put(Scene(), -10, -5, "Hello Alice"), -10, -4, "Welcome!")


def found(scene: Scene, query: str, **raw: Any) -> dict[str, Any]:
    return look(OPERATION, scene, query=query, **raw).result.fields()


def matches(scene: Scene, query: str, **raw: Any) -> list[dict[str, Any]]:
    answer: list[dict[str, Any]] = found(scene, query, **raw)["matches"]
    return answer


def origins(scene: Scene, query: str, **raw: Any) -> list[tuple[int, int]]:
    return [tuple(one["origin"]) for one in matches(scene, query, **raw)]


def refusal(scene: Scene, **raw: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        look(OPERATION, scene, **raw)
    return caught.value


# -- several rows --------------------------------------------------------------


def test_rows_of_a_query_match_at_the_same_column() -> None:
    assert matches(GREETING, "Hello\nWelcome") == [
        {"origin": [-10, -5], "bounds": [-10, -5, 7, 2], "content": "Hello\nWelcome"}
    ]


def test_each_row_of_a_pattern_may_have_its_own_length() -> None:
    assert matches(GREETING, "Hello \\w+\nWelcome", regex=True) == [
        {"origin": [-10, -5], "bounds": [-10, -5, 11, 2], "content": "Hello Alice\nWelcome"}
    ]


@pytest.mark.parametrize("at", [(1, 1), (-1, 1), (0, 2)])
def test_rows_that_are_not_exactly_below_do_not_match(at: tuple[int, int]) -> None:
    assert origins(put(put(Scene(), 0, 0, "Hello"), *at, "Welcome"), "Hello\nWelcome") == []


def test_a_match_lies_inside_the_viewport() -> None:
    assert origins(GREETING, "Hello\nWelcome", viewport=[-20, -5, 40, 1]) == []
    assert origins(GREETING, "Hello\nWelcome", viewport=[-10, -5, 6, 2]) == []
    assert origins(GREETING, "Hello\nWelcome", viewport=[-10, -5, 7, 2]) == [(-10, -5)]


def test_columns_count_whatever_the_characters_before() -> None:
    scene = put(put(Scene(), -5, -2, "你é😀Hello"), 0, -1, "Welcome")
    assert origins(scene, "Hello\nWelcome") == [(0, -2)]


def test_a_first_row_that_overlaps_itself_is_tried_at_every_column() -> None:
    assert origins(put(Scene(), 0, 0, "aaa\n b"), "aa\nb") == [(1, 0)]
    assert origins(put(Scene(), 0, 0, "aaa\n b"), "aa\nb", regex=True) == [(1, 0)]


def test_a_wider_row_below_keeps_matches_apart_and_the_search_goes_on() -> None:
    scene = put(put(Scene(), 0, 0, "a世a世aa"), 0, 1, "bbbbbbbb")
    assert origins(scene, "a\nbb") == [(0, 0), (3, 0), (6, 0)]


# -- cells ---------------------------------------------------------------------


def test_a_match_covers_whole_clusters() -> None:
    scene = put(Scene(), 0, 0, "x\u0302y")
    assert origins(scene, "x") == []
    assert origins(scene, "x", regex=True) == []
    assert [one["bounds"] for one in matches(scene, "x\u0302")] == [[0, 0, 1, 1]]


def test_texts_are_compared_composed() -> None:
    scene = put(Scene(), 0, 0, "cafe\u0301")
    assert origins(scene, "e") == []
    assert [one["bounds"] for one in matches(scene, "\u00e9")] == [[3, 0, 1, 1]]
    assert matches(scene, "caf\u00e9")[0]["content"] == "cafe\u0301"


def test_half_a_surrogate_pair_finds_nothing() -> None:
    scene = put(Scene(), 0, 0, "😀")
    assert origins(scene, "\ud83d") == []
    assert refusal(scene, query="\ud83d", regex=True).code == "invalid_input"


def test_matches_in_a_row_do_not_overlap() -> None:
    assert origins(put(Scene(), 0, 0, "aaaaa"), "aa") == [(0, 0), (2, 0)]
    assert origins(put(Scene(), 0, 0, "aaaaa"), "aa", after=[0, 0]) == [(2, 0)]


def test_a_wide_glyph_that_the_viewport_cuts_is_not_found() -> None:
    scene = put(Scene(), 0, 0, "世界")
    assert origins(scene, "界", viewport=[3, 0, 4, 1]) == []
    assert matches(scene, "界", viewport=[2, 0, 2, 1]) == [
        {"origin": [2, 0], "bounds": [2, 0, 2, 1], "content": "界"}
    ]
    assert origins(scene, ".", regex=True, viewport=[1, 0, 2, 1]) == []


def test_short_gaps_are_spaces_and_long_ones_part() -> None:
    scene = put(put(Scene(), 0, 0, "ab"), 6, 0, "cd")
    assert origins(scene, "ab    cd") == [(0, 0)]
    assert origins(scene, "b    c") == [(1, 0)]
    assert origins(scene, " cd") == []
    assert origins(scene, "    cd") == [(2, 0)]
    assert origins(scene, "     cd") == []
    assert origins(stored_blank(scene, 5, 0), " cd") == [(5, 0)]


# -- patterns ------------------------------------------------------------------


def test_a_match_is_never_empty() -> None:
    scene = put(Scene(), 0, 0, "aaX")
    assert [one["bounds"] for one in matches(scene, "a*", regex=True)] == [[0, 0, 2, 1]]
    assert origins(scene, "^|$", regex=True) == []
    assert origins(put(Scene(), 0, 0, "baa"), "a*", regex=True) == [(1, 0)]


def test_a_pattern_sees_a_row_from_its_first_cell_to_its_last() -> None:
    scene = put(put(Scene(), 5, 0, "ab"), 9, 0, "cd")
    assert origins(scene, "^ab  cd$", regex=True) == [(5, 0)]
    assert origins(scene, "^cd", regex=True) == []
    assert origins(scene, "^cd", regex=True, viewport=[7, 0, 9, 1]) == [(9, 0)]


@pytest.mark.parametrize("query", ["(?=a)", "(a)\\1", "[", "a{5000}"])
def test_what_re2_cannot_do_is_refused_in_its_words(query: str) -> None:
    found = refusal(Scene(), query=query, regex=True)
    assert (found.code, found.field) == ("invalid_input", "query")


def test_a_row_too_wide_for_a_pattern_is_refused_with_both_numbers() -> None:
    scene = put(put(Scene(), 0, 0, "a"), 16_384, 0, "b")
    assert refusal(scene, query="a", regex=True).code == "search_limit"
    assert "16385" in refusal(scene, query="a", regex=True).message
    assert origins(scene, "b") == [(16_384, 0)]
    assert origins(scene, "a", regex=True, viewport=[0, 0, 16_384, 1]) == [(0, 0)]


def test_case_can_be_ignored() -> None:
    scene = put(put(Scene(), 0, 0, "[HI]."), 0, 1, "Σ straße")
    assert origins(scene, "[hi].") == []
    assert origins(scene, "[hi].", ignoreCase=True) == [(0, 0)]
    assert origins(scene, "σ", ignoreCase=True) == [(0, 1)]
    assert origins(scene, "σ", ignoreCase=True, regex=True) == [(0, 1)]
    assert origins(scene, "STRASSE", ignoreCase=True) == [(2, 1)]
    assert origins(scene, "stras", ignoreCase=True) == []


# -- pages and limits ----------------------------------------------------------


def test_a_long_answer_is_continued_behind_its_last_origin() -> None:
    scene = Scene()
    for n in range(45):
        put(scene, n % 9 * 3, n // 9, "ab")
    sizes, after = [], None
    while True:
        page = found(scene, "ab", **({"after": after} if after else {}))
        sizes.append(len(page["matches"]))
        after = page["next"]
        if after is None:
            break
        assert after == page["matches"][-1]["origin"]
    assert sizes == [20, 20, 5]


def test_exactly_one_page_has_no_next() -> None:
    assert found(put(Scene(), 0, 0, "a" * 20), "a")["next"] is None
    assert found(put(Scene(), 0, 0, "a" * 21), "a")["next"] == [19, 0]


@pytest.mark.parametrize("query", ["x" * 4096, "\n".join("x" * 64)])
def test_a_query_at_its_limits_is_taken(query: str) -> None:
    assert origins(Scene(), query) == []


@pytest.mark.parametrize(
    "query", ["", "x" * 4097, "😀" * 2049, "\n".join("x" * 65), "A\n", "\nA", "A\n \nB", "a\tb", "\r\n"]
)
def test_a_query_over_its_limits_is_refused(query: str) -> None:
    found = refusal(Scene(), query=query)
    assert (found.code, found.field) == ("invalid_input", "query")


def test_after_is_a_whole_position() -> None:
    assert refusal(Scene(), query="a", after=[0.5, 0]).field == "after"


@pytest.mark.parametrize("regex", [False, True])
def test_out_of_time_means_no_answer_at_all(regex: bool) -> None:
    clock = itertools.count(step=0.2).__next__
    scene = put(Scene(), 0, 0, "a\na\na")
    with pytest.raises(Refused) as caught:
        search(scene, None, parse(SearchArgs, {"query": "a", "regex": regex}), clock)
    assert caught.value.code == "search_limit"


def test_out_of_cells_means_no_answer_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chardesk.tools.look.budget.MAX_CELLS", 4)
    assert origins(put(Scene(), 0, 0, "abcd"), "a") == [(0, 0)]
    assert refusal(put(Scene(), 0, 0, "abcd\ne"), query="x").code == "search_limit"


def test_matches_are_what_a_search_teaches() -> None:
    shown = look(OPERATION, GREETING, query="e")
    assert shown.seen[0] == Rect(-9, -5, 1, 1)
    assert len(shown.seen) == len(shown.result.fields()["matches"])


def test_styles_do_not_matter() -> None:
    scene = put(put(Scene(), 0, 0, "Nee"), 3, 0, "dle", Style(attrs=1))
    assert origins(scene, "**Needle**") == []
    assert origins(scene, "Needle") == [(0, 0)]


ALPHABET = st.text(alphabet="ab 世é", min_size=1, max_size=12)


@given(ALPHABET, ALPHABET.filter(lambda text: bool(text.strip())))
def test_a_literal_is_found_where_plain_text_has_it(text: str, query: str) -> None:
    scene = Scene()
    for x, char in enumerate(text):
        stored_blank(scene, x * 2, 0)
        stored_blank(scene, x * 2 + 1, 0)
        put(scene, x * 2, 0, char)
    spread = "".join(char if char == "世" else char + " " for char in text)
    wanted = "".join(char if char == "世" else char + " " for char in query)
    assert bool(origins(scene, wanted)) == (wanted in spread)


# -- free space ----------------------------------------------------------------


def places(scene: Scene, **raw: Any) -> list[list[int]]:
    fields = look(OPERATION, scene, **raw).result.fields()
    assert (fields["matches"], fields["next"]) == ([], None)
    return [list(place) for place in fields["empty"]]


def test_free_space_is_found_nearest_first_with_a_margin_of_one() -> None:
    scene = put(Scene(), 0, 0, "xxxx\nxxxx")
    assert places(scene, empty=[3, 2], near=[2, 0])[0] == [5, 0, 3, 2]
    assert places(scene, empty=[3, 2], near=[0, 2])[0] == [0, 3, 3, 2]
    assert places(scene, empty=[3, 2], near=[-1, 0])[0] == [-4, 0, 3, 2]
    assert places(Scene(), empty=[3, 2], near=[7, 7])[0] == [7, 7, 3, 2]


def test_free_places_are_five_that_stand_apart() -> None:
    found = [Rect(*place) for place in places(Scene(), empty=[4, 2])]
    assert len(found) == 5
    for number, one in enumerate(found):
        around = Rect(one.x - 1, one.y - 1, one.width + 2, one.height + 2)
        assert all(around.clip(other) is None for other in found[:number])


def test_free_space_inside_a_viewport_minds_what_stands_at_its_edge() -> None:
    scene = put(Scene(), 10, 0, "|\n|\n|")
    assert places(scene, empty=[3, 1], viewport=[5, 0, 5, 3]) == [[5, 0, 3, 1], [5, 2, 3, 1]]
    assert places(scene, empty=[5, 1], viewport=[5, 0, 5, 3]) == []
    assert places(scene, empty=[6, 1], viewport=[5, 0, 5, 3]) == []


def test_without_a_wish_free_space_is_looked_for_under_what_is_drawn() -> None:
    assert places(put(Scene(), 3, 4, "ab\ncd"), empty=[9, 2])[0] == [3, 7, 9, 2]


def test_free_space_on_a_slide_stays_on_it() -> None:
    scene = put(Scene(), 0, 0, "x" * 20 + "\n" + "x" * 20)
    shown = search(scene, Size(20, 6), parse(SearchArgs, {"empty": [20, 3]}), lambda: 0.0)
    assert shown.result.fields()["empty"] == [[0, 3, 20, 3]]
    nothing = parse(SearchArgs, {"empty": [2, 1], "viewport": [50, 50, 9, 9]})
    assert search(scene, Size(20, 6), nothing, lambda: 0.0).result.fields()["empty"] == []


def test_blanks_are_free_and_backgrounds_are_not() -> None:
    scene = stored_blank(stored_blank(Scene(), 0, 0), 4, 0, Style(bg_color="#ff0000"))
    assert places(scene, empty=[3, 1], near=[0, 0])[0] == [0, 0, 3, 1]
    assert places(scene, empty=[4, 1], near=[0, 0])[0] == [-1, 0, 4, 1]


def test_what_was_found_free_counts_as_read() -> None:
    shown = look(OPERATION, Scene(), empty=[3, 2])
    assert shown.seen[0] == Rect(0, 0, 3, 2)


@given(
    cells=st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=30),
    wanted=st.tuples(st.integers(1, 4), st.integers(1, 4)),
    near=st.tuples(st.integers(-3, 12), st.integers(-3, 12)),
)
def test_no_place_is_nearer_than_the_first_one(
    cells: set[tuple[int, int]], wanted: tuple[int, int], near: tuple[int, int]
) -> None:
    scene = Scene()
    for x, y in cells:
        put(scene, x, y, "x")
    (width, height), area = wanted, [-2, -2, 14, 14]
    free = [
        ((x - near[0]) ** 2 + 4 * (y - near[1]) ** 2, y, x)
        for x in range(-2, 13 - width)
        for y in range(-2, 13 - height)
        if not any(x - 1 <= cx <= x + width and y - 1 <= cy <= y + height for cx, cy in cells)
    ]
    found = places(scene, empty=[*wanted], near=[*near], viewport=area)
    assert bool(found) == bool(free)
    if free:
        _, y, x = min(free)
        assert found[0] == [x, y, width, height]


def test_a_full_sheet_of_text_leaves_space_within_the_budget() -> None:
    scene = Scene()
    for y in range(300):
        put(scene, 0, y, "the quick brown fox " * 20)
    assert places(scene, empty=[30, 8], near=[190, 150])[0] == [400, 150, 30, 8]


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({}, "query"),
        ({"query": "a", "empty": [1, 1]}, "query"),
        ({"query": "a", "near": [0, 0]}, "near"),
        ({"empty": [1, 1], "after": [0, 0]}, "after"),
        ({"empty": [1, 1], "ignoreCase": True}, "ignoreCase"),
        ({"empty": [0, 1]}, "empty"),
    ],
)
def test_a_search_is_for_a_text_or_for_space(raw: dict[str, Any], field: str) -> None:
    found = refusal(Scene(), **raw)
    assert (found.code, found.field) == ("invalid_input", field)


def test_a_search_for_space_ends_at_its_budget() -> None:
    clock = itertools.count(step=0.2).__next__
    with pytest.raises(Refused) as refused:
        search(GREETING, None, parse(SearchArgs, {"empty": [3, 3]}), clock)
    assert refused.value.code == "search_limit"


@pytest.mark.parametrize("pattern", ["^(a+)+$", "()*?a", "(a*)*b", "(x+x+)+y"])
def test_patterns_that_explode_elsewhere_end_at_once(pattern: str) -> None:
    scene = put(Scene(), 0, 0, "a" * 4000 + "!")
    assert len(matches(scene, pattern, regex=True)) in (0, 20)


def test_a_match_far_out_has_exact_coordinates() -> None:
    last = MAX_COORDINATE - 1
    scene = put(put(Scene(), 1_000_000, -1_000_000, "X"), last, -last, "X")
    assert origins(scene, "X") == [(last, -last), (1_000_000, -1_000_000)]
    assert origins(scene, "X", viewport=[last, -last, 1, 1]) == [(last, -last)]
