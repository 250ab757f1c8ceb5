"""Which columns of a sheet hold something that can be seen: what sampling counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from chardesk.tools.model.change import Strip
from chardesk.tools.model.occupancy import mask
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene


class Mask(NamedTuple):
    """Columns of row `y` from `x` on: whitespace, but a visible character where a column is occupied."""

    y: int
    x: int
    columns: str


def occupied(scene: Scene, rect: Rect | None, gap: int = 1) -> Iterator[Mask]:
    """What is stored inside `rect` (everywhere without one), by y then x, as masks.

    Occupied is the contract's word: a visible character, or a background, inverse, underline or strike. A
    glyph that the edge cuts counts with the columns that are inside. What lies apart by less than `gap`
    columns comes in one mask: many short words cost more than their blanks. Cost follows the content.
    """
    for y, x, end in scene.spans(rect, gap):
        yield Mask(y, x, mask(*_with_left_edge(scene, y, x, end)))


def _with_left_edge(scene: Scene, y: int, x: int, end: int) -> Strip:
    """The stored columns; a follower whose left half is outside shows that half's character instead."""
    strip = scene.strip(y, x, end)
    if strip.chars[0] != "":
        return strip
    return Strip((scene.char(x - 1, y), *strip.chars[1:]), strip.styles)
