"""Markdown to a picture: decode, cut into columns, structure, style, cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chardesk.tools.model.cell import PLAIN
from chardesk.tools.text.markdown import blocks, side_by_side, tree
from chardesk.tools.text.markdown.tree import Block
from chardesk.tools.text.picture import Findings, Line, Picture
from chardesk.tools.text.plain import lines_of, untabbed


def read(source: str, width: int) -> Picture:
    """GFM laid out in cells; prose wraps at `width` columns (1 or more). Never raises.

    What cannot be drawn keeps its source and is named in the diagnostics.
    """
    findings = Findings()
    return findings.picture(lines(lines_of(source), width, findings))


def lines(source_lines: Sequence[str], width: int, findings: Findings) -> list[Line]:
    """The same as rows of glyphs, what was found on the way in `findings`."""
    grid = side_by_side.pieces(source_lines)
    rows = [
        [_laid_out(piece, side_by_side.share(width, len(row)), findings) for piece in row] for row in grid
    ]
    return side_by_side.joined(rows, findings)


def _laid_out(piece: side_by_side.Piece, width: int, findings: Findings) -> list[Line]:
    known = len(findings.diagnostics)
    found = _parsed(piece, findings)
    if found is None:
        rows = [untabbed(line, PLAIN, findings.drops) for line in piece.lines]
    else:
        rows = blocks.lines(found, blocks.Place(width, piece.lines, findings))
    findings.diagnostics[known:] = [
        replace(each, line=each.line + piece.start) if each.line is not None else each
        for each in findings.diagnostics[known:]
    ]
    return rows


def _parsed(piece: side_by_side.Piece, findings: Findings) -> list[Block] | None:
    """None if the parser gave up: it is not ours, and hostile text must not stop a call."""
    source = "\n".join(piece.lines)
    if not tree.has_readable_links(source):
        findings.note("markdown-links-not-read", "there are too many brackets; links are shown as text", 1)
    try:
        return tree.blocks(source)
    except Exception:
        findings.note("markdown-not-read", "this Markdown could not be read; it is shown as text", 1)
        return None
