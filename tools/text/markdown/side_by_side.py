"""Columns in Markdown: `|||` alone on a line starts the next column, `---` alone then starts the next row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

from chardesk.tools.model.cell import PLAIN
from chardesk.tools.text.picture import Findings, Glyph, Line, columns

_NEXT_COLUMN, _NEXT_ROW = "|||", "---"
_GAP = 4
_MAX_AREA = 1_000_000
"""Columns times rows of one row of pieces. Beyond it the pieces stand below each other: blanks cost too."""

_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines of the source, the first of which is line `start` (from 0) of the whole."""

    start: int
    lines: list[str] = field(default_factory=list)


def pieces(source_lines: Sequence[str]) -> list[list[Piece]]:
    """The source as rows of columns; one row with one piece if no line is an unescaped `|||`.

    Marks inside fences are code, not marks.
    """
    marks = dict(_marks(source_lines))
    grid = [[Piece(0)]]
    splits = _NEXT_COLUMN in marks.values()
    for number, line in enumerate(source_lines):
        mark = marks.get(number) if splits else None
        if mark is None:
            grid[-1][-1].lines.append(line)
        elif mark == _NEXT_COLUMN:
            grid[-1].append(Piece(number + 1))
        else:
            grid.append([Piece(number + 1)])
    return grid


def _marks(source_lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(source_lines):
        word = line.strip()
        if fence:
            fence = "" if word.startswith(fence) and not word.strip(fence[0]) else fence
        elif word.startswith(_FENCES):
            fence = word[: len(word) - len(word.lstrip(word[0]))]
        elif word in (_NEXT_COLUMN, _NEXT_ROW):
            yield number, word


def share(width: int, count: int) -> int:
    """The wrap column of each of `count` pieces that stand side by side."""
    return max(1, (width - _GAP * (count - 1)) // count)


def joined(rows: Sequence[Sequence[list[Line]]], findings: Findings) -> list[Line]:
    """The pieces in one picture: 4 columns between neighbours, a blank row between rows."""
    found: list[Line] = []
    for number, row in enumerate(rows):
        if number:
            found.append([])
        found += _beside(row, findings)
    return found


def _beside(row: Sequence[list[Line]], findings: Findings) -> list[Line]:
    if len(row) == 1:
        return row[0]
    widths = [max(map(columns, lines), default=0) for lines in row]
    if sum(widths) * max(map(len, row)) > _MAX_AREA:
        findings.note("markdown-columns-too-large", "columns stand below each other, they are too large")
        return [line for lines in row for line in lines]
    return [_row(parts, widths) for parts in zip_longest(*row, fillvalue=[])]


def _row(parts: Sequence[Line], widths: Sequence[int]) -> Line:
    line: Line = []
    left = 0
    reached = 0
    for part, width in zip(parts, widths, strict=True):
        if part:
            line += [Glyph(" ", 1, PLAIN)] * (left - reached)
            line += part
            reached = left + columns(part)
        left += width + _GAP
    return line
