"""SAUCE, the record at the end of ANSI art files, and the code page that such files are written in."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RECORD = re.compile(
    r"\x1a?(?:COMNT(?:(?s:.){64}){1,255})?"
    r"SAUCE00(?P<title>[^\n]{35})(?P<author>[^\n]{20})(?P<group>[^\n]{20})[^\n]{8}"
    r"(?s:.){4}(?P<kind>[\x00-\xff])(?P<form>[\x00-\xff])"
    r"(?P<width>[\x00-\xff]{2})(?s:.){0,40}\Z"
)
_TAIL = 129 + 5 + 64 * 255
"""Characters from the end that a record with all its comments can take."""

_CHARACTERS, _TEXTS = 1, (0, 1, 2)
"""Data type and file types of character art; for others the width means something else."""

_MOST_COLUMNS = 1_000

_LOW_GLYPHS = str.maketrans(
    {
        code: glyph
        for code, glyph in enumerate("\0☺☻♥♦♣♠\a\b\t\n♂♀\r♫☼►◄↕‼¶§▬↨↑↓\x1a\x1b∟↔▲▼")
        if code != ord(glyph)
    }
    | {0x7F: "⌂"}
)
"""Code page 437 draws most controls; the ones that move and escape keep their meaning."""


@dataclass(frozen=True, slots=True)
class Sauce:
    """`width` in columns, None if the record does not say."""

    title: str
    author: str
    group: str
    width: int | None


def split(source: str) -> tuple[str, Sauce | None]:
    """The art without its record, and the record; the source as it is and None if it has none."""
    start = max(0, len(source) - _TAIL)
    at = source.rfind("SAUCE00", start)
    if at < 0:
        return source, None
    begin = source.rfind("\x1a", start, at)
    found = _RECORD.match(source, begin if begin >= 0 else at) or _RECORD.match(source, at)
    if found is None:
        return source, None
    low, high = map(ord, found["width"])
    is_art = ord(found["kind"]) == _CHARACTERS and ord(found["form"]) in _TEXTS
    width = low + 256 * high if is_art else 0
    title, author, group = (found[name].strip(" \0") for name in ("title", "author", "group"))
    return source[: found.start()], Sauce(title, author, group, min(width, _MOST_COLUMNS) or None)


def decoded(data: bytes) -> str:
    """UTF-8 if it is; else code page 437 with its pictures for controls. A SAUCE record stays readable."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    end = data.rfind(b"\x1aSAUCE00")
    art = data if end < 0 else data[:end]
    comments = art.rfind(b"\x1aCOMNT")
    record = data[len(art) :] if comments < 0 else data[comments:]
    art = art if comments < 0 else art[:comments]
    return art.decode("cp437").translate(_LOW_GLYPHS) + record.decode("latin-1")
