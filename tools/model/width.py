"""The one rule for characters: where clusters end and how many columns each takes.

Segmentation is Unicode's extended grapheme clusters and the width of a code point comes from the pinned
`wcwidth` table; the page reads the same table (`page/model/widths.js`, written from here).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from wcwidth import iter_graphemes, wcwidth
from wcwidth.table_grapheme import INCB_CONSONANT, INCB_EXTEND, INCB_LINKER

VS16 = "\ufe0f"
ZWJ = "\u200d"

INVISIBLE = "\u00ad\u061c\u180e\u2060\u2061\u2062\u2063\u2064\ufeff"
"""Format characters that some tables give a column to; a cell must never look empty while it holds text."""


def _characters(table: Iterable[tuple[int, int]]) -> frozenset[str]:
    return frozenset(chr(point) for low, high in table for point in range(low, high + 1))


_CONSONANTS = _characters(INCB_CONSONANT)
_LINKERS = _characters(INCB_LINKER)
_EXTENDERS = _characters(INCB_EXTEND)


@lru_cache(maxsize=65536)
def code_point_width(char: str) -> int:
    """Columns of one code point: 0 (combining, control, invisible), 1 or 2. East Asian ambiguous is 1."""
    if char in INVISIBLE:
        return 0
    return max(0, wcwidth(char))


@lru_cache(maxsize=65536)
def cluster_width(cluster: str) -> int:
    """Columns of one grapheme cluster: 1 or 2, or 0 for a cluster that cannot be seen and is never stored.

    2 when a member is wide, when it asks for emoji presentation (U+FE0F), when it is a pair of regional
    indicators, or when it joins pictographs with U+200D. Ambiguous is 1.
    """
    if len(cluster) == 1:
        return code_point_width(cluster)
    widest = max(map(code_point_width, cluster))
    if widest != 1:
        return widest
    return 2 if VS16 in cluster or _is_flag(cluster) or _joins_pictographs(cluster) else 1


def graphemes(text: str) -> list[str]:
    """The grapheme clusters of `text`, in order; joined they are `text` again."""
    if text.isascii() and "\r\n" not in text:
        return list(text)
    found = list(iter_graphemes(text))
    return found if _LINKERS.isdisjoint(text) else [part for cluster in found for part in _conjuncts(cluster)]


def is_control(cluster: str) -> bool:
    """Is this a C0 or C1 control (tab, escape, line feed, …)? None of them is ever stored."""
    return unicodedata.category(cluster[0]) == "Cc"


def _is_flag(cluster: str) -> bool:
    return len(cluster) >= 2 and all("\U0001f1e6" <= char <= "\U0001f1ff" for char in cluster[:2])


def _joins_pictographs(cluster: str) -> bool:
    """A joiner before a symbol. Indic conjuncts hold joiners too, but between letters, and stay narrow."""
    joined = cluster.partition(ZWJ)[2]
    return bool(joined) and ("\u2000" <= joined[0] <= "\u3300" or joined[0] >= "\U0001f000")


def _conjuncts(cluster: str) -> Iterator[str]:
    """The cluster, cut before each consonant that a linker (virama) joins to something that is none.

    Unicode's rule GB9c wants a consonant on both sides; `wcwidth` looks at the later one only.
    """
    start, is_led, is_linked = 0, False, False
    for at, char in enumerate(cluster):
        if char in _CONSONANTS:
            if at and not is_linked and (cluster[at - 1] in _EXTENDERS or cluster[at - 1] in _LINKERS):
                yield cluster[start:at]
                start = at
            is_led, is_linked = True, False
        elif char in _LINKERS:
            is_linked = is_led
        elif char not in _EXTENDERS:
            is_led = is_linked = False
    yield cluster[start:]
