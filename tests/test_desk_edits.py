"""What gestures become in cells: exact cells are checked, moves are whole, pasted material is read."""

from __future__ import annotations

from typing import Any

import pytest

from chardesk.broker.desk.page import edits
from chardesk.broker.desk.page.exact import MAX_COLUMNS
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.scene import Scene


def performed(scene: Scene, op: m.EditOp) -> str:
    """Carry an edit out; the name that history gives it."""
    draft = Draft(scene)
    name = edits.PLANS[type(op)](draft, op).tool
    scene.apply(draft.change())
    return name


def row(scene: Scene, y: int = 0, width: int = 16) -> str:
    return "".join(" " if char is None else char for char in scene.strip(y, 0, width).chars).rstrip()


def cells(*pieces: Any, styles: tuple[dict[str, Any], ...] = ({},)) -> m.CellsOp:
    return m.CellsOp.model_validate({"gesture": "box", "cells": {"styles": styles, "rows": [[0, pieces]]}})


def move(start: tuple[int, int], size: tuple[int, int], to: tuple[int, int]) -> m.MoveOp:
    return m.MoveOp.model_validate({"from": start, "size": size, "to": to})


def written(text: str) -> Scene:
    scene = Scene()
    performed(scene, m.TextOp(at=(0, 0), text=text))
    return scene


def test_exact_cells_keep_their_styles_and_clear_what_they_count() -> None:
    scene = written("abcdef")
    name = performed(
        scene, cells([0, "X", 0], [1, 2, -1], [4, ["漢", ""], 0], styles=({"bgColor": "accent"},))
    )
    assert name == "box"
    assert row(scene) == "X  d漢"
    performed(scene, cells([0, "Y", 0]))
    cell = scene.cell(0, 0)
    assert cell is not None
    assert cell.style.bg_color is None, "the page has said how it looks: a background is not inherited"


@pytest.mark.parametrize(
    "piece",
    [
        [0, ["漢"], 0],
        [0, ["", "a"], 0],
        [0, ["a", ""], 0],
        [0, ["ab"], 0],
        [0, "a\tb", 0],
        [0, ["\u200b"], 0],
        [0, ["\u0301"], 0],
        [0, "a", 1],
        [0, "a", -1],
        [0, 0, -1],
        [2**53 - 1, "ab", 0],
        [-(2**53), "a", 0],
    ],
    ids=str,
)
def test_what_is_no_whole_visible_glyph_at_a_place_is_refused(piece: Any) -> None:
    scene = written("abc")
    with pytest.raises(Refused) as refused:
        performed(scene, cells(piece))
    assert refused.value.code == "invalid_input"
    assert row(scene) == "abc"


def test_an_edit_writes_no_more_columns_than_a_frame_holds() -> None:
    with pytest.raises(Refused) as refused:
        performed(Scene(), cells([0, "a" * (MAX_COLUMNS + 1), 0]))
    assert refused.value.code == "too_large"


def test_a_move_takes_half_a_glyph_whole_and_leaves_what_empty_columns_land_on() -> None:
    scene = written("A漢B       z")
    performed(scene, move((2, 0), (2, 1), (10, 0)))
    assert row(scene) == "A        漢B"


def test_a_move_onto_itself_keeps_every_cell_once() -> None:
    scene = written("abcd")
    performed(scene, move((0, 0), (4, 1), (1, 0)))
    assert row(scene) == " abcd"


def test_a_move_costs_what_is_there_and_not_the_area() -> None:
    scene = written("far")
    performed(scene, move((-(10**6), -(10**6)), (2 * 10**6, 2 * 10**6), (-(10**6), -(10**6) + 1)))
    assert row(scene, 1) == "far"


@pytest.mark.parametrize("size", [(0, 1), (1, -1), (2**53, 1)])
def test_a_move_of_no_rectangle_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(Refused) as refused:
        performed(written("a"), move((1, 0), size, (0, 0)))
    assert refused.value.code == "invalid_input"


def test_pasted_material_is_read_as_its_format_says() -> None:
    scene = Scene()
    performed(scene, m.PasteOp(at=(0, 0), material="\x1b[31mred\x1b[0m", format="ansi"))
    performed(scene, m.PasteOp(at=(0, 2), material="**bold**", format="markdown"))
    performed(scene, m.PasteOp(at=(0, 4), material="**text**"))
    assert (row(scene), row(scene, 2), row(scene, 4)) == ("red", "bold", "**text**")
    red = scene.cell(0, 0)
    assert red is not None
    assert red.style.color != "#000000"


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        ("│ab    │", "xy", "│xyab  │"),
        ("│a b   │", "x", "│xa b  │"),
        ("│ab│", "x", "│xab│"),
        ("│a  b  │", "xyz", "│xyza b │"),
        ("│漢    │", "x", "│x漢   │"),
    ],
)
def test_inserted_words_push_others_into_the_gaps_behind_them(before: str, typed: str, after: str) -> None:
    scene = written(before)
    performed(scene, m.TextOp(at=(1, 0), text=typed, overwrite=False))
    assert row(scene) == after
