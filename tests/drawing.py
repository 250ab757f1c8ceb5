"""Scenes as drawings: what tests compare, and what they start from."""

from __future__ import annotations

from typing import Any

from chardesk.tools.model.cell import PLAIN, At, Cell, Style
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Draw, Operation
from chardesk.tools.schema import parse
from chardesk.tools.text.picture import Picture
from chardesk.tools.text.plain import literal


def drawn(scene: Scene, rect: Rect | None = None) -> str:
    """The occupied cells (or `rect`) as text: each row after a line feed, no spaces at its end. Empty: ''."""
    area = rect or scene.bounds()
    if area is None:
        return ""
    return "".join(f"\n{_row(scene, y, area)}" for y in range(area.y, area.bottom))


def _row(scene: Scene, y: int, area: Rect) -> str:
    return "".join(" " if char is None else char for char in scene.strip(y, area.x, area.right).chars).rstrip(
        " "
    )


def scene_of(text: str, at: tuple[int, int] = (0, 0), style: Style = PLAIN) -> Scene:
    """A scene with this drawing; a line feed at its beginning is left out. Spaces are empty slots."""
    draft = Draft(Scene())
    x, y = at
    for number, strip in enumerate(literal(text.removeprefix("\n"), style).rows):
        chars = tuple(None if char == " " else char for char in strip.chars)
        if chars:
            draft.put(x, y + number, chars, strip.styles)
    return draft.scene


def do(scene: Scene, operation: Operation, sheet: Size | None = None, /, **arguments: Any) -> dict[str, Any]:
    """Apply an operation; arguments as they come over the wire (camelCase), its own fields as they go out."""
    assert isinstance(operation.body, Draw)
    draft = Draft(scene)
    result = operation.body.plan(draft, sheet, parse(operation.args, arguments))
    scene.apply(draft.change())
    return {name: list(v) if isinstance(v, tuple) else v for name, v in result.fields().items()}


def cell(scene: Scene, x: int, y: int) -> Cell:
    """The cell that must be there."""
    found = scene.cell(*At(x, y))
    assert found is not None, f"nothing at {x}, {y}"
    return found


def text_of(picture: Picture) -> str:
    """A picture's rows, each after a line feed, spaces at the ends as they are."""
    return "".join("\n" + "".join(char or "" for char in row.chars) for row in picture.rows)


def styles_of(picture: Picture) -> list[tuple[str, Style]]:
    """The first row as runs of equal style: (text, style)."""
    runs: list[tuple[str, Style]] = []
    for char, style in zip(*picture.rows[0], strict=True):
        if runs and runs[-1][1] == style:
            runs[-1] = (runs[-1][0] + (char or ""), style)
        else:
            runs.append((char or "", style))
    return runs
