"""What a glyph that is drawn by procedure is made of, in pixels from its cell's left top corner.

The same as the page's `view/shape.js`: fonts leave gaps between such glyphs as soon as a line is higher than
the font thinks; these join at every size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Box(NamedTuple):
    left: int
    top: int
    width: int
    height: int


class Dot(NamedTuple):
    x: float
    y: float
    radius: float


Point = tuple[float, float]


class Stroke(NamedTuple):
    """A line; with a `corner`, a quarter turn rounds it."""

    start: Point
    end: Point
    corner: Point | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """`pen` is the width of the strokes; `alpha` of the whole: shades are a translucent cell."""

    fills: tuple[Box, ...] = ()
    dots: tuple[Dot, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    pen: int = 1
    alpha: float = 1.0


def rounded(value: float) -> int:
    """As `Math.round` does: halves go up. Python's own rounding would part us from the page."""
    return int(value + 0.5)
