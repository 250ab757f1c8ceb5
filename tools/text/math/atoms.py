"""What a formula is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Word:
    """Characters in one row. `is_operator`: takes its limits above and below."""

    text: str
    is_operator: bool = False


@dataclass(frozen=True, slots=True)
class Space:
    columns: int


@dataclass(frozen=True, slots=True)
class Row:
    parts: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class Fraction:
    """Without a line it is a binomial's inside."""

    above: Atom
    below: Atom
    has_line: bool = True


@dataclass(frozen=True, slots=True)
class Root:
    inside: Atom
    degree: Atom | None = None


@dataclass(frozen=True, slots=True)
class Scripts:
    base: Atom
    above: Atom | None
    below: Atom | None


@dataclass(frozen=True, slots=True)
class Fenced:
    """Brackets as tall as what they hold; empty for none."""

    left: str
    inside: Atom
    right: str


@dataclass(frozen=True, slots=True)
class Grid:
    """Rows of cells; `alignment` is a letter for each column, the last one for the rest."""

    rows: tuple[tuple[Atom, ...], ...]
    alignment: str = "c"


@dataclass(frozen=True, slots=True)
class Accent:
    mark: str
    inside: Atom


Atom = Word | Space | Row | Fraction | Root | Scripts | Fenced | Grid | Accent
