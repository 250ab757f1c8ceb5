"""A deck of slides from one Markdown document: pure, so that the desk decides what becomes of it.

`---` in a paragraph of its own begins the next slide; `***` and `___` are rules on a slide, dashes under
words make them a heading, and dashes in code are code. Front matter is no slide. Every slide is read by
itself: a link or footnote is defined on the slide that uses it. Comments are the speaker's notes.

Nothing is cut: rows that do not fit continue on a further sheet, columns that do not fit in a further row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chardesk.tools.model.sheet import Size
from chardesk.tools.text.markdown import html, reader, tree
from chardesk.tools.text.markdown.tree import Block
from chardesk.tools.text.picture import MOST_DRAWN, Diagnostic, Findings, Line, Picture, columns
from chardesk.tools.text.plain import lines_of

_MOST_SHEETS = 500
_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Slide:
    """One sheet. `name` is its first heading (or `Slide 3`), with `(2)` and so on where a slide continues;
    `picture` fits the size and stands at [0, 0]; `notes` belong to the first sheet of a slide."""

    name: str
    picture: Picture
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Deck:
    """`diagnostics` name lines of the whole source, as many as a picture's; among them `deck-rows-continued`
    and `deck-columns-continued` with counts, for every slide that was too large."""

    slides: tuple[Slide, ...]
    diagnostics: tuple[Diagnostic, ...]


def deck(source: str, size: Size) -> Deck:
    """The slides of a document, at least one. Never raises. More than 500 sheets are left out and said."""
    slides: list[Slide] = []
    told: list[Diagnostic] = []
    room_to_draw = MOST_DRAWN
    for number, (start, source_lines) in enumerate(_parts(lines_of(source)), 1):
        findings = Findings(room_to_draw=room_to_draw)
        slides += _slide(number, source_lines, size, findings)
        room_to_draw = findings.room_to_draw
        found = findings.picture(()).diagnostics
        told += (replace(each, line=each.line + start) if each.line else each for each in found)
    if len(slides) > _MOST_SHEETS:
        left_out = len(slides) - _MOST_SHEETS
        message = f"a deck has at most {_MOST_SHEETS}; left out: {left_out}"
        told.insert(0, Diagnostic("deck-sheets-left-out", message))
    return Deck(tuple(slides[:_MOST_SHEETS]), Findings(diagnostics=told).picture(()).diagnostics)


def _parts(source_lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Each slide's lines, and how many stand before them."""
    first = 0
    for start, end in _breaks(source_lines):
        if start:
            yield first, source_lines[first:start]
        first = end
    yield first, source_lines[first:]


def _breaks(source_lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The lines that separate slides, and the front matter, as (first, one past the last)."""
    try:
        blocks = tree.blocks("\n".join(source_lines))
    except Exception:
        return
    for block in blocks:
        span = block.token.map
        is_break = block.kind == "front_matter" or (block.kind == "hr" and block.token.markup.startswith("-"))
        if span and is_break:
            yield span[0], span[1]


def _slide(number: int, source_lines: Sequence[str], size: Size, findings: Findings) -> list[Slide]:
    rows = reader.lines(source_lines, size.columns, findings)
    notes = tuple(_notes(source_lines))
    kept = [each for each in findings.diagnostics if each.code != "markdown-comment-left-out"]
    findings.diagnostics[:] = kept
    _report(number, rows, size, findings)
    folded = [part for row in rows for part in _folded(row, size.columns)]
    sheets = _sheets(folded, size.rows) or [[]]
    name = _name(source_lines) or f"Slide {number}"
    dropped = findings.drops.report()
    return [
        Slide(
            name if at == 0 else f"{name} ({at + 1})",
            replace(Findings().picture(sheet), dropped=dropped if at == 0 else ()),
            notes if at == 0 else (),
        )
        for at, sheet in enumerate(sheets)
    ]


def _report(number: int, rows: Sequence[Line], size: Size, findings: Findings) -> None:
    """Say what does not fit, at the slide's first line."""
    wide = sum(columns(row) > size.columns for row in rows)
    if wide:
        message = (
            f"slide {number}: {wide} rows are wider than {size.columns} columns and continue in the next row"
        )
        findings.note("deck-columns-continued", message, 1)
    tall = sum(max(1, -(-columns(row) // size.columns)) for row in rows)
    if tall > size.rows:
        more = -(-tall // size.rows) - 1
        message = f"slide {number}: {tall} rows, {size.rows} fit; it continues on {more} or more sheets"
        findings.note("deck-rows-continued", message, 1)


def _folded(row: Line, room: int) -> Iterator[Line]:
    """The row in pieces that fit, no glyph cut. A glyph wider than the sheet is left alone in its row."""
    piece: Line = []
    taken = 0
    for glyph in row:
        if piece and taken + glyph.width > room:
            yield piece
            piece, taken = [], 0
        piece.append(glyph)
        taken += glyph.width
    yield piece


def _sheets(rows: Sequence[Line], room: int) -> list[list[Line]]:
    """Rows by sheet. A sheet ends at an empty row if one stands in its lower half; it begins with none."""
    found: list[list[Line]] = []
    rest = list(rows)
    while rest:
        end = room
        if len(rest) > room:
            end = next((at for at in range(room, room // 2, -1) if not rest[at]), room)
        found.append(rest[:end])
        rest = rest[end:]
        while rest and not rest[0]:
            rest.pop(0)
    return found


def _walk(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        yield block
        yield from _walk(block.children)


def _notes(source_lines: Sequence[str]) -> Iterator[str]:
    """What the comments say, in order."""
    try:
        blocks = tree.blocks("\n".join(source_lines))
    except Exception:
        return
    for block in _walk(blocks):
        tokens = [block.token, *(block.token.children or [])]
        said = (
            html.comment(token.content) for token in tokens if token.type in ("html_block", "html_inline")
        )
        yield from (each for each in said if each is not None)


def _name(source_lines: Sequence[str]) -> str:
    """The words of the first heading."""
    try:
        blocks = tree.blocks("\n".join(source_lines))
    except Exception:
        return ""
    heading = next((block for block in blocks if block.kind == "heading"), None)
    words = "".join(token.content for token in heading.words) if heading else ""
    return " ".join(words.split())[:_NAME_LENGTH]
