"""One rule for characters, on every road by which text comes to a sheet: agents, the command line, the page.

What each road does with tabs and controls differs by design: literal strokes refuse them, material has tabs
expanded and controls left out. What is stored, and in which columns, does not differ.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, Person, faultless, sheet_of

from chardesk.tools.text.clusters import MAX_CODE_POINTS

CellsRead = dict[tuple[int, int], str]

MECHANIC = "\U0001f469\U0001f3ff\u200d\U0001f527"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
PIRATES = "\U0001f3f4\u200d\u2620\ufe0f"
WALES = "\U0001f3f4\U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
SYMBOLS = ("\u26a0\ufe0f", "1\ufe0f\u20e3", MECHANIC, FAMILY, PIRATES, WALES)

UNSEEN = ("\u0301", "\u200d", "\ufe0f", "\u202e", "\u2067", "\u200b", "\U000e0041")


@dataclass(frozen=True, slots=True)
class Desk:
    """Everyone who can put text on one sheet."""

    broker: RunningBroker
    agent: Caller
    person: Person
    where: Fields

    def read(self, width: int = 24, height: int = 6) -> CellsRead:
        return self.agent.cells((0, 0, width, height), **self.where)


@dataclass(frozen=True, slots=True)
class Said:
    """What the sender was told: the code of a refusal, and the code points left out. None: nobody told it."""

    code: str | None = None
    dropped: tuple[str, ...] | None = None


Road = Callable[[Desk, int, int, str], Said]


def dropped(fields: Fields) -> tuple[str, ...]:
    return tuple(point for drop in fields.get("dropped", []) for point in drop["codePoints"])


def by_write(desk: Desk, x: int, y: int, text: str) -> Said:
    answer = desk.agent.tool("canvas_write", at=[x, y], content=text, mode="apply", **desk.where)
    return Said(answer.code, dropped(answer.fields))


def by_render(desk: Desk, x: int, y: int, text: str) -> Said:
    fields = {"at": [x, y], "source": text, "format": "raw", "mode": "apply"}
    answer = desk.agent.tool("canvas_render", **fields, **desk.where)
    return Said(answer.code, dropped(answer.fields))


def by_batch(desk: Desk, x: int, y: int, text: str) -> Said:
    step = {"op": "write", "args": {"at": [x, y], "content": text}}
    answer = desk.agent.tool("canvas_batch", ops=[step], mode="apply", **desk.where)
    return Said(answer.code, dropped(answer.fields.get("results", [{}])[0]))


def by_script(desk: Desk, x: int, y: int, text: str) -> Said:
    script = f"return canvas.write({{at: [{x}, {y}], content: {json.dumps(text)}}})"
    answer = desk.agent.tool("canvas_code", script=script, mode="apply", **desk.where)
    result = answer.fields.get("result", {})
    return Said(answer.code or result.get("code"), dropped(result))


def by_shell(verb: str, option: str, *more: str) -> Road:
    def road(desk: Desk, x: int, y: int, text: str) -> Said:
        where = ("--canvas-id", desk.where["canvasId"], "--page-id", desk.where["pageId"])
        words = ("--at", f"{x},{y}", option, text, "--mode", "apply", *more, *where, "--json")
        told = json.loads(desk.broker.cli(verb, *words).stdout)
        return Said(told.get("code"), dropped(told))

    return road


def by_page(kind: str, field: str) -> Road:
    def road(desk: Desk, x: int, y: int, text: str) -> Said:
        what: Fields = {"at": [x, y], field: text}
        told = desk.person.edit(kind, sheet=desk.where["pageId"], **what)
        return Said(told["code"] if told["type"] == "refused" else None)

    return road


STROKES: dict[str, Road] = {
    "write": by_write,
    "batch": by_batch,
    "script": by_script,
    "shell write": by_shell("write", "--content"),
    "page typing": by_page("text", "text"),
}
"""Literal strokes."""

MATERIAL: dict[str, Road] = {
    "render": by_render,
    "shell render": by_shell("render", "--source", "--format", "raw"),
    "page paste": by_page("paste", "material"),
}
"""What is read, line by line, before it is drawn."""

ROADS = STROKES | MATERIAL

every_road = pytest.mark.parametrize("road", ROADS.values(), ids=ROADS)
every_stroke = pytest.mark.parametrize("road", STROKES.values(), ids=STROKES)
all_material = pytest.mark.parametrize("road", MATERIAL.values(), ids=MATERIAL)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("roads") / "desk") as running:
        yield running


@pytest.fixture(scope="module")
def parties(broker: RunningBroker) -> Iterator[tuple[Caller, Person]]:
    with Caller(broker.place.root) as agent, Person(broker) as person:
        yield agent, person


@pytest.fixture
def desk(broker: RunningBroker, parties: tuple[Caller, Person]) -> Desk:
    agent, person = parties
    return Desk(broker, agent, person, sheet_of(agent))


def row(text: str, y: int = 0) -> CellsRead:
    """Glyphs that stand side by side, given with a space after each wide one."""
    return {(x, y): char for x, char in enumerate(text) if char != " "}


@every_road
def test_text_of_equal_width_ends_in_the_same_column(desk: Desk, road: Road) -> None:
    """CHR-01"""
    road(desk, 0, 0, "日本語|\n123456|")
    assert desk.read() == row("日 本 語 |") | row("123456|", 1)


@every_road
def test_no_road_leaves_a_half_of_a_glyph(desk: Desk, road: Road) -> None:
    """CHR-02, CHR-03"""
    by_write(desk, 0, 0, "橋\n橋\n日本")
    for x, y, text in ((1, 0, "X"), (0, 1, "a"), (1, 2, "月")):
        assert road(desk, x, y, text).code is None
    assert desk.read() == {(1, 0): "X", (0, 1): "a", (1, 2): "月"}


@every_road
def test_a_sequence_is_one_cell_of_two_columns_and_read_back_as_it_was(desk: Desk, road: Road) -> None:
    """CHR-04, CHR-05"""
    road(desk, 0, 0, "\n".join(f"{symbol}|" for symbol in SYMBOLS))
    wanted: CellsRead = {}
    for y, symbol in enumerate(SYMBOLS):
        wanted |= {(0, y): symbol, (2, y): "|"}
    assert desk.read() == wanted


@every_road
def test_a_mark_without_a_letter_is_left_out_and_joins_no_neighbour(desk: Desk, road: Road) -> None:
    """CHR-06"""
    by_write(desk, 4, 0, "Z")
    said = road(desk, 5, 0, "\u0301abc")
    assert said.code is None and said.dropped in (("U+0301",), None)
    assert desk.read() == row("    Zabc")


@every_road
def test_what_nobody_would_see_changes_nothing_and_is_named(desk: Desk, road: Road) -> None:
    """CHR-06, SEC-06"""
    said = road(desk, 0, 0, "\n".join(UNSEEN))
    assert said.code is None
    assert said.dropped in (tuple(f"U+{ord(lone):04X}" for lone in UNSEEN), None)
    assert desk.read() == {}


@every_road
def test_hidden_text_reaches_no_cell(desk: Desk, road: Road) -> None:
    """SEC-06"""
    tags = "".join(map(chr, range(0xE0041, 0xE005B)))
    said = road(desk, 0, 0, f"safe\u202etxt.exe\na\u200bb\nx{tags}y")
    assert said.code is None
    assert said.dropped is None or {"U+202E", "U+200B", "U+E0041"} <= {*said.dropped}
    assert desk.read() == row("safetxt.exe") | row("ab", 1) | row("xy", 2)


@every_stroke
@pytest.mark.parametrize("control", ["\t", "\x1b", "\x9b"])
def test_a_literal_stroke_with_a_control_is_refused_whole(desk: Desk, road: Road, control: str) -> None:
    """CHR-10"""
    assert road(desk, 0, 0, f"a{control}b").code == "invalid_input"
    assert desk.read() == {}


@all_material
@pytest.mark.parametrize("x", [0, 3])
def test_tabs_of_material_stop_at_four_from_its_own_origin(desk: Desk, road: Road, x: int) -> None:
    """CHR-10"""
    road(desk, x, 0, "a\tb\n123\tc\n1234\td")
    found = {place: char for place, char in desk.read().items() if char.strip()}
    wanted = row("a   b") | row("123 c", 1) | row("1234    d", 2)
    assert found == {(left + x, y): char for (left, y), char in wanted.items()}


@all_material
def test_other_controls_of_material_are_left_out(desk: Desk, road: Road) -> None:
    said = road(desk, 0, 0, "a\x07b\x9bc")
    assert said.code is None and said.dropped in (("U+0007", "U+009B"), None)
    assert desk.read() == row("abc")


@every_stroke
def test_a_literal_stroke_with_a_cluster_without_end_is_refused(desk: Desk, road: Road) -> None:
    assert road(desk, 0, 0, "ok e" + "\u0301" * MAX_CODE_POINTS).code == "invalid_input"
    assert desk.read() == {}
    assert road(desk, 0, 0, "e" + "\u0301" * (MAX_CODE_POINTS - 1)).code is None
    assert [*map(len, desk.read().values())] == [MAX_CODE_POINTS]


@all_material
def test_material_keeps_the_beginning_of_a_cluster_without_end(desk: Desk, road: Road) -> None:
    said = road(desk, 0, 0, "e" + "\u0301" * 40)
    assert said.code is None and (said.dropped is None or said.dropped[0] == "U+0301")
    assert [*map(len, desk.read().values())] == [MAX_CODE_POINTS]


@every_road
def test_leading_blanks_of_a_drawing_keep_its_columns(desk: Desk, road: Road) -> None:
    """CHR-11"""
    cat = (" /\\_/\\", "( o.o )", " > ^ <")
    road(desk, 0, 0, "\n".join(cat))
    assert desk.agent.rows((0, 0, 10, 3), **desk.where) == list(cat)


@every_road
def test_both_spellings_of_a_letter_are_found_by_either_and_its_base_by_neither(
    desk: Desk, road: Road
) -> None:
    """CHR-09"""
    road(desk, 0, 0, "café\ncafe\u0301\nąb")

    def found(query: str) -> list[list[int]]:
        matches = desk.agent.ok("canvas_search", query=query, **desk.where)["matches"]
        return [match["bounds"] for match in matches]

    assert found("café") == found("cafe\u0301") == [[0, 0, 4, 1], [0, 1, 4, 1]]
    assert found("a") == [[1, 0, 1, 1], [1, 1, 1, 1]]


def test_blanks_at_the_end_of_a_row_are_not_read_as_text(desk: Desk) -> None:
    """CHR-12: a read cuts them with any background; what the page copies is in test_e2e_characters.py."""
    style = {"bgColor": "#336699"}
    desk.agent.put(0, 0, "abc       ", **desk.where)
    desk.agent.put(0, 1, "abc       ", style=style, **desk.where)
    desk.agent.put(0, 3, "x  y", **desk.where)
    assert desk.agent.rows((0, 0, 10, 4), **desk.where) == ["abc", "abc", "", "x  y"]
    told = desk.agent.ok("canvas_read", viewport=[0, 0, 10, 4], style="appearance", **desk.where)
    assert [region["bounds"] for region in told["appearance"]["regions"]] == [[0, 1, 10, 1]]
