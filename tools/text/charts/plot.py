"""The plot of a chart: a sheet of cells with blocks, points and braille."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.text.picture import Glyph, Line

UPWARDS = " ▁▂▃▄▅▆▇█"
RIGHTWARDS = " ▏▎▍▌▋▊▉█"
_BRAILLE = 0x2800
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille cell by row and column of its dots."""


class Plot:
    """Rows from top to bottom. What is drawn later lies on top; braille of one cell adds up."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._cells = [[Glyph(" ", 1, PLAIN)] * columns for _ in range(rows)]
        self._dots = [[0] * columns for _ in range(rows)]

    def lines(self) -> list[Line]:
        return [list(row) for row in self._cells]

    def point(self, x: int, y: int, char: str, style: Style) -> None:
        self._cells[y][x] = Glyph(char, 1, style)

    def dot(self, x: int, y: int, style: Style) -> None:
        """A dot of braille: two to a column, four to a row."""
        if not (0 <= x < 2 * self.columns and 0 <= y < 4 * self.rows):
            return
        row, column = y // 4, x // 2
        self._dots[row][column] |= _DOTS[y % 4][x % 2]
        self._cells[row][column] = Glyph(chr(_BRAILLE + self._dots[row][column]), 1, style)

    def segment(self, start: tuple[int, int], end: tuple[int, int], style: Style) -> None:
        """Dots from one to another, without gaps."""
        (x1, y1), (x2, y2) = start, end
        steps = max(abs(x2 - x1), abs(y2 - y1), 1)
        for step in range(steps + 1):
            self.dot(round(x1 + (x2 - x1) * step / steps), round(y1 + (y2 - y1) * step / steps), style)

    def column(self, x: int, ends: Sequence[tuple[float, float, Style]]) -> None:
        """A column of stacked blocks; each from a height to a height above the bottom, in rows."""
        for low, high, style in ends:
            for row in range(max(0, int(low)), self.rows):
                if row >= high:
                    break
                self._block(x, self.rows - 1 - row, low - row, high - row, style, UPWARDS)

    def bar(self, y: int, ends: Sequence[tuple[float, float, Style]]) -> None:
        """A row of blocks one behind the other; each from a column to a column."""
        for low, high, style in ends:
            for column in range(max(0, int(low)), self.columns):
                if column >= high:
                    break
                self._block(column, y, low - column, high - column, style, RIGHTWARDS)

    def _block(self, x: int, y: int, low: float, high: float, style: Style, eighths: str) -> None:
        """Part of a cell. A block that begins within the cell becomes the paper behind the one before it."""
        first, last = round(max(0.0, low) * 8), round(min(1.0, high) * 8)
        if last <= first:
            return
        below = self._cells[y][x]
        if first and below.char in eighths[1:]:
            self._cells[y][x] = below._replace(style=replace(below.style, bg_color=style.color))
        elif first < 4 or last == 8:
            self._cells[y][x] = Glyph(eighths[8 if first else last], 1, style)
