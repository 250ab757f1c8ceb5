"""The outline of a sheet: boxes, texts and connectors found in drawings."""

from __future__ import annotations

import time
from typing import Any

import pytest
from drawing import scene_of
from pencil import look, put

from chardesk.tools.errors import Refused
from chardesk.tools.look import sketch
from chardesk.tools.look.changes import changed_since
from chardesk.tools.look.read import OPERATION
from chardesk.tools.model.cell import Style
from chardesk.tools.model.change import Strip
from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.trace import Trace

FLOW = """
┌─ Plan ─┐      ┌───────┐
│ Hello  │─────▶│ World │
│ there  │      │  世   │
└───┬────┘      └───────┘
    │ yes
    ▼
  Done"""


def outlined(scene: Scene, **raw: Any) -> dict[str, Any]:
    return look(OPERATION, scene, view="outline", **raw).result.fields()


def parts(text: str, kind: str) -> list[dict[str, Any]]:
    found = outlined(scene_of(text))["parts"]
    return [{k: v for k, v in part.items() if k != "kind"} for part in found if part["kind"] == kind]


def test_boxes_have_their_rectangles_and_their_title_or_first_text_as_label() -> None:
    assert parts(FLOW, "box") == [
        {"bounds": [0, 0, 10, 4], "label": "Plan"},
        {"bounds": [16, 0, 9, 4], "label": "World"},
    ]


def test_texts_of_one_box_and_neighbouring_rows_are_one_text() -> None:
    assert {part["content"]: part["bounds"] for part in parts(FLOW, "text")} == {
        "Plan": [3, 0, 4, 1],
        "Hello\nthere": [2, 1, 5, 2],
        "World\n世": [18, 1, 5, 2],
        "yes": [6, 4, 3, 1],
        "Done": [2, 6, 4, 1],
    }


def test_connectors_say_what_they_touch_and_where_the_arrow_is() -> None:
    right, down = parts(FLOW, "connector")
    assert [(end["at"], end["arrow"], end["touches"]) for end in right["ends"]] == [
        ([10, 1], False, "Plan"),
        ([15, 1], True, "World"),
    ]
    assert [(end["at"], end["arrow"], end["touches"]) for end in down["ends"]] == [
        ([4, 4], False, "Plan"),
        ([4, 5], True, "Done"),
    ]


def test_a_grid_is_one_box_with_the_texts_of_its_compartments_apart() -> None:
    grid = """
┌──┬──┐
│a │b │
├──┼──┤
│c │d │
└──┴──┘"""
    assert [part["bounds"] for part in parts(grid, "box")] == [[0, 0, 7, 5]]
    assert [part["content"] for part in parts(grid, "text")] == ["a", "b", "c", "d"]


def test_a_box_in_a_box_and_two_that_share_a_wall_are_all_found() -> None:
    nested = """
╔═════════╗
║ ┌──┬──┐ ║
║ │  │  │ ║
║ └──┴──┘ ║
╚═════════╝"""
    assert [part["bounds"] for part in parts(nested, "box")] == [[0, 0, 11, 5], [2, 1, 7, 3]]


def test_a_box_that_hangs_from_a_line_is_found() -> None:
    hanging = """
──┬──┐
  │ok│
  └──┘"""
    assert parts(hanging, "box") == [{"bounds": [2, 0, 4, 3], "label": "ok"}]


def test_a_line_that_touches_nothing_is_a_line() -> None:
    (line,) = parts("\n  ─────  ", "line")
    assert line["bounds"] == [2, 0, 5, 1]
    assert parts("\na → b, not a line ▶", "line") == []


def test_only_the_viewport_is_outlined() -> None:
    found = outlined(scene_of(FLOW), viewport=[16, 0, 9, 4])["parts"]
    assert [part["kind"] for part in found] == ["box", "text"]


def test_an_outline_is_cut_at_200_parts_and_at_20000_characters_and_says_so() -> None:
    scene = Scene()
    for number in range(201):
        put(scene, 0, 2 * number, f"item{number}")
    found = outlined(scene)
    assert (len(found["parts"]), found["truncated"]) == (200, True)
    assert outlined(scene, viewport=[0, 0, 9, 399])["truncated"] is False
    wide = Scene()
    for number in range(30):
        put(wide, 0, 2 * number, "x" * 1000)
    found = outlined(wide)
    assert (len(found["parts"]), found["truncated"]) == (20, True)


def test_more_cells_than_a_look_takes_apart_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketch, "MAX_CELLS", 3)
    with pytest.raises(Refused) as refused:
        outlined(scene_of("\nabcd"))
    assert refused.value.code == "too_large"


def test_an_outline_grants_no_base() -> None:
    assert look(OPERATION, scene_of(FLOW), view="outline").seen == ()


def test_what_changed_since_a_revision_is_told_as_rectangles_by_author() -> None:
    trace = Trace()
    trace.mark(Region.of(Rect(0, 0, 200, 3)), "ada", 1)
    trace.mark(Region.of(Rect(126, 1, 4, 2)), "bob", 2)
    trace.mark(Region([Span(9, -3, 1)]), "ada", 3)
    assert [(change.rect, change.author) for change in changed_since(trace, 1)] == [
        (Rect(126, 1, 4, 2), "bob"),
        (Rect(-3, 9, 4, 1), "ada"),
    ]
    assert changed_since(trace, 3) == []


def test_a_sheet_full_of_crossings_is_taken_apart_in_bounded_time() -> None:
    scene = Scene()
    for y in range(100):
        scene.put(y, 0, Strip(("┼",) * 200, (Style(),) * 200))
    begun = time.process_time()
    assert len(outlined(scene)["parts"]) == 200
    assert time.process_time() - begun < 10
