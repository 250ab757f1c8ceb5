"""What of a text may be stored: visible grapheme clusters, without what cannot be seen.

Invisible characters are where text hides from the reader. One is kept only where it does something: a joiner
between two visible characters, a selector after a character it can select for, tags that spell a flag.
Everything else is dropped and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chardesk.tools.model.width import cluster_width, graphemes

MAX_CODE_POINTS = 32
"""Code points of one cluster. The longest in use (a flag of tags, a family of four) have 7 to 11."""

_REPORTED_KINDS = 32
_REPORTED_CODE_POINTS = 8

_UNSEEN = (
    "\u00ad\u034f\u061c\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_IDEOGRAPH = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MEANT = (
    rf"(?<=[^{_UNSEEN}\s])[\ufe0e\ufe0f]",  # text or emoji presentation, of something
    rf"(?<=[^{_UNSEEN}\s]|[\ufe0e\ufe0f])\u200d(?=[^{_UNSEEN}])",  # joined emoji, Indic conjuncts
    rf"(?<=[{_IDEOGRAPH}])[\ufe00-\ufe0d\U000e0100-\U000e01ef]",  # a variant of an ideograph
    r"(?<=[\u2200-\u2aff])\ufe00",  # a variant of a mathematical sign
    r"(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]",  # Mongolian letter forms
    r"(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f",  # a region's flag
)
_UNSEEN_OR_MEANT = re.compile(rf"({'|'.join(_MEANT)})|[{_UNSEEN}]|\u115f(?![\u1161-\u11a7])")

_NO_CHARACTER = r"\x00-\x1f\x7f-\x9f\ud800-\udfff"
_NEVER_STORED = re.compile(rf"[{_NO_CHARACTER}]")
"""Controls, and halves of surrogate pairs, which are no characters."""

_SUSPECT = re.compile(rf"[{_NO_CHARACTER}{_UNSEEN}\u115f]")
"""Only a text that has one of these needs a closer look at its clusters."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Code points that were left out, `count` times. No code points: all kinds beyond the first 32."""

    code_points: tuple[str, ...]
    count: int


class Drops:
    """Counts what is left out while a text is read."""

    __slots__ = ("_counts",)

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, text: str) -> None:
        self._counts[text] = self._counts.get(text, 0) + 1

    def take(self, other: Drops) -> None:
        """Count what the other has counted too."""
        for text, count in other._counts.items():
            self._counts[text] = self._counts.get(text, 0) + count

    def report(self) -> tuple[Dropped, ...]:
        """In the order of first appearance; at most 32 kinds, the others summed up in one last entry."""
        kinds = list(self._counts.items())
        found = [Dropped(code_points(text), count) for text, count in kinds[:_REPORTED_KINDS]]
        rest = sum(count for _, count in kinds[_REPORTED_KINDS:])
        return (*found, Dropped((), rest)) if rest else tuple(found)


def code_points(text: str) -> tuple[str, ...]:
    """`U+0301` for each code point, cut to eight: more would only make the report long."""
    named = tuple(f"U+{ord(char):04X}" for char in text[:_REPORTED_CODE_POINTS])
    return named if len(text) <= _REPORTED_CODE_POINTS else (*named, "…")


def stored(text: str, drops: Drops) -> Iterator[tuple[str, int]]:
    """The clusters of `text` that may be stored, each with its columns (1 or 2), in order.

    Never raises: controls (line feeds too), invisible characters, clusters of no width and what a cluster has
    beyond 32 code points are left out and noted in `drops`.
    """
    if text.isascii() and text.isprintable():
        yield from ((char, 1) for char in text)
        return
    harmless = _SUSPECT.search(text) is None
    for cluster in graphemes(text):
        kept = cluster if harmless and len(cluster) <= MAX_CODE_POINTS else _seen(cluster, drops)
        width = cluster_width(kept) if kept else 0
        if width:
            yield kept, width
        elif kept:
            drops.add(kept)


def _seen(cluster: str, drops: Drops) -> str:
    """The cluster without what cannot be seen or is too much; the rest is noted."""
    if len(cluster) > MAX_CODE_POINTS:
        drops.add(cluster[MAX_CODE_POINTS:])
        cluster = cluster[:MAX_CODE_POINTS]
    kept = _NEVER_STORED.sub("", cluster)
    kept = _UNSEEN_OR_MEANT.sub(lambda found: found[1] or "", kept)
    if kept == cluster:
        return cluster
    if not kept:
        drops.add(cluster)
        return ""
    for char in _missing(cluster, kept):
        drops.add(char)
    return kept


def _missing(whole: str, kept: str) -> Iterator[str]:
    """The characters of `whole` that are not in `kept`, which is `whole` with some taken out."""
    at = 0
    for char in whole:
        if at < len(kept) and kept[at] == char:
            at += 1
        else:
            yield char
