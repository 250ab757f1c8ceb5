"""The formats of material, and which one a text is in when nobody says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from chardesk.tools.text import raw
from chardesk.tools.text.picture import Picture


def _markdown(source: str, width: int) -> Picture:
    from chardesk.tools.text.markdown import reader

    return reader.read(source, width)


def _ansi(source: str, width: int) -> Picture:
    from chardesk.tools.text import ansi

    return ansi.read(source, width)


def _art(source: str, width: int) -> Picture:
    from chardesk.tools.text import ansi

    return ansi.read_art(source, width)


def _table(source: str, width: int) -> Picture:
    from chardesk.tools.text.tables import reader

    return reader.read(source, width)


READERS: Mapping[str, Callable[[str, int], Picture]] = {
    "raw": raw.read,
    "ansi": _ansi,
    "ansi-art": _art,
    "markdown": _markdown,
    "table": _table,
}
"""Each takes the source and the wrap column, and never raises. They are loaded at their first use: together
they cost 60 ms that starting a broker or a command need not pay."""

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
