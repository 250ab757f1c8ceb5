"""Mermaid's source, before it is read as one kind of diagram or another."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_BREAK = re.compile(r"<br\s*/?>|\\n", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:b|i|u|s|em|strong|code|small|big|span|font|p|div|center)(?:\s[^<>]*)?>", re.IGNORECASE
)
_MARKS = re.compile(r"(\*\*|__|\*|\b_|_\b)")
_ENTITY = re.compile(r"#(\w+);")
_FRONT = re.compile(r"\A---\s*\n.*?\n---[^\S\n]*(?:\n|\Z)", re.DOTALL)


def statements(source: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers from 1: no front matter, comments or directives."""
    front = _FRONT.match(source)
    skipped = front[0].count("\n") if front else 0
    for number, line in enumerate(source.split("\n"), 1):
        text = re.sub(r"(?:^|\s)%%.*", "", line).rstrip()
        if number > skipped and text.strip():
            yield number, text


def label(text: str) -> list[str]:
    """A label's rows: quotes and tags of style taken off, in backticks Markdown's marks too; breaks and
    entities read."""
    words = text.strip()
    for mark in ('"', "`", "'"):
        if len(words) > 1 and words[0] == mark == words[-1]:
            words = words[1:-1].strip()
            words = _MARKS.sub("", words) if mark == "`" else words
    words = html.unescape(_ENTITY.sub(lambda found: _entity(found[1]), _TAG.sub("", words)))
    return [" ".join(row.split()) for row in _BREAK.sub("\n", words).split("\n")]


def words(text: str) -> str:
    """A label in one row."""
    return " ".join(label(text))


def _entity(name: str) -> str:
    return f"&#{name};" if name.isdigit() else f"&{name};"
