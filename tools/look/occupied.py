"""Which columns of a sheet hold something that can be seen: what sampling counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from chardesk.tools.model.change import Strip
from chardesk.tools.model.region import Rect, Span
from chardesk.tools.model.scene import Scene

_STRETCH = re.compile("1+")


def occupied(scene: Scene, rect: Rect) -> Iterator[Span]:
    """The occupied columns inside `rect`, by y then x, neighbours of one stored run joined.

    Occupied is the contract's word: a visible character, or a background, inverse, underline or strike. A
    glyph that the edge cuts counts with the columns that are inside. Cost follows the content.
    """
    for y, x, end in scene.spans(rect):
        for found in _STRETCH.finditer(_mask(_with_left_edge(scene, y, x, end))):
            yield Span(y, x + found.start(), x + found.end())


def _with_left_edge(scene: Scene, y: int, x: int, end: int) -> Strip:
    """The stored columns; a follower whose left half is outside shows that half's character instead."""
    strip = scene.strip(y, x, end)
    if strip.chars[0] != "":
        return strip
    return Strip((scene.char(x - 1, y), *strip.chars[1:]), strip.styles)


def _mask(strip: Strip) -> str:
    """A `1` for every occupied column, a space for the others; a follower is like its left half."""
    chars, styles = strip
    marked = {style for style in set(styles) if style.marks_blank}
    bits: list[str] = []
    for char, style in zip(chars, styles, strict=True):
        if char == "":
            bits.append(bits[-1])
        else:
            bits.append("1" if style in marked or (char and not char.isspace()) else " ")
    return "".join(bits)
