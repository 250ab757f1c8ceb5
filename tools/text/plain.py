"""Text that means itself: every character is a cell, no markup is read."""

from __future__ import annotations

import re
import unicodedata

from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.model.change import Strip
from chardesk.tools.model.width import graphemes
from chardesk.tools.text.clusters import MAX_CODE_POINTS, Drops, stored
from chardesk.tools.text.picture import Findings, Glyph, Line, Picture, columns, glyphs, strip

TAB_STOP = 4
"""Columns from one tab stop to the next, counted from the text's own origin."""

_NOT_LITERAL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROL_NAMES = {"\t": "tab", "\x1b": "escape", "\x7f": "delete", "\x08": "backspace", "\x00": "null"}


def lines_of(text: str) -> list[str]:
    """The rows of a text. CRLF and CR count as LF; no text, no rows; after a last LF stands an empty row."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n") if text else []


def literal(text: str, style: Style = PLAIN) -> Picture:
    """A literal stroke, row by row, in one style.

    Clusters that cannot be seen are left out and reported. Raises Refused `invalid_input`, naming character
    and place, for tabs, controls, lone surrogates and clusters of more than 32 code points.
    """
    lines = lines_of(text)
    for number, line in enumerate(lines, 1):
        _refuse_controls(line, number)
        _refuse_long_clusters(line, number)
    drops = Drops()
    return Picture(tuple(_row(line, style, drops) for line in lines), drops.report())


def expanded(text: str, style: Style = PLAIN) -> Picture:
    """Pasted, imported or rendered text, row by row, in one style. Never raises.

    Tabs become spaces up to the next stop of 4; other controls and the invisible are left out and reported.
    """
    findings = Findings()
    return findings.picture(untabbed(line, style, findings.drops) for line in lines_of(text))


def untabbed(line: str, style: Style, drops: Drops, column: int = 0) -> Line:
    """Text of one row with its tabs as spaces. `column` is where it begins, counted from the row's origin."""
    found: Line = []
    for number, part in enumerate(line.split("\t")):
        if number:
            gap = TAB_STOP - column % TAB_STOP
            found += [Glyph(" ", 1, style)] * gap
            column += gap
        piece = glyphs(part, style, drops)
        found += piece
        column += columns(piece)
    return found


def _row(line: str, style: Style, drops: Drops) -> Strip:
    if line.isascii():
        return Strip(tuple(line), (style,) * len(line))
    return strip([Glyph(char, width, style) for char, width in stored(line, drops)])


def _refuse_controls(line: str, number: int) -> None:
    found = _NOT_LITERAL.search(line)
    if found is None:
        return
    char = found[0]
    kind = "surrogate" if unicodedata.category(char) == "Cs" else "control"
    name = _CONTROL_NAMES.get(char, f"{kind} character")
    raise Refused(
        "invalid_input",
        f"content holds U+{ord(char):04X} ({name}) at line {number}, character {found.start() + 1}; "
        "literal text takes no tabs or controls, canvas_render expands tabs",
        field="content",
    )


def _refuse_long_clusters(line: str, number: int) -> None:
    if line.isascii():
        return
    place = 1
    for cluster in graphemes(line):
        if len(cluster) > MAX_CODE_POINTS:
            raise Refused(
                "invalid_input",
                f"content has a cluster of {len(cluster)} code points at line {number}, character {place}; "
                f"one character may have {MAX_CODE_POINTS}",
                field="content",
            )
        place += len(cluster)
