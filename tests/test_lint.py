"""What looks broken, drawn."""

from __future__ import annotations

from typing import Any

import pytest
from drawing import scene_of
from pencil import look

from chardesk.tools.look.lint import lint
from chardesk.tools.look.read import OPERATION
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.text.gallery import drawn
from chardesk.tools.text.samples import SAMPLES, Sample


def issues(text: str, **raw: Any) -> list[tuple[str, list[int]]]:
    found = look(OPERATION, scene_of(text), view="lint", **raw).result.fields()["issues"]
    return [(issue["kind"], issue["bounds"]) for issue in found]


def test_a_whole_drawing_has_no_issues() -> None:
    whole = """
┌─ Plan ─┐      ┌───────┐   ╭──╮
│ Hello  │─────▶│ World │   │ok│
│ there  ├─ yes ┤  世   │   ╰──╯
└───┬────┘      └───────┘
    │                       ╔══╤══╗
    ▼                       ║  │  ║
  Done    ───────           ╟──┼──╢
                            ╚══╧══╝"""
    assert issues(whole) == []


@pytest.mark.parametrize(
    ("torn", "bounds"),
    [
        ("\n┌──── ────┐\n│         │\n└─────────┘", [4, 0, 3, 1]),
        ("\n┌───┐\n│    \n└───┘", [4, 0, 1, 3]),
        ("\n┌───\n│   │\n└───┘", [3, 0, 2, 2]),
        ("\n╭──╮\n│  │\n", [0, 1, 4, 1]),
    ],
    ids=["a hole in the top", "a hole in a side", "a corner gone", "no bottom"],
)
def test_a_box_with_a_hole_is_torn_there(torn: str, bounds: list[int]) -> None:
    assert issues(torn) == [("torn_box", bounds)]


def test_a_connector_that_ends_nowhere_is_named_with_its_end() -> None:
    drawing = """
┌───┐
│ a ├────
└─┬─┘
  │
  └──▶"""
    assert issues(drawing) == [("loose_connector", [8, 1, 1, 1])]
    assert issues("\n┌───┐\n│ a │───\n└───┘") == [("loose_connector", [7, 1, 1, 1])]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_nothing_that_is_drawn_here_looks_broken(sample: Sample) -> None:
    draft = Draft(Scene())
    for y, row in enumerate(drawn(sample).rows):
        draft.put(0, y, row.chars, row.styles)
    assert lint(draft.scene, None, None).issues == []


def test_samples_of_lines_in_a_legend_are_no_connectors() -> None:
    assert issues("\n┌────────────┐\n│ ━ critical │\n│ ── normal  │\n└────────────┘") == []


def test_an_axis_may_end_where_it_likes_and_a_box_with_a_stub_may_not() -> None:
    assert issues("\n 9 ┤\n   │\n 0 ┤\n   └─┬──┬─\n     a  b") == []
    assert issues("\n┌──┬──┐\n│  │  │\n└──┴──") == [
        ("loose_connector", [6, 1, 1, 1]),
        ("loose_connector", [5, 2, 1, 1]),
    ]


def test_a_lifeline_may_end_below_and_a_dashed_connector_may_not_end_beside() -> None:
    assert issues("\n┌───┐\n│ a │\n└─┬─┘\n  ┆\n  ┆") == []
    assert issues("\n┌───┐\n│ a ├┄┄┄\n└───┘") == [("loose_connector", [7, 1, 1, 1])]


def test_a_text_over_a_boxs_side_overlaps_and_one_on_a_connector_does_not() -> None:
    over = """
┌────┐
│ a longer
│    │
└────┘"""
    assert issues(over) == [("overlapping_label", [2, 1, 8, 1])]
    labelled = """
┌───┐
│ a │
└─┬─┘
 yes
┌─┴─┐
│ b │
└───┘"""
    assert issues(labelled) == []


def test_cells_outside_a_slide_are_over_its_edge() -> None:
    found = lint(scene_of("\nabcdef\nabc\nx"), Size(4, 2), None).issues
    assert [(issue.kind, issue.bounds) for issue in found] == [
        ("over_edge", (4, 0, 2, 1)),
        ("over_edge", (0, 2, 1, 1)),
    ]
    assert lint(scene_of("\nabcdef\nabc\nx"), Size(4, 2), Rect(0, 0, 4, 2)).issues == []


def test_more_than_200_issues_are_cut_and_it_says_so() -> None:
    found = lint(scene_of("\n" + "\n\n".join(["│ a ├── "] * 201)), None, None)
    assert (len(found.issues), found.truncated) == (200, True)


def test_a_box_that_the_viewport_cuts_is_not_torn() -> None:
    box = "\n┌───┐\n│   │\n└───┘"
    assert issues(box, viewport=[0, 0, 3, 3]) == []
    assert issues(box, viewport=[2, 1, 9, 9]) == []
