"""Unicode's own files, where Debian's package `unicode-data` puts them. Nothing here fails without it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

FILES = Path("/usr/share/unicode")

EMOJI_FILES = ("emoji-sequences", "emoji-zwj-sequences", "emoji-variation-sequences")


def fields(name: str) -> Iterator[list[str]]:
    """The fields of every line of a file, comments left out. No file, no lines."""
    path = FILES / name
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if said := line.partition("#")[0].strip():
            yield [part.strip() for part in said.split(";")]


def version() -> str:
    """`15.0.0`, as the first line of the break test names it; "" without the files."""
    path = FILES / "auxiliary/GraphemeBreakTest.txt"
    if not path.exists():
        return ""
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    return first.partition("-")[2].removesuffix(".txt")


def break_tests() -> list[list[str]]:
    """The clusters of every line of GraphemeBreakTest: `÷` parts them, `×` joins."""
    lines = (line[0] for line in fields("auxiliary/GraphemeBreakTest.txt"))
    return [[spelled(part.replace("×", " ")) for part in line.split("÷") if part.strip()] for line in lines]


def emoji_tests() -> list[tuple[str, str]]:
    """Every sequence of emoji-test with its status: fully-, minimally-, un-qualified or component."""
    return [(spelled(points), status) for points, status in fields("emoji/emoji-test.txt")]


def emoji_sequences() -> list[tuple[str, str]]:
    """Every sequence of the other emoji files with its kind; ranges written out."""
    lines = chain.from_iterable(fields(f"emoji/{name}.txt") for name in EMOJI_FILES)
    return [(text, kind) for points, kind, *_ in lines for text in texts_of(points)]


def spelled(points: str) -> str:
    """`1F469 200D` as text."""
    return "".join(chr(int(point, 16)) for point in points.split())


def texts_of(points: str) -> list[str]:
    """A sequence as one text, a range `231A..231B` as a text for each of its points."""
    first, dots, last = points.partition("..")
    if not dots:
        return [spelled(points)]
    return [chr(point) for point in range(int(first, 16), int(last, 16) + 1)]
