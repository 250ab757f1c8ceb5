"""A rectangle of a scene as its parts: line pieces with their arms, arrow heads, and stretches of text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from chardesk.tools.errors import Refused
from chardesk.tools.look.lines import rows as stored_rows
from chardesk.tools.model.cell import At, joined
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.text.shapes.pieces import ARMS, STEPS, Arms

MAX_CELLS = 200_000
"""Columns that one look takes apart; half a second's work."""

HEADS: Mapping[str, int] = {
    char: direction for direction, chars in enumerate(("▲↑△⇑", "▶►→▷⇒", "▼↓▽⇓", "◀◄←◁⇐")) for char in chars
}
"""Arrow heads, and where they point: up, right, down, left as in `Arms`."""

_APART_COLUMNS = 2
_APART = re.compile("x+(?: x+)*")
"""A stretch of text: words with single spaces between; two spaces or a line piece part it."""


_LEVEL = Arms(right=1, left=1)


class Words(NamedTuple):
    """Text of one row; `x` and `end` are columns."""

    y: int
    x: int
    end: int
    content: str


@dataclass(frozen=True, slots=True)
class Sketch:
    """`seen` has every visible column: its cluster, a follower that of its left half. A text that a level
    line leads into from both sides has `arms` like the line."""

    seen: Mapping[At, str]
    arms: Mapping[At, Arms]
    heads: Mapping[At, int]
    words: tuple[Words, ...]

    def meets(self, at: At, direction: int) -> bool:
        """Does the arm of the piece at `at` in this direction meet the arm of another piece?"""
        other = self.arms.get(step(at, direction))
        return bool(self.arms[at][direction] and other and other[opposite(direction)])


def step(at: At, direction: int, cells: int = 1) -> At:
    dx, dy = STEPS[direction]
    return At(at.x + cells * dx, at.y + cells * dy)


def ways(arms: Arms) -> int:
    """In how many directions a piece has an arm."""
    return sum(map(bool, arms))


def opposite(direction: int) -> int:
    return (direction + 2) % 4


def sketched(scene: Scene, view: Rect | None) -> Sketch:
    """What is stored in `view` (everywhere without one). Refuses `too_large` over 200,000 stored columns."""
    seen: dict[At, str] = {}
    rows: list[tuple[int, int, list[str | None]]] = []
    left = MAX_CELLS
    for y, x, end in (span for row in stored_rows(scene, view, _APART_COLUMNS) for span in row.spans):
        left -= end - x
        if left < 0:
            raise _too_large()
        rows.append((y, x, scene.chars(y, x, end)))
        seen |= _visible(*rows[-1])
    arms = {at: ARMS[char] for at, char in seen.items() if char in ARMS}
    heads = {at: HEADS[char] for at, char in seen.items() if _is_head(seen, at, char)}
    drawn = arms.keys() | heads.keys()
    words = tuple(word for row in rows for word in _words(*row, seen, drawn))
    return Sketch(seen, arms | _bridges(arms, words), heads, words)


def _bridges(arms: Mapping[At, Arms], words: Sequence[Words]) -> dict[At, Arms]:
    """A title in a border, or a label on a level line, as the piece of line that it stands on."""
    found: dict[At, Arms] = {}
    for y, x, end, _ in words:
        left = next((at for at in (At(x - 1, y), At(x - 2, y)) if at in arms), None)
        right = next((at for at in (At(end, y), At(end + 1, y)) if at in arms), None)
        if left and right and arms[left].right and arms[right].left:
            found |= {At(column, y): _LEVEL for column in range(left.x + 1, right.x)}
    return found


def _visible(y: int, x: int, chars: list[str | None]) -> Iterator[tuple[At, str]]:
    owner = ""
    for column, char in enumerate(chars, x):
        owner = owner if char == "" else char or ""
        if owner and not owner.isspace():
            yield At(column, y), owner


def _words(
    y: int, x: int, chars: list[str | None], seen: Mapping[At, str], drawn: Collection[At]
) -> Iterator[Words]:
    """Stretches of text, found on one code point per column so that positions are columns."""
    places = [At(column, y) for column in range(x, x + len(chars))]
    plain = "".join("\x00" if at in drawn else "x" if at in seen else " " for at in places)
    for match in _APART.finditer(plain):
        begin, end = match.span()
        yield Words(y, x + begin, x + end, joined(chars[begin:end]))


def _is_head(seen: Mapping[At, str], at: At, char: str) -> bool:
    """An arrow head counts as one only at the end of a line; in a sentence it is text."""
    direction = HEADS.get(char)
    if direction is None:
        return False
    behind = ARMS.get(seen.get(step(at, opposite(direction)), ""))
    return behind is not None and bool(behind[direction])


def _too_large() -> Refused:
    return Refused(
        "too_large",
        f"more than {MAX_CELLS} cells are stored there; narrow the viewport",
        field="viewport",
        details={"limit": MAX_CELLS},
    )
