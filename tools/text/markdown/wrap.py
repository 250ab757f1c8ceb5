"""Breaking a line into rows by columns.

A row ends at a space or between wide characters (CJK); never before a closing mark or after an opening one,
and never inside a word, a cluster or a link, unless that alone is wider than a row.
"""

from __future__ import annotations

from collections.abc import Iterator

from chardesk.tools.text.picture import Glyph, Line, columns

NOT_FIRST = frozenset(
    "、。，．：；？！）］｝〉》」』】〕〗〙〟’”‐–—…‥・ー々〻ゝゞヽヾ゛゜ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ%％℃°!),.:;?]}"
)
"""Marks that close or continue what stands before them: they never begin a row."""

NOT_LAST = frozenset("（［｛〈《「『【〔〖〘〝‘“([{")
"""Marks that open what follows: they never end a row."""


def wrap(line: Line, width: int, *, keeps_links: bool = True) -> list[Line]:
    """The rows of a line, each at most `width` columns; at least one row, an empty one for an empty line.

    Spaces at the ends of rows are left out, those between words stay as they are. A glyph wider than `width`
    has a row to itself.
    """
    if columns(line) <= width:
        return [_stripped(line)]
    rows: list[Line] = [[]]
    free = width
    for space, word in _words(line, keeps_links):
        taken = columns(space) + columns(word)
        if rows[-1] and taken <= free:
            rows[-1] += [*space, *word]
            free -= taken
            continue
        for piece in _pieces(word, width):
            if rows[-1]:
                rows.append([])
            rows[-1] += piece
            free = width - columns(piece)
    return rows


def _words(line: Line, keeps_links: bool) -> Iterator[tuple[Line, Line]]:
    """The line as pairs of (spaces before, unbreakable rest). The spaces are empty between CJK characters."""
    space: Line = []
    word: Line = []
    for glyph in line:
        glued = keeps_links and bool(word) and _in_one_link(word[-1], glyph)
        if _is_space(glyph) and not glued:
            if word:
                yield space, word
                space, word = [], []
            space.append(glyph)
            continue
        if word and not glued and _may_break(word[-1], glyph):
            yield space, word
            space, word = [], []
        word.append(glyph)
    if word:
        yield space, word


def _is_space(glyph: Glyph) -> bool:
    return glyph.char == " "


def _in_one_link(left: Glyph, right: Glyph) -> bool:
    return left.style.href is not None and left.style.href == right.style.href


def _may_break(left: Glyph, right: Glyph) -> bool:
    if left.width == right.width == 1:
        return False
    return right.char not in NOT_FIRST and left.char not in NOT_LAST


def _pieces(word: Line, width: int) -> Iterator[Line]:
    """The word whole if it fits a row; else cut, at its spaces if it has some (a link does), or anywhere."""
    if columns(word) <= width:
        yield word
    elif any(map(_is_space, word)):
        yield from wrap(word, width, keeps_links=False)
    else:
        yield from _cut(word, width)


def _cut(word: Line, width: int) -> Iterator[Line]:
    piece: Line = []
    free = width
    for glyph in word:
        if piece and glyph.width > free:
            yield piece
            piece, free = [], width
        piece.append(glyph)
        free -= glyph.width
    yield piece


def _stripped(line: Line) -> Line:
    start, end = 0, len(line)
    while start < end and _is_space(line[start]):
        start += 1
    while end > start and _is_space(line[end - 1]):
        end -= 1
    return line[start:end]
