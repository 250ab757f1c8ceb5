"""A rectangle of a scene as a PNG. Pure and slow: run it on a fork of the scene, off the event loop."""

from __future__ import annotations

import io
import math
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Literal

from PIL import Image, ImageDraw

from chardesk.tools.errors import Refused
from chardesk.tools.look.picture.shape import rounded
from chardesk.tools.look.picture.theme import PAPER, Ink, ink
from chardesk.tools.look.picture.typeface import Typeface
from chardesk.tools.look.sample import whole_strip
from chardesk.tools.model.cell import STRIKE, UNDERLINE, Style
from chardesk.tools.model.change import Strip
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene

Detail = Literal["low", "auto", "high", "original"]

CELLS: dict[Detail, tuple[int, int]] = {
    "low": (8, 16),
    "auto": (10, 19),
    "high": (12, 22),
    "original": (16, 28),
}
"""Pixels of a cell, as the contract has them."""

MAX_BYTES = 700 * 1024
"""Base64 makes a third more of it, and a message ends at 1 MiB."""

MAX_PIXELS = 6_000_000
"""An image this large takes a quarter of a second; what has more pixels does not fit the bytes either."""

_SHRINK = 0.95
"""A viewport is tried a little smaller than the bytes say: density differs from place to place."""


@dataclass(frozen=True, slots=True)
class Painted:
    png: bytes
    size: tuple[int, int]
    missing: Counter[str]
    """Clusters that no font has and for which a placeholder stands, with how often."""


def paint(scene: Scene, rect: Rect, detail: Detail) -> Painted:
    """`rect` drawn as the page draws it. Refuses `too_large`, naming the largest viewport that fits, when the
    PNG has more than 700 KiB or the image more pixels than are drawn at all."""
    painted = _painted(scene, rect, detail) if _pixels(rect, detail) <= MAX_PIXELS else None
    if painted is not None and len(painted.png) <= MAX_BYTES:
        return painted
    actual = f"{len(painted.png)} bytes" if painted else f"{_pixels(rect, detail)} pixels"
    limit = f"{MAX_BYTES} bytes" if painted else f"{MAX_PIXELS} pixels"
    fits = _largest(scene, rect, detail, painted)
    raise Refused(
        "too_large",
        f"the image has {actual}, the limit is {limit}; viewport {[*fits]} fits, or take text",
        field="viewport",
        details={"limit": MAX_BYTES, "largest": list(fits)},
    )


def _pixels(rect: Rect, detail: Detail) -> int:
    width, height = CELLS[detail]
    return rect.width * width * rect.height * height


def _largest(scene: Scene, rect: Rect, detail: Detail, painted: Painted | None) -> Rect:
    """A viewport from the same corner, of the same form where possible, that was drawn and found to fit."""
    width, height = CELLS[detail]
    tried = rect
    if painted is None:
        tried = _scaled(rect, MAX_PIXELS / (width * height))
        painted = _painted(scene, tried, detail)
    while len(painted.png) > MAX_BYTES:
        tried = _scaled(tried, tried.area * MAX_BYTES / len(painted.png) * _SHRINK)
        painted = _painted(scene, tried, detail)
    return tried


def _scaled(rect: Rect, cells: float) -> Rect:
    """`rect` shrunk to at most so many cells."""
    rows = max(1, min(rect.height, math.isqrt(int(cells * rect.height / rect.width))))
    return Rect(rect.x, rect.y, max(1, min(rect.width, int(cells / rows))), rows)


@cache
def _typeface(detail: Detail) -> Typeface:
    return Typeface(*CELLS[detail])


def _painted(scene: Scene, rect: Rect, detail: Detail) -> Painted:
    face = _typeface(detail)
    image = Image.new("RGB", (rect.width * face.width, rect.height * face.height), PAPER)
    rows = [whole_strip(scene, y, rect) for y in range(rect.y, rect.bottom)]
    for number, strip in enumerate(rows):
        _backs(image, face, number, strip)
    missing: Counter[str] = Counter()
    for number, strip in enumerate(rows):
        _glyphs(image, face, number, strip, missing)
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=6)
    return Painted(out.getvalue(), image.size, missing)


def _backs(image: Image.Image, face: Typeface, number: int, strip: Strip) -> None:
    top, column = number * face.height, 0
    draw = ImageDraw.Draw(image)
    for style, group in groupby(strip.styles):
        columns = sum(1 for _ in group)
        back = ink(style).back
        if back is not None:
            left, right = column * face.width, (column + columns) * face.width
            draw.rectangle((left, top, right - 1, top + face.height - 1), fill=back)
        column += columns


def _glyphs(image: Image.Image, face: Typeface, number: int, strip: Strip, missing: Counter[str]) -> None:
    """Hot: once per row. Glyphs may reach a little over the row, so every background comes first."""
    chars, styles = strip
    top = number * face.height
    for column, (char, style) in enumerate(zip(chars, styles, strict=True)):
        if not char:
            continue
        columns = 2 if column + 1 < len(chars) and chars[column + 1] == "" else 1
        inks = ink(style)
        if not char.isspace():
            glyph = face.glyph(char, columns, style.attrs)
            place = (column * face.width + glyph.left, top + glyph.top)
            image.paste(glyph.image if glyph.is_colored else inks.text, place, glyph.image)
            if glyph.is_missing:
                missing[char] += 1
        _lines(image, face, (column * face.width, top), columns, style, inks)


def _lines(
    image: Image.Image, face: Typeface, corner: tuple[int, int], columns: int, style: Style, inks: Ink
) -> None:
    """Underline, strike and the line under a link, where the page has them."""
    (left, top), pen = corner, max(1, rounded(face.height / 18))
    starts = []
    if style.attrs & UNDERLINE or style.href:
        starts.append(min(face.baseline + 2 * pen, face.height - pen))
    if style.attrs & STRIKE:
        starts.append(face.baseline - rounded(face.height * 0.24))
    for start in starts:
        image.paste(inks.text, (left, top + start, left + columns * face.width, top + start + pen))
