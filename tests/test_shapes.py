"""Shapes: boxes, lines that join, arrows that find their way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from drawing import cell, do, drawn, scene_of
from hypothesis import given, settings
from hypothesis import strategies as st

from chardesk.tools.draw import render
from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import BOLD, At
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.text.shapes import pieces
from chardesk.tools.text.shapes.pieces import Arms

VECTORS = json.loads((Path(__file__).parent / "vectors" / "planner.json").read_text("utf-8"))


def draw(scene: Scene, *shapes: dict[str, Any], at: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    return do(scene, render.OPERATION, at=list(at), source=json.dumps(shapes), format="shapes")


def picture(*shapes: dict[str, Any], below: str = "") -> str:
    scene = scene_of(below) if below else Scene()
    draw(scene, *shapes)
    return drawn(scene)


def box(id: str, *rect: int, **more: Any) -> dict[str, Any]:
    return {"type": "box", "id": id, "rect": list(rect), "text": id, **more}


def arrow(start: Any, end: Any, **more: Any) -> dict[str, Any]:
    return {"type": "arrow", "from": start, "to": end, **more}


def line(*points: tuple[int, int], **more: Any) -> dict[str, Any]:
    return {"type": "line", "points": [list(point) for point in points], **more}


def codes(reply: dict[str, Any]) -> list[str]:
    return [each["code"] for each in reply.get("diagnostics", [])]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_shapes_are_drawn_as_the_page_draws_them(vector: dict[str, Any]) -> None:
    below = "\n".join(vector.get("below", []))
    assert picture(*vector["shapes"], below=below) == "\n" + "\n".join(vector["drawn"])


@pytest.mark.parametrize(
    ("border", "rows"),
    [
        ("light", "\n┌───┐\n│ a │\n└───┘"),
        ("heavy", "\n┏━━━┓\n┃ a ┃\n┗━━━┛"),
        ("double", "\n╔═══╗\n║ a ║\n╚═══╝"),
        ("round", "\n╭───╮\n│ a │\n╰───╯"),
        ("ascii", "\n+---+\n| a |\n+---+"),
        ("none", "\n\n  a"),
    ],
)
def test_a_box_has_the_border_it_asks_for(border: str, rows: str) -> None:
    scene = Scene()
    draw(scene, box("a", 0, 0, 5, 3, border=border))
    assert drawn(scene, Rect(0, 0, 5, 3)).rstrip("\n") == rows


def test_a_box_without_a_size_fits_its_words() -> None:
    assert (
        picture({"type": "box", "at": [0, 0], "text": "世界\nok", "title": "T"})
        == "\n┌─ T ──┐\n│ 世界 │\n│  ok  │\n└──────┘"
    )
    assert picture({"type": "box", "at": [0, 0], "text": "世界"}) == "\n┌──────┐\n│ 世界 │\n└──────┘"


def test_words_wrap_in_a_box_and_what_has_no_room_is_named() -> None:
    scene = Scene()
    reply = draw(scene, {"type": "box", "rect": [0, 0, 9, 4], "text": "one two three four", "align": "left"})
    assert drawn(scene) == "\n┌───────┐\n│ one   │\n│ two   │\n└───────┘"
    (note,) = reply["diagnostics"]
    assert (note["code"], note["message"]) == ("shapes-text-cut", "a box has no room for: three four")


def test_a_title_stands_in_the_border() -> None:
    scene = Scene()
    draw(scene, {"type": "box", "rect": [0, 0, 12, 3], "title": "世界 x", "border": "round"})
    assert drawn(scene) == "\n╭─ 世界 x ─╮\n│          │\n╰──────────╯"
    assert cell(scene, 3, 0).style.attrs == BOLD


def test_a_fill_covers_what_is_under_the_box_and_colours_it() -> None:
    scene = scene_of("\nabcde\nabcde\nabcde")
    draw(scene, {"type": "box", "rect": [0, 0, 5, 3], "fill": "info"})
    assert drawn(scene) == "\n┌───┐\n│   │\n└───┘"
    assert {cell(scene, x, y).style.bg_color for x in range(5) for y in range(3)} == {"info"}


def test_only_the_cells_under_a_border_are_replaced() -> None:
    scene = scene_of("hello", at=(2, 1))
    draw(scene, {"type": "box", "rect": [0, 0, 6, 3]})
    assert drawn(scene) == "\n┌────┐\n│ hel│o\n└────┘"


def test_lines_that_cross_join_in_either_order() -> None:
    across, down = line((0, 2), (6, 2)), line((3, 0), (3, 4))
    for shapes in ((across, down), (down, across)):
        assert picture(*shapes) == "\n   │\n   │\n───┼───\n   │\n   │"
        scene = Scene()
        for shape in shapes:
            draw(scene, shape)
        assert drawn(scene) == picture(*shapes)


def test_a_line_that_ends_on_another_makes_a_t() -> None:
    assert picture(line((3, 3), (3, 1)), below="\n\n───────") == "\n───┬───\n   │\n   │"


def test_heavy_and_light_lines_meet_in_mixed_pieces() -> None:
    assert picture(line((1, 0), (1, 2), border="heavy"), below="\n\n───") == "\n ┃\n─╂─\n ┃"
    assert picture(line((1, 0), (1, 2)), below="\n\n═══") == "\n │\n═╪═\n │"


def test_a_line_across_letters_replaces_only_what_it_crosses() -> None:
    assert picture(line((1, 0), (1, 2)), below="\n\naXb") == "\n │\na│b\n │"


def test_join_false_lies_on_top() -> None:
    assert picture(line((1, 0), (1, 2), join=False), below="\n\n───") == "\n │\n─│─\n │"


def test_a_double_box_takes_a_light_inner_line() -> None:
    assert (
        picture(box("b", 0, 0, 5, 3, border="double", text=""), line((0, 1), (4, 1)))
        == "\n╔═══╗\n╟───╢\n╚═══╝"
    )


def test_lines_of_ascii_join_with_plus_and_leave_hyphens_in_words_alone() -> None:
    assert (
        picture(line((0, 1), (4, 1), border="ascii"), line((2, 0), (2, 2), border="ascii"))
        == "\n  |\n--+--\n  |"
    )
    assert picture(line((1, 0), (1, 2)), below="\n\na-b") == "\n │\na│b\n │"


def test_arrows_go_around_what_stands_between() -> None:
    found = picture(box("a", 0, 0, 5, 3), box("x", 9, -1, 5, 5), box("b", 18, 0, 5, 3), arrow("a", "b"))
    rows = found.split("\n")
    assert "│ a │" in found
    assert "│ x │" in found
    assert sum(row.count("►") + row.count("▼") + row.count("▲") for row in rows) == 1


def test_an_arrow_leaves_a_frame_that_holds_its_box() -> None:
    found = picture(
        {"type": "box", "rect": [0, 0, 11, 5], "border": "heavy"},
        box("a", 3, 1, 5, 3),
        box("b", 16, 1, 5, 3),
        arrow("a", "b"),
    )
    assert found == (
        "\n┏━━━━━━━━━┓\n┃  ┌───┐  ┃     ┌───┐\n┃  │ a ├──╂────►│ b │\n┃  └───┘  ┃     └───┘\n┗━━━━━━━━━┛"
    )


def test_heads_point_where_they_are_told() -> None:
    ends = (box("a", 0, 0, 5, 3), box("b", 12, 0, 5, 3))
    for heads, row in (("end", "├──────►"), ("start", "│◄──────┤"), ("both", "│◄─────►│")):
        assert row in picture(*ends, arrow("a", "b", heads=heads))
    assert "------>" in picture(*ends, arrow("a", "b", border="ascii"))


def test_a_side_can_be_chosen() -> None:
    found = picture(
        box("a", 0, 0, 5, 3), box("b", 12, 0, 5, 3), arrow("a", "b", fromSide="bottom", toSide="bottom")
    )
    assert (
        found == "\n┌───┐       ┌───┐\n│ a │       │ b │\n└─┬─┘       └───┘\n  │           ▲\n  └───────────┘"
    )


def test_a_label_without_room_at_its_line_stands_near_it_and_says_so() -> None:
    scene = Scene()
    reply = draw(scene, box("a", 0, 0, 5, 3), box("b", 9, 0, 5, 3), arrow("a", "b", label="a long label"))
    assert drawn(scene) == "\n a long label\n┌───┐    ┌───┐\n│ a ├───►│ b │\n└───┘    └───┘"
    assert codes(reply) == ["shapes-label-away"]


def test_a_label_without_room_beside_its_line_stands_on_it_and_says_so() -> None:
    scene = Scene()
    words = [{"type": "text", "at": [6, y], "text": text} for y, text in ((0, "the"), (2, "sun"))]
    line_to_b = arrow("a", "b", label="yes", fromSide="right", toSide="left")
    reply = draw(scene, box("a", 0, 0, 5, 3), box("b", 11, 0, 5, 3), *words, line_to_b)
    assert drawn(scene) == "\n┌───┐ the  ┌───┐\n│ a ├─yes─►│ b │\n└───┘ sun  └───┘"
    assert codes(reply) == ["shapes-label-on-line"]


def test_a_label_without_any_room_is_left_out_and_named() -> None:
    boxes = (box("a", 0, 0, 5, 12), box("b", 9, 0, 5, 12))
    scene = Scene()
    reply = draw(scene, *boxes, arrow("a", "b", label="a long label"))
    assert "label" not in drawn(scene)
    assert codes(reply) == ["shapes-text-cut"]


def test_lines_leave_and_enter_a_box_beside_its_title() -> None:
    titled = box("a", 2, 5, 14, 3, title="Title")
    assert (
        picture(box("b", 4, 0, 7, 3), titled, arrow("a", "b"), arrow("b", "a"))
        == """
    ┌─────┐
┌──►│  b  ├┐
│   └─────┘│
│          │
│          ▼
│ ┌─ Title ────┐
└─┤     a      │
  └────────────┘"""
    )


def test_a_line_out_of_a_frame_goes_around_the_words_in_it() -> None:
    frame = box("f", 0, 0, 21, 9, title="A frame", text="")
    upwards = arrow("a", "b", fromSide="top")
    assert (
        picture(frame, box("a", 3, 3, 7, 3), box("b", 3, -6, 7, 3), upwards)
        == """
   ┌─────┐
 ┌►│  b  │
 │ └─────┘
 │
 │
 │
┌┼ A frame ─────────┐
││                  │
│└────┐             │
│  ┌──┴──┐          │
│  │  a  │          │
│  └─────┘          │
│                   │
│                   │
└───────────────────┘"""
    )


def test_no_arrow_begins_or_ends_where_another_passes() -> None:
    boxes = (box("a", 0, 0, 7, 3), box("b", 20, 0, 7, 3), box("c", 10, 6, 7, 3))
    ways = (arrow("b", "a", toSide="bottom", fromSide="bottom"), arrow("c", "a"), arrow("a", "c"))
    assert (
        picture(*boxes, *ways)
        == """
┌─────┐             ┌─────┐
│  a  ├──────┐      │  b  │
└─────┘      │      └──┬──┘
  ▲▲         │         │
  │└─────────┼─────────┘
  │          ▼
  │       ┌─────┐
  └───────┤  c  │
          └─────┘"""
    )


_HEADS = {"▲": (0, -1), "▼": (0, 1), "◄": (-1, 0), "►": (1, 0)}


@st.composite
def _floor(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Boxes with room between them, most with a title, and arrows between any two of them."""
    places = draw(st.lists(st.sampled_from(range(9)), min_size=2, max_size=9, unique=True))
    sizes = st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(11, 15), st.integers(3, 4))
    found = []
    for place in places:
        x, y, width, height = draw(sizes)
        title = draw(st.sampled_from(["", "DB", "Queue", "世界"]))
        found.append(box(f"n{place}", place % 3 * 26 + x, place // 3 * 8 + y, width, height, title=title))
    for number in range(draw(st.integers(1, 6))):
        start, end = draw(st.lists(st.sampled_from(places), min_size=2, max_size=2, unique=True))
        label = draw(st.sampled_from(["", f"way {number}"]))
        found.append(arrow(f"n{start}", f"n{end}", label=label, heads=draw(st.sampled_from(["end", "both"]))))
    return found


@given(_floor())
@settings(max_examples=60, deadline=None)
def test_heads_touch_what_they_point_at_and_words_stay_whole(shapes: list[dict[str, Any]]) -> None:
    scene = Scene()
    reply = draw(scene, *shapes)
    boxes = {each["id"]: Rect(*each["rect"]) for each in shapes if each["type"] == "box"}
    arrows = [each for each in shapes if each["type"] == "arrow"]
    aims = [each["to"] for each in arrows] + [each["from"] for each in arrows if each["heads"] == "both"]
    assert sorted(_aims(scene, boxes)) == sorted(aims)
    said = drawn(scene) + "".join(each["message"] for each in reply.get("diagnostics", []))
    assert all(each.get("title", "") in said and each.get("label", "") in said for each in shapes)
    assert all(f" {each['title']} " in said for each in shapes if each.get("title"))


def _aims(scene: Scene, boxes: dict[str, Rect]) -> list[str]:
    """The boxes that heads point at, right at their borders."""
    area = scene.bounds()
    assert area is not None
    places = ((x, y) for y in range(area.y, area.bottom) for x in range(area.x, area.right))
    chars = ((x, y, scene.cell(x, y)) for x, y in places)
    heads = [(x, y, _HEADS[found.char]) for x, y, found in chars if found and found.char in _HEADS]
    return [
        name
        for x, y, (right, down) in heads
        for name, rect in boxes.items()
        if rect.covers(Rect(x + right, y + down, 1, 1))
    ]


def test_a_point_can_be_an_end() -> None:
    assert (
        picture(box("b", 8, 0, 5, 3), arrow([0, 1], "b")) == "\n        ┌───┐\n───────►│ b │\n        └───┘"
    )


def test_a_table_has_borders_and_numbers_on_the_right() -> None:
    assert picture({"type": "table", "at": [0, 0], "rows": [["Name", "n"], ["世界", 12], ["b", 3]]}) == (
        "\n┌──────┬────┐\n│ Name │ n  │\n├──────┼────┤\n│ 世界 │ 12 │\n│ b    │  3 │\n└──────┴────┘"
    )


@pytest.mark.parametrize(
    ("shapes", "field", "words"),
    [
        ([{"type": "bx"}], "source.0.type", "box line arrow text table"),
        ([{"kind": "box", "at": [0, 0]}], "source.0.type", "write type instead of kind"),
        ([{"at": [0, 0]}], "source.0.type", "it has no type"),
        ([{"type": "box"}], "source.0.rect", "needs rect"),
        ([{"type": "box", "rect": [0, 0, 0, 3]}], "source.0.rect", "width and height"),
        ([{"type": "box", "rect": [0, 0, 3]}], "source.0.rect", "[x, y, width, height]"),
        ([{"type": "box", "rect": [0, 0, 5, 3], "bordr": "light"}], "source.0.bordr", "did you mean border?"),
        ([{"type": "box", "at": [0, 0], "border": "thick"}], "source.0.border", "light"),
        ([{"type": "arrow", "from": "a"}], "source.0.points", "both from and to"),
        (
            [{"type": "text", "at": [0, 0], "text": "a"}, arrow([0, 0], "a")],
            "source.1.to",
            "no shape has the id a",
        ),
        ([box("a", 0, 0, 3, 3), box("a", 5, 0, 3, 3)], "source.1.id", "earlier shape"),
        ([{"type": "text", "at": [0, 99999], "text": "a"}], "source.0.at", "within"),
        ([{"type": "text", "at": [0, 0], "text": "a", "color": "reddish"}], "source.0.color", "accent"),
    ],
)
def test_a_wrong_shape_is_refused_by_name(shapes: list[dict[str, Any]], field: str, words: str) -> None:
    with pytest.raises(Refused) as refused:
        draw(Scene(), *shapes)
    assert (refused.value.code, refused.value.field) == ("invalid_input", field)
    assert words in refused.value.message


@pytest.mark.parametrize("source", ["", "{}", "[", "[" * 100_000, "nonsense", "[1]", '[{"type": []}]'])
def test_what_is_no_list_of_shapes_is_refused(source: str) -> None:
    with pytest.raises(Refused, match=r"shapes are a JSON list|must be one of"):
        do(Scene(), render.OPERATION, at=[0, 0], source=source, format="shapes")


def test_a_drawing_that_is_too_large_is_refused() -> None:
    big = {"type": "box", "rect": [0, 0, 1000, 1000], "fill": "blank"}
    with pytest.raises(Refused, match="200000 cells"):
        draw(Scene(), big)


def test_nothing_is_drawn_over_the_edge_of_a_slide() -> None:
    with pytest.raises(Refused, match="not inside the slide"):
        do(
            Scene(),
            render.OPERATION,
            Size(4, 4),
            at=[0, 0],
            source=json.dumps([box("a", 0, 0, 5, 3)]),
            format="shapes",
        )


def test_the_same_shapes_again_change_nothing() -> None:
    scene = Scene()
    shapes = (box("a", 0, 0, 5, 3), box("b", 12, 5, 5, 3, border="round"), arrow("a", "b"))
    draw(scene, *shapes)
    assert draw(scene, *shapes)["bounds"] is None


def test_every_piece_of_the_block_is_known_by_its_arms() -> None:
    assert len(pieces.ARMS) == 128 - 3
    assert pieces.arms_of("┤") == Arms(1, 0, 1, 1)
    assert all(pieces.piece(pieces.ARMS[char]) == char for char in "─│┌┐└┘├┤┬┴┼━┃╋═║╬╪╫╂┿")


def test_arms_without_a_piece_get_the_nearest() -> None:
    for arms in pieces.all_arms():
        found = pieces.ARMS[pieces.piece(arms)]
        assert [*map(bool, found)] == [*map(bool, arms.straightened)]


coordinates = st.integers(-12, 25)
boxes = st.builds(
    lambda x, y, w, h, border: {"type": "box", "rect": [x, y, w, h], "border": border, "text": "世a"},
    coordinates,
    coordinates,
    st.integers(1, 9),
    st.integers(1, 6),
    st.sampled_from(["light", "heavy", "double", "round", "ascii", "none"]),
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(boxes, min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=5),
)
def test_nothing_makes_shapes_fail(found: list[dict[str, Any]], ends: list[tuple[int, int]]) -> None:
    named = [{**each, "id": str(number)} for number, each in enumerate(found)]
    count = len(named)
    arrows = [arrow(str(a % count), str(b % count), label="世界") for a, b in ends]
    scene = Scene()
    draw(scene, *named, *arrows)
    bounds = scene.bounds()
    assert bounds is None or At(bounds.x, bounds.y) >= At(-40, -40)
