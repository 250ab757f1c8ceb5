"""Texts that no person would write, the same at every run: mixed from what decides where clusters end."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator
from random import Random

TELLING = (
    "\u200d\u200d\ufe0f\ufe0e\u0301\u20e3\U0001f3fb\U0001f1e6\U0001f1e7\u094d\u0915\u0937\u093c\u1100\u1161\u11a8"
    "\U0001f469\U0001f527\u2640\u00a9\u0600\u0903\U0001f3f4\U000e0067\U000e0062\U000e007f\u4e16\u200b\u202e\u2066"
    "\u00ad\u2060\u115f\u3164\u180b\u1820 a1"
)
"""Characters that join, select, hide or are joined: most faults need two of them side by side."""

_LONGEST = 10


def is_assigned(char: str) -> bool:
    """Did Unicode give it a meaning, by the version of this Python? Private use counts as none."""
    return unicodedata.category(char) not in {"Cn", "Co", "Cs", "Cc"}


def is_character(char: str) -> bool:
    """Any scalar value that is no control, assigned or not."""
    return unicodedata.category(char) not in {"Cs", "Cc"}


def texts(count: int, seed: int, of: Callable[[str], bool] = is_assigned) -> Iterator[str]:
    """`count` texts of up to ten characters, two thirds of them telling ones."""
    random = Random(seed)
    pool = [char for char in map(chr, range(sys.maxunicode + 1)) if of(char)]
    for _ in range(count):
        length = random.randint(1, _LONGEST)
        yield "".join(random.choice(TELLING if random.random() < 0.67 else pool) for _ in range(length))
