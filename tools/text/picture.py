"""What every reader of material makes: rows of cells, and what it could not show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from chardesk.tools.model.cell import Style
from chardesk.tools.model.change import Strip
from chardesk.tools.text.clusters import Dropped, Drops, stored
from chardesk.tools.text.undrawn import NotDrawn


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something the material asked for and the picture does not show. `code` is stable, the message is not.

    `line` counts from 1 in the source; None if it has no single place.
    """

    code: str
    message: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """Row i stands at y + i. Rows may differ in length; none has an empty column (a blank is a space)."""

    rows: tuple[Strip, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def width(self) -> int:
        return max((len(row.chars) for row in self.rows), default=0)

    @property
    def height(self) -> int:
        return len(self.rows)


_MAX_DIAGNOSTICS = 50
"""A reply names this many; then one line says how many more there are."""


MOST_DRAWN = 50_000
"""Characters of diagrams, charts, formulas and shapes in one document: 4 s where all are dense graphs, on the
machine this was written on; a call has 10."""


CELLS_A_CHARACTER = 10
"""Cells of a picture that cost as much time as a character of a diagram's source."""


@dataclass(slots=True)
class Findings:
    """Filled while material is read. `room_to_draw`: characters of source that may yet become diagrams;
    `room_to_refit`: those that may be drawn once more because the first drawing was too wide."""

    drops: Drops = field(default_factory=Drops)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    room_to_draw: int = MOST_DRAWN
    room_to_refit: int = MOST_DRAWN

    def note(self, code: str, message: str, line: int | None = None) -> None:
        self.diagnostics.append(Diagnostic(code, message, line))

    def take(self, other: Findings) -> None:
        """What the other found was found here too."""
        self.diagnostics += other.diagnostics
        self.drops.take(other.drops)

    def spend(self, characters: int) -> None:
        """Take them from what may yet be drawn. Raises NotDrawn if they are more; fewer may still follow."""
        if characters > self.room_to_draw:
            limit = f"{MOST_DRAWN} characters together, and a large picture counts for more"
            raise NotDrawn(f"the diagrams of one document may have {limit}")
        self.room_to_draw -= characters

    def spend_area(self, area: int) -> None:
        """Take what a picture of so many cells cost."""
        self.room_to_draw = max(0, self.room_to_draw - area // CELLS_A_CHARACTER)

    def picture(self, lines: Iterable[Line]) -> Picture:
        """The lines as a picture, with everything found on the way."""
        named = self.diagnostics[:_MAX_DIAGNOSTICS]
        rest = len(self.diagnostics) - len(named)
        if rest:
            named.append(Diagnostic("more-diagnostics", f"{rest} more are not listed"))
        return Picture(tuple(strip(line) for line in lines), self.drops.report(), tuple(named))


class Glyph(NamedTuple):
    """A cluster on its way into cells: its columns (1 or 2) and its style."""

    char: str
    width: int
    style: Style


Line = list[Glyph]


def glyphs(text: str, style: Style, drops: Drops) -> Line:
    """The text in one style. Controls and what cannot be seen are left out and noted in `drops`."""
    return [Glyph(char, width, style) for char, width in stored(text, drops)]


def columns(line: Iterable[Glyph]) -> int:
    return sum(glyph.width for glyph in line)


def strip(line: Line) -> Strip:
    """A line as the columns that are stored: the right half of a wide glyph is `''` in the same style."""
    chars: list[str | None] = []
    styles: list[Style] = []
    for char, width, style in line:
        chars += (char,) if width == 1 else (char, "")
        styles += (style,) * width
    return Strip(tuple(chars), tuple(styles))
