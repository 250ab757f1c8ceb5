"""Where shapes are drawn: cells over what stands on the sheet, and lines that join what they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import PLAIN, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.picture import Findings, Glyph, Line, glyphs
from chardesk.tools.text.shapes import pieces
from chardesk.tools.text.shapes.pieces import DOUBLE, HEAVY, LIGHT, NO_ARMS, STEPS, Arms

WEIGHTS: Mapping[str, int] = {
    "light": LIGHT,
    "round": LIGHT,
    "ascii": LIGHT,
    "heavy": HEAVY,
    "double": DOUBLE,
}

MAX_CELLS = 200_000
"""Cells that one drawing may set, those it sets twice counted twice."""

_BLANK = (None, " ")

Below = Callable[[At], str | None]
"""The character that stands at a place of the sheet; None where it is empty."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How lines are drawn: a border style, colours, whether they join what they meet, and are dashed. Where
    one that `yields` meets a line of the drawing, that line's colours stay."""

    border: str
    style: Style = PLAIN
    joins: bool = True
    is_dashed: bool = False
    yields: bool = False

    @property
    def weight(self) -> int:
        return WEIGHTS[self.border]


class Paper:
    """`cells` is the drawing so far: the left halves of glyphs by place. `written` are the stretches of rows
    on which words were put, in that order.

    Every method that draws raises Refused `too_large` once the drawing has taken more than 200,000 cells.
    """

    def __init__(self, below: Below, findings: Findings) -> None:
        self.cells: dict[At, Glyph] = {}
        self.written: list[Rect] = []
        self.findings = findings
        self._below = below
        self._lines: dict[At, Arms] = {}
        self._backgrounds: dict[At, str] = {}
        self._budget = MAX_CELLS

    def words(self, at: At, text: str, style: Style) -> int:
        """Text of one row; spaces in it are drawn. Returns its columns."""
        return self.line(at, glyphs(text.replace("\t", " "), style, self.findings.drops))

    def line(self, at: At, line: Line) -> int:
        """Words whose glyphs are known. Returns their columns."""
        column = 0
        for glyph in line:
            self._put(At(at.x + column, at.y), glyph)
            column += glyph.width
        if column:
            self.written.append(Rect(at.x, at.y, column, 1))
        return column

    def tint(self, rect: Rect, color: str) -> None:
        """What is drawn in `rect` from now on has this background, unless it brings its own."""
        for at in _places(rect):
            self._spend()
            self._backgrounds[at] = color

    def blank(self, rect: Rect) -> None:
        """Blanks over all of `rect`."""
        for at in _places(rect):
            self._put(at, Glyph(" ", 1, PLAIN))

    def stroke(self, points: Sequence[At], pen: Pen, *, closed: bool = False) -> None:
        """A line through points that follow each other in a row or column."""
        ends = [*points, points[0]] if closed else list(points)
        for at, directions in _traced(ends).items():
            self._join(at, Arms(*(pen.weight if way in directions else 0 for way in range(4))), pen)

    def is_free(self, at: At) -> bool:
        """Is neither the drawing nor the sheet occupied here?"""
        return self._char(at) in _BLANK and not self._is_follower(at)

    def is_straight(self, at: At) -> bool:
        """Does a single line run along the row here?"""
        up, right, down, left = self._lines.get(at, NO_ARMS)
        return bool(right and left) and not (up or down)

    def _join(self, at: At, arms: Arms, pen: Pen) -> None:
        met = self._met(at, pen) if pen.joins else NO_ARMS
        was_round = self._char(at) in pieces.ROUND
        joined = arms.over(met)
        if pen.border == "ascii":
            char = pieces.ascii_piece(joined)
        else:
            rounded = pieces.round_corner(joined) if pen.border == "round" or was_round else None
            dashed = pieces.dashed(joined) if pen.is_dashed else None
            char = rounded or dashed or pieces.piece(joined)
        style = self.cells[at].style if pen.yields and at in self._lines else pen.style
        self._put(at, Glyph(char, 1, style))
        self._lines[at] = joined

    def _met(self, at: At, pen: Pen) -> Arms:
        """The arms of what is there already; on the sheet, only those that lead to something."""
        if at in self.cells:
            return self._lines.get(at, NO_ARMS)
        arms = pieces.arms_of(self._below(at), ascii_too=pen.border == "ascii")
        if arms == NO_ARMS:
            return arms
        return Arms(*(weight if self._leads(at, way) else 0 for way, weight in enumerate(arms)))

    def _leads(self, at: At, way: int) -> bool:
        x, y = STEPS[way]
        return self._char(At(at.x + x, at.y + y)) not in _BLANK

    def _char(self, at: At) -> str | None:
        glyph = self.cells.get(at)
        return glyph.char if glyph else self._below(at)

    def _is_follower(self, at: At) -> bool:
        left = self.cells.get(At(at.x - 1, at.y))
        return left is not None and left.width == 2

    def _put(self, at: At, glyph: Glyph) -> None:
        """Whole glyphs only: a wide one that is half covered goes."""
        self._spend()
        left = At(at.x - 1, at.y)
        if self._is_follower(at):
            self.cells[left] = Glyph(" ", 1, self.cells[left].style)
        background = self._backgrounds.get(at)
        if background and glyph.style.bg_color is None:
            glyph = glyph._replace(style=replace(glyph.style, bg_color=background))
        self.cells[at] = glyph
        self._lines.pop(at, None)
        if glyph.width == 2:
            self._cover(At(at.x + 1, at.y))

    def _cover(self, right: At) -> None:
        """Nothing of its own stands under a wide glyph's right half; a wide glyph there leaves a gap."""
        hidden = self.cells.pop(right, None)
        self._lines.pop(right, None)
        if hidden is not None and hidden.width == 2:
            self.cells[At(right.x + 1, right.y)] = Glyph(" ", 1, hidden.style)

    def _spend(self) -> None:
        self._budget -= 1
        if self._budget < 0:
            details = {"limit": MAX_CELLS}
            raise Refused("too_large", f"shapes may draw {MAX_CELLS} cells", field="source", details=details)


def _places(rect: Rect) -> Iterator[At]:
    return (At(x, y) for y in range(rect.y, rect.bottom) for x in range(rect.x, rect.right))


def _traced(points: Sequence[At]) -> dict[At, set[int]]:
    """Every place of the line with the directions in which it goes on from there."""
    found: dict[At, set[int]] = {}
    for start, end in pairwise(points):
        if start == end:
            continue
        way = _way(start, end)
        x, y = STEPS[way]
        at = start
        while at != end:
            after = At(at.x + x, at.y + y)
            found.setdefault(at, set()).add(way)
            found.setdefault(after, set()).add((way + 2) % 4)
            at = after
    return found or {points[0]: {1, 3}}


def _way(start: At, end: At) -> int:
    """The direction from one place to another in the same row or column."""
    if start.x == end.x:
        return 2 if end.y > start.y else 0
    return 1 if end.x > start.x else 3
