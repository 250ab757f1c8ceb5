"""Code to coloured lines. The lexers are loaded when the first fence needs one: they cost 30 ms and more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chardesk.tools.model.cell import BOLD, ITALIC, PLAIN, Style
from chardesk.tools.text.picture import Findings, Glyph, Line, columns
from chardesk.tools.text.plain import lines_of, untabbed

_MAX_HIGHLIGHTED = 20_000
"""Characters of one block. Longer ones stay plain: some lexers take time that grows faster than the text."""

_DIFF = (
    ("+++", Style("muted", attrs=BOLD)),
    ("---", Style("muted", attrs=BOLD)),
    ("@@", Style("info")),
    ("+", Style("#116329", "#dafbe1")),
    ("-", Style("#82071e", "#ffebe9")),
)
"""How rows begin. The tinted ones bring their text's colour, so that they can be read on any paper."""

_BY_TOKEN: Mapping[str, Style] = {
    "Comment": Style("muted", attrs=ITALIC),
    "Keyword": Style("accent"),
    "Operator.Word": Style("accent"),
    "Literal.String": Style("success"),
    "Literal.Number": Style("warning"),
    "Name.Function": Style("info"),
    "Name.Class": Style("info", attrs=BOLD),
    "Name.Tag": Style("accent"),
    "Name.Attribute": Style("info"),
    "Name.Decorator": Style("info"),
    "Name.Builtin": Style("info"),
    "Generic.Deleted": Style("danger"),
    "Generic.Inserted": Style("success"),
    "Generic.Heading": Style("muted", attrs=BOLD),
    "Generic.Subheading": Style("info"),
    "Generic.Strong": Style(attrs=BOLD),
    "Generic.Emph": Style(attrs=ITALIC),
}
"""The longest name that a token's type begins with counts."""


def lines(source: str, language: str, findings: Findings) -> list[Line]:
    """The rows of a block of code, not wrapped, tabs at stops of 4. An unknown language is plain text."""
    if language == "diff":
        return _diff(lines_of(source.removesuffix("\n")), findings)
    rows: list[Line] = [[]]
    column = 0
    for text, style in _coloured("\n".join(lines_of(source.removesuffix("\n"))), language):
        for number, part in enumerate(text.split("\n")):
            if number:
                rows.append([])
                column = 0
            piece = untabbed(part, style, findings.drops, column)
            rows[-1] += piece
            column += columns(piece)
    return rows


def _diff(source_lines: Sequence[str], findings: Findings) -> list[Line]:
    """Rows of a diff, what came and what went on tinted paper as wide as the whole."""
    rows = []
    for text in source_lines:
        style = next((style for begin, style in _DIFF if text.startswith(begin)), PLAIN)
        rows.append((untabbed(text, style, findings.drops), style))
    wide = max((columns(line) for line, _ in rows), default=0)
    return [
        line + [Glyph(" ", 1, style)] * (wide - columns(line)) if style.bg_color else line
        for line, style in rows
    ]


def _coloured(text: str, language: str) -> Iterator[tuple[str, Style]]:
    lexer = _lexer(language) if len(text) <= _MAX_HIGHLIGHTED else None
    if lexer is None:
        yield text, PLAIN
        return
    for kind, part in lexer.get_tokens(text):
        yield part, _style(str(kind).removeprefix("Token."))


def _lexer(language: str) -> Any:
    """A pygments lexer that keeps every character; None if there is none of that name."""
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False) if language else None
    except ClassNotFound:
        return None


def _style(kind: str) -> Style:
    while kind:
        if kind in _BY_TOKEN:
            return _BY_TOKEN[kind]
        kind = kind.rpartition(".")[0]
    return PLAIN
