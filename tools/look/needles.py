"""What a search looks for: one needle per row of the query, literal or a regular expression."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Protocol

from chardesk.tools.errors import Refused
from chardesk.tools.look.lines import Line
from chardesk.tools.model.width import cluster_width, graphemes


class Needle(Protocol):
    """Offsets are into `Line.text`."""

    def found(self, line: Line, start: int) -> Iterator[tuple[int, int]]:
        """Where it occurs from `start` on, left to right, each as begin and end; some may be empty."""

    def end_at(self, line: Line, offset: int) -> int | None:
        """Where it ends if it begins exactly at `offset`."""


def composed(text: str) -> str:
    """NFC: how texts are compared."""
    return text if text.isascii() else _composed(text)


def caseless(text: str) -> str:
    """NFC without case."""
    return text.lower() if text.isascii() else _caseless(text)


_REMEMBERED = 8192
"""Clusters in use on a desk of many scripts. Whole rows never come here, unless they are a query's."""


@lru_cache(maxsize=_REMEMBERED)
def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


@lru_cache(maxsize=_REMEMBERED)
def _caseless(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


class Literal:
    """Text that was folded the way its lines are."""

    def __init__(self, text: str) -> None:
        self._text = text

    def found(self, line: Line, start: int) -> Iterator[tuple[int, int]]:
        at = line.text.find(self._text, start)
        while at >= 0:
            yield at, at + len(self._text)
            at = line.text.find(self._text, at + 1)

    def end_at(self, line: Line, offset: int) -> int | None:
        return offset + len(self._text) if line.text.startswith(self._text, offset) else None


class Expression:
    """An RE2 pattern: linear time whatever it says. `^` and `$` are the ends of the line."""

    def __init__(self, pattern: Any) -> None:
        self._pattern = pattern

    def found(self, line: Line, start: int) -> Iterator[tuple[int, int]]:
        for match in self._pattern.finditer(line.text, start):
            yield match.span()

    def end_at(self, line: Line, offset: int) -> int | None:
        match = self._pattern.match(line.text, offset)
        return None if match is None else int(match.end())


def literals(rows: Sequence[str], ignore_case: bool) -> list[Needle]:
    fold = caseless if ignore_case else composed
    return [Literal(fold(row)) for row in rows]


def longest(rows: Sequence[str]) -> int:
    """Columns of the widest row of a literal query."""
    return max(sum(map(cluster_width, graphemes(row))) for row in rows)


def expressions(rows: Sequence[str], ignore_case: bool) -> list[Needle]:
    """One RE2 pattern per row. Refuses `invalid_input` for what RE2 can't do, in its words."""
    import re2  # type: ignore[import-untyped]  # loaded by the first search that needs it

    options = re2.Options()
    options.case_sensitive = not ignore_case
    options.log_errors = False
    try:
        return [Expression(re2.compile(composed(row), options=options)) for row in rows]
    except re2.error as error:
        reason = error.args[0]
        said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise Refused("invalid_input", f"query is not an RE2 pattern: {said}", field="query") from None
    except UnicodeEncodeError:
        raise Refused("invalid_input", "query holds half of a surrogate pair", field="query") from None
