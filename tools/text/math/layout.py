"""Atoms to boxes of rows, with a base line on which neighbours stand; and to one row of Unicode."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from chardesk.tools.model.width import cluster_width, graphemes
from chardesk.tools.text.math import symbols
from chardesk.tools.text.math.atoms import (
    Accent,
    Atom,
    Fenced,
    Fraction,
    Grid,
    Root,
    Row,
    Scripts,
    Space,
    Word,
)
from chardesk.tools.text.undrawn import NotDrawn

_MAX_AREA = 100_000
_TALL_BRACKETS = {
    "(": "⎛⎜⎝",
    ")": "⎞⎟⎠",
    "[": "⎡⎢⎣",
    "]": "⎤⎥⎦",
    "{": "⎧⎪⎩",
    "}": "⎫⎪⎭",
    "|": "│││",
    "‖": "║║║",
    "⌊": "⎢⎢⎣",
    "⌋": "⎥⎥⎦",
    "⌈": "⎡⎢⎢",
    "⌉": "⎤⎥⎥",
    "⟨": "╱│╲",
    "⟩": "╲│╱",
}
"""Top, middle and bottom; a brace has its point in the middle, if it has three rows or more."""
_POINTS = {"{": "⎨", "}": "⎬"}
_SHORT_BRACES = {"{": "⎰⎱", "}": "⎱⎰"}


@dataclass(frozen=True, slots=True)
class Box:
    """Rows of equal width; `base` is the row that stands on the line."""

    rows: tuple[str, ...]
    base: int = 0

    @property
    def width(self) -> int:
        return _width(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)


def box(atom: Atom) -> Box:
    """The two-dimensional layout. Raises NotDrawn if it would be larger than 100,000 cells."""
    match atom:
        case Word(text, _):
            found = Box((text,))
        case Space(columns):
            found = Box((" " * columns,))
        case Row(parts):
            found = _row(parts)
        case Fraction(above, below, has_line):
            found = _fraction(box(above), box(below), has_line)
        case Root(inside, degree):
            found = _root(box(inside), "" if degree is None else inline(degree))
        case Scripts():
            found = _scripts(atom)
        case Fenced(left, inside, right):
            held = box(inside)
            found = _beside([_bracket(left, held), held, _bracket(right, held)])
        case Grid(rows, alignment):
            found = _grid([[box(cell) for cell in row] for row in rows], alignment)
        case Accent(mark, inside):
            found = _accented(mark, box(inside))
        case _:
            assert_never(atom)
    if found.width * found.height > _MAX_AREA:
        raise NotDrawn("its picture would be too large")
    return found


def inline(atom: Atom) -> str:
    """The same in one row: fractions with a slash, scripts raised where Unicode has the characters."""
    match atom:
        case Word(text, _):
            return text
        case Space(columns):
            return " " * columns
        case Row(parts):
            return "".join(text for text in _spaced([(part, inline(part)) for part in parts]))
        case Fraction(above, below, has_line):
            return f"{_grouped(above)}{'/' if has_line else ' '}{_grouped(below)}"
        case Root(inside, degree):
            mark = {None: "√", "3": "∛", "4": "∜"}.get(inline(degree) if degree else None, "")
            return (mark or f"{inline(degree) if degree else ''}√") + _grouped(inside)
        case Scripts(base, above, below):
            return inline(base) + _script(below, "_", up=False) + _script(above, "^", up=True)
        case Fenced(left, inside, right):
            return left + inline(inside) + right
        case Grid(rows, _):
            return "; ".join(" ".join(filter(None, map(inline, row))) for row in rows)
        case Accent(mark, inside):
            return _with_mark(mark, inline(inside))
        case _:
            assert_never(atom)


def _width(text: str) -> int:
    return sum(map(cluster_width, graphemes(text)))


def _grouped(atom: Atom) -> str:
    text = inline(atom)
    return text if len(graphemes(text)) == 1 or text.isalnum() else f"({text})"


def _script(atom: Atom | None, mark: str, *, up: bool) -> str:
    if atom is None:
        return ""
    text = inline(atom)
    return symbols.shifted(text, up=up) or f"{mark}{text if len(graphemes(text)) == 1 else f'({text})'}"


def _with_mark(mark: str, text: str) -> str:
    """A mark over every character for lines, over the last one for others."""
    over_all = mark in (symbols.ACCENTS["overline"], symbols.ACCENTS["underline"])
    if over_all or len(text) < 2:
        return "".join(char + mark for char in graphemes(text) if char.strip())
    return text + mark


def _spaced(parts: Sequence[tuple[Atom, str]]) -> list[str]:
    """Relations and operations with a space on both sides; a sign before a term has none."""
    found: list[str] = []
    is_term = False
    for atom, text in parts:
        sign = text if isinstance(atom, Word) else ""
        is_spaced = sign in symbols.SPACED or (sign in symbols.BINARY and is_term)
        found.append(f" {text} " if sign and is_spaced else f"{text} " if sign == "," else text)
        is_upright = isinstance(atom, Word) and atom.text in symbols.FUNCTIONS
        if is_upright:
            found[-1] = (" " if is_term else "") + text + " "
        if text.strip():
            is_term = sign not in (*symbols.SPACED, *symbols.BINARY, "(", "[", ",") or not sign
    return found


def _row(parts: Sequence[Atom]) -> Box:
    boxes = [box(part) for part in parts]
    words = [
        (part, each.rows[0] if each.height == 1 else "\0") for part, each in zip(parts, boxes, strict=True)
    ]
    spaced = _spaced(words)
    placed = [
        each if text == word else Box(tuple(_framed(row, text, word) for row in each.rows), each.base)
        for each, text, (_, word) in zip(boxes, spaced, words, strict=True)
    ]
    return _beside(placed)


def _framed(row: str, text: str, word: str) -> str:
    before, _, after = text.partition(word)
    return before + row + after


def _beside(boxes: Sequence[Box]) -> Box:
    """Boxes on one line."""
    boxes = [each for each in boxes if each.width] or [Box(("",))]
    up = max(each.base for each in boxes)
    down = max(each.height - each.base for each in boxes)
    rows = ["".join(_at(each, y - up + each.base) for each in boxes) for y in range(up + down)]
    return Box(tuple(rows), up)


def _at(each: Box, y: int) -> str:
    return each.rows[y] if 0 <= y < each.height else " " * each.width


def _aligned(each: Box, width: int, how: str) -> tuple[str, ...]:
    free = width - each.width
    left = {"l": 0, "r": free}.get(how, free // 2)
    return tuple(" " * left + row + " " * (free - left) for row in each.rows)


def _fraction(above: Box, below: Box, has_line: bool) -> Box:
    width = max(above.width, below.width) + 2 * has_line
    line = ("─" * width,) if has_line else (" " * width,)
    return Box((*_aligned(above, width, "c"), *line, *_aligned(below, width, "c")), above.height)


def _root(inside: Box, degree: str) -> Box:
    """A line over what is inside and a mark at its foot; a degree stands over the mark."""
    indent = max(1, _width(degree))
    roof = " " * indent + "┌" + "─" * inside.width
    rows = [" " * indent + "│" + row for row in inside.rows]
    rows[-1] = " " * (indent - 1) + "√│" + inside.rows[-1]
    if degree:
        at = max(0, len(rows) - 2)
        target = roof if len(rows) == 1 else rows[at]
        named = degree + target[indent:]
        if len(rows) == 1:
            roof = named
        else:
            rows[at] = named
    return Box((roof, *rows), inside.base + 1)


def _scripts(atom: Scripts) -> Box:
    base = box(atom.base)
    if isinstance(atom.base, Word) and atom.base.is_operator:
        return _limits(base, atom)
    if base.height == 1:
        above, below = _script_text(atom.above, up=True), _script_text(atom.below, up=False)
        if above is not None and below is not None:
            return Box((base.rows[0] + below + above,), 0)
    up = None if atom.above is None else box(atom.above)
    down = None if atom.below is None else box(atom.below)
    width = max(each.width for each in (up, down) if each is not None)
    top = () if up is None else _aligned(up, width, "l")
    bottom = () if down is None else _aligned(down, width, "l")
    side = Box((*top, *[" " * width] * base.height, *bottom), len(top) + base.base)
    return _beside([base, side])


def _script_text(atom: Atom | None, *, up: bool) -> str | None:
    return "" if atom is None else symbols.shifted(inline(atom), up=up)


def _limits(base: Box, atom: Scripts) -> Box:
    """Limits over and under a large operator."""
    up = None if atom.above is None else _tight(box(atom.above))
    down = None if atom.below is None else _tight(box(atom.below))
    width = max(each.width for each in (base, up, down) if each is not None)
    top = () if up is None else _aligned(up, width, "c")
    bottom = () if down is None else _aligned(down, width, "c")
    rows = (*top, *_aligned(base, width, "c"), *bottom)
    return Box(tuple(f"{row} " for row in rows), len(top) + base.base)


def _tight(limit: Box) -> Box:
    """Small things without the spaces around their signs."""
    return Box((limit.rows[0].replace(" ", ""),)) if limit.height == 1 else limit


def _bracket(sign: str, held: Box) -> Box:
    if not sign:
        return Box(("",))
    if held.height == 1 or sign not in _TALL_BRACKETS:
        return Box((sign,))
    top, middle, bottom = tuple(_TALL_BRACKETS[sign])
    if held.height == 2 and sign in _SHORT_BRACES:
        return Box(tuple(_SHORT_BRACES[sign]), held.base)
    rows = [top, *middle * (held.height - 2), bottom]
    if sign in _POINTS:
        rows[held.height // 2] = _POINTS[sign]
    return Box(tuple(rows), held.base)


def _grid(rows: Sequence[Sequence[Box]], alignment: str) -> Box:
    count = max(map(len, rows))
    padded = [[*row, *[Box(("",))] * (count - len(row))] for row in rows]
    widths = [max(row[at].width for row in padded) for at in range(count)]
    gap = "" if alignment == "rl" else "  "
    lines: list[str] = []
    for row in padded:
        cells = [
            Box(_aligned(cell, width, _letter(alignment, at)), cell.base)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        up, down = max(cell.base for cell in cells), max(cell.height - cell.base for cell in cells)
        lines += (gap.join(_at(cell, y - up + cell.base) for cell in cells) for y in range(up + down))
    return Box(tuple(lines), len(lines) // 2)


def _letter(alignment: str, at: int) -> str:
    return alignment[at % 2] if alignment == "rl" else alignment[min(at, len(alignment) - 1)]


def _accented(mark: str, inside: Box) -> Box:
    if inside.height == 1:
        return Box((_with_mark(mark, inside.rows[0]),))
    if mark == symbols.ACCENTS["underline"]:
        return Box((*inside.rows, "─" * inside.width), inside.base)
    return Box(("─" * inside.width, *inside.rows), inside.base + 1)
