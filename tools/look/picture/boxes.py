"""Box lines as shapes, like the page's `view/boxes.js`; a test holds the two together."""

from __future__ import annotations

from collections.abc import Iterator

from chardesk.tools.look.picture.blocks import block_shape
from chardesk.tools.look.picture.shape import Box, Shape, Stroke, rounded
from chardesk.tools.text.shapes.pieces import ARMS, DOUBLE, LIGHT, ROUND, Arms

_DASHES = dict.fromkeys("┄┅┆┇", 3) | dict.fromkeys("┈┉┊┋", 4) | dict.fromkeys("╌╍╎╏", 2)
"""How many dashes a character breaks its line into."""

_FIRST, _LAST = 0x2500, 0x257F
Track = tuple[int, int]
"""From where to where a line lies across a cell, half-open."""


def shape_of(char: str, width: int, height: int) -> Shape | None:
    """The shape of one cluster in a cell of this size in pixels; None if a font has to draw it."""
    if len(char) != 1 or (code := ord(char)) < _FIRST:
        return None
    if code > _LAST:
        return block_shape(code, width, height)
    if char in "╱╲╳":
        return Shape(strokes=tuple(_diagonals(char, width, height)), pen=pen_for(width))
    arms = ARMS[char]
    if char in ROUND:
        return Shape(strokes=(_arc(arms, width, height),), pen=pen_for(width))
    lines = _doubles(arms, width, height) if DOUBLE in arms else _singles(arms, width, height)
    dashes = _DASHES.get(char)
    return Shape(tuple(_dashed(lines, dashes, width, height) if dashes else lines))


def pen_for(width: int) -> int:
    """A light line: an eighth of the cell."""
    return max(1, rounded(width / 8))


def _track(size: int, pen: int) -> Track:
    start = (size - pen) // 2
    return start, start + pen


def _singles(arms: Arms, width: int, height: int) -> list[Box]:
    """Light and heavy arms, each from its edge to the far side of the lines it meets."""
    up, right, down, left = arms
    pen = pen_for(width)
    across = _track(width, pen * max(up, down, 1))
    along = _track(height, pen * max(left, right, 1))
    boxes = []
    if up:
        boxes.append(_upright(_track(width, pen * up), 0, along[1]))
    if down:
        boxes.append(_upright(_track(width, pen * down), along[0], height))
    if left:
        boxes.append(_flat(_track(height, pen * left), 0, across[1]))
    if right:
        boxes.append(_flat(_track(height, pen * right), across[0], width))
    return boxes


def _upright(columns: Track, top: int, bottom: int) -> Box:
    return Box(columns[0], top, columns[1] - columns[0], bottom - top)


def _flat(rows: Track, left: int, right: int) -> Box:
    return Box(left, rows[0], right - left, rows[1] - rows[0])


def _doubles(arms: Arms, width: int, height: int) -> list[Box]:
    """Double arms are bands three pens wide with the middle cut out of all of them, which opens every corner
    and crossing as it should; single arms are laid over that and stop at the stroke they meet."""
    up, right, down, left = arms
    pen = pen_for(width)
    (x0, x1), (y0, y1) = _track(width, pen), _track(height, pen)
    is_flat, is_upright = DOUBLE in (left, right), DOUBLE in (up, down)
    top, bottom = y0 - pen * is_flat, y1 + pen * is_flat
    west, east = x0 - pen * is_upright, x1 + pen * is_upright
    # A cut stops a stroke short of the middle's far side, unless the line goes on there.
    rise, run = pen * (up != down), pen * (left != right)
    pairs = (
        (up, _upright((west, east), 0, bottom), _upright((x0, x1), 0, bottom - rise)),
        (down, _upright((west, east), top, height), _upright((x0, x1), top + rise, height)),
        (left, _flat((top, bottom), 0, east), _flat((y0, y1), 0, east - run)),
        (right, _flat((top, bottom), west, width), _flat((y0, y1), west + run, width)),
    )
    boxes = [band for weight, band, _ in pairs if weight == DOUBLE]
    for hole in (hole for weight, _, hole in pairs if weight == DOUBLE):
        boxes = [rest for box in boxes for rest in _without(box, hole)]
    if up == LIGHT:
        boxes.append(_upright((x0, x1), 0, y1 if down else _stop(left, right, y0, bottom)))
    if down == LIGHT:
        start = y0 if up else height - _stop(left, right, height - y1, height - top)
        boxes.append(_upright((x0, x1), start, height))
    if left == LIGHT:
        boxes.append(_flat((y0, y1), 0, x1 if right else _stop(up, down, x0, east)))
    if right == LIGHT:
        start = x0 if left else width - _stop(up, down, width - x1, width - west)
        boxes.append(_flat((y0, y1), start, width))
    return boxes


def _stop(one: int, other: int, near: int, far: int) -> int:
    """A single arm ends at the near stroke of a double line that runs through, at the far one of a corner."""
    return near if one == DOUBLE and other == DOUBLE else far


def _without(box: Box, hole: Box) -> list[Box]:
    """What is left of a box without a hole."""
    x, y, width, height = box
    left, right = max(x, hole.left), min(x + width, hole.left + hole.width)
    top, bottom = max(y, hole.top), min(y + height, hole.top + hole.height)
    if left >= right or top >= bottom:
        return [box]
    rest = (
        Box(x, y, width, top - y),
        Box(x, bottom, width, y + height - bottom),
        Box(x, top, left - x, bottom - top),
        Box(right, top, x + width - right, bottom - top),
    )
    return [part for part in rest if part.width > 0 and part.height > 0]


def _dashed(lines: list[Box], count: int, width: int, height: int) -> Iterator[Box]:
    """The line in `count` dashes with a third of each left open."""
    is_flat = all(line.width >= line.height for line in lines)
    size = width if is_flat else height
    gap = max(1, rounded(size / count / 3))
    thickest = max(lines, key=lambda line: line.width * line.height)
    for number in range(count):
        start = rounded(number * size / count)
        length = max(1, rounded((number + 1) * size / count) - gap - start)
        if is_flat:
            yield Box(start, thickest.top, length, thickest.height)
        else:
            yield Box(thickest.left, start, thickest.width, length)


def _arc(arms: Arms, width: int, height: int) -> Stroke:
    pen = pen_for(width)
    x, y = _track(width, pen)[0] + pen / 2, _track(height, pen)[0] + pen / 2
    return Stroke((x, 0 if arms.up else height), (width if arms.right else 0, y), (x, y))


def _diagonals(char: str, width: int, height: int) -> Iterator[Stroke]:
    if char != "╲":
        yield Stroke((0, height), (width, 0))
    if char != "╱":
        yield Stroke((0, 0), (width, height))
