"""Markdown's blocks as a tree. What stands inside a paragraph stays a flat list of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MAX_NESTING = 40
"""Blocks nested deeper than this are text. It also bounds the depth of every recursion here."""

_MAX_BRACKETS = 10_000
"""Measured: unmatched ones cost time by their square, 10,000 of them a third of a second."""


@dataclass(slots=True)
class Block:
    """`kind` is the token's type without `_open`. `stands_off`: is the source line before it blank?"""

    kind: str
    token: Token
    stands_off: bool = False
    children: list[Block] = field(default_factory=list)

    @property
    def line(self) -> int | None:
        """Where it begins in the source, from 1."""
        return self.token.map[0] + 1 if self.token.map else None

    @property
    def words(self) -> list[Token]:
        """The inline tokens of a paragraph, heading or table cell."""
        return next((child.token.children or [] for child in self.children if child.kind == "inline"), [])


@cache
def _parser(reads_links: bool) -> MarkdownIt:
    """GFM with math, footnotes, definition lists and front matter.

    Its packages are imported here: they take 30 ms, and a broker starts without them.
    """
    from markdown_it import MarkdownIt
    from mdit_py_plugins.deflist import deflist_plugin
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin
    from mdit_py_plugins.front_matter import front_matter_plugin

    parser = MarkdownIt("gfm-like", {"html": True, "maxNesting": _MAX_NESTING})
    parser.use(dollarmath_plugin, allow_space=False, allow_digits=False)
    parser.use(footnote_plugin).use(deflist_plugin).use(front_matter_plugin)
    return parser if reads_links else parser.disable(["link", "image"])


def has_readable_links(source: str) -> bool:
    """False if there are so many `[` that looking for links would take too long."""
    return source.count("[") <= _MAX_BRACKETS


def blocks(source: str) -> list[Block]:
    """The blocks of a document, in order; links are text if it has too many brackets.

    May raise whatever the parser raises on hostile input.
    """
    return _nested(_parser(has_readable_links(source)).parse(source), source.split("\n"))


def _nested(tokens: Sequence[Token], source_lines: Sequence[str]) -> list[Block]:
    top: list[Block] = []
    open_: list[list[Block]] = [top]
    for token in tokens:
        if token.nesting == -1:
            open_.pop()
            continue
        block = Block(token.type.removesuffix("_open"), token, _is_off(token, source_lines))
        open_[-1].append(block)
        if token.nesting == 1:
            open_.append(block.children)
    return top


def _is_off(token: Token, source_lines: Sequence[str]) -> bool:
    """Is the line above blank? A quote's rail alone counts as blank. Footnotes stand by themselves."""
    if token.type == "footnote_block_open":
        return True
    if not token.map or not token.map[0]:
        return False
    return not source_lines[token.map[0] - 1].strip(" \t>")
