"""The formats of material, and which one a text is in when nobody says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from chardesk.tools.text import ansi, raw
from chardesk.tools.text.picture import Picture
from chardesk.tools.text.tables import reader as tables


def _markdown(source: str, width: int) -> Picture:
    """Loaded at its first use: the parser costs 35 ms that starting a broker or a command need not pay."""
    from chardesk.tools.text.markdown import reader

    return reader.read(source, width)


READERS: Mapping[str, Callable[[str, int], Picture]] = {
    "raw": raw.read,
    "ansi": ansi.read,
    "ansi-art": ansi.read_art,
    "markdown": _markdown,
    "table": tables.read,
}
"""Each takes the source and the wrap column, and never raises."""

_ESCAPE = re.compile(r"[\x1b\x9b]")
_MARKDOWN = re.compile(
    r"""
      ^\#{1,6}[ ]\S                          # a heading
    | ^[ ]{0,3}(?:```|~~~)                   # a fence
    | ^[ ]{0,3}\|?[ ]*:?-{3,}:?[ ]*\|        # the line under a table's header
    | ^(?:[-*+]|\d{1,9}[.)])[ ]\S            # a list
    | ^>[ ]?\S                               # a quote
    | ^\|\|\|[ ]*$                           # columns
    | \*\*[^\s*][^*\n]*\*\*                  # bold words
    | (?<!`)`[^\s`][^`\n]*`(?!`)             # code in a sentence
    | \]\([^\s()]+\)                         # a link
    """,
    re.MULTILINE | re.VERBOSE,
)


def detect(source: str) -> str:
    """`ansi` if there is an escape character; `markdown` if a line begins with a heading, a fence, a list, a
    quote, a column mark or a table's rule, or bold words, code or a link are anywhere; else `raw`."""
    if _ESCAPE.search(source):
        return "ansi"
    return "markdown" if _MARKDOWN.search(source) else "raw"


def picture(source: str, name: str, width: int) -> Picture:
    """The material as cells. `name` is a key of `READERS`. Never raises."""
    return READERS[name](source, width)
