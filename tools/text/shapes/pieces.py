"""Line pieces and their arms: what `┼` joins, and which character joins what.

A piece is known by four weights, one per direction. The table is read from the names Unicode gives to the box
drawing block, so no piece can be forgotten and none mistyped.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import NamedTuple

LIGHT, HEAVY, DOUBLE = 1, 2, 3


class Arms(NamedTuple):
    """The weight of a piece in each direction; 0 where it has no arm."""

    up: int = 0
    right: int = 0
    down: int = 0
    left: int = 0

    def over(self, below: Arms) -> Arms:
        """Both pieces as one; where both have an arm, this one's weight counts."""
        return Arms(*(mine or theirs for mine, theirs in zip(self, below, strict=True)))

    @property
    def straightened(self) -> Arms:
        """A loose end as the whole line it is the end of: `╶` is drawn `─`."""
        if sum(map(bool, self)) != 1:
            return self
        return Arms(*(mine or opposite for mine, opposite in zip(self, self[2:] + self[:2], strict=True)))


NO_ARMS = Arms()
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Columns and rows to the neighbour in each direction of `Arms`."""

_WEIGHTS = {"LIGHT": LIGHT, "SINGLE": LIGHT, "HEAVY": HEAVY, "DOUBLE": DOUBLE}
_DIRECTIONS = {
    "UP": (0,),
    "RIGHT": (1,),
    "DOWN": (2,),
    "LEFT": (3,),
    "VERTICAL": (0, 2),
    "HORIZONTAL": (1, 3),
}
_BOX_DRAWING = map(chr, range(0x2500, 0x2580))
_ASCII = {"-": Arms(0, 1, 0, 1), "|": Arms(1, 0, 1, 0), "+": Arms(1, 1, 1, 1)}
ROUND = {"╭": Arms(0, 1, 1, 0), "╮": Arms(0, 0, 1, 1), "╯": Arms(1, 0, 0, 1), "╰": Arms(1, 1, 0, 0)}
_DASHED = {Arms(0, 1, 0, 1): "┄", Arms(1, 0, 1, 0): "┆"}
_CORNERS = {arms: char for char, arms in ROUND.items()}


def _named(char: str) -> Arms | None:
    """The arms in a character's name; None for diagonals, which join nothing."""
    name = unicodedata.name(char).removeprefix("BOX DRAWINGS ")
    parts = [] if "DIAGONAL" in name else name.split(" AND ")
    found = dict(_arms_in(parts))
    return Arms(*(found.get(direction, 0) for direction in range(4))) if found else None


def _arms_in(parts: list[str]) -> Iterator[tuple[int, int]]:
    weight = 0
    for part in parts:
        words = re.findall("[A-Z]+", part)
        weight = next((_WEIGHTS[word] for word in words if word in _WEIGHTS), weight)
        for word in words:
            yield from ((direction, weight) for direction in _DIRECTIONS.get(word, ()))


ARMS: Mapping[str, Arms] = {char: arms for char in _BOX_DRAWING if (arms := _named(char)) is not None}
"""Every piece that can be joined."""

_EXACT = {
    arms: char
    for char, arms in sorted(ARMS.items(), reverse=True)
    if "DASH" not in unicodedata.name(char) and char not in ROUND
}


def arms_of(char: str | None, *, ascii_too: bool = False) -> Arms:
    """The arms of what stands in a cell. `-`, `|` and `+` are pieces only among lines of ASCII."""
    found = ARMS.get(char or "")
    return found or (_ASCII.get(char or "", NO_ARMS) if ascii_too else NO_ARMS)


@cache
def piece(arms: Arms) -> str:
    """The character with these arms, or the nearest that has arms in the same directions: Unicode has no
    piece for a heavy line that meets a double one."""
    arms = arms.straightened
    if arms in _EXACT:
        return _EXACT[arms]
    alike = [known for known in _EXACT if [*map(bool, known)] == [*map(bool, arms)]]
    return _EXACT[min(alike, key=lambda known: (_distance(known, arms), _EXACT[known]))]


def round_corner(arms: Arms) -> str | None:
    """The rounded form of a light corner; None if these arms are not one."""
    return _CORNERS.get(arms)


def dashed(arms: Arms) -> str | None:
    """The dashed form of a straight light line; None for any other piece."""
    return _DASHED.get(arms.straightened)


def ascii_piece(arms: Arms) -> str:
    """`-`, `|`, or `+` for whatever turns or joins."""
    sides = arms.straightened
    if not (sides.up or sides.down):
        return "-"
    return "+" if sides.right or sides.left else "|"


def _distance(one: Arms, other: Arms) -> int:
    """How unlike two pieces are; an arm of the wrong weight is worse the heavier it should be."""
    return sum(wanted * (mine != wanted) for mine, wanted in zip(one, other, strict=True))


def all_arms() -> Iterator[Arms]:
    """Every combination that has an arm at all."""
    return (arms for arms in map(Arms._make, product(range(4), repeat=4)) if arms != NO_ARMS)
