"""Inline Markdown to glyphs: a flat walk with a stack of styles, so that no nesting is too deep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from chardesk.tools.model.cell import UNDERLINE, Style
from chardesk.tools.text.links import target
from chardesk.tools.text.markdown import html
from chardesk.tools.text.markdown.styles import CODE, EMPHASIS, FOOTNOTE, with_attrs
from chardesk.tools.text.picture import Findings, Glyph, Line, glyphs
from chardesk.tools.text.undrawn import NotDrawn

if TYPE_CHECKING:
    from markdown_it.token import Token


def lines(tokens: Sequence[Token], base: Style, findings: Findings, source_line: int | None) -> list[Line]:
    """The text of a block in cells, one line per hard break, not wrapped yet."""
    return _Walk(base, findings, source_line).walk(tokens)


class _Walk:
    def __init__(self, base: Style, findings: Findings, source_line: int | None) -> None:
        self._styles = [base]
        self._findings = findings
        self._line = source_line
        self._lines: list[Line] = [[]]
        self._tags = html.Tags()
        self._is_after_break = False

    def walk(self, tokens: Sequence[Token]) -> list[Line]:
        for token in tokens:
            if token.nesting == 1:
                self._styles.append(self._opened(token))
            elif token.nesting == -1:
                self._styles.pop()
            else:
                self._leaf(token)
        return self._lines

    def _opened(self, token: Token) -> Style:
        name = token.type.removesuffix("_open")
        style = with_attrs(self._style, EMPHASIS.get(name, 0))
        if name != "link":
            return style
        wanted = str(token.attrGet("href") or "")
        href = target(wanted)
        if href is None and wanted:
            self._note("link-not-kept", "a link's target cannot be kept with its cells; its text is shown")
        return replace(style, href=href)

    def _leaf(self, token: Token) -> None:
        match token.type:
            case "softbreak":
                self._soft_break()
            case "hardbreak":
                self._hard_break()
            case "html_inline":
                self._html(token.content)
            case "footnote_ref":
                self._add(f"[{token.meta['id'] + 1}]", FOOTNOTE)
            case "code_inline":
                self._add(token.content, replace(self._style, color=CODE.color))
            case "image":
                self._image(token)
            case "math_inline" | "math_inline_double":
                self._math(token)
            case _:
                self._add(token.content, self._style)

    def _math(self, token: Token) -> None:
        from chardesk.tools.text.math import reader

        try:
            self._findings.spend(len(token.content))
            self._add(reader.words(token.content), self._style)
        except NotDrawn as reason:
            self._note("math-render-failed", f"math is not drawn, its source is shown: {reason}")
            self._add(f"{token.markup}{token.content}{token.markup}", self._style)

    def _image(self, token: Token) -> None:
        source = str(token.attrGet("src") or "")
        self._note("image-not-drawn", "an image is shown as a link with its description")
        style = replace(with_attrs(self._style, UNDERLINE), href=target(source) or self._style.href)
        self._add(token.content or source, style)

    def _soft_break(self) -> None:
        """A line's end in the source is a space, but between two characters of Chinese or Japanese."""
        self._is_after_break = bool(self._lines[-1])

    def _hard_break(self) -> None:
        self._is_after_break = False
        self._lines.append([])

    def _html(self, tag: str) -> None:
        said = html.comment(tag)
        if said is not None:
            self._note("comment-left-out", f"a comment is not drawn: {said[:80]}")
        elif html.is_break(tag):
            self._hard_break()
        elif not self._tags.read(tag):
            self._add(tag, self._style)

    def _add(self, text: str, style: Style) -> None:
        styled = self._tags.style(style)
        line = glyphs(self._tags.shifted(text).replace("\t", " "), styled, self._findings.drops)
        if self._is_after_break and line:
            before = self._lines[-1]
            if not (_is_unspaced(before[-1]) and _is_unspaced(line[0])):
                before.append(Glyph(" ", 1, self._style))
            self._is_after_break = False
        self._lines[-1] += line

    def _note(self, kind: str, message: str) -> None:
        self._findings.note(f"markdown-{kind}", message, self._line)

    @property
    def _style(self) -> Style:
        return self._styles[-1]


def _is_unspaced(glyph: Glyph) -> bool:
    """Is this a wide character of a script that puts no spaces between words (all but Hangul)?"""
    return glyph.width == 2 and not "\uac00" <= glyph.char[0] <= "\ud7a3" and glyph.char[0] < "\U0001f000"
