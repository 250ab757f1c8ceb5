"""Characters and cells, written and read by an agent: widths, whole glyphs, marks without a base, locales."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, faultless, sheet_of

from chardesk.tools.model.width import cluster_width, graphemes

WOMAN_MECHANIC = "\U0001f469\U0001f3ff\u200d\U0001f527"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
PIRATE_FLAG = "\U0001f3f4\u200d\u2620\ufe0f"
EMOJI = (WOMAN_MECHANIC, FAMILY, PIRATE_FLAG)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("characters") / "desk") as running:
        yield running


@pytest.fixture(scope="module")
def agent(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root) as found:
        yield found


@pytest.fixture
def where(agent: Caller) -> Fields:
    return sheet_of(agent)


def found(agent: Caller, query: str, where: Fields) -> list[list[int]]:
    """Where a search sees it."""
    return [match["origin"] for match in agent.ok("canvas_search", query=query, **where)["matches"]]


def columns(row: str) -> int:
    return sum(map(cluster_width, graphemes(row)))


def test_wide_and_narrow_text_of_equal_width_ends_in_the_same_column(agent: Caller, where: Fields) -> None:
    """CHR-01"""
    agent.put(0, 0, "日本語|", **where)
    agent.put(0, 1, "123456|", **where)
    assert found(agent, "|", where) == [[6, 0], [6, 1]]
    rows = agent.rows((0, 0, 10, 2), **where)
    assert rows == ["日本語|", "123456|"]
    assert columns(rows[0]) == columns(rows[1]) == 7


def test_a_letter_over_the_right_half_of_a_wide_glyph_takes_the_glyph_away(
    agent: Caller, where: Fields
) -> None:
    """CHR-02 (a)"""
    agent.put(0, 0, "橋", **where)
    agent.put(1, 0, "X", **where)
    assert agent.rows((0, 0, 3, 1), **where) == [" X"]
    assert agent.cells((0, 0, 3, 1), **where) == {(1, 0): "X"}


def test_a_letter_over_the_left_half_of_a_wide_glyph_takes_the_glyph_away(
    agent: Caller, where: Fields
) -> None:
    """CHR-02 (b)"""
    agent.put(0, 0, "橋", **where)
    agent.put(0, 0, "a", **where)
    assert agent.rows((0, 0, 3, 1), **where) == ["a"]
    assert agent.cells((0, 0, 3, 1), **where) == {(0, 0): "a"}


def test_a_wide_glyph_between_two_others_takes_both_away(agent: Caller, where: Fields) -> None:
    """CHR-03"""
    agent.put(0, 0, "日本", **where)
    agent.put(1, 0, "月", **where)
    assert agent.cells((0, 0, 4, 1), **where) == {(1, 0): "月"}
    assert agent.rows((0, 0, 4, 1), **where) == [" 月"]


def test_a_variation_selector_makes_a_symbol_wide_and_is_kept(agent: Caller, where: Fields) -> None:
    """CHR-04"""
    rows = ["\u26a0\ufe0f|", "\u26a0|", "1\ufe0f\u20e3|"]
    agent.put(0, 0, "\n".join(rows), **where)
    assert found(agent, "|", where) == [[2, 0], [1, 1], [2, 2]]
    assert agent.rows((0, 0, 5, 3), **where) == rows


@pytest.mark.parametrize("emoji", EMOJI, ids=["mechanic", "family", "pirates"])
def test_an_emoji_of_several_code_points_is_one_cell_of_two_columns(
    agent: Caller, where: Fields, emoji: str
) -> None:
    """CHR-05"""
    agent.put(0, 0, f"{emoji}|", **where)
    assert agent.cells((0, 0, 5, 1), **where) == {(0, 0): emoji, (2, 0): "|"}
    assert found(agent, "|", where) == [[2, 0]]
    assert agent.rows((0, 0, 5, 1), **where) == [f"{emoji}|"]


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize("emoji", EMOJI, ids=["mechanic", "family", "pirates"])
def test_erasing_either_column_of_an_emoji_removes_it_whole(
    agent: Caller, where: Fields, emoji: str, column: int
) -> None:
    """CHR-05"""
    agent.put(0, 0, f"{emoji}|", **where)
    erased = agent.ok("canvas_erase", at=[column, 0], size=[1, 1], mode="apply", **where)
    assert (erased["bounds"], erased["erasedCells"]) == ([0, 0, 2, 1], 2)
    assert agent.cells((0, 0, 5, 1), **where) == {(2, 0): "|"}


def test_a_mark_at_the_beginning_of_a_text_does_not_join_a_neighbour(agent: Caller, where: Fields) -> None:
    """CHR-06"""
    agent.put(4, 0, "Z", **where)
    told = agent.put(5, 0, "\u0301abc", **where)
    assert told["dropped"] == [{"codePoints": ["U+0301"], "count": 1}]
    assert told["bounds"] == [5, 0, 3, 1]
    assert agent.cells((0, 0, 10, 1), **where) == {(4, 0): "Z", (5, 0): "a", (6, 0): "b", (7, 0): "c"}


@pytest.mark.parametrize("lone", ["\u0301", "\u200d", "\ufe0f"])
def test_a_lone_mark_is_dropped_with_its_code_point_and_changes_nothing(
    agent: Caller, where: Fields, lone: str
) -> None:
    """CHR-06"""
    told = agent.put(0, 3, lone, **where)
    assert told["dropped"] == [{"codePoints": [f"U+{ord(lone):04X}"], "count": 1}]
    assert told["bounds"] is None and told["writtenCells"] == 0 and "operationId" not in told
    assert agent.cells((0, 0, 5, 5), **where) == {}


@pytest.mark.parametrize("locale", ["ja_JP.UTF-8", "C"])
def test_the_locale_of_the_broker_changes_no_width(
    tmp_path_factory: pytest.TempPathFactory, locale: str
) -> None:
    """CHR-07; the browser's half is in test_cases_page.py."""
    desk = tmp_path_factory.mktemp("locale") / "desk"
    with faultless(desk, LC_ALL=locale, LANG=locale) as running:
        running.call("write", "--at", "0,0", "--content", "┌─┐①→■|", "--mode", "apply")
        assert running.call("search", "--query", "|")["matches"][0]["origin"] == [6, 0]
