"""Terminal output to cells, in two ways: a log, whose rows are as long as they are, and art of 80 columns.

LF (and CRLF) begins the next row at its first column, CR goes back to the first column, backspace one column
to the left, tab to the next stop of 4; the cursor can be sent about, and what is printed replaces what stood
there. Every other sequence is removed whole and counted.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import assert_never

from chardesk.tools.text import escapes, sauce, sgr
from chardesk.tools.text.ink import Ink
from chardesk.tools.text.links import target
from chardesk.tools.text.picture import Findings, Picture
from chardesk.tools.text.terminal import Screen

_SGR = re.compile(r"(?:\x1b\[|\x9b)([0-9;:]*)m")


def read(source: str, width: int) -> Picture:
    """The picture of a terminal log, or of art if a SAUCE record says that it is some. Never raises.

    A log is not wrapped; `width` is how far to the right the cursor can be sent.
    """
    body, record = sauce.split(source)
    return _read(source, width, wraps=False) if record is None else _art(body, record, width)


def read_art(source: str, width: int) -> Picture:
    """The picture of ANSI art: text wraps at the width in its SAUCE record, or at `width`. Never raises."""
    return _art(*sauce.split(source), width)


def read_bytes(data: bytes, width: int) -> Picture:
    """`read` for a file: UTF-8, or else code page 437."""
    return read(sauce.decoded(data), width)


def _art(body: str, record: sauce.Sauce | None, width: int) -> Picture:
    picture = _read(body, (record and record.width) or width, wraps=True)
    if record is None:
        return picture
    findings = Findings()
    by = " / ".join(word for word in (record.author, record.group) if word)
    findings.note(
        "ansi-sauce", f"the file's record is not drawn: {record.title or 'untitled'}, by {by or '?'}"
    )
    return replace(picture, diagnostics=(*findings.diagnostics, *picture.diagnostics))


def _read(source: str, width: int, *, wraps: bool) -> Picture:
    findings = Findings()
    reading = _Reading(Screen(width, findings.drops, wraps=wraps))
    *lines, last = source.split("\n")
    for line in lines:
        reading.line(line.removesuffix("\r"))
        reading.screen.move("\n")
    reading.line(last)
    _report(findings, reading)
    return replace(findings.picture(()), rows=reading.screen.rows())


@dataclass(slots=True)
class _Reading:
    """What is known while terminal output is read. No sequence reaches over the end of a line."""

    screen: Screen
    ink: Ink = field(default_factory=lambda: Ink(sgr.Pen()))
    removed: int = 0
    unshown: Counter[str] = field(default_factory=Counter)

    def line(self, line: str) -> None:
        """A line without its LF. Most of a log is text and SGR on a fresh row, which has a shorter way."""
        if not (self.screen.is_at_fresh_row and self._simple(line)):
            for token in escapes.tokens(line):
                self._token(token)

    def _simple(self, line: str) -> bool:
        """Hot: run tests/bench/render.py before and after. False if the line is not ASCII text and SGR."""
        parts = _SGR.split(line)
        text = "".join(parts[::2])
        if not (text.isascii() and text.isprintable()):
            return False
        ink = self.ink
        styles = [ink.style] * len(parts[0])
        for parameters, part in zip(parts[1::2], parts[2::2], strict=True):
            ink, unshown = ink.after(parameters)
            styles += [ink.style] * len(part)
            if unshown:
                self.unshown.update(unshown)
        self.ink = ink
        self.screen.print_row(text, styles)
        return True

    def _token(self, token: escapes.Token) -> None:
        match token:
            case escapes.Text(text):
                self.screen.print(text, self.ink.style)
            case escapes.Move(control):
                self.screen.move(control)
            case escapes.Graphics(parameters):
                self.ink, unshown = self.ink.after(parameters)
                self.unshown.update(unshown)
            case escapes.Link(found):
                self.ink = self.ink.linked(target(found))
            case escapes.Control():
                self.screen.control(token, self.ink.paper)
            case escapes.Removed():
                self.removed += 1
            case _:
                assert_never(token)


def _report(findings: Findings, reading: _Reading) -> None:
    if removed := reading.removed:
        findings.note("ansi-sequences-removed", f"removed, because they draw no cells: {removed} sequences")
    if unshown := reading.unshown:
        named = ", ".join(f"{name} ×{count}" for name, count in sorted(unshown.items()))
        findings.note("ansi-attributes-not-shown", f"cells have no such attribute: {named}")
    if not reading.screen.has_work_left:
        findings.note("ansi-erasures-left-out", "there are too many erasures; the later ones were left out")
