"""Terminal text cut into what it is made of: text, controls, SGR, links, cursor moves, everything else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Text(NamedTuple):
    text: str


class Move(NamedTuple):
    """One of LF, CR, tab, backspace. `\\r\\n` is one LF."""

    control: str


class Graphics(NamedTuple):
    """An SGR sequence. `parameters` as they stood between `ESC [` and `m`."""

    parameters: str


class Link(NamedTuple):
    """An OSC 8 link begins here; an empty target ends it."""

    target: str


class Control(NamedTuple):
    """A sequence that moves the cursor or erases: its final byte and its numbers, None where one is empty."""

    final: str
    numbers: tuple[int | None, ...]


class Removed(NamedTuple):
    """A sequence that is not read, or a control that does nothing here."""

    sequence: str


Token = Text | Move | Graphics | Link | Control | Removed

_PATTERN = re.compile(
    r"(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|(?P<move>\r\n|[\n\r\t\x08])"
    r"|(?:\x1b\[|\x9b)(?P<sgr>[0-9;:]*)m"
    r"|(?:\x1b\[|\x9b)(?P<control>[0-9;]*[@A-HJ-MPX`adefsu])"
    r"|\x1b(?P<short>[78DEM])"
    r"|(?:\x1b\]|\x9d)8;[^;\x00-\x1f\x7f-\x9f]*;(?P<link>[^\x00-\x1f\x7f-\x9f]*)(?:\x07|\x1b\\|\x9c)"
    # CSI: parameters, intermediates, final byte. One that breaks off or goes wrong ends before the odd byte.
    r"|(?P<other>(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    # OSC, DCS, SOS, PM, APC: up to BEL or ST; one that is never closed takes the rest of its line.
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\r\n]*(?:\x07|\x1b\\|\x9c)?"
    # Two- and three-byte escapes (`ESC ( B`, `ESC # 8`), then any lone control.
    r"|\x1b[ -/]*[0-~]?"
    r"|[\x00-\x1f\x7f-\x9f])"
)

_SHORT: Mapping[str, Control | Move] = {
    "7": Control("s", ()),
    "8": Control("u", ()),
    "D": Control("B", ()),
    "E": Move("\n"),
    "M": Control("A", ()),
}
"""Escapes of two characters that do what a longer sequence does too."""


def tokens(source: str) -> Iterator[Token]:
    """Every character of `source` is in one token, in order. Never raises; takes linear time."""
    for found in _PATTERN.finditer(source):
        match found.lastgroup:
            case "text":
                yield Text(found[0])
            case "move":
                yield _LINE_FEED if found[0] == "\r\n" else Move(found[0])
            case "sgr":
                yield Graphics(found["sgr"])
            case "control":
                yield Control(found["control"][-1], _numbers(found["control"][:-1]))
            case "short":
                yield _SHORT[found["short"]]
            case "link":
                yield Link(found["link"])
            case _:
                yield Removed(found[0])


_LINE_FEED = Move("\n")


def _numbers(parameters: str) -> tuple[int | None, ...]:
    """At most 9999 each: what is longer only means very far."""
    parts = parameters.split(";")[:4] if parameters else []
    return tuple((int(part) if len(part) <= 4 else 9999) if part else None for part in parts)
