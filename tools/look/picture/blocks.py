"""Block elements, braille and sextants as shapes, like the page's `view/blocks.js`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chardesk.tools.look.picture.shape import Box, Dot, Shape, rounded

_QUADRANTS = (4, 8, 1, 13, 9, 7, 11, 2, 6, 14)
"""U+2596 to U+259F as bits: 1 left top, 2 right top, 4 left bottom, 8 right bottom."""

_BRAILLE = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""Braille's bits, in the order of Unicode, as column and row of a 2 × 4 grid."""


def block_shape(code: int, width: int, height: int) -> Shape | None:
    """None for anything else."""
    return next((draw(code, width, height) for first, last, draw in _RANGES if first <= code <= last), None)


def _eighths(code: int, width: int, height: int) -> Shape:
    """Halves and eighths. Both sides of a cut round the same way, so complements meet."""
    if code == 0x2580:
        return Shape((Box(0, 0, width, height - _cut(height, 4)),))
    if code == 0x2590:
        return Shape((Box(_cut(width, 4), 0, width - _cut(width, 4), height),))
    if code > 0x2588:
        return Shape((Box(0, 0, _cut(width, 0x2590 - code), height),))
    rows = _cut(height, code - 0x2580)
    return Shape((Box(0, height - rows, width, rows),))


def _cut(size: int, eighths: int) -> int:
    """At least one pixel: the thinnest block still shows."""
    return max(1, rounded(size * eighths / 8))


def _edge(code: int, width: int, height: int) -> Shape:
    if code == 0x2594:
        return Shape((Box(0, 0, width, _cut(height, 1)),))
    column = _cut(width, 1)
    return Shape((Box(width - column, 0, column, height),))


def _shade(code: int, width: int, height: int) -> Shape:
    """A quarter, a half and three quarters of the colour: dots would beat against the pixels."""
    return Shape((Box(0, 0, width, height),), alpha=(code - 0x2590) / 4)


def _quadrants(code: int, width: int, height: int) -> Shape:
    return Shape(tuple(_tiles(_QUADRANTS[code - 0x2596], 2, width, height)))


def _sextants(code: int, width: int, height: int) -> Shape:
    """The bits count up through all six-bit patterns but empty, left half, right half and full."""
    number = code - 0x1FB00 + 1
    return Shape(tuple(_tiles(number + (number > 20) + (number > 40), 3, width, height)))


def _tiles(bits: int, rows: int, width: int, height: int) -> Iterator[Box]:
    """Tiles of a grid two columns wide, one bit each, row by row."""
    for number in range(2 * rows):
        if bits >> number & 1:
            left, right = _slot(number % 2, 2, width)
            top, bottom = _slot(number // 2, rows, height)
            yield Box(left, top, right - left, bottom - top)


def _slot(number: int, count: int, size: int) -> tuple[int, int]:
    return rounded(number * size / count), rounded((number + 1) * size / count)


def _braille(code: int, width: int, height: int) -> Shape:
    """Discs on an even grid, so that curves of dots run on from cell to cell."""
    radius = max(0.5, 0.32 * min(width / 2, height / 4))
    lit = [place for bit, place in enumerate(_BRAILLE) if code >> bit & 1]
    dots = [Dot((column + 0.5) * width / 2, (row + 0.5) * height / 4, radius) for column, row in lit]
    return Shape(dots=tuple(dots))


_RANGES: tuple[tuple[int, int, Callable[[int, int, int], Shape]], ...] = (
    (0x2580, 0x2590, _eighths),
    (0x2591, 0x2593, _shade),
    (0x2594, 0x2595, _edge),
    (0x2596, 0x259F, _quadrants),
    (0x2800, 0x28FF, _braille),
    (0x1FB00, 0x1FB3B, _sextants),
)
