"""The one rule for characters: where clusters end and how many columns each takes.

Segmentation is Unicode's extended grapheme clusters and the width of a code point comes from the pinned
`wcwidth` table; the page reads the same table (`page/model/widths.js`, written from here).
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from wcwidth import iter_graphemes, wcwidth

VS16 = "\ufe0f"
ZWJ = "\u200d"

INVISIBLE = "\u00ad\u061c\u180e\u2060\u2061\u2062\u2063\u2064\ufeff"
"""Format characters that some tables give a column to; a cell must never look empty while it holds text."""


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
    return list(iter_graphemes(text))


def is_control(cluster: str) -> bool:
    """Is this a C0 or C1 control (tab, escape, line feed, …)? None of them is ever stored."""
    return unicodedata.category(cluster[0]) == "Cc"


def _is_flag(cluster: str) -> bool:
    return len(cluster) >= 2 and all("\U0001f1e6" <= char <= "\U0001f1ff" for char in cluster[:2])


def _joins_pictographs(cluster: str) -> bool:
    """A joiner before a symbol. Indic conjuncts hold joiners too, but between letters, and stay narrow."""
    joined = cluster.partition(ZWJ)[2]
    return bool(joined) and ("\u2000" <= joined[0] <= "\u3300" or joined[0] >= "\U0001f000")
