"""Nodes as boxes: how large they are, and how they are drawn."""

from __future__ import annotations

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams.graph import Node
from chardesk.tools.text.diagrams.rows import width
from chardesk.tools.text.shapes.paper import Paper, Pen


def size(node: Node) -> tuple[int, int]:
    """Columns and rows."""
    rows = [row for part in node.parts for row in part]
    words = max((width(row) for row in rows), default=0) + 2 * width(node.marks)
    if node.border == "bar":
        return 1, 1
    if node.border == "none":
        return max(1, words), max(1, len(rows))
    return words + 4, len(rows) + 2 + max(0, len(node.parts) - 1)


def has_border(node: Node) -> bool:
    """Do lines end in a border? Else they end before what stands there."""
    return node.border not in ("none", "bar")


def draw(paper: Paper, node: Node, rect: Rect) -> None:
    """The box and its compartments; a single one has its words in the middle."""
    if node.border == "bar":
        for y in range(rect.y, rect.bottom):
            paper.words(At(rect.x, y), "━" * rect.width if rect.width > 1 else "┃", PLAIN)
        return
    if has_border(node):
        paper.stroke(corners(rect), Pen(node.border), closed=True)
    edge = int(has_border(node))
    rows = sum(map(len, node.parts)) + len(node.parts) - 1
    y = rect.y + edge + (rect.height - 2 * edge - rows) // 2
    for number, part in enumerate(node.parts):
        if number:
            paper.stroke([At(rect.x, y), At(rect.right - 1, y)], Pen(node.border))
            y += 1
        for row in part:
            _write_row(paper, node, rect, At(rect.x, y), row, is_title=number == 0)
            y += 1


def _write_row(paper: Paper, node: Node, rect: Rect, at: At, row: str, *, is_title: bool) -> None:
    style = Style(attrs=BOLD) if is_title and node.is_titled else PLAIN
    text = f"{node.marks}{row}{node.marks[::-1]}" if node.marks else row
    inner = rect.width - 4 if node.border != "none" else rect.width
    free = (inner - width(text)) // 2 if is_title else 0
    paper.words(At(at.x + (2 if node.border != "none" else 0) + max(0, free), at.y), text, style)


def corners(rect: Rect) -> list[At]:
    """The four corners, clockwise from the upper left."""
    right, bottom = rect.right - 1, rect.bottom - 1
    return [At(rect.x, rect.y), At(right, rect.y), At(right, bottom), At(rect.x, bottom)]
