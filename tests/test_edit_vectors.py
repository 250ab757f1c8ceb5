"""The edit vectors that the page's tests read say what the broker makes of a person's gestures.

    python tests/test_edit_vectors.py    # write tests/vectors/edits.json anew

A vector is a conversation: edits one after the other on an empty sheet, and the cells after each of them. The
page's prediction has to come out the same.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from chardesk.broker.desk.page import edits
from chardesk.broker.wire import messages as m
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.packed import pack_rows
from chardesk.tools.model.scene import Scene
from chardesk.tools.text.plain import literal

VECTORS = Path(__file__).parent / "vectors" / "edits.json"
CONVERSATIONS, EDITS = 40, 12

WORDS = (
    "a",
    "xyz",
    "世界",
    "語",
    "b c",
    " ",
    "  ",
    "é",
    "e\u0301",
    "👩🏿\u200d🔧",
    "🇩🇪",
    "⚠\ufe0f",
    "┌─┐",
    "a\u200bb",
    "１２",
)
PIECES = ("\u0301", "\u200d🔧", "🏿", "🇪", "\ufe0f", "x", "世")
STYLES: tuple[dict[str, Any], ...] = (
    {},
    {"color": "#f00"},
    {"bgColor": "#FFEE00"},
    {"attrs": {"bold": True, "inverse": False}},
    {"color": "accent", "bgColor": "#123", "attrs": {"underline": True}, "href": "https://example.org/"},
    {"color": "#000000"},
    {"attrs": {}},
)


def gestures(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Edits that meet each other: the sheet they are made on is small."""
    for _ in range(EDITS):
        at = [chance.randrange(-3, 9), chance.randrange(3)]
        size = [chance.randrange(1, 6), chance.randrange(1, 3)]
        to = [at[0] + chance.randrange(-4, 5), at[1] + 1]
        words = chance.choices(WORDS, k=2)
        style = chance.choice(STYLES)
        yield chance.choice(
            (
                {"kind": "text", "at": at, "text": "".join(words), "style": style},
                {"kind": "text", "at": at, "text": chance.choice(PIECES), "style": style, "compose": True},
                {"kind": "text", "at": at, "text": "\n".join(words)},
                {"kind": "paste", "at": at, "material": "\t".join(words) + "\r\n\x1b" + words[0] + "\n"},
                {"kind": "erase", "at": at, "size": size},
                {"kind": "fill", "at": at, "size": size, "style": chance.choice(STYLES[1:])},
                {"kind": "text", "at": at, "text": chance.choice(words), "style": style, "overwrite": False},
                {
                    "kind": "move",
                    "from": at,
                    "size": size,
                    "to": to,
                },
                {"kind": "cells", "gesture": "pencil", "cells": exact(chance, at, words)},
            )
        )


def exact(chance: random.Random, at: list[int], words: list[str]) -> dict[str, Any]:
    """Cells as a page plans them: words in styles, and a gap that is cleared between them."""
    styles = chance.choices(STYLES, k=2)
    first, second = (literal(word).rows[0].chars for word in words)
    end, gap = at[0] + len(first), chance.randrange(1, 4)
    pieces: list[list[Any]] = [[at[0], list(first), 0], [end, gap, -1], [end + gap, list(second), 1]]
    return {"styles": styles, "rows": [[at[1], [piece for piece in pieces if piece[1]]]]}


PLANS: dict[str, tuple[type[m.Message], Callable[[Draft, Any], edits.Drawn]]] = {
    "text": (m.TextOp, edits.text),
    "cells": (m.CellsOp, edits.cells),
    "paste": (m.PasteOp, edits.paste),
    "erase": (m.EraseOp, edits.erase),
    "fill": (m.FillOp, edits.fill),
    "move": (m.MoveOp, edits.move),
}


def after(scene: Scene, op: dict[str, Any]) -> dict[str, Any]:
    """Carries an edit out as the broker does; returns all cells."""
    model, plan = PLANS[op["kind"]]
    draft = Draft(scene)
    plan(draft, model.model_validate(op))
    scene.apply(draft.change())
    return pack_rows((y, x, scene.strip(y, x, end)) for y, x, end in scene.spans())


def conversation(seed: int) -> list[dict[str, Any]]:
    scene = Scene()
    return [{"op": op, "cells": after(scene, op)} for op in gestures(random.Random(seed))]


def vectors() -> str:
    """The file as it stands on disk, one conversation a line."""
    return "[\n" + ",\n".join(json.dumps(conversation(seed)) for seed in range(CONVERSATIONS)) + "\n]\n"


def test_the_vectors_say_what_the_broker_makes_of_gestures() -> None:
    assert VECTORS.read_text(encoding="ascii") == vectors(), "run python tests/test_edit_vectors.py"


def test_every_kind_of_gesture_is_among_the_vectors() -> None:
    found = json.loads(VECTORS.read_text(encoding="ascii"))
    assert {step["op"]["kind"] for steps in found for step in steps} == PLANS.keys()


if __name__ == "__main__":
    VECTORS.write_text(vectors(), encoding="ascii")
