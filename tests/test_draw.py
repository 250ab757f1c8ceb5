"""Drawing operations: write, erase, fill, render, and what a change does to what was there."""

from __future__ import annotations

import json
import time
from itertools import pairwise
from typing import Any

import pytest
from drawing import cell, do, drawn, scene_of
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from chardesk.tools.draw import erase, fill, render, write
from chardesk.tools.draw.impact import impact
from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import BOLD, ITALIC, Style
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Draw, Operation
from chardesk.tools.schema import json_schema, parse

W, E, F, R = write.OPERATION, erase.OPERATION, fill.OPERATION, render.OPERATION
MAX = 2**53 - 1


def refused(scene: Scene, operation: Operation, sheet: Size | None = None, /, **arguments: Any) -> Refused:
    """The refusal of a call that must leave the scene alone."""
    before = scene.fork()
    with pytest.raises(Refused) as caught:
        do(scene, operation, sheet, **arguments)
    assert scene == before
    return caught.value


def wrote(bounds: list[int] | None, written: int, skipped: int = 0) -> dict[str, Any]:
    return {"bounds": bounds, "writtenCells": written, "skippedWhitespaceCells": skipped}


class TestWrite:
    def test_rows_go_down_at_the_same_x(self) -> None:
        scene = Scene()
        assert do(scene, W, at=[2, 1], content="┌──┐\n│hi│\n└──┘") == wrote([2, 1, 4, 3], 12)
        assert (
            drawn(scene)
            == """
┌──┐
│hi│
└──┘"""
        )

    def test_spaces_are_transparent(self) -> None:
        scene = scene_of("ABCDE")
        assert do(scene, W, at=[0, 0], content="X   Z") == wrote([0, 0, 5, 1], 2, 3)
        assert drawn(scene) == "\nXBCDZ"

    def test_bounds_are_those_of_written_cells(self) -> None:
        scene = scene_of("AB")
        assert do(scene, W, at=[-1, 0], content=" x ") == wrote([0, 0, 1, 1], 1, 2)
        assert drawn(scene) == "\nxB"
        assert do(scene, W, at=[0, 0], content="   ") == wrote(None, 0, 3)
        assert do(Scene(), W, at=[0, 0], content="\r\n你\r\n\r\nZ") == wrote([0, 1, 2, 3], 3)

    def test_whitespace_that_can_be_seen_or_clicked_is_written(self) -> None:
        bold = {"attrs": {"bold": True}}
        assert do(Scene(), W, at=[0, 0], content="A B", style=bold) == wrote([0, 0, 3, 1], 3)
        assert do(Scene(), W, at=[0, 0], content="A B", style={"href": "http://a"}) == wrote([0, 0, 3, 1], 3)
        assert do(Scene(), W, at=[0, 0], content="A B", style={"color": "#f00"}) == wrote([0, 0, 3, 1], 2, 1)

    def test_a_wide_space_is_whitespace_of_two_columns(self) -> None:
        assert do(Scene(), W, at=[0, 0], content="a\u3000b") == wrote([0, 0, 4, 1], 2, 2)

    def test_half_of_a_wide_glyph_takes_the_other_half_along(self) -> None:
        scene = scene_of("世界")
        assert do(scene, W, at=[1, 0], content="x") == wrote([1, 0, 1, 1], 1)
        assert drawn(scene, Rect(0, 0, 4, 1)) == "\n x界"
        scene = scene_of("橋")
        do(scene, W, at=[0, 0], content="a")
        assert drawn(scene) == "\na"
        scene = scene_of("日本")
        do(scene, W, at=[1, 0], content="月")
        assert drawn(scene, Rect(0, 0, 4, 1)) == "\n 月"

    def test_a_wide_glyph_counts_its_columns(self) -> None:
        scene = scene_of("abcd")
        assert do(scene, W, at=[1, 0], content="世") == wrote([1, 0, 2, 1], 2)
        assert drawn(scene) == "\na世d"

    def test_a_lone_mark_is_dropped_and_joins_nothing(self) -> None:
        scene = scene_of("Z", at=(4, 0))
        found = do(scene, W, at=[5, 0], content="\u0301abc")
        assert found == {**wrote([5, 0, 3, 1], 3), "dropped": [{"codePoints": ["U+0301"], "count": 1}]}
        assert drawn(scene) == "\nZabc"

    def test_a_background_stays_under_text_without_one(self) -> None:
        scene = Scene()
        do(scene, W, at=[0, 0], content="   ", style={"bgColor": "#ff0"})
        do(scene, W, at=[1, 0], content="x", style={"color": "danger"})
        assert cell(scene, 1, 0).style == Style("danger", "#ffff00")

    def test_the_same_text_again_is_no_change(self) -> None:
        scene = scene_of("same")
        assert do(scene, W, at=[0, 0], content="same") == wrote(None, 0)

    @pytest.mark.parametrize("content", ["a\tb", "\x1b[1m", "\x7f", "A\x1b]52;c;QUJD\x07B"])
    def test_tabs_and_controls_are_refused(self, content: str) -> None:
        assert refused(Scene(), W, at=[0, 0], content=content).code == "invalid_input"

    def test_a_slides_edge_is_refused_before_anything_is_written(self) -> None:
        slide = Size(5, 2)
        assert do(Scene(), W, slide, at=[3, 1], content="ab  \n   ")["writtenCells"] == 2
        for at, content in (([3, 0], "abc"), ([-1, 0], "a"), ([0, 1], "a\nb"), ([4, 0], "世")):
            refusal = refused(Scene(), W, slide, at=at, content=content)
            assert refusal.code == "out_of_bounds"
            assert "5×2" in refusal.message

    def test_the_last_safe_coordinate_is_the_edge_of_the_endless_sheet(self) -> None:
        assert do(Scene(), W, at=[MAX - 2, -MAX], content="AB")["bounds"] == [MAX - 2, -MAX, 2, 1]
        assert refused(Scene(), W, at=[MAX, 0], content="AB").code == "invalid_input"
        assert refused(Scene(), W, at=[MAX + 1, 0], content="A").field == "at"
        assert refused(Scene(), W, at=[1.5, 0], content="A").code == "invalid_input"

    def test_a_content_over_the_limit_is_too_large(self) -> None:
        refusal = refused(Scene(), W, at=[0, 0], content="a" * 524_289)
        assert (refusal.code, refusal.details) == ("too_large", {"limit": 524_288, "actual": 524_289})


class TestErase:
    def test_only_what_was_there_is_counted(self) -> None:
        scene = scene_of("ABCDE")
        assert do(scene, E, at=[1, 0], size=[3, 1]) == {"bounds": [1, 0, 3, 1], "erasedCells": 3}
        assert drawn(scene) == "\nA   E"
        assert do(scene, E, at=[1, 0], size=[3, 1]) == {"bounds": None, "erasedCells": 0}

    @pytest.mark.parametrize(("x", "bounds"), [(1, [1, 0, 2, 1]), (2, [1, 0, 2, 1])])
    def test_either_half_erases_the_whole_glyph(self, x: int, bounds: list[int]) -> None:
        scene = scene_of("a世b")
        assert do(scene, E, at=[x, 0], size=[1, 1]) == {"bounds": bounds, "erasedCells": 2}
        assert drawn(scene) == "\na  b"

    def test_the_cost_follows_the_content(self) -> None:
        scene = scene_of("far", at=(999_000, 999_000))
        begun = time.perf_counter()
        assert do(scene, E, at=[0, 0], size=[1_000_000, 1_000_000])["erasedCells"] == 3
        assert do(scene, F, at=[0, 0], size=[MAX - 1, MAX - 1], style={"color": "#f00"})["styledCells"] == 0
        assert time.perf_counter() - begun < 1

    @pytest.mark.parametrize("size", [[0, 1], [1, -1], [1.5, 1], [MAX, 1]])
    def test_a_size_must_be_a_size(self, size: list[Any]) -> None:
        assert refused(scene_of("a"), E, at=[1, 0], size=size).code == "invalid_input"


RED = {"color": "#f00", "attrs": {"bold": True}}


class TestFill:
    def test_characters_stay_and_are_restyled(self) -> None:
        scene = scene_of("Hello")
        assert do(scene, F, at=[0, 0], size=[9, 9], style=RED) == {
            "bounds": [0, 0, 5, 1],
            "styledCells": 5,
        }
        assert drawn(scene) == "\nHello"
        assert cell(scene, 4, 0).style == Style("#ff0000", None, BOLD)
        assert do(scene, F, at=[0, 0], size=[9, 9], style=RED) == {"bounds": None, "styledCells": 0}

    def test_empty_cells_stay_empty(self) -> None:
        scene = Scene()
        assert do(scene, F, at=[0, 0], size=[5, 5], style=RED) == {"bounds": None, "styledCells": 0}
        assert scene == Scene()

    def test_whitespace_with_a_background_is_left_alone(self) -> None:
        scene = Scene()
        do(scene, W, at=[0, 0], content="a b", style={"bgColor": "#0f0"})
        assert do(scene, F, at=[0, 0], size=[3, 1], style={"bgColor": "#00f"})["styledCells"] == 2
        assert [cell(scene, x, 0).style.bg_color for x in range(3)] == ["#0000ff", "#00ff00", "#0000ff"]

    def test_what_is_not_given_stays_and_attrs_go_as_a_whole(self) -> None:
        scene = scene_of("x", style=Style("#123456", "#654321", BOLD | ITALIC, "http://a"))
        do(scene, F, at=[0, 0], size=[1, 1], style={"attrs": {"italic": True}})
        assert cell(scene, 0, 0).style == Style("#123456", "#654321", ITALIC, "http://a")
        do(scene, F, at=[0, 0], size=[1, 1], style={"attrs": {}})
        assert cell(scene, 0, 0).style.attrs == 0

    def test_a_wide_glyph_belongs_to_its_left_column(self) -> None:
        scene = scene_of("世")
        assert do(scene, F, at=[1, 0], size=[1, 1], style=RED)["styledCells"] == 0
        assert do(scene, F, at=[0, 0], size=[1, 1], style=RED) == {
            "bounds": [0, 0, 2, 1],
            "styledCells": 2,
        }

    def test_a_style_must_say_something(self) -> None:
        refusal = refused(scene_of("a"), F, at=[0, 0], size=[1, 1], style={})
        assert refusal.code == "invalid_input"
        assert "at least one of color" in refusal.message


class TestRender:
    def test_the_format_decides_what_is_markup(self) -> None:
        found = do(Scene(), R, at=[0, 0], source="**Hello**", format="raw")
        assert found == {"bounds": [0, 0, 9, 1], "writtenCells": 9, "format": "raw"}
        scene = Scene()
        assert do(scene, R, at=[0, 0], source="**Hello**")["format"] == "markdown"
        assert (drawn(scene), cell(scene, 0, 0).style) == ("\nHello", Style(attrs=BOLD))

    def test_tabs_stop_at_four_from_the_origin_of_the_text(self) -> None:
        for format in ("ansi", "raw"):
            scene = Scene()
            found = do(scene, R, at=[1, 2], source="\tB", format=format)
            assert found["bounds"] == [1, 2, 5, 1]
            assert cell(scene, 5, 2).char == "B"

    def test_blanks_replace_what_is_in_the_pictures_rectangle(self) -> None:
        scene = scene_of("#######\n#######\n#######\n#######")
        do(scene, R, at=[1, 0], source="a  b\n\nc", format="raw")
        assert (
            drawn(scene)
            == """
#a  b##
#    ##
#c   ##
#######"""
        )

    def test_blanks_keep_the_background_they_land_on(self) -> None:
        scene = scene_of("####\n####", style=Style(bg_color="#00ff00"))
        do(scene, R, at=[0, 0], source="abcd\ne", format="raw")
        assert {style.bg_color for y in (0, 1) for style in scene.strip(y, 0, 4).styles} == {"#00ff00"}

    def test_no_half_of_a_wide_glyph_stays_beside_a_picture(self) -> None:
        scene = scene_of("世世世\n世世世")
        do(scene, R, at=[1, 0], source="ab\nc", format="raw")
        assert drawn(scene, Rect(0, 0, 6, 2)) == "\n ab 世\n c  世"

    def test_what_is_not_shown_is_reported(self) -> None:
        found = do(Scene(), R, at=[0, 0], source="```mermaid\ngraph\n```\n\u202e")
        assert found["diagnostics"][0]["code"] == "markdown-diagram-render-failed"
        assert found["dropped"] == [{"codePoints": ["U+202E"], "count": 1}]
        found = do(Scene(), R, at=[0, 0], source="\x1b[?25l")
        assert found["bounds"] is None
        (note,) = found["diagnostics"]
        assert note["code"] == "ansi-sequences-removed"
        assert "line" not in note

    def test_prose_wraps_at_the_width_that_was_asked_for(self) -> None:
        scene = Scene()
        do(scene, R, at=[0, 0], source="one two three", format="markdown", width="8")
        assert drawn(scene) == "\none two\nthree"
        for width in (0, 1001, "x"):
            assert refused(Scene(), R, at=[0, 0], source="a", width=width).field == "width"

    def test_the_schema_tells_the_bounds_of_the_width(self) -> None:
        width = json_schema(R.args)["properties"]["width"]
        assert (width["minimum"], width["maximum"], width["default"]) == (1, 1000, 80)

    def test_a_picture_over_a_slides_edge_is_refused(self) -> None:
        assert (
            refused(Scene(), R, Size(10, 2), at=[0, 0], source="a\nb\nc", format="raw").code
            == "out_of_bounds"
        )

    def test_a_source_over_the_limit_is_too_large(self) -> None:
        assert refused(Scene(), R, at=[0, 0], source="a" * 524_289).field == "source"

    def test_an_unknown_format_names_the_nearest(self) -> None:
        refusal = refused(Scene(), R, at=[0, 0], source="a", format="markdwn")
        assert refusal.details["nearest"] == "markdown"


def change(before: Scene, operation: Operation, /, **arguments: Any) -> dict[str, Any]:
    assert isinstance(operation.body, Draw)
    draft = Draft(before)
    operation.body.plan(draft, None, parse(operation.args, arguments))
    return impact(draft.change()).fields()


def counts(found: dict[str, Any]) -> tuple[int, int, int]:
    return found["overwrittenCells"], found["clearedCells"], found["styledCells"]


class TestImpact:
    def test_on_empty_cells_there_is_none(self) -> None:
        found = change(Scene(), W, at=[0, 0], content="new")
        assert counts(found) == (0, 0, 0)
        assert [found[f"{kind}Bounds"] for kind in ("overwritten", "cleared", "styled")] == [None] * 3

    def test_overwritten_is_a_character_in_place_of_another(self) -> None:
        found = change(scene_of("abc"), W, at=[0, 0], content="xbz")
        assert counts(found) == (2, 0, 0)
        assert list(found["overwrittenBounds"]) == [0, 0, 3, 1]
        assert counts(change(scene_of("abc"), R, at=[0, 0], source="a  ", format="raw")) == (2, 0, 0)

    def test_cleared_is_something_that_was_occupied(self) -> None:
        found = change(scene_of("ab"), E, at=[0, 0], size=[9, 9])
        assert (counts(found), list(found["clearedBounds"])) == ((0, 2, 0), [0, 0, 2, 1])
        panel = scene_of("\u00a0", style=Style(bg_color="#00ff00"))
        assert counts(change(panel, E, at=[0, 0], size=[9, 9])) == (0, 1, 0)

    def test_the_torn_half_of_a_glyph_is_cleared(self) -> None:
        found = change(scene_of("世"), W, at=[0, 0], content="x")
        assert (counts(found), list(found["clearedBounds"])) == ((1, 1, 0), [1, 0, 1, 1])

    def test_styled_is_the_same_character_in_another_style(self) -> None:
        found = change(scene_of("世a"), F, at=[0, 0], size=[3, 1], style={"color": "#f00"})
        assert (counts(found), list(found["styledBounds"])) == ((0, 0, 3), [0, 0, 3, 1])


WIDE = ("世", "😀")
DRAWING = st.text(st.sampled_from("ab 世😀\n"), max_size=12)
SPOT = st.tuples(st.integers(-3, 3), st.integers(-2, 2)).map(list)
CALLS = st.one_of(
    st.builds(lambda at, text: (W, {"at": at, "content": text}), SPOT, DRAWING),
    st.builds(lambda at, text: (R, {"at": at, "source": text}), SPOT, DRAWING),
    st.builds(lambda at: (E, {"at": at, "size": [2, 2]}), SPOT),
    st.builds(lambda at: (F, {"at": at, "size": [3, 2], "style": {"color": "accent"}}), SPOT),
)


@given(st.lists(CALLS, max_size=8))
def test_no_half_of_a_glyph_is_left_and_every_change_can_be_taken_back(
    calls: list[tuple[Operation, Any]],
) -> None:
    scene = Scene()
    for operation, arguments in calls:
        before = scene.fork()
        draft = Draft(scene)
        assert isinstance(operation.body, Draw)
        operation.body.plan(draft, None, parse(operation.args, arguments))
        planned = draft.change()
        scene.apply(planned)
        again = scene.fork()
        again.apply(planned.inverse())
        assert again == before
        for y, x, end in scene.spans():
            chars = scene.strip(y, x, end).chars
            assert all((char == "") == (left in WIDE) for left, char in pairwise(chars))
            assert chars[0] != "" and chars[-1] not in WIDE


@pytest.mark.parametrize("operation", [W, E, F, R], ids=lambda operation: operation.name)
class TestDeclarations:
    def test_the_schema_is_small_and_every_field_is_described(self, operation: Operation) -> None:
        schema = json_schema(operation.args)
        assert all(part.get("description") for part in schema["properties"].values())
        assert len(json.dumps({"inputSchema": schema, "outputSchema": json_schema(operation.result)})) < 3200
        assert len(operation.summary) < 250
        assert operation.hints["readOnlyHint"] is False

    def test_examples_run_and_their_results_fit_the_output_schema(self, operation: Operation) -> None:
        assert operation.examples
        for example in operation.examples:
            found = do(scene_of("text"), operation, **example)
            Draft202012Validator(json_schema(operation.result, described=False)).validate(found)

    def test_an_unknown_key_is_refused(self, operation: Operation) -> None:
        assert refused(Scene(), operation, **operation.examples[0], colour="red").code == "invalid_input"
