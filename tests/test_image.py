"""The image of a canvas_read: geometry, fonts, theme, limits; the same shapes as the page draws."""

from __future__ import annotations

import base64
import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pencil import content, look, put
from PIL import Image as Pillow

from chardesk.broker.desk.effects import Reply
from chardesk.broker.faces.mcp import result
from chardesk.broker.faces.sdk import load
from chardesk.tools.errors import Refused
from chardesk.tools.look.picture import fonts, paint, theme
from chardesk.tools.look.picture.boxes import shape_of
from chardesk.tools.look.picture.paint import MAX_BYTES
from chardesk.tools.look.read import OPERATION, ReadArgs, is_slow
from chardesk.tools.look.search import SearchArgs
from chardesk.tools.look.search import is_slow as searches_slowly
from chardesk.tools.model.cell import Style
from chardesk.tools.model.change import Strip
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.operation import Image, Shown
from chardesk.tools.schema import parse

ROOT = Path(__file__).parents[1]
SIZES = [(8, 16), (10, 19), (12, 22), (16, 28), (20, 38), (7, 15)]
WHITE = (255, 255, 255)


def read(scene: Scene, **raw: Any) -> Shown:
    return look(OPERATION, scene, **raw)


def picture(scene: Scene, viewport: list[int], **raw: Any) -> Pillow.Image:
    shown = read(scene, viewport=viewport, representation="image", **raw)
    (block,) = shown.blocks
    assert isinstance(block, Image)
    return Pillow.open(io.BytesIO(block.png)).convert("RGB")


def inked(image: Pillow.Image, box: tuple[int, int, int, int]) -> int:
    """Pixels that are not paper."""
    part = image.crop(box)
    return sum(count for count, color in part.getcolors(part.width * part.height) or () if color != WHITE)


@pytest.mark.parametrize(
    ("size", "detail", "pixels"),
    [
        ([8, 2], "low", (64, 32)),
        ([4, 2], "auto", (40, 38)),
        ([4, 2], "high", (48, 44)),
        ([4, 2], "original", (64, 56)),
    ],
)
def test_an_image_has_the_details_pixels_a_cell(
    size: list[int], detail: str, pixels: tuple[int, int]
) -> None:
    shown = read(put(Scene(), 0, 0, "hi"), viewport=[0, 0, *size], representation="image", detail=detail)
    fields = shown.result.fields()
    assert (fields["imageSize"], fields["mode"], fields["missing"]) == (list(pixels), "image", [])
    assert picture(Scene(), [0, 0, *size], detail=detail).size == pixels


def test_an_image_is_a_slow_look_and_grants_no_base_but_both_grants_what_its_text_does() -> None:
    scene = put(Scene(), 0, 0, "hi")
    assert read(scene, representation="image").seen == ()
    both = read(scene, representation="both")
    assert both.seen == (Rect(0, 0, 2, 1),)
    assert content(both).startswith("viewport=[0,0,2,1]")
    assert [type(block).__name__ for block in both.blocks] == ["Text", "Image"]
    kinds = ("text", "cells", "image", "both")
    slow = [is_slow(scene, parse(ReadArgs, {"representation": kind})) for kind in kinds]
    assert slow == [False, False, True, True]


def test_on_a_large_sheet_only_what_the_camera_holds_is_quick() -> None:
    scene = Scene()
    for y in range(21):
        scene.put(y, 0, Strip(("x",) * 1000, (Style(),) * 1000))
    raws: list[dict[str, Any]] = [
        {"viewport": [0, 0, 80, 24]},
        {},
        {"view": "lint"},
        {"viewport": [0, 0, 900, 9]},
    ]
    assert [is_slow(scene, parse(ReadArgs, raw)) for raw in raws] == [False, True, True, True]
    assert searches_slowly(scene, parse(SearchArgs, {"query": "x"}))
    assert not searches_slowly(Scene(), parse(SearchArgs, {"query": "x"}))


def test_an_empty_sheet_has_no_image_and_says_so_like_a_text() -> None:
    shown = read(Scene(), representation="image")
    assert (shown.result.fields()["viewport"], content(shown)) == (None, "")


def test_lines_join_across_cells_without_a_gap() -> None:
    image = picture(put(Scene(), 0, 0, "┌──┐\n│  │\n└──┘"), [0, 0, 4, 3])
    across = image.crop((5, 9, 35, 10)).getcolors()
    down = image.crop((4, 10, 5, 48)).getcolors()
    assert across is not None and len(across) == 1 and across[0][1] != WHITE
    assert down is not None and len(down) == 1 and down[0][1] != WHITE


def test_inverse_swaps_paper_and_ink_and_colours_are_the_themes() -> None:
    image = picture(put(Scene(), 0, 0, " ", Style("danger", None, 16)), [0, 0, 1, 1])
    assert image.getcolors() == [(190, (0xC9, 0x2A, 0x2A))]
    back = picture(put(Scene(), 0, 0, "█", Style("#ff0000", "#00ff00", 16)), [0, 0, 1, 1])
    assert back.getcolors() == [(190, (0, 255, 0))]


def test_underline_strike_and_link_draw_a_line_under_or_through_blanks_too() -> None:
    for style in (Style(attrs=4), Style(attrs=8), Style(href="https://a.example")):
        assert inked(picture(put(Scene(), 0, 0, " ", style), [0, 0, 1, 1]), (0, 0, 10, 19)) == 10


def test_a_wide_glyph_that_the_edge_cuts_is_not_drawn() -> None:
    image = picture(put(Scene(), 0, 0, "世a"), [1, 0, 2, 1])
    assert inked(image, (0, 0, 10, 19)) == 0
    assert inked(image, (10, 0, 20, 19)) > 0


def test_what_no_font_has_gets_a_placeholder_of_its_width_and_is_listed() -> None:
    scene = put(Scene(), 0, 0, "a\U0010fffd\u0378b")
    shown = read(scene, viewport=[0, 0, 4, 1], representation="image")
    missing = {one["char"]: (one["codePoints"], one["count"]) for one in shown.result.fields()["missing"]}
    assert missing == {"\U0010fffd": (["U+10FFFD"], 1), "\u0378": (["U+0378"], 1)}
    image = picture(scene, [0, 0, 4, 1])
    assert inked(image, (10, 0, 20, 19)) > 10 and inked(image, (20, 0, 30, 19)) > 10


def test_without_any_font_an_image_still_comes_with_placeholders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paint, "_typeface", paint._typeface.__wrapped__)
    monkeypatch.setattr(fonts, "family_for", lambda cluster, face: None)
    monkeypatch.setattr(fonts, "primary", lambda: None)
    shown = read(put(Scene(), 0, 0, "hi│"), representation="image")
    assert {one["char"] for one in shown.result.fields()["missing"]} == {"h", "i"}


def test_an_image_beyond_its_limits_is_refused_with_a_viewport_that_fits() -> None:
    scene = Scene()
    for y in range(200):
        put(scene, 0, y, "".join(chr(33 + (x * 7 + y * 13 + x * y) % 90) for x in range(300)))
    for viewport in ([0, 0, 3000, 3000], [0, 0, 300, 104]):
        with pytest.raises(Refused) as refused:
            read(scene, viewport=viewport, representation="image")
        assert refused.value.code == "too_large"
        largest = refused.value.details["largest"]
        (block,) = read(scene, viewport=largest, representation="image").blocks
        assert isinstance(block, Image) and MAX_BYTES / 3 < len(block.png) <= MAX_BYTES


def test_the_light_theme_is_the_pages() -> None:
    css = (ROOT / "page" / "styles" / "theme.css").read_text("utf-8").partition("}")[0]
    page = dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", css))
    assert page["paper"] == theme.PAPER
    for name in ("accent", "info", "success", "warning", "danger", "muted"):
        assert theme.color(name) == page[name]
    assert theme.color("#000000") == page["ink"]


SCRIPT = """
import { shapeOf } from "./page/view/boxes.js";
const found = {};
for (const [from, to] of [[0x2500, 0x259f], [0x2800, 0x28ff], [0x1fb00, 0x1fb3b]])
  for (let code = from; code <= to; code++)
    for (const [width, height] of SIZES)
      found[`${code} ${width} ${height}`] = shapeOf(String.fromCodePoint(code), width, height);
console.log(JSON.stringify(found));
"""


def flat(value: Any) -> Iterator[float]:
    for item in value:
        yield from flat(item) if isinstance(item, list | tuple) else (float(item),)


def test_box_lines_blocks_and_braille_have_the_pages_geometry() -> None:
    node = shutil.which("node")
    assert node, "the page's tests need node anyway"
    script = SCRIPT.replace("SIZES", json.dumps(SIZES))
    run = subprocess.run(
        [node, "--input-type=module", "-e", script], cwd=ROOT, capture_output=True, check=True
    )
    page = json.loads(run.stdout)
    assert len(page) == (160 + 256 + 60) * len(SIZES)
    for key, theirs in page.items():
        code, width, height = map(int, key.split())
        mine = shape_of(chr(code), width, height)
        assert mine is not None
        assert sorted(map(list, mine.fills)) == sorted(theirs["fills"]), key
        assert mine.alpha == theirs["alpha"]
        assert [*flat(mine.dots)] == pytest.approx([*flat(theirs["dots"])])
        strokes = [[s["from"], s["to"], s.get("corner", [])] for s in theirs["strokes"]]
        assert [*flat([s.start, s.end, s.corner or []] for s in mine.strokes)] == [*flat(strokes)], key


def test_the_characters_of_many_scripts_are_drawn_and_what_is_missing_does_not_stop_it() -> None:
    scene = put(Scene(), 0, 0, "漢😀ಠ⠿🮕\U000f1234\u0378")
    shown = read(scene, representation="image")
    told = {one["char"] for one in shown.result.fields()["missing"]}
    assert {"\U000f1234", "\u0378"} <= told
    image = picture(scene, [0, 0, 9, 1])
    for begin, columns in ((0, 2), (2, 2), (4, 1), (5, 1), (6, 1), (7, 1), (8, 1)):
        assert inked(image, (begin * 10, 0, (begin + columns) * 10, 19)) > 8


def test_over_mcp_an_image_is_image_content_and_elsewhere_a_line_says_what_was_left_out() -> None:
    load()
    shown = read(put(Scene(), 0, 0, "hi"), representation="both")
    text, image = result(Reply(shown.result.fields(), shown.blocks)).content
    assert (text.type, image.type) == ("text", "image")
    wire = image.model_dump(by_alias=True)
    assert wire["mimeType"] == "image/png"
    assert base64.b64decode(wire["data"]).startswith(b"\x89PNG\r\n")
    block = shown.blocks[1]
    assert isinstance(block, Image)
    assert block.text == f"[image of 20×19 pixels, PNG, {len(block.png)} bytes]"


def test_two_threads_may_draw_at_once() -> None:
    scene = put(Scene(), 0, 0, "Hello 世界 ┌─┐")
    with ThreadPoolExecutor(4) as pool:
        forks = [scene.fork() for _ in range(8)]
        drawn = list(pool.map(lambda fork: paint.paint(fork, Rect(0, 0, 20, 2), "auto").png, forks))
    assert len(set(drawn)) == 1
