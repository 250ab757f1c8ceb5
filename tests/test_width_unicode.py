"""The widths of the pinned table, against what Python's own Unicode data says of each code point.

Python knows an older version than the table, so what is not assigned there is held to the documented widths
of unassigned code points (docs/characters.md) only where no version has assigned any.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable

import pytest
import unicode_data
from fuzz_texts import is_assigned, texts
from wcwidth import list_versions

from chardesk.tools.model.width import cluster_width, code_point_width
from chardesk.tools.text.clusters import Drops, stored

UNSEEN = {"Cc", "Cf", "Mn", "Me", "Mc", "Zl", "Zp"}
"""Categories that take no column: controls, formats, marks, separators of lines."""

VISIBLE_FORMATS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Formats that are drawn: number signs and the like, which stand before or around digits."""

BLANK_LETTERS = "\u3164\uffa0"
"""Hangul fillers: letters by category, and nothing to see."""


def points(*spans: tuple[int, int]) -> list[str]:
    return [chr(point) for low, high in spans for point in range(low, high + 1)]


WIDE_SINCE_16 = frozenset(
    points((0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D356), (0x1D360, 0x1D376))
)
"""Trigrams, hexagrams and counting rods: narrow up to Unicode 15.1, wide since 16.0."""

REGIONAL = frozenset(points((0x1F1E6, 0x1F1FF)))
"""Neutral in Unicode's data; a letter of a flag takes two columns alone as well, as terminals show it."""

JAMO = frozenset(points((0x1160, 0x11FF), (0xD7B0, 0xD7FB)))
"""Vowels and finals of Hangul: no column of their own, they go into the syllable before them."""


IGNORABLE = (
    *((0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F)),
    *((0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A)),
    (0xE0000, 0xE0FFF),
)
"""Unicode's Default_Ignorable_Code_Point: what shows nothing where it is not understood."""


def documented(char: str) -> int:
    """The rule of docs/characters.md, from Python's data."""
    if char in VISIBLE_FORMATS:
        return 1
    if unicodedata.category(char) in UNSEEN or char in JAMO or char in BLANK_LETTERS:
        return 0
    if char in WIDE_SINCE_16 or char in REGIONAL:
        return 2
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def named(chars: Iterable[str]) -> list[str]:
    return [f"U+{ord(char):04X}" for char in chars]


def test_every_assigned_code_point_has_its_documented_width() -> None:
    """CHR-08"""
    assigned = [char for char in map(chr, range(sys.maxunicode + 1)) if is_assigned(char)]
    assert len(assigned) > 140_000
    assert named(char for char in assigned if code_point_width(char) != documented(char)) == []


def test_ambiguous_is_one_column() -> None:
    ambiguous = [char for char in map(chr, range(0xA1, 0xD800)) if unicodedata.east_asian_width(char) == "A"]
    seen = [char for char in ambiguous if unicodedata.category(char) not in UNSEEN]
    assert len(seen) > 500
    assert {code_point_width(char) for char in seen} == {1}


@pytest.mark.parametrize(
    ("span", "columns"),
    [
        ((0x2A6E0, 0x2A6FF), 2),
        ((0x3FF00, 0x3FFFD), 2),
        ((0x40000, 0x4FFFD), 1),
        ((0xD0000, 0xDFFFD), 1),
        ((0xE0080, 0xE00FF), 0),
        ((0xE01F0, 0xE0FFF), 0),
        ((0xE1000, 0xEFFFD), 1),
        ((0xE000, 0xF8FF), 1),
        ((0xF0000, 0x10FFFD), 1),
        ((0xFDD0, 0xFDEF), 1),
    ],
)
def test_unassigned_and_private_code_points_have_a_documented_width(
    span: tuple[int, int], columns: int
) -> None:
    """CHR-08: 2 where Unicode keeps room for ideographs, 0 where it does for the invisible, 1 elsewhere."""
    assert {code_point_width(char) for char in points(span)} == {columns}


def test_nothing_invisible_is_stored_behind_a_letter() -> None:
    """All that Unicode calls ignorable, controls, formats and line separators; but not formats that are
    drawn, and the two selectors that ask for text or for an emoji."""
    every = map(chr, range(sys.maxunicode + 1))
    hidden = {char for char in every if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}}
    hidden.update(points(*IGNORABLE))
    kept = [char for char in sorted(hidden) if [*stored(f"a{char}b", Drops())] != [("a", 1), ("b", 1)]]
    assert named(kept) == named(sorted({*VISIBLE_FORMATS, "\ufe0e", "\ufe0f"}))


def test_no_blank_holds_anything() -> None:
    """SEC-06: what looks empty is one blank character and nothing else."""
    ignored = {*points(*IGNORABLE)}
    for text in texts(10_000, seed=5):
        for cluster, _ in stored(text, Drops()):
            visible = [char for char in cluster if char not in ignored and not char.isspace()]
            assert visible or len(cluster) == 1, ascii(text)


def test_what_is_ignorable_is_what_unicodes_file_says() -> None:
    said = [
        span
        for span, kind in unicode_data.fields("DerivedCoreProperties.txt")
        if kind == "Default_Ignorable_Code_Point"
    ]
    listed = {char for span in said for char in unicode_data.texts_of(span)}
    assert listed in (set(points(*IGNORABLE)), set())


def test_what_is_wide_although_no_member_is() -> None:
    assert [cluster_width(one) for one in ("1\ufe0f", "1\ufe0f\u20e3", "\u2620\u200d\u2620")] == [2, 2, 2]
    assert [cluster_width(one) for one in ("1", "1\u20e3", "\u2620", "a\u200d")] == [1, 1, 1, 1]


def test_the_rule_is_of_the_version_that_the_documents_name() -> None:
    assert list_versions()[-1] == "18.0.0"
