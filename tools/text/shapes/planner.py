"""Shapes to cells: boxes, texts and tables first, then lines and arrows between them, then their labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.clusters import Dropped
from chardesk.tools.text.markdown.wrap import wrap
from chardesk.tools.text.picture import Diagnostic, Findings, Glyph, columns, glyphs
from chardesk.tools.text.shapes import tables
from chardesk.tools.text.shapes.connect import Wiring
from chardesk.tools.text.shapes.labels import Labels
from chardesk.tools.text.shapes.paper import Below, Paper, Pen
from chardesk.tools.text.shapes.route import Streets
from chardesk.tools.text.shapes.spec import AnyShape, Box, Connector, Table, Text

_PADDING = 1
"""Columns between a border and the words of a box that is as large as its words."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Cells by place, from the shapes' own origin; what is not among them stays as it is."""

    cells: Mapping[At, Glyph]
    dropped: tuple[Dropped, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


def plan(shapes: Sequence[AnyShape], below: Below) -> Drawing:
    """The drawing that shapes make over what stands at `below` (by place, from the same origin).

    The same shapes over the same cells are the same drawing. Raises Refused `too_large` for one of more than
    200,000 cells.
    """
    findings = Findings()
    paper = Paper(below, findings)
    rects = {number: _rect(shape, findings) for number, shape in enumerate(shapes)}
    for number, shape in enumerate(shapes):
        if (rect := rects[number]) is not None:
            _THINGS[type(shape)](paper, shape, rect)
    _connect(paper, shapes, rects)
    told = findings.picture(())
    return Drawing(paper.cells, told.dropped, told.diagnostics)


def _connect(paper: Paper, shapes: Sequence[AnyShape], rects: Mapping[int, Rect | None]) -> None:
    named = {
        shape.id: rect
        for number, shape in enumerate(shapes)
        if (rect := rects[number]) is not None and shape.id is not None
    }
    bordered = frozenset(
        shape.id
        for shape in shapes
        if shape.id and (isinstance(shape, Table) or (isinstance(shape, Box) and shape.border != "none"))
    )
    obstacles = [rect for rect in rects.values() if rect is not None]
    wiring = Wiring(paper, named, obstacles, list(paper.written), bordered, Streets(), set())
    connectors = [shape for shape in shapes if isinstance(shape, Connector)]
    ways = [wiring.draw(connector) for connector in connectors]
    for connector, way in zip(connectors, ways, strict=True):
        wiring.draw_heads(connector, way)
    labels = Labels(paper, obstacles)
    for connector, way in zip(connectors, ways, strict=True):
        if connector.label.strip():
            labels.put(connector.label, way, connector.words_style)


def _rect(shape: AnyShape, findings: Findings) -> Rect | None:
    """Where a shape stands; None for connectors, which find their own place."""
    match shape:
        case Box():
            return shape.rect or _fitted(shape)
        case Text():
            rows = _rows(shape.text)
            return Rect(shape.at.x, shape.at.y, max(1, *map(_width, rows)), len(rows))
        case Table():
            return tables.rect(shape)
        case Connector():
            return None
        case _:
            assert_never(shape)


def _fitted(box: Box) -> Rect:
    """A box as large as its words."""
    rows = _rows(box.text)
    edge = 0 if box.border == "none" else 1
    title = _width(box.title) + 4 * edge if box.title else 0
    width = max(1, *map(_width, rows)) + 2 * (edge + _PADDING * edge)
    head = 1 if box.title and not edge else 0
    assert box.at is not None
    return Rect(box.at.x, box.at.y, max(width, title + 2 * edge), len(rows) + 2 * edge + head)


def _draw_box(paper: Paper, box: Box, rect: Rect) -> None:
    edge = 0 if box.border == "none" else 1
    inner = _inset(rect, edge)
    if box.fill and box.fill != "blank":
        paper.tint(rect, box.fill)
    if box.border != "none":
        paper.stroke(_corners(rect), Pen(box.border, Style(box.color), box.join), closed=True)
    if inner is None:
        _cut(paper, box, [box.title, box.text])
        return
    if box.fill:
        paper.blank(inner)
    if box.title:
        inner = _titled(paper, box, rect, inner)
    _write(paper, box, inner)


def _titled(paper: Paper, box: Box, rect: Rect, inner: Rect) -> Rect:
    """The title in the upper border, or as the first row where there is none. Returns what room is left."""
    style = replace(box.words_style, attrs=BOLD)
    line = glyphs(" ".join(box.title.split()), style, paper.findings.drops)
    if box.border == "none":
        row, *rest = wrap(line, inner.width)
        paper.line(At(inner.x, inner.y), row)
        _cut(paper, box, ["".join(glyph.char for glyph in line) for line in rest])
        return inner._replace(y=inner.y + 1, height=inner.height - 1)
    room = rect.width - 4
    row, *rest = wrap(line, max(1, room - 2))
    if room < 3 or columns(row) > room - 2:
        _cut(paper, box, [box.title])
        return inner
    paper.line(At(rect.x + 2, rect.y), [_SPACE, *row, _SPACE])
    _cut(paper, box, ["".join(glyph.char for glyph in line) for line in rest])
    return inner


def _write(paper: Paper, box: Box, room: Rect) -> None:
    """The words of a box, wrapped, in its middle or from its upper left corner on."""
    if not box.text:
        return
    pad = _PADDING if box.align == "left" and room.width > 2 * _PADDING else 0
    width = room.width - 2 * pad
    lines = [glyphs(row, box.words_style, paper.findings.drops) for row in _rows(box.text)]
    rows = [row for line in lines for row in wrap(line, width)]
    shown = [row for row in rows[: max(0, room.height)] if columns(row) <= width]
    _cut(paper, box, ["".join(glyph.char for glyph in row) for row in rows[len(shown) :]])
    top = room.y + (0 if box.align == "left" else (room.height - len(shown)) // 2)
    for number, row in enumerate(shown):
        left = pad if box.align == "left" else (width - columns(row)) // 2
        paper.line(At(room.x + left, top + number), row)


def _cut(paper: Paper, box: Box, lost: Sequence[str]) -> None:
    words = " ".join(part for part in lost if part.strip())
    if words:
        name = f"box {box.id}" if box.id else "a box"
        paper.findings.note("shapes-text-cut", f"{name} has no room for: {words[:80]}")


def _draw_text(paper: Paper, text: Text, rect: Rect) -> None:
    for number, row in enumerate(_rows(text.text)):
        paper.words(At(rect.x, rect.y + number), row, text.words_style)


_THINGS: Mapping[type[AnyShape], Callable[[Paper, AnyShape, Rect], None]] = {
    Box: _draw_box,  # type: ignore[dict-item]
    Text: _draw_text,  # type: ignore[dict-item]
    Table: tables.draw,  # type: ignore[dict-item]
}
"""How each kind is drawn in its rectangle. Each function takes its own kind only."""

_SPACE = Glyph(" ", 1, PLAIN)


def _rows(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _width(text: str) -> int:
    return columns(glyphs(text, PLAIN, Findings().drops))


def _corners(rect: Rect) -> list[At]:
    right, bottom = rect.right - 1, rect.bottom - 1
    return [At(rect.x, rect.y), At(right, rect.y), At(right, bottom), At(rect.x, bottom)]


def _inset(rect: Rect, edge: int) -> Rect | None:
    width, height = rect.width - 2 * edge, rect.height - 2 * edge
    return Rect(rect.x + edge, rect.y + edge, width, height) if width > 0 and height > 0 else None
