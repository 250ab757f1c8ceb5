"""The joins and shapes that the page's tests read say what the broker's planner draws.

    python tests/test_shape_vectors.py    # write tests/vectors/joins.json and shapes.json anew

`joins.json` has the arms of every piece and the character of every combination of arms. A case of
`shapes.json` is what stands on the sheet, shapes with their places, and the cells they are afterwards.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from chardesk.tools.model.cell import At
from chardesk.tools.text.shapes import pieces
from chardesk.tools.text.shapes.planner import plan
from chardesk.tools.text.shapes.spec import parse

JOINS = Path(__file__).parent / "vectors" / "joins.json"
SHAPES = Path(__file__).parent / "vectors" / "shapes.json"

BORDERS = ("light", "heavy", "double", "round", "ascii")
COLUMNS, ROWS = 16, 8
CASES = 120

Picture = dict[At, str]


def joins() -> str:
    """The file of arms and pieces as it stands on disk."""
    arms = {char: "".join(map(str, found)) for char, found in sorted(pieces.ARMS.items())}
    found = {
        "arms": arms,
        "pieces": {"".join(map(str, each)): pieces.piece(each) for each in pieces.all_arms()},
        "ascii": {"".join(map(str, each)): pieces.ascii_piece(each) for each in pieces.all_arms()},
        "round": {"".join(map(str, each)): char for char, each in pieces.ROUND.items()},
    }
    return json.dumps(found, indent=1, ensure_ascii=True, sort_keys=True) + "\n"


def line(chance: random.Random, kind: str) -> dict[str, Any]:
    """A line with up to two corners; it may be one place."""
    x, y = chance.randrange(COLUMNS), chance.randrange(ROWS)
    points = [[x, y]]
    for _ in range(chance.randrange(1, 4)):
        x, y = (chance.randrange(COLUMNS), y) if chance.random() < 0.5 else (x, chance.randrange(ROWS))
        points.append([x, y])
    return {"type": kind, "points": points}


def box(chance: random.Random) -> dict[str, Any]:
    x, y = chance.randrange(COLUMNS - 1), chance.randrange(ROWS - 1)
    width, height = chance.randrange(1, COLUMNS - x + 1), chance.randrange(1, ROWS - y + 1)
    title = chance.choice(("", "", "hi", "世界")) if width > 10 else ""
    return {"type": "box", "rect": [x, y, width, height], "title": title}


def shape(chance: random.Random) -> dict[str, Any]:
    found = chance.choice((box(chance), line(chance, "line"), line(chance, "arrow")))
    return {**found, "border": chance.choice(BORDERS), "join": chance.random() < 0.9}


def drawn(ground: Picture, each: dict[str, Any]) -> Picture:
    """The ground with one shape over it; under the right half of a wide glyph stands ""."""
    found = dict(ground)
    for at, glyph in plan(parse(json.dumps([each])), ground.get).cells.items():
        found |= {At(at.x + n, at.y): char for n, char in enumerate((glyph.char, "")[: glyph.width])}
    return found


def case(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    words = chance.choice(("", "letters here", "a|b+c-d", "─│┼═║╬"))
    ground = {At(2 + n, 3): char for n, char in enumerate(words)}
    shapes = [shape(chance) for _ in range(chance.randrange(1, 5))]
    after = ground
    for each in shapes:
        after = drawn(after, each)
    return {"below": rows(ground), "shapes": shapes, "drawn": rows(after)}


def rows(picture: Picture) -> Sequence[str]:
    """What a person reads; a space where nothing stands."""
    return ["".join(picture.get(At(x, y), " ") for x in range(COLUMNS)).rstrip() for y in range(ROWS)]


def cases() -> Iterator[dict[str, Any]]:
    return (case(seed) for seed in range(CASES))


def shapes() -> str:
    """The file of cases as it stands on disk, one a line."""
    return "[\n" + ",\n".join(json.dumps(each) for each in cases()) + "\n]\n"


def test_the_vectors_say_what_joins_what() -> None:
    assert JOINS.read_text(encoding="ascii") == joins(), "run python tests/test_shape_vectors.py"


def test_the_vectors_say_what_shapes_look_like() -> None:
    assert SHAPES.read_text(encoding="ascii") == shapes(), "run python tests/test_shape_vectors.py"


def test_every_kind_of_shape_and_border_is_among_the_vectors() -> None:
    found = [each for one in json.loads(SHAPES.read_text(encoding="ascii")) for each in one["shapes"]]
    assert {each["type"] for each in found} == {"box", "line", "arrow"}
    assert {each["border"] for each in found} == set(BORDERS)
    assert {each["join"] for each in found} == {True, False}


if __name__ == "__main__":
    JOINS.write_text(joins(), encoding="ascii")
    SHAPES.write_text(shapes(), encoding="ascii")
