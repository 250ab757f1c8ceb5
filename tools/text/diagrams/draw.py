"""Graphs to cells: boxes by layer, lines in the channels between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chardesk.tools.model.cell import At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams import boxes, frames
from chardesk.tools.text.diagrams.channels import Hop
from chardesk.tools.text.diagrams.graph import Edge, Graph
from chardesk.tools.text.diagrams.layers import Slot
from chardesk.tools.text.diagrams.layout import Block, laid_out
from chardesk.tools.text.diagrams.levels import levels
from chardesk.tools.text.diagrams.rows import rows_of, width
from chardesk.tools.text.picture import Findings, Line, columns, glyphs
from chardesk.tools.text.shapes.paper import Paper, Pen
from chardesk.tools.text.shapes.pieces import STEPS

_HEADS = {"arrow": "▲►▼◄", "triangle": "△▷▽◁"}
_LINE, _LABEL = Style("muted"), Style("info")


class Drawing:
    """A graph whose nodes have their places. Raises NotDrawn if it would be too large."""

    def __init__(self, graph: Graph) -> None:
        self.findings = Findings()
        self._block = laid_out(levels(graph, _label_width, self.findings), _label_width)

    @property
    def columns(self) -> int:
        """How wide it will be; labels at the left end may reach further."""
        return self._block.columns

    @property
    def rows(self) -> int:
        return self._block.rows

    def lines(self) -> list[Line]:
        """The rows of the picture. Raises Refused if it has too many cells."""
        paper = Paper(lambda _: None, self.findings)
        placed = list(_placed(self._block, At(0, 0), paper))
        for each in placed:
            each.rims_and_nodes()
        for each in placed:
            each.strokes()
        for each in placed:
            each.heads_and_labels()
        return rows_of(paper.cells)


def _label_width(edge: Edge) -> int:
    return width(" ".join(edge.label.split()))


def _label(edge: Edge, findings: Findings) -> Line:
    return glyphs(" ".join(edge.label.split()), _LABEL, findings.drops)


def _placed(block: Block, origin: At, paper: Paper) -> Iterator[_Level]:
    """The level and those in it, outer ones first."""
    level = _Level(block, origin, paper)
    yield level
    for name, inner in block.inner.items():
        rect = level.rects[name]
        yield from _placed(inner, At(rect.x, rect.y), paper)


class _Level:
    """One level on the paper. It is drawn in three rounds, so that a label knows what is beside it."""

    def __init__(self, block: Block, origin: At, paper: Paper) -> None:
        self._block = block
        self._graph = block.level.graph
        self._paper = paper
        self._axes = block.axes(origin)
        self._begins = block.begins
        self._hops = [hop for channel in block.channels for hop in channel]
        self._ports = {port.name for port in block.level.ports}
        self._rect = Rect(origin.x, origin.y, block.columns, block.rows)
        self.rects = {str(slot.node): self._rect_of(slot) for slot in block.level.layers.slots()}

    def _rect_of(self, slot: Slot) -> Rect:
        return self._axes.rect(
            slot.first, self._begins[slot.layer][0], slot.size, self._depth(str(slot.node))
        )

    def _depth(self, name: str) -> int:
        if name in self._ports:
            return 1
        inner = self._block.inner.get(name)
        size = (inner.columns, inner.rows) if inner else boxes.size(self._graph.nodes[name])
        return size[0 if self._block.is_sideways else 1]

    def rims_and_nodes(self) -> None:
        if (group := self._block.level.group) is not None:
            frames.draw(self._paper, self._rect, is_dashed=group.is_region)
        for name, rect in self.rects.items():
            if name not in self._block.inner and name not in self._ports:
                boxes.draw(self._paper, self._graph.nodes[name], rect)

    def strokes(self) -> None:
        for hop in self._hops:
            self._stroke(hop)

    def heads_and_labels(self) -> None:
        if self._block.level.group is not None:
            frames.entitle(self._paper, self._rect, self._block.level.group.title)
        for hop in self._hops:
            self._heads_and_label(hop)
        self._loops()

    def _points(self, hop: Hop) -> list[At]:
        """From the upper end to the lower: out of a border or a bend, along the track, up to a border."""
        top = self._end_of(hop.upper)
        bottom = self._begins[hop.lower.layer][0] - (1 if hop.lower.node else 0)
        if hop.track < 0:
            return [self._axes.at(hop.start, top), self._axes.at(hop.end, bottom)]
        turn = self._begins[hop.upper.layer][1] + self._block.turn(hop)
        corners = [(hop.start, top), (hop.start, turn), (hop.end, turn), (hop.end, bottom)]
        return [self._axes.at(*corner) for corner in corners]

    def _end_of(self, slot: Slot) -> int:
        begin, _ = self._begins[slot.layer]
        return begin + self._depth(slot.node) if slot.node else begin

    def _stroke(self, hop: Hop) -> None:
        edge = self._graph.edges[hop.chain.edge]
        weight = "heavy" if edge.look == "heavy" else "light"
        pen = Pen(weight, _LINE, is_dashed=edge.look == "dotted", yields=True)
        points = self._points(hop)
        tail, head = self._ends(hop)
        if hop.upper.node and not tail and boxes.has_border(self._graph.nodes[hop.upper.node]):
            points[0] = self._axes.at(hop.start, self._end_of(hop.upper) - 1)
        if hop.is_last and not head and boxes.has_border(self._graph.nodes[str(hop.lower.node)]):
            points[-1] = self._axes.at(hop.end, self._begins[hop.lower.layer][0])
        if hop.lower.node is None:
            points.append(self._axes.at(hop.end, self._begins[hop.lower.layer][1]))
        self._paper.stroke(points, pen)

    def _ends(self, hop: Hop) -> tuple[str, str]:
        """The heads at the upper and the lower end of a hop; only at the ends of its chain."""
        edge = self._graph.edges[hop.chain.edge]
        upper, lower = (edge.head, edge.tail) if hop.chain.is_reversed else (edge.tail, edge.head)
        return upper if hop.upper.node else "", lower if hop.is_last else ""

    def _heads_and_label(self, hop: Hop) -> None:
        points = self._points(hop)
        tail, head = self._ends(hop)
        down = _way(self._axes.at(0, 0), self._axes.at(0, 1))
        if tail:
            self._head(points[0], tail, (down + 2) % 4)
        if head:
            self._head(points[-1], head, down)
        edge = self._graph.edges[hop.chain.edge]
        if edge.label and hop.upper.node:
            self._write_label(_label(edge, self._paper.findings), hop, points)

    def _head(self, at: At, head: str, way: int) -> None:
        self._paper.words(at, _HEADS[head][way] if head in _HEADS else head, _LINE)

    def _write_label(self, label: Line, hop: Hop, points: Sequence[At]) -> None:
        """Beside the part of the line that is the edge's own: the last one before the lower end."""
        start, end = points[-2], points[-1]
        taken = columns(label)
        if self._block.is_sideways:
            left = min(start.x, end.x) + 1 + (abs(start.x - end.x) - taken) // 2
            places = [At(left, end.y - 1), At(left, end.y + 1)]
        else:
            y = end.y - (1 if end.y > start.y else -1) * bool(hop.lower.node)
            places = [At(end.x + 1, y), At(end.x - taken, y), At(end.x + 1, end.y), At(end.x - taken, end.y)]
        if not self._words_beside(label, places):
            at = places[0]
            x, y = (at.x, end.y) if self._block.is_sideways else (at.x - 1 - taken // 2, at.y)
            self._paper.words(At(x, y), "".join(glyph.char for glyph in label), _LABEL)

    def _loops(self) -> None:
        """An edge from a node to itself is a mark in its border, with the label behind it."""
        for number in self._block.level.layers.loops:
            edge = self._graph.edges[number]
            rect = self.rects[edge.start]
            at = At(rect.right - 1, rect.bottom - 1)
            self._paper.words(at, "↺", _LINE)
            label = _label(edge, self._paper.findings)
            self._words_beside(label, [At(at.x + 1, at.y), At(at.x + 1, at.y - 1)])

    def _words_beside(self, label: Line, places: Sequence[At]) -> bool:
        """Write a label at the first of these places that is free for it. False, and said, if none is."""
        text = "".join(glyph.char for glyph in label)
        taken = columns(label)
        for at in places:
            if all(self._paper.is_free(At(at.x + column, at.y)) for column in range(taken)):
                self._paper.words(at, text, _LABEL)
                return True
        self._paper.findings.note(
            "markdown-diagram-label-on-line", f"no room beside the line for: {text[:60]}"
        )
        return False


def _way(start: At, end: At) -> int:
    return STEPS.index((end.x - start.x, end.y - start.y))
