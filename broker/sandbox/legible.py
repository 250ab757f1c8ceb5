"""A script's own words, made safe to print anywhere."""

from __future__ import annotations

import re

# Controls but for LF and tab (a terminal obeys them), and what turns the direction of text about.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def legible(text: str) -> str:
    """The text with every character that a terminal would obey spelled out, such as `\\x1b`."""
    return _OBEYED.sub(lambda found: ascii(found[0])[1:-1], text)
