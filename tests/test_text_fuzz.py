"""Laws of every renderer, on two thousand documents and byte streams made up from pieces of all of them."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator
from time import monotonic

import pytest
from drawing import do

from chardesk.tools.draw import render
from chardesk.tools.errors import Refused
from chardesk.tools.look import search
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.model.width import cluster_width
from chardesk.tools.operation import Look
from chardesk.tools.schema import parse
from chardesk.tools.text import ansi, formats
from chardesk.tools.text.diagrams.rows import rows_of
from chardesk.tools.text.markdown.deck import deck
from chardesk.tools.text.picture import Findings, Picture
from chardesk.tools.text.samples import SAMPLES, Sample
from chardesk.tools.text.shapes import reader as shapes

ROUNDS = 100 * int(os.environ.get("CHARDESK_FUZZ", "1"))
"""Documents in each batch; CHARDESK_FUZZ=10 makes twenty thousand of the two thousand."""
SLOWEST_S = 5.0
"""For one document on a busy machine; most take a few milliseconds."""

PIECES = [piece for sample in SAMPLES for piece in sample.source.splitlines(keepends=True)]
NOISE = [
    *(
        "\x1b[",
        "\x1b]8;;",
        "\x07",
        "\x9b",
        "31m",
        "2J",
        "H",
        "\t",
        "\r",
        "\n\n",
        "   ",
        "|||\n",
        "---\n",
        "***\n",
    ),
    *(
        "世界",
        "👨‍👩‍👧",
        "e\u0301",
        "\u202e",
        "\u200d",
        "\ufe0f",
        "\ud800",
        "\x00",
        "\x1a",
        "SAUCE00",
        "$",
        "$$\n",
        "\\",
    ),
    *(
        "```\n",
        "~~~\n",
        "```math\n",
        "```tree\n",
        "```json tree\n",
        "```csv\n",
        "```mermaid\n",
        "```vega-lite\n",
    ),
    *(
        "[^1]",
        "[^1]: ",
        "<!--",
        "-->",
        "<b>",
        "</b>",
        "<sub>",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        '"',
        "'",
        "`",
        "*",
        "_",
    ),
    *(
        "> ",
        "- ",
        "1. ",
        "# ",
        "| a |\n|---|\n",
        ": ",
        "\\frac",
        "^",
        "&",
        "-->",
        "9" * 30,
        "1e999",
        "null",
        "true,",
    ),
]

FENCES = (
    "mermaid",
    "math",
    "tree",
    "csv",
    "tsv",
    "json tree",
    "shapes",
    "vega-lite",
    "diff",
    "yaml",
    "python",
)

READERS: dict[str, Callable[[str, int], Picture]] = {
    **formats.READERS,
    "bytes": lambda source, width: ansi.read_bytes(source.encode("utf-8", "surrogatepass"), width),
    "bytes of old files": lambda source, width: ansi.read_bytes(source.encode("cp437", "replace"), width),
}


def document(chance: random.Random) -> str:
    """Lines of the samples and noise, some of them cut or doubled."""
    parts = [
        chance.choice(PIECES if chance.random() < 0.6 else NOISE) for _ in range(chance.randrange(1, 40))
    ]
    text = "".join(part[: chance.randrange(1, 60)] if chance.random() < 0.1 else part for part in parts)
    return text if chance.random() < 0.5 else f"```{chance.choice(FENCES)}\n{text}\n```"


def documents(seed: str, count: int) -> Iterator[tuple[str, int]]:
    chance = random.Random(seed)
    return ((document(chance), chance.choice((1, 2, 7, 40, 80, 200))) for _ in range(count))


def assert_sound(picture: Picture) -> None:
    """Widths add up, no half of a glyph, no control."""
    for row in picture.rows:
        assert len(row.chars) == len(row.styles)
        assert None not in row.chars
        assert sum(cluster_width(char) for char in row.chars if char) == len(row.chars)
        assert not any(char and (char[0] < " " or "\x7f" <= char[0] < "\xa0") for char in row.chars)


@pytest.mark.parametrize("batch", range(3))
@pytest.mark.parametrize("name", READERS)
def test_no_reader_fails_is_slow_or_draws_something_else_the_second_time(name: str, batch: int) -> None:
    for source, width in documents(f"{name}{batch}", ROUNDS):
        start = monotonic()
        found = READERS[name](source, width)
        assert monotonic() - start < SLOWEST_S, source
        assert_sound(found)
        assert READERS[name](source, width) == found


def test_decks_of_anything_fit_their_sheets() -> None:
    for source, width in documents("deck", ROUNDS):
        size = Size(max(2, width), 12)
        for slide in deck(source, size).slides:
            assert_sound(slide.picture)
            assert slide.picture.width <= size.columns
            assert slide.picture.height <= size.rows


def changed(source: str, chance: random.Random) -> str:
    """A sample with a few of its characters or values replaced, lost or doubled: mostly still what it was."""
    for _ in range(chance.randrange(1, 4)):
        spans = [found.span() for found in VALUES.finditer(source)]
        at = chance.randrange(len(source) + 1)
        start, end = chance.choice(spans) if spans and chance.random() < 0.7 else (at, at + 1)
        new = chance.choice((*ODD, source[start:end] * 2, chance.choice(NOISE), chance.choice(PIECES)))
        source = source[:start] + new + source[end:]
    return source


VALUES = re.compile(r'"[^"\n]*"|-?\d+|\w+|-->|[{}\[\](),:]')
ODD = ("", "0", "-1", "99999", "1e9", "null", "true", '"x"', "[]", "{}", "世界", '"', "{", "x" * 300)


def drawn_or_refused(source: str, name: str, width: int) -> Picture | str:
    """The picture, or the code of the refusal: only shapes are refused."""
    if name != "shapes":
        return formats.picture(source, name, width)
    try:
        found = shapes.read(source, lambda _: None)
    except Refused as refused:
        assert refused.message
        return refused.code
    return Findings().picture(rows_of(found.cells))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_a_sample_that_is_changed_a_little_is_still_drawn_or_says_why(sample: Sample) -> None:
    chance = random.Random(sample.title)
    for _ in range(ROUNDS // 4):
        source, width = changed(sample.source, chance), chance.choice((1, 8, 30, 72, 120))
        start = monotonic()
        found = drawn_or_refused(source, sample.format, width)
        assert monotonic() - start < SLOWEST_S, source
        assert drawn_or_refused(source, sample.format, width) == found
        if isinstance(found, str):
            assert found in ("invalid_input", "too_large")
        else:
            assert_sound(found)


def test_words_that_are_shown_are_found_by_search() -> None:
    chance = random.Random("search")
    assert isinstance(search.OPERATION.body, Look)
    for number in range(50):
        words = ["".join(chance.choice("abcdefg世界é") for _ in range(6)) for _ in range(8)]
        prose = f"# {words[0]}\n\n*{words[1]}* {words[2]}\n\n- {words[3]}\n\n"
        table = f"| {words[4]} | x |\n|---|---|\n| {words[5]} | y |\n\n"
        source = f"{prose}{table}```mermaid\nflowchart LR\n a[{words[6]}] --> b[{words[7]}]\n```"
        scene = Scene()
        do(scene, render.OPERATION, at=[number, -number], source=source, format="markdown")
        for word in words:
            shown = search.OPERATION.body.show(scene, None, parse(search.OPERATION.args, {"query": word}))
            assert shown.result.fields()["matches"], word


def test_prose_stays_within_its_width() -> None:
    chance = random.Random("prose")
    for _ in range(ROUNDS):
        words = (
            "".join(chance.choice("abcdefg世界") for _ in range(chance.randrange(1, 9))) for _ in range(30)
        )
        width = chance.randrange(12, 60)
        text = " ".join(words)
        found = formats.picture(f"# {text}\n\n{text}\n\n> {text}\n\n- {text}\n\n1. {text}", "markdown", width)
        assert found.width <= width
