"""Blocks to lines. Each kind has its layout in a table; containers put their mark before what they hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.text.markdown import code, fences, html, inline, styles, tables
from chardesk.tools.text.markdown.marks import alert_of, task_of
from chardesk.tools.text.markdown.tree import Block
from chardesk.tools.text.markdown.wrap import wrap
from chardesk.tools.text.picture import Findings, Glyph, Line, columns, glyphs
from chardesk.tools.text.undrawn import NotDrawn

_NARROWEST = 8
"""Columns that the words of a deeply nested block keep, even when they then reach over the wrap column."""

_NESTED_INDENT = 4
"""A list inside a list stands this far in, or as far as the words of its item if they stand further."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where blocks are laid out: how wide, from which source, and where findings go."""

    width: int
    source_lines: Sequence[str]
    findings: Findings

    def inset(self, taken: int) -> Place:
        return replace(self, width=max(min(self.width, _NARROWEST), self.width - taken))

    def words(self, block: Block, base: Style) -> list[Line]:
        """The block's words, wrapped."""
        parts = inline.lines(block.words, base, self.findings, block.line)
        return [row for part in parts for row in wrap(part, self.width)]

    def mark(self, text: str, style: Style) -> Line:
        return glyphs(text, style, self.findings.drops)


def lines(blocks: Sequence[Block], place: Place) -> list[Line]:
    """The rows of blocks that follow each other. A blank row stands where the source has one."""
    rows: list[Line] = []
    for block in blocks:
        found = _LAYOUTS.get(block.kind, _source)(block, place)
        if rows and found and block.stands_off:
            rows.append([])
        rows += found
    return rows


def _paragraph(block: Block, place: Place) -> list[Line]:
    return place.words(block, styles.BODY)


def _heading(block: Block, place: Place) -> list[Line]:
    level = int(block.token.tag[1])
    mark = place.mark("#" * level + " ", styles.HEADING_MARK)
    words = place.inset(level + 1).words(block, styles.with_attrs(PLAIN, styles.HEADINGS[level - 1]))
    return _hung(mark, words)


def _quote(block: Block, place: Place) -> list[Line]:
    alert = alert_of(block)
    rail = place.mark("│ ", alert.rail if alert else styles.RAIL)
    title = [place.mark(alert.title, alert.title_style)] if alert else []
    rows = [*title, *lines(block.children, place.inset(columns(rail)))]
    return [_marked(rail, row) for row in rows or [[]]]


def _list(block: Block, place: Place) -> list[Line]:
    marks = _list_marks(block, place)
    rows: list[Line] = []
    for number, (item, mark) in enumerate(zip(block.children, marks, strict=True)):
        if number and item.stands_off:
            rows.append([])
        rows += _item(item, mark, place)
    return rows


def _list_marks(block: Block, place: Place) -> list[Line]:
    """`- ` for every item, or its number; numbers are as wide as the longest, so that words line up."""
    if block.kind == "bullet_list":
        return [place.mark("- ", styles.LIST_MARK)] * len(block.children)
    start = block.token.attrGet("start")
    first = 1 if start is None else int(start)
    texts = [f"{number}. " for number in range(first, first + len(block.children))]
    widest = max(map(len, texts))
    return [place.mark(text.rjust(widest), styles.LIST_MARK) for text in texts]


def _item(item: Block, mark: Line, place: Place) -> list[Line]:
    """An item hangs behind its mark; lists in it stand at least 4 columns in."""
    mark = _task_mark(item, mark, place)
    indent = columns(mark)
    rows: list[Line] = []
    for number, child in enumerate(item.children):
        further = max(_NESTED_INDENT, indent) - indent if child.kind.endswith("_list") else 0
        if number and child.stands_off:
            rows.append([])
        held = lines([child], place.inset(indent + further))
        rows += ([*_blank(further), *row] if row else [] for row in held)
    return _hung(mark, rows or [[]])


def _task_mark(item: Block, mark: Line, place: Place) -> Line:
    """A task's circle stands in place of `- ` and behind a number; other items keep their mark."""
    task = task_of(item)
    if task is None:
        return mark
    circle = place.mark(task, Style(styles.TASK_COLORS[task]))
    return circle if mark[0].char == "-" else [*mark, *circle]


def _rule(block: Block, place: Place) -> list[Line]:
    return [place.mark("———", styles.RULE)]


def _table(block: Block, place: Place) -> list[Line]:
    return tables.lines(block, place.width, place.source_lines, place.findings)


def _code(block: Block, place: Place) -> list[Line]:
    return code.lines(block.token.content, "", place.findings)


def _fence(block: Block, place: Place) -> list[Line]:
    info = block.token.info.split()
    language = info[0].lower() if info else ""
    try:
        drawn = fences.drawn(block, info, place.width, place.findings)
    except NotDrawn as reason:
        return _not_drawn(block, language, reason, place)
    return code.lines(block.token.content, language, place.findings) if drawn is None else drawn


def _not_drawn(block: Block, language: str, reason: NotDrawn, place: Place) -> list[Line]:
    """The source between its fences, and why it is no picture."""
    line = None if block.line is None else block.line + (reason.line or 0)
    message = f"{language} is not drawn, its source is shown: {reason}"
    place.findings.note(f"markdown-{fences.KINDS[language]}-render-failed", message, line)
    fence = place.mark(block.token.markup + block.token.info.strip(), styles.RAIL)
    end = place.mark(block.token.markup, styles.RAIL)
    return [fence, *code.lines(block.token.content, "", place.findings), end]


def _math(block: Block, place: Place) -> list[Line]:
    """A block of math as a picture; what cannot be drawn keeps its source."""
    from chardesk.tools.text.math import reader

    try:
        place.findings.spend(len(block.token.content))
        return reader.lines(block.token.content, place.findings)
    except NotDrawn as reason:
        message = f"math is not drawn, its source is shown: {reason}"
        place.findings.note("markdown-math-render-failed", message, block.line)
    fence = place.mark("$$", styles.RAIL)
    return [fence, *code.lines(block.token.content.strip("\n"), "", place.findings), fence]


def _html(block: Block, place: Place) -> list[Line]:
    """A comment is left out and reported; other blocks of HTML are shown as they are written."""
    said = html.comment(block.token.content)
    if said is None:
        return _source(block, place)
    place.findings.note("markdown-comment-left-out", f"a comment is not drawn: {said[:80]}", block.line)
    return []


def _front_matter(block: Block, place: Place) -> list[Line]:
    place.findings.note("markdown-front-matter-left-out", "front matter is not drawn", block.line)
    return []


def _footnotes(block: Block, place: Place) -> list[Line]:
    """The notes by number, each behind its mark."""
    rows: list[Line] = []
    for note in block.children:
        mark = place.mark(f"[{note.token.meta['id'] + 1}] ", styles.FOOTNOTE)
        rows += _hung(mark, lines(note.children, place.inset(columns(mark))) or [[]])
    return rows


def _definitions(block: Block, place: Place) -> list[Line]:
    """Terms in bold, what they mean below them and 4 columns in."""
    rows: list[Line] = []
    for number, child in enumerate(block.children):
        if child.kind == "dt":
            rows += [[]] * bool(number) + place.words(child, styles.TERM)
        else:
            held = lines(child.children, place.inset(_NESTED_INDENT))
            rows += ([*_blank(_NESTED_INDENT), *row] if row else [] for row in held)
    return rows


def _source(block: Block, place: Place) -> list[Line]:
    """A kind that has no layout keeps its source."""
    return code.lines(block.token.content, "", place.findings)


_Layout = Callable[[Block, Place], list[Line]]
_LAYOUTS: Mapping[str, _Layout] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "blockquote": _quote,
    "bullet_list": _list,
    "ordered_list": _list,
    "hr": _rule,
    "table": _table,
    "code_block": _code,
    "fence": _fence,
    "math_block": _math,
    "math_block_label": _math,
    "html_block": _html,
    "front_matter": _front_matter,
    "footnote_block": _footnotes,
    "dl": _definitions,
}


def _hung(mark: Line, rows: Sequence[Line]) -> list[Line]:
    """The mark before the first row, as much space before the others."""
    space = _blank(columns(mark))
    return [_marked(mark, rows[0]), *([*space, *row] if row else [] for row in rows[1:])]


def _marked(mark: Line, row: Line) -> Line:
    """The mark and the row; before an empty row the mark stands without its space."""
    return [*mark, *row] if row else mark[:-1]


def _blank(count: int) -> Line:
    return [Glyph(" ", 1, PLAIN)] * count
