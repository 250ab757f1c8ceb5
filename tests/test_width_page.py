"""The page measures every code point as the broker does, and breaks and keeps every text as it does.

Widths come from one table on both sides, so they must be equal everywhere. Where clusters end the page asks
its engine, which may know another Unicode version: texts of code points that both know must agree; for the
others the page only predicts, and the differences are counted and printed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from fuzz_texts import is_assigned, is_character, texts

from chardesk.tools.model.width import cluster_width, code_point_width, graphemes
from chardesk.tools.text.clusters import Drops, stored

READER = Path(__file__).parent / "page" / "measured.js"

KNOWN = tuple(texts(4_000, seed=1))
ANY = tuple(texts(4_000, seed=2, of=is_character))

ENOUGH = (17, 0)
"""From this Unicode version on an engine breaks all KNOWN texts as the table of 18.0 does."""


@cache
def page() -> dict[str, Any]:
    """What the page makes of all of it."""
    node = shutil.which("node")
    assert node, "the page's tests need node anyway"
    asked = json.dumps({"texts": [*KNOWN, *ANY]})
    done = subprocess.run([node, str(READER)], input=asked, capture_output=True, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def width_runs() -> list[int]:
    """The broker's widths of all code points, as the page tells its own."""
    flat: list[int] = []
    for part in (range(0xD800), range(0xE000, sys.maxunicode + 1)):
        for columns, same in groupby(part, lambda point: code_point_width(chr(point))):
            members = list(same)
            flat += (members[0], members[-1] + 1, columns)
    return flat


def differing(kind: str, ours: list[list[Any]]) -> list[tuple[bool, str]]:
    """Where page and broker say different things: is the text of KNOWN, and the text."""
    theirs = page()[kind]
    assert len(theirs) == len(ours) == len(KNOWN) + len(ANY)
    pairs = enumerate(zip((*KNOWN, *ANY), ours, theirs, strict=True))
    return [(at < len(KNOWN), ascii(text)) for at, (text, mine, its) in pairs if mine != its]


def test_every_code_point_has_the_same_width_on_both_sides() -> None:
    """CHR-08: not the assigned ones only, all 1,112,064."""
    assert page()["widths"] == width_runs()
    counts = Counter(code_point_width(char) for char in filter(is_assigned, map(chr, range(0x110000))))
    assert min(counts.values()) > 2_000 and counts.keys() == {0, 1, 2}


def test_the_page_measures_its_clusters_as_the_broker_would() -> None:
    found = zip(page()["clusters"], page()["columns"], strict=True)
    assert all(columns == [*map(cluster_width, clusters)] for clusters, columns in found)


READERS: dict[str, Callable[[str], list[str]]] = {
    "clusters": graphemes,
    "stored": lambda text: [char for char, _ in stored(text, Drops())],
}


@pytest.mark.parametrize("kind", READERS)
def test_page_and_broker_agree_on_texts_that_no_person_would_write(
    kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """CHR-08"""
    found = differing(kind, [READERS[kind](text) for text in (*KNOWN, *ANY)])
    known = sum(is_known for is_known, _ in found)
    version = tuple(map(int, page()["unicode"].split(".")))
    with capsys.disabled():
        sys.stdout.write(
            f"\n{kind}: an engine of Unicode {page()['unicode']} differs on {known} of {len(KNOWN)} texts of"
            f" assigned characters and on {len(found) - known} of {len(ANY)} with others\n"
        )
    assert not known or (version < ENOUGH and known < len(KNOWN) // 50), found[:5]
    assert len(found) - known < len(ANY) // 50, found[-5:]
