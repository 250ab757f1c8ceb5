"""Clusters end where Unicode says: its own break test and every emoji sequence it lists.

The facts that are needed stand in tests/vectors/graphemes.json, which the page's tests read too; where
Debian's `unicode-data` is installed its files are read whole.

    python tests/test_graphemes.py    # write the facts anew from those files
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import unicode_data
from wcwidth import list_versions

from chardesk.tools.model.width import VS16, cluster_width, graphemes
from chardesk.tools.text.clusters import MAX_CODE_POINTS, Drops, stored

VECTORS = Path(__file__).parent / "vectors" / "graphemes.json"
FACTS: dict[str, Any] = json.loads(VECTORS.read_text(encoding="ascii"))

CHANGED = {
    "\u2701\u200d\u2701": ["\u2701\u200d", "\u2701"],
}
"""What Debian's Unicode 15.0 breaks otherwise than the table of 18.0: the scissors U+2701 were kept for an
emoji (Extended_Pictographic) and are no longer, so that a joiner joins nothing to them."""

CONJUNCTS = (
    ["\u0915", "\u0924"],
    ["\u0915\u094d\u0924"],
    ["\u0915\u094d\u094d\u0924"],
    ["\u0915\u094d\u200d\u0924"],
    ["\u0915\u093c\u200d\u094d\u0924"],
    ["\u0915\u093c\u094d\u200d\u0924"],
    ["\u0915\u094d\u0924\u094d\u092f"],
    ["\u0915\u094d", "a"],
    ["a\u094d", "\u0924"],
    ["?\u094d", "\u0924"],
    ["\u094d", "\u0924"],
    ["\u0915\u0903\u094d", "\u0924"],
    ["\u0600\u0915\u094d\u0924"],
    ["\u4e16\u094d", "\u0915\u094d\u0937"],
)
"""Rule GB9c, which came with Unicode 15.1 and is not in Debian's file: a linker (virama) joins consonants."""


def shape(text: str) -> str:
    """What decides how an emoji sequence is measured: the kind of each of its code points."""
    return " ".join(map(_kind, text))


def _kind(char: str) -> str:
    kinds = {"\u200d": "joiner", VS16: "emoji", "\ufe0e": "text", "\u20e3": "keycap"}
    spans = (("tone", 0x1F3FB, 0x1F3FF), ("flag", 0x1F1E6, 0x1F1FF), ("tag", 0xE0020, 0xE007F))
    spanned = (name for name, low, high in spans if low <= ord(char) <= high)
    return kinds.get(char) or next(spanned, f"{cluster_width(char)}")


def emoji_columns(text: str, status: str) -> int:
    """The documented columns: 2, but 1 for what Unicode shows as text unless U+FE0F asks for the emoji."""
    asks = VS16 in text or "\u200d" in text
    is_text = status in ("unqualified", "text style") and not asks
    return cluster_width(text[0]) if is_text else 2


def all_emoji() -> list[tuple[str, int]]:
    """Every sequence that the files list; none where they are not installed."""
    listed = [*unicode_data.emoji_tests(), *unicode_data.emoji_sequences()]
    return [(text, emoji_columns(text, status)) for text, status in listed]


def one_of_each(emoji: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """The first sequence of every shape."""
    found: dict[str, tuple[str, int]] = {}
    for text, columns in emoji:
        found.setdefault(shape(text), (text, columns))
    return list(found.values())


def facts() -> str:
    """The file as it stands on disk."""
    parts: dict[str, list[Any]] = {
        "breaks": [one for one in unicode_data.break_tests() if "".join(one) not in CHANGED],
        "changed": list(CHANGED.values()),
        "conjuncts": list(CONJUNCTS),
        "emoji": one_of_each(all_emoji()),
    }
    head = f'{{\n"data": "{unicode_data.version()}",\n"table": "{list_versions()[-1]}",'
    bodies = (
        f'\n"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in parts.items()
    )
    return head + ",".join(bodies) + "\n}\n"


def broken_otherwise(tests: Iterable[list[str]]) -> list[list[str]]:
    return [clusters for clusters in tests if graphemes("".join(clusters)) != clusters]


def measured_otherwise(emoji: Iterable[tuple[str, int]]) -> list[str]:
    """Sequences that are not one cluster of these columns, stored as it is."""
    return [
        ascii(text)
        for text, columns in emoji
        if graphemes(text) != [text] or [*stored(text, Drops())] != [(text, columns)]
    ]


@pytest.mark.parametrize("part", ["breaks", "conjuncts", "changed"])
def test_clusters_end_where_unicode_says(part: str) -> None:
    """CHR-08"""
    assert FACTS[part]
    assert broken_otherwise(FACTS[part]) == []


def test_every_shape_of_emoji_is_one_cluster_of_its_columns_and_kept_as_it_is() -> None:
    """CHR-08"""
    emoji = [(text, columns) for text, columns in FACTS["emoji"]]
    assert len(emoji) > 30
    assert measured_otherwise(emoji) == []


def test_unicodes_files_hold_nothing_that_is_broken_or_measured_otherwise() -> None:
    """CHR-08. The table is newer than the files: what changed in between is listed, nothing else differs."""
    differing = {"".join(clusters) for clusters in broken_otherwise(unicode_data.break_tests())}
    assert differing <= CHANGED.keys()
    assert measured_otherwise(all_emoji()) == []


def test_the_kept_facts_are_those_of_the_files() -> None:
    if unicode_data.version() == FACTS["data"]:
        assert VECTORS.read_text(encoding="ascii") == facts(), "run python tests/test_graphemes.py"
    assert FACTS["table"] == list_versions()[-1], "wcwidth has another table: look at CHANGED"


def test_no_emoji_comes_near_the_longest_cluster_that_is_stored() -> None:
    assert max(len(text) for text, _ in FACTS["emoji"]) <= MAX_CODE_POINTS // 2


def test_a_break_that_was_wrong_would_be_found() -> None:
    assert broken_otherwise([["a", "\u0301"], ["a\u0301"]]) == [["a", "\u0301"]]
    assert measured_otherwise([("\U0001f600", 1), ("\U0001f600", 2)]) == [ascii("\U0001f600")]


if __name__ == "__main__":
    VECTORS.write_text(facts(), encoding="ascii")
