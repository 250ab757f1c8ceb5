"""move: whole glyphs, each once, in batches and scripts only."""

from __future__ import annotations

from typing import Any

import pytest
from drawing import cell, do, drawn, scene_of
from hypothesis import given
from hypothesis import strategies as st
from pencil import put

from chardesk.tools.draw.move import OPERATION
from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import Style
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Draw
from chardesk.tools.registry import BY_VERB, SCRIPT_ONLY
from chardesk.tools.schema import parse


def move(scene: Scene, raw: dict[str, Any], sheet: Size | None = None) -> dict[str, Any]:
    return do(scene, OPERATION, sheet, **raw)


def test_a_rectangle_moves_and_leaves_its_place_empty() -> None:
    scene = scene_of("\n┌─┐ab\n└─┘cd")
    assert move(scene, {"from": [0, 0], "size": [3, 2], "to": [5, 1]}) == {
        "bounds": [5, 1, 3, 2],
        "movedCells": 6,
    }
    assert drawn(scene, Rect(0, 0, 8, 3)) == "\n   ab\n   cd┌─┐\n     └─┘"


@pytest.mark.parametrize(("at", "columns"), [(1, 1), (2, 1), (1, 2)], ids=["left half", "right half", "both"])
def test_half_of_a_wide_glyph_takes_all_of_it_along_and_undo_brings_it_back(at: int, columns: int) -> None:
    scene = scene_of("\nA漢B")
    before = drawn(scene)
    draft = Draft(scene)
    assert isinstance(OPERATION.body, Draw)
    raw = {"from": [at, 0], "size": [columns, 1], "to": [9 + at, 0]}
    OPERATION.body.plan(draft, None, parse(OPERATION.args, raw))
    change = draft.change()
    scene.apply(change)
    assert drawn(scene) == "\nA  B      漢"
    scene.apply(change.inverse())
    assert drawn(scene) == before


@pytest.mark.parametrize(("to", "after"), [([1, 0], "\n abcd"), ([-1, 0], "\nabcd")])
def test_overlapping_places_move_each_cell_once(to: list[int], after: str) -> None:
    scene = scene_of("\nabcd")
    assert move(scene, {"from": [0, 0], "size": [4, 1], "to": to})["movedCells"] == 4
    assert drawn(scene, Rect(min(0, to[0]), 0, 5, 1)) == after


def test_what_lands_replaces_whole_glyphs_and_keeps_the_background_it_lands_on() -> None:
    scene = put(scene_of("\nx  世"), 6, 0, "y", Style(bg_color="#00ff00"))
    move(scene, {"from": [0, 0], "size": [1, 1], "to": [4, 0]})
    assert drawn(scene, Rect(0, 0, 7, 1)) == "\n    x y"
    move(scene, {"from": [4, 0], "size": [1, 1], "to": [6, 0]})
    assert cell(scene, 6, 0) == ("x", Style(bg_color="#00ff00"))


def test_a_huge_and_mostly_empty_rectangle_moves_at_the_cost_of_its_content() -> None:
    scene = scene_of("\na")
    found = move(
        scene, {"from": [-500_000, -500_000], "size": [1_000_000, 1_000_000], "to": [500_000, 500_000]}
    )
    assert found == {"bounds": [1_000_000, 1_000_000, 1, 1], "movedCells": 1}


def test_moving_nothing_or_nowhere_changes_nothing() -> None:
    scene = scene_of("\nab")
    for raw in (
        {"from": [0, 0], "size": [2, 1], "to": [0, 0]},
        {"from": [5, 5], "size": [2, 1], "to": [0, 0]},
    ):
        assert move(scene, raw) == {"bounds": None, "movedCells": 0}
    assert drawn(scene) == "\nab"


def test_a_move_over_a_slides_edge_or_beyond_the_last_column_is_refused_whole() -> None:
    scene = scene_of("\nabc")
    for raw, code in (
        ({"from": [0, 0], "size": [3, 1], "to": [3, 0]}, "out_of_bounds"),
        ({"from": [0, 0], "size": [3, 1], "to": [2**53 - 2, 0]}, "invalid_input"),
    ):
        with pytest.raises(Refused) as refused:
            move(scene, raw, Size(5, 2))
        assert refused.value.code == code
    assert drawn(scene) == "\nabc"


def test_move_is_for_batches_and_scripts_and_no_tool() -> None:
    assert SCRIPT_ONLY == {"move": OPERATION}
    assert "move" not in BY_VERB


@given(
    text=st.text("ab世 ", min_size=1, max_size=8),
    at=st.integers(-1, 6),
    columns=st.integers(1, 6),
    by=st.integers(-7, 7),
)
def test_a_move_and_its_way_back_restore_every_cell_it_did_not_cover(
    text: str, at: int, columns: int, by: int
) -> None:
    scene = scene_of("\n" + text)
    before = drawn(scene, Rect(-9, 0, 30, 1))
    move(scene, {"from": [at, 0], "size": [columns, 1], "to": [at, 5 + by]})
    move(scene, {"from": [at - 1, 5 + by], "size": [columns + 2, 1], "to": [at - 1, 0]})
    assert drawn(scene, Rect(-9, 0, 30, 1)) == before
