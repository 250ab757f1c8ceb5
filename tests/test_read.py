"""canvas_read: sampling, cells and appearance, with the contract's exact values."""

from __future__ import annotations

from typing import Any

import pytest
from pencil import body, content, look, put, stored_blank

from chardesk.tools.errors import Refused
from chardesk.tools.look.read import OPERATION, text_map
from chardesk.tools.look.sample import sample_size, shade
from chardesk.tools.model.cell import MAX_COORDINATE, Style
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.operation import Note, Shown, Target, Text
from chardesk.tools.schema import parse

INVERSE, UNDERLINE, BOLD = 16, 4, 1
RED_BOLD = Style("#ff0000", None, BOLD)


def read(scene: Scene, **raw: Any) -> Shown:
    return look(OPERATION, scene, **raw)


def fields(scene: Scene, **raw: Any) -> dict[str, Any]:
    return read(scene, **raw).result.fields()


def noted(scene: Scene, rect: list[int]) -> list[str]:
    return content(read(scene, viewport=rect, style="appearance")).partition("\n\n")[2].split("\n")


# -- sampling ------------------------------------------------------------------


@pytest.mark.parametrize("scene", [Scene(), stored_blank(Scene(), 0, 0)], ids=["empty", "one plain space"])
def test_a_sheet_where_nothing_can_be_seen_has_no_viewport(scene: Scene) -> None:
    shown = read(scene)
    assert shown.result.fields() == {
        "viewport": None,
        "sampleSize": 1,
        "mode": "text",
        "overviewOnly": False,
    }
    assert content(shown) == ""
    assert shown.seen == ()


@pytest.mark.parametrize(
    ("viewport", "k", "mode"),
    [
        ([0, 0, 100, 40], 1, "text"),
        ([0, 0, 101, 40], 2, "projection"),
        ([0, 0, 100, 41], 2, "projection"),
        ([0, 0, 400, 160], 4, "projection"),
        ([0, 0, 401, 1], 5, "density"),
        ([0, 0, 1000, 400], 10, "density"),
        ([0, 0, 1, 81], 3, "projection"),
        ([-100, -100, 250, 30], 3, "projection"),
    ],
)
def test_the_sample_size_follows_the_camera(viewport: list[int], k: int, mode: str) -> None:
    found = fields(Scene(), viewport=viewport)
    assert (found["sampleSize"], found["mode"], found["overviewOnly"]) == (k, mode, k > 1)


@pytest.mark.parametrize(
    ("viewport", "columns", "rows"),
    [
        ([0, 0, 401, 1], 81, 1),
        ([0, 0, 1000, 400], 100, 40),
        ([0, 0, 1, 81], 1, 27),
        ([-100, -100, 250, 30], 84, 10),
    ],
)
def test_the_body_has_one_character_per_bucket(viewport: list[int], columns: int, rows: int) -> None:
    lines = content(read(Scene(), viewport=viewport)).split("\n")
    ticks = next(line for line in lines if line.lstrip(" ")[:1] in ("┬", "─"))
    assert len(ticks.lstrip(" ")) == columns
    assert len(body(read(Scene(), viewport=viewport))) == rows


def test_two_characters_land_in_their_quadrants() -> None:
    scene = put(put(Scene(), 0, 0, "a"), 3, 1, "b")
    assert body(read(scene, viewport=[0, 0, 200, 80]))[0].startswith("▘▗")


@pytest.mark.parametrize(
    ("cells", "block"),
    [
        ([(0, 0)], "▘"),
        ([(1, 0)], "▝"),
        ([(0, 1)], "▖"),
        ([(1, 1)], "▗"),
        ([(0, 0), (1, 1)], "▚"),
        ([(1, 0), (0, 1)], "▞"),
        ([(0, 0), (1, 0), (0, 1)], "▛"),
        ([(0, 0), (1, 0), (0, 1), (1, 1)], "█"),
    ],
)
def test_a_projection_shows_which_quadrants_are_occupied(cells: list[tuple[int, int]], block: str) -> None:
    scene = Scene()
    for x, y in cells:
        put(scene, x, y, "x")
    assert body(read(scene, viewport=[0, 0, 200, 80]))[0] == block


def test_a_bucket_of_three_has_its_middle_in_the_first_half() -> None:
    scene = put(put(Scene(), 0, 0, "ab"), 2, 2, "c")
    assert body(read(scene, viewport=[0, 0, 300, 120]))[0] == "▚"


@pytest.mark.parametrize(
    ("count", "block"), [(1, "░"), (2, "▒"), (6, "▒"), (7, "▓"), (12, "▓"), (13, "█"), (25, "█")]
)
def test_density_shades_by_the_share_that_is_occupied(count: int, block: str) -> None:
    scene = Scene()
    for n in range(count):
        put(scene, n % 5, n // 5, "x")
    assert body(read(scene, viewport=[0, 0, 500, 200]))[0][0] == block
    assert shade(0, 25) == "·"


def test_density_counts_backgrounds_and_blocks_alike() -> None:
    scene = stored_blank(put(Scene(), 0, 0, "x"), 10, 0, Style(bg_color="#ff0000"))
    for x, rows in ((20, 10), (30, 2), (40, 3)):
        put(scene, x, 0, "\n".join(["x" * 10] * rows))
    assert body(read(scene, viewport=[0, 0, 1000, 400]))[0].startswith("░░█▒▓·")


def test_the_last_buckets_may_be_narrower() -> None:
    rows = body(read(put(Scene(), 100, 40, "x"), viewport=[0, 0, 101, 41]))
    assert len(rows) == 21
    assert rows[-1] == " " * 50 + "▘"


def test_an_inverse_space_is_occupied() -> None:
    assert fields(stored_blank(Scene(), -10, -20, Style(attrs=INVERSE)))["viewport"] == [-10, -20, 1, 1]


def test_what_was_erased_no_longer_counts() -> None:
    scene = put(put(Scene(), 0, 0, "A"), 1_000_000, 1_000_000, "B")
    draft = Draft(scene)
    draft.erase(Rect(0, 0, 1, 1))
    scene.apply(draft.change())
    assert fields(scene)["viewport"] == [1_000_000, 1_000_000, 1, 1]
    rows = body(read(scene, viewport=[0, 0, 1_000_001, 1_000_001]))
    assert len(rows) <= 40
    assert rows[-1].endswith("░")
    assert sum(row.count("░") for row in rows) == 1


def test_a_wide_blank_is_not_occupied_in_either_column() -> None:
    scene = put(put(Scene(), 0, 0, "\u3000"), 150, 0, "x")
    assert body(read(scene, viewport=[0, 0, 200, 1]))[0] == " " * 75 + "▘"


def test_a_wide_glyph_that_the_edge_cuts_is_blank_in_text() -> None:
    scene = put(Scene(), 0, 0, "世界")
    assert body(read(scene, viewport=[1, 0, 2, 1])) == [""]
    assert body(read(scene, viewport=[1, 0, 3, 1])) == [" 界"]
    assert body(read(scene, viewport=[0, 0, 3, 1])) == ["世"]


def test_a_wide_glyph_that_the_edge_cuts_counts_with_the_half_inside() -> None:
    assert body(read(put(Scene(), -1, 0, "世"), viewport=[0, 0, 200, 1])) == ["▘"]


# -- arguments -----------------------------------------------------------------


@pytest.mark.parametrize(
    "viewport",
    [
        [0, 0, 0, 1],
        [0, 0, 1.5, 2],
        [MAX_COORDINATE, 0, 1, 1],
        [0, 0, 1],
        None,
        [0, 0, -1, 1],
        [True, 0, 1, 1],
    ],
)
def test_a_viewport_that_is_no_rectangle_is_refused(viewport: Any) -> None:
    with pytest.raises(Refused) as caught:
        read(Scene(), viewport=viewport)
    assert (caught.value.code, caught.value.field) == ("invalid_input", "viewport")


@pytest.mark.parametrize(
    "raw", [{"scale": 2}, {"representation": "video"}, {"detail": "nearest"}, {"style": "full"}]
)
def test_unknown_keys_and_values_are_refused_by_name(raw: dict[str, Any]) -> None:
    with pytest.raises(Refused) as caught:
        read(Scene(), **raw)
    assert (caught.value.code, caught.value.field) == ("invalid_input", next(iter(raw)))


def test_only_an_exact_read_teaches_what_is_there() -> None:
    scene = put(Scene(), 0, 0, "x")
    assert read(scene, viewport=[0, 0, 100, 40]).seen == (Rect(0, 0, 100, 40),)
    assert read(scene, viewport=[0, 0, 101, 40]).seen == ()
    assert read(scene).seen == (Rect(0, 0, 1, 1),)


def test_reading_takes_a_canvas_and_a_page() -> None:
    args = parse(OPERATION.args, {"canvasId": "cv-1", "pageId": "pg-1"})
    assert isinstance(args, Target)
    assert (args.canvas_id, args.page_id) == ("cv-1", "pg-1")


def test_a_preview_map_is_sampled_like_a_read() -> None:
    scene = put(Scene(), 0, 0, "hi")
    assert text_map(scene, Rect(0, 0, 5, 1)) == content(read(scene, viewport=[0, 0, 5, 1]))
    assert sample_size(Rect(0, 0, 101, 1)) == 2
    assert "sampleSize=2" in text_map(scene, Rect(0, 0, 101, 1))


# -- appearance ----------------------------------------------------------------


def test_equal_neighbours_are_one_note() -> None:
    assert noted(put(Scene(), 0, 0, "ab\ncd", RED_BOLD), [0, 0, 4, 4]) == [
        "appearance:",
        "  y=0..1 x=0..1{fg:#ff0000;bold}",
    ]


def test_one_style_in_two_places_is_one_line() -> None:
    scene = put(put(Scene(), 0, 0, "a", RED_BOLD), 2, 0, "b", RED_BOLD)
    assert noted(scene, [0, 0, 4, 1])[1:] == ["  y=0 x=0,y=0 x=2{fg:#ff0000;bold}"]


@pytest.mark.parametrize(("y", "place"), [(20, "y=20..21 x=10..12"), (-2, "y=-2..-1 x=10..12")])
def test_wide_glyphs_and_negative_rows_are_noted_by_columns(y: int, place: str) -> None:
    scene = put(Scene(), 10, y, "世a\n世b", RED_BOLD)
    assert noted(scene, [0, y, 20, 2])[1] == f"  {place}{{fg:#ff0000;bold}}"


def test_a_note_lists_everything_in_a_fixed_order() -> None:
    scene = put(Scene(), 0, 0, "x", Style("#00ff00", "#111111", 31, 'https://x.test/"q"'))
    assert noted(scene, [0, 0, 1, 1])[1] == (
        '  y=0 x=0{fg:#00ff00;bg:#111111;bold;italic;underline;strike;inverse;link:"https://x.test/\\"q\\""}'
    )


def test_plain_text_needs_no_notes() -> None:
    scene = put(Scene(), 0, 0, "x")
    shown = read(scene, viewport=[0, 0, 1, 1], style="appearance")
    assert "appearance" not in content(shown)
    assert shown.result.fields()["appearance"]["regions"] == []
    assert noted(put(Scene(), 0, 0, "x", Style("#111111")), [0, 0, 1, 1])[1] == "  y=0 x=0{fg:#111111}"


def test_a_default_read_says_nothing_about_styles() -> None:
    shown = read(put(Scene(), 0, 0, "x", RED_BOLD), viewport=[0, 0, 1, 1])
    assert "styles:" not in content(shown) and "appearance:" not in content(shown)
    assert "appearance" not in shown.result.fields()


def test_a_clipped_wide_glyph_is_not_noted() -> None:
    assert noted(put(Scene(), 0, 0, "世", RED_BOLD), [1, 0, 3, 1]) == [""]


def test_a_sampled_read_has_no_appearance() -> None:
    shown = read(put(Scene(), 0, 0, "x", RED_BOLD), viewport=[0, 0, 200, 1], style="appearance")
    assert shown.result.fields()["appearance"] is None
    assert "appearance:" not in content(shown)


def test_regions_merge_into_the_largest_rectangles() -> None:
    scene = put(Scene(), 0, 0, "Go\nGo", RED_BOLD)
    found = fields(scene, viewport=[0, 0, 9, 9], style="appearance")["appearance"]["regions"]
    assert found == [{"bounds": [0, 0, 2, 2], "style": {"color": "#ff0000", "attrs": {"bold": True}}}]


def test_more_regions_than_the_notes_can_list_are_counted() -> None:
    scene = Scene()
    for n in range(300):
        put(scene, n % 50 * 2, n // 50 * 2, "x", Style(f"#{n:06x}" if n else "#ffffff"))
    lines = noted(scene, [0, 0, 100, 40])
    assert lines[-1] == "256/300 regions · narrow the viewport"
    assert len(lines) == 1 + 256 + 1
    assert len(fields(scene, viewport=[0, 0, 100, 40], style="appearance")["appearance"]["regions"]) == 300


# -- cells ---------------------------------------------------------------------


def test_cells_come_as_data_with_one_note() -> None:
    shown = read(put(Scene(), 0, 0, "世a"), viewport=[0, 0, 3, 1], representation="cells")
    assert shown.result.fields()["cells"] == [
        {"x": 0, "y": 0, "char": "世", "color": "#000000"},
        {"x": 2, "y": 0, "char": "a", "color": "#000000"},
    ]
    assert [type(block) for block in shown.blocks] == [Note]
    assert shown.seen == (Rect(0, 0, 3, 1),)


def test_cells_name_their_whole_style() -> None:
    scene = put(Scene(), 0, 0, "x", Style("accent", "#ffffff", UNDERLINE, "https://x.test"))
    assert fields(scene, viewport=[0, 0, 1, 1], representation="cells")["cells"] == [
        {
            "x": 0,
            "y": 0,
            "char": "x",
            "color": "accent",
            "bgColor": "#ffffff",
            "attrs": {"underline": True},
            "href": "https://x.test",
        }
    ]


def test_cells_of_more_than_the_camera_holds_are_too_large() -> None:
    with pytest.raises(Refused) as caught:
        read(Scene(), viewport=[0, 0, 101, 1], representation="cells")
    assert caught.value.code == "too_large"
    assert "100×40" in caught.value.message and "101×1" in caught.value.message


def test_cells_of_an_empty_sheet_are_an_empty_list() -> None:
    shown = read(Scene(), representation="cells")
    assert shown.result.fields()["cells"] == []
    assert shown.blocks == (Text(""),)
