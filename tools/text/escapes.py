"""Terminal text cut into what it is made of: text, controls, SGR, links, and everything else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Move:
    """One of LF, CR, tab, backspace. `\\r\\n` is one LF."""

    control: str


@dataclass(frozen=True, slots=True)
class Graphics:
    """An SGR sequence. `parameters` as they stood between `ESC [` and `m`."""

    parameters: str


@dataclass(frozen=True, slots=True)
class Link:
    """An OSC 8 link begins here; an empty target ends it."""

    target: str


@dataclass(frozen=True, slots=True)
class Removed:
    """A sequence that is not read, or a control that does nothing here."""

    sequence: str


Token = Text | Move | Graphics | Link | Removed

_PATTERN = re.compile(
    r"(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
    r"|(?P<move>\r\n|[\n\r\t\x08])"
    r"|(?:\x1b\[|\x9b)(?P<sgr>[0-9;:]*)m"
    r"|(?:\x1b\]|\x9d)8;[^;\x00-\x1f\x7f-\x9f]*;(?P<link>[^\x00-\x1f\x7f-\x9f]*)(?:\x07|\x1b\\|\x9c)"
    # CSI: parameters, intermediates, final byte. One that breaks off or goes wrong ends before the odd byte.
    r"|(?P<other>(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    # OSC, DCS, SOS, PM, APC: up to BEL or ST; one that is never closed takes the rest of its line.
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\r\n]*(?:\x07|\x1b\\|\x9c)?"
    # Two- and three-byte escapes (`ESC ( B`, `ESC # 8`), then any lone control.
    r"|\x1b[ -/]*[0-~]?"
    r"|[\x00-\x1f\x7f-\x9f])"
)


def tokens(source: str) -> Iterator[Token]:
    """Every character of `source` is in one token, in order. Never raises; takes linear time."""
    for found in _PATTERN.finditer(source):
        match found.lastgroup:
            case "text":
                yield Text(found["text"])
            case "move":
                yield Move("\n" if found["move"] == "\r\n" else found["move"])
            case "sgr":
                yield Graphics(found["sgr"])
            case "link":
                yield Link(found["link"])
            case _:
                yield Removed(found[0])
