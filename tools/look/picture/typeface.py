"""Glyphs at one cell size: rasterised once, then pasted wherever they occur."""

from __future__ import annotations

import math
from threading import Lock
from typing import NamedTuple

from PIL import Image, ImageDraw

from chardesk.tools.look.picture import fonts
from chardesk.tools.look.picture.boxes import shape_of
from chardesk.tools.look.picture.shape import Point, Shape, Stroke, rounded
from chardesk.tools.model.cell import BOLD, ITALIC

_FINE = 4
"""Curves and dots are drawn this many times larger and scaled down, which smooths their edges."""

_MAX_GLYPHS = 8192
"""Forgotten all at once beyond this; a sheet holds far fewer kinds of cluster."""

_PAD = 12
"""Pixels around a cell that a glyph may reach into: tails, accents, slanted letters."""


class Glyph(NamedTuple):
    """`image` is a mask to fill with the text colour, or has its own colours. It stands at `left`, `top` from
    the cell's corner. `is_missing` if no font has the cluster and a placeholder stands for it."""

    image: Image.Image
    left: int
    top: int
    is_missing: bool = False

    @property
    def is_colored(self) -> bool:
        return self.image.mode == "RGBA"


class Typeface:
    """Safe to use from several threads."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._lock = Lock()
        self._glyphs: dict[tuple[str, int, int], Glyph] = {}
        self._size, self.baseline = _measured(width, height)

    def glyph(self, cluster: str, columns: int, attrs: int) -> Glyph:
        """How a cluster looks in so many cells: centred, and smaller if it is too wide."""
        key = (cluster, columns, attrs & (BOLD | ITALIC))
        with self._lock:
            if (known := self._glyphs.get(key)) is None:
                if len(self._glyphs) >= _MAX_GLYPHS:
                    self._glyphs.clear()
                known = self._glyphs[key] = self._made(*key)
            return known

    def _made(self, cluster: str, columns: int, attrs: int) -> Glyph:
        width = columns * self.width
        shape = shape_of(cluster, width, self.height)
        if shape is not None:
            return Glyph(painted(shape, width, self.height), 0, 0)
        face = fonts.BOLD_FACE * bool(attrs & BOLD) + fonts.ITALIC_FACE * bool(attrs & ITALIC)
        family = fonts.family_for(cluster, face)
        if family is None:
            return Glyph(_placeholder(width, self.height), 0, 0, is_missing=True)
        if family.strike is not None:
            return self._bitmap(cluster, width, family)
        return self._outline(cluster, width, family, face)

    def _outline(self, cluster: str, width: int, family: fonts.Family, face: int) -> Glyph:
        font = fonts.font(family, face, self._size)
        advance = font.getlength(cluster)
        across = min(1.0, width / advance) if advance else 1.0
        image = Image.new("L", (math.ceil(advance) + 2 * _PAD, self.height + 2 * _PAD))
        baseline = _PAD + self.baseline
        ImageDraw.Draw(image).text((_PAD, baseline), cluster, fill=255, font=font, anchor="ls")
        if across == 1.0:
            return Glyph(image, rounded((width - advance) / 2) - _PAD, -_PAD)
        # Half as shrunk in height: what is made for two cells is easier to read condensed than tiny.
        size = (rounded(image.width * across), rounded(image.height * math.sqrt(across)))
        top = self.baseline - rounded(baseline * math.sqrt(across))
        return Glyph(image.resize(size, Image.Resampling.LANCZOS), -rounded(_PAD * across), top)

    def _bitmap(self, cluster: str, width: int, family: fonts.Family) -> Glyph:
        """A glyph of ready pixels, in its own colours, scaled to fit the cells."""
        font = fonts.font(family, 0, self._size)
        left, top, right, bottom = map(int, font.getbbox(cluster))
        image = Image.new("RGBA", (max(1, right - left), max(1, bottom - top)))
        ImageDraw.Draw(image).text((-left, -top), cluster, font=font, embedded_color=True)
        scale = min(width / image.width, self.height / image.height)
        size = (max(1, rounded(image.width * scale)), max(1, rounded(image.height * scale)))
        image = image.resize(size, Image.Resampling.LANCZOS)
        return Glyph(image, (width - image.width) // 2, (self.height - image.height) // 2)


def _measured(width: int, height: int) -> tuple[float, int]:
    """The size at which an M is one cell wide, and the baseline that centres tall letters."""
    family = fonts.primary()
    if family is None:
        return float(height * 3 // 4), height * 3 // 4
    probe = 200.0
    font = fonts.font(family, 0, probe)
    scale = width / font.getlength("M")
    _, top, _, bottom = font.getbbox("dj", anchor="ls")
    return probe * scale, rounded((height + (-top - bottom) * scale) / 2)


def painted(shape: Shape, width: int, height: int) -> Image.Image:
    """A shape as a mask."""
    fine = _FINE if shape.dots or shape.strokes else 1
    image = Image.new("L", (width * fine, height * fine))
    draw = ImageDraw.Draw(image)
    for left, top, columns, rows in shape.fills:
        draw.rectangle((left, top, left + columns - 1, top + rows - 1), fill=rounded(255 * shape.alpha))
    for x, y, radius in shape.dots:
        draw.circle((x * fine, y * fine), radius * fine, fill=255)
    for stroke in shape.strokes:
        points = [(x * fine, y * fine) for x, y in _path(stroke)]
        draw.line(points, fill=255, width=shape.pen * fine, joint="curve")
    return image if fine == 1 else image.resize((width, height), Image.Resampling.BOX)


def _path(stroke: Stroke) -> list[Point]:
    """The points of a stroke: straight, or a quarter turn of the largest radius that fits."""
    start, end, corner = stroke
    if corner is None:
        return [start, end]
    (cx, cy), across, along = corner, end[0] - corner[0], start[1] - corner[1]
    radius = min(abs(across), abs(along))
    mx, my = cx + math.copysign(radius, across), cy + math.copysign(radius, along)
    turn = [
        (mx - math.copysign(radius * math.cos(t), across), my - math.copysign(radius * math.sin(t), along))
        for t in (math.pi / 2 * step / 16 for step in range(17))
    ]
    return [start, *turn, end]


def _placeholder(width: int, height: int) -> Image.Image:
    """A crossed box as wide as the cells: something is here that could not be drawn."""
    image = Image.new("L", (width, height))
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = 1, height // 6, width - 2, height - height // 6 - 1
    draw.rectangle((left, top, right, bottom), outline=255)
    draw.line((left, top, right, bottom), fill=160)
    draw.line((left, bottom, right, top), fill=160)
    return image
