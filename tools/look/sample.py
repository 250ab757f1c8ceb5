"""What the camera sees: exact text when a rectangle fits it, else blocks that stand for k×k columns.

The camera is 100 columns × 40 rows, so a reply has at most 4,000 characters of body whatever is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from chardesk.tools.look.occupied import Mask, occupied
from chardesk.tools.model.cell import PLAIN, joined
from chardesk.tools.model.change import Strip
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene

CAMERA_COLUMNS, CAMERA_ROWS = 100, 40

Mode = Literal["text", "projection", "density"]

QUADRANTS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"
"""By bits: 1 top left, 2 top right, 4 bottom left, 8 bottom right."""

_SHADES = (("░", 16), ("▒", 4), ("▓", 2))
"""The shade for up to one sixteenth, one quarter, one half of a bucket; over that it is full."""


@dataclass(frozen=True, slots=True)
class Sample:
    """`rows` are the body, top to bottom, each `⌈width/k⌉` columns wide. Exact only when `k` is 1."""

    rect: Rect
    k: int
    mode: Mode
    rows: list[str]


def sample_size(rect: Rect) -> int:
    """How many columns (and rows) one character of the body stands for."""
    return max(1, -(-rect.width // CAMERA_COLUMNS), -(-rect.height // CAMERA_ROWS))


def mode_of(k: int) -> Mode:
    """Quadrants resolve up to 4; beyond that only how full a bucket is can be told."""
    return "text" if k == 1 else "projection" if k <= 4 else "density"


def sample(scene: Scene, rect: Rect) -> Sample:
    """`rect` through the camera. Cost follows what is stored inside, not the area."""
    k = sample_size(rect)
    mode = mode_of(k)
    match mode:
        case "text":
            rows = [_text(scene, y, rect) for y in range(rect.y, rect.bottom)]
        case "projection":
            rows = _projection(occupied(scene, rect), rect, k)
        case "density":
            rows = _density(occupied(scene, rect), rect, k)
        case _:
            assert_never(mode)
    return Sample(rect, k, mode, rows)


def whole_strip(scene: Scene, y: int, rect: Rect) -> Strip:
    """Row `y` of `rect` with whole glyphs only: a wide one that the edge cuts is empty here."""
    strip = scene.strip(y, rect.x, rect.right)
    torn = _torn(scene, y, rect, strip.chars)
    if not torn:
        return strip
    chars, styles = list(strip.chars), list(strip.styles)
    for column in torn:
        chars[column], styles[column] = None, PLAIN
    return Strip(tuple(chars), tuple(styles))


def _torn(scene: Scene, y: int, rect: Rect, chars: Sequence[str | None]) -> list[int]:
    """Which ends of the row hold half a glyph."""
    return ([0] if chars[0] == "" else []) + ([-1] if scene.char(rect.right, y) == "" else [])


def _text(scene: Scene, y: int, rect: Rect) -> str:
    """Hot: once per row of every exact read; followers are `''` and so vanish in the joining."""
    chars = scene.chars(y, rect.x, rect.right)
    for column in _torn(scene, y, rect, chars):
        chars[column] = None
    return joined(chars)


def _projection(masks: Iterable[Mask], rect: Rect, k: int) -> list[str]:
    columns, rows = -(-rect.width // k), -(-rect.height // k)
    bits = [[0] * columns for _ in range(rows)]
    halves = [(offset // k, (offset % k) * 2 // k) for offset in range(max(rect.width, rect.height))]
    for y, x, mask in masks:
        row, lower = halves[y - rect.y]
        for (column, right), char in zip(halves[x - rect.x :], mask, strict=False):
            if not char.isspace():
                bits[row][column] |= 1 << right + 2 * lower
    return ["".join([QUADRANTS[each] for each in row]) for row in bits]


def _density(masks: Iterable[Mask], rect: Rect, k: int) -> list[str]:
    columns, rows = -(-rect.width // k), -(-rect.height // k)
    counts = [[0] * columns for _ in range(rows)]
    for y, x, mask in masks:
        row, left = counts[(y - rect.y) // k], x - rect.x
        for column in range(left // k, (left + len(mask) - 1) // k + 1):
            bucket = mask[max(0, column * k - left) : (column + 1) * k - left]
            row[column] += sum(map(len, bucket.split()))
    return ["".join(_shades(row, min(k, rect.height - at * k), rect, k)) for at, row in enumerate(counts)]


def _shades(counts: list[int], height: int, rect: Rect, k: int) -> Iterable[str]:
    for column, count in enumerate(counts):
        yield shade(count, height * min(k, rect.width - column * k))


def shade(count: int, area: int) -> str:
    """How a bucket of `area` columns looks that has `count` occupied ones."""
    if not count:
        return "·"
    return next((char for char, share in _SHADES if count * share <= area), "█")
