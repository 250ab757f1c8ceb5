"""Puts text on a scene for tests of what reads it, without the drawing operations."""

from __future__ import annotations

from typing import Any

from chardesk.tools.model.cell import Style
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.width import cluster_width, graphemes
from chardesk.tools.operation import Look, Operation, Shown, Text
from chardesk.tools.schema import parse

PLAIN = Style()


def put(scene: Scene, x: int, y: int, text: str, style: Style = PLAIN) -> Scene:
    """As `canvas_write` does: LF goes to the next row at the same x, plain blanks are transparent."""
    for row, line in enumerate(text.split("\n"), y):
        at = x
        for cluster in graphemes(line):
            width = cluster_width(cluster)
            if cluster != " " or style.is_worth_a_blank:
                _store(scene, at, row, [cluster, ""][:width], style)
            at += width
    return scene


def _store(scene: Scene, x: int, y: int, chars: list[str], style: Style) -> None:
    draft = Draft(scene)
    draft.put(x, y, chars, [style] * len(chars))
    scene.apply(draft.change())


def stored_blank(scene: Scene, x: int, y: int, style: Style = PLAIN) -> Scene:
    """A space that is really stored."""
    _store(scene, x, y, [" "], style)
    return scene


def look(operation: Operation, scene: Scene, **raw: Any) -> Shown:
    """The operation's answer to arguments as they come over the wire."""
    assert isinstance(operation.body, Look)
    return operation.body.show(scene, None, parse(operation.args, raw))


def content(shown: Shown) -> str:
    """The joined text blocks."""
    return "\n".join(block.text for block in shown.blocks if isinstance(block, Text))


def body(shown: Shown) -> list[str]:
    """The rows of a text map, without header, rulers and margin."""
    lines = content(shown).split("\n\n")[0].split("\n")
    rows = [line for line in lines[3:] if "│" in line or "┤" in line]
    cut = min(row.index("│") if "│" in row else row.index("┤") for row in rows) + 1
    return [row[cut:] for row in rows]
