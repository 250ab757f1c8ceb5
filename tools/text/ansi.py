"""Terminal output to cells, in two ways: a log, whose rows are as long as they are, and art of 80 columns.

LF (and CRLF) begins the next row at its first column, CR goes back to the first column, backspace one column
to the left, tab to the next stop of 4; the cursor can be sent about, and what is printed replaces what stood
there. Every other sequence is removed whole and counted.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import assert_never

from chardesk.tools.model.cell import Style
from chardesk.tools.text import escapes, sauce, sgr
from chardesk.tools.text.links import target
from chardesk.tools.text.picture import Findings, Picture
from chardesk.tools.text.terminal import Screen


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
    screen, pen, removed = Screen(width, findings.drops, wraps=wraps), sgr.Pen(), 0
    style, unshown = pen.style, Counter[str]()
    for token in escapes.tokens(source):
        match token:
            case escapes.Text(text):
                screen.print(text, style)
            case escapes.Move(control):
                screen.move(control)
            case escapes.Graphics(parameters):
                pen = sgr.apply(pen, parameters)
                style = pen.style
                unshown.update(sgr.unshown(pen, parameters))
            case escapes.Link(found):
                pen = replace(pen, href=target(found))
                style = pen.style
            case escapes.Control():
                screen.control(token, Style(bg_color=pen.bg_color))
            case escapes.Removed():
                removed += 1
            case _:
                assert_never(token)
    _report(findings, removed, unshown, screen)
    return replace(findings.picture(()), rows=screen.rows())


def _report(findings: Findings, removed: int, unshown: Counter[str], screen: Screen) -> None:
    if removed:
        findings.note("ansi-sequences-removed", f"removed, because they draw no cells: {removed} sequences")
    if unshown:
        named = ", ".join(f"{name} ×{count}" for name, count in sorted(unshown.items()))
        findings.note("ansi-attributes-not-shown", f"cells have no such attribute: {named}")
    if not screen.has_work_left:
        findings.note("ansi-erasures-left-out", "there are too many erasures; the later ones were left out")
