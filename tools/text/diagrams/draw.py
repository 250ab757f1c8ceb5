"""Graphs to cells: boxes by layer, lines in the channels between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams import frames
from chardesk.tools.text.diagrams.channels import Hop, hops, tracks
from chardesk.tools.text.diagrams.graph import Edge, Graph, Node, ranks
from chardesk.tools.text.diagrams.layers import Layers, Slot, layers
from chardesk.tools.text.diagrams.rows import rows_of, width
from chardesk.tools.text.picture import Findings, Line, columns, glyphs
from chardesk.tools.text.shapes.paper import Paper, Pen
from chardesk.tools.text.shapes.pieces import STEPS
from chardesk.tools.text.undrawn import NotDrawn

_HEADS = {"arrow": "▲►▼◄", "triangle": "△▷▽◁"}
_LINE, _LABEL = Style("muted"), Style("info")
_MAX_AREA = 400_000
"""Columns times rows. A diagram beyond it is no picture any more."""


@dataclass(frozen=True, slots=True)
class _Axes:
    """How `along` and `across` turn into columns and rows, and the room that each way of reading needs."""

    is_sideways: bool
    is_backwards: bool
    length: int

    def at(self, across: int, along: int) -> At:
        along = self.length - 1 - along if self.is_backwards else along
        return At(along, across) if self.is_sideways else At(across, along)

    def rect(self, across: int, along: int, width: int, depth: int) -> Rect:
        one, other = self.at(across, along), self.at(across + width - 1, along + depth - 1)
        x, y = min(one.x, other.x), min(one.y, other.y)
        return Rect(x, y, abs(one.x - other.x) + 1, abs(one.y - other.y) + 1)


def lines(graph: Graph, findings: Findings) -> list[Line]:
    """The rows of the picture. Raises NotDrawn if it would be too large."""
    return _Drawing(graph, findings).lines()


class _Drawing:
    def __init__(self, graph: Graph, findings: Findings) -> None:
        self._graph = graph
        self._findings = findings
        self._paper = Paper(lambda _: None, findings)
        self._sideways = graph.direction in ("LR", "RL")
        self._sizes = {id: _size(node) for id, node in graph.nodes.items()}
        self._rects: dict[str, Rect] = {}

    def lines(self) -> list[Line]:
        ports = _ports(self._graph)
        across = {id: self._across(ports, id) for id in self._graph.nodes}
        room = [
            0 if self._sideways else columns(self._label(edge)) + 2 * bool(edge.label)
            for edge in self._graph.edges
        ]
        gap = (1 if self._sideways else 4) + 2 * bool(self._graph.groups)
        found = layers(self._graph, across, gap, room)
        channels = hops(found.chains, len(found.rows))
        begins, axes = self._along(found, channels)
        self._nodes(found, begins, axes)
        for channel in channels:
            for hop in channel:
                self._hop(hop, begins, axes)
        for channel in channels:
            for hop in channel:
                self._heads_and_label(hop, begins, axes)
        self._loops(found)
        frames.draw(self._paper, self._graph.groups, self._rects)
        return rows_of(self._paper.cells)

    def _label(self, edge: Edge) -> Line:
        return glyphs(" ".join(edge.label.split()), _LABEL, self._findings.drops)

    def _across(self, ports: Mapping[str, int], id: str) -> int:
        """A node's extent across: its own size, or what its lines need if that is more."""
        return max(self._sizes[id][1 if self._sideways else 0], 2 * min(ports[id], 12) + 1)

    def _depth(self, id: str) -> int:
        return self._sizes[id][0 if self._sideways else 1]

    def _along(self, found: Layers, channels: Sequence[Sequence[Hop]]) -> tuple[list[tuple[int, int]], _Axes]:
        """Where every layer begins and ends along the direction."""
        begins, at = [], 1 if self._graph.groups else 0
        for number, row in enumerate(found.rows):
            depth = max(self._depth(slot.node) if slot.node else 1 for slot in row)
            begins.append((at, at + depth))
            at += depth + (self._channel(channels[number]) if number < len(channels) else 0)
        at += 1 if self._graph.groups else 0
        across = max(slot.first + slot.size for row in found.rows for slot in row)
        if at * across > _MAX_AREA:
            raise NotDrawn(f"its picture would be {max(at, across)} cells long or wide")
        return begins, _Axes(self._sideways, self._graph.direction in ("BT", "RL"), at)

    def _channel(self, channel: Sequence[Hop]) -> int:
        count = tracks(channel)
        labels = [self._label(self._graph.edges[hop.chain.edge]) for hop in channel if hop.upper.node]
        widest = max(map(columns, labels), default=0)
        extra = 2 * bool(self._graph.groups)
        if self._sideways:
            return 3 + 2 * count + (widest + 2 if widest else 1) + 2 * extra
        return 2 + count + bool(widest) + extra

    def _nodes(self, found: Layers, begins: Sequence[tuple[int, int]], axes: _Axes) -> None:
        for row, (begin, _) in zip(found.rows, begins, strict=True):
            for slot in row:
                if slot.node is None:
                    continue
                depth = self._depth(slot.node)
                rect = axes.rect(slot.first, begin, slot.size, depth)
                self._rects[slot.node] = rect
                _draw_node(self._paper, self._graph.nodes[slot.node], rect)

    def _points(self, hop: Hop, begins: Sequence[tuple[int, int]], axes: _Axes) -> list[At]:
        """From the upper end to the lower: out of a border or a bend, along the track, up to a border."""
        top = self._end_of(hop.upper, begins)
        bottom = begins[hop.lower.layer][0] - (1 if hop.lower.node else 0)
        if hop.track < 0:
            return [axes.at(hop.start, top), axes.at(hop.end, bottom)]
        turn = begins[hop.upper.layer][1] + (2 * hop.track + 2 if self._sideways else hop.track + 1)
        turn += bool(self._graph.groups)
        corners = [(hop.start, top), (hop.start, turn), (hop.end, turn), (hop.end, bottom)]
        return [axes.at(*corner) for corner in corners]

    def _end_of(self, slot: Slot, begins: Sequence[tuple[int, int]]) -> int:
        begin, _ = begins[slot.layer]
        return begin + self._depth(slot.node) if slot.node else begin

    def _hop(self, hop: Hop, begins: Sequence[tuple[int, int]], axes: _Axes) -> None:
        edge = self._graph.edges[hop.chain.edge]
        weight = "heavy" if edge.look == "heavy" else "light"
        pen = Pen(weight, _LINE, is_dashed=edge.look == "dotted", yields=True)
        points = self._points(hop, begins, axes)
        tail, head = self._ends(hop)
        if hop.upper.node and not tail and self._graph.nodes[hop.upper.node].border != "none":
            points[0] = axes.at(hop.start, self._end_of(hop.upper, begins) - 1)
        if hop.is_last and not head and self._graph.nodes[str(hop.lower.node)].border != "none":
            points[-1] = axes.at(hop.end, begins[hop.lower.layer][0])
        if hop.lower.node is None:
            points.append(axes.at(hop.end, begins[hop.lower.layer][1]))
        self._paper.stroke(points, pen)

    def _ends(self, hop: Hop) -> tuple[str, str]:
        """The heads at the upper and the lower end of a hop; only at the ends of its chain."""
        edge = self._graph.edges[hop.chain.edge]
        upper, lower = (edge.head, edge.tail) if hop.chain.is_reversed else (edge.tail, edge.head)
        return upper if hop.upper.node else "", lower if hop.is_last else ""

    def _heads_and_label(self, hop: Hop, begins: Sequence[tuple[int, int]], axes: _Axes) -> None:
        points = self._points(hop, begins, axes)
        tail, head = self._ends(hop)
        down = _way(axes.at(0, 0), axes.at(0, 1))
        if tail:
            self._head(points[0], tail, (down + 2) % 4)
        if head:
            self._head(points[-1], head, down)
        label = self._label(self._graph.edges[hop.chain.edge])
        if label and hop.upper.node:
            self._write_label(label, hop, points)

    def _head(self, at: At, head: str, way: int) -> None:
        self._paper.words(at, _HEADS[head][way] if head in _HEADS else head, _LINE)

    def _write_label(self, label: Line, hop: Hop, points: Sequence[At]) -> None:
        """Beside the part of the line that is the edge's own: the last one before the lower end."""
        start, end = points[-2], points[-1]
        taken = columns(label)
        text = "".join(glyph.char for glyph in label)
        if self._sideways:
            left = min(start.x, end.x) + 1 + (abs(start.x - end.x) - taken) // 2
            places = [At(left, end.y - 1), At(left, end.y + 1)]
        else:
            y = end.y - (1 if end.y > start.y else -1) * bool(hop.lower.node)
            places = [At(end.x + 1, y), At(end.x - taken, y), At(end.x + 1, end.y), At(end.x - taken, end.y)]
        for at in places:
            if all(self._paper.is_free(At(at.x + column, at.y)) for column in range(taken)):
                self._paper.words(at, text, _LABEL)
                return
        self._findings.note("markdown-diagram-label-on-line", f"no room beside the line for: {text[:60]}")
        at = places[0]
        self._paper.words(
            At(at.x if self._sideways else at.x - 1 - taken // 2, end.y if self._sideways else at.y),
            text,
            _LABEL,
        )

    def _loops(self, found: Layers) -> None:
        """An edge from a node to itself is a mark in its border, with the label behind it."""
        for number in found.loops:
            edge = self._graph.edges[number]
            rect = self._rects[edge.start]
            at = At(rect.right - 1, rect.bottom - 1)
            self._paper.words(at, "↺", _LINE)
            for place in (At(at.x + 1, at.y), At(at.x + 1, at.y - 1)):
                label = self._label(edge)
                if all(self._paper.is_free(At(place.x + n, place.y)) for n in range(columns(label))):
                    self._paper.words(place, "".join(glyph.char for glyph in label), _LABEL)
                    break


def _ports(graph: Graph) -> dict[str, int]:
    """How many places lines need on the busier of a node's two sides."""
    rank = ranks(list(graph.nodes), [(edge.start, edge.end) for edge in graph.edges])
    above, below = Counter[str](), Counter[str]()
    bundles: set[tuple[str, str]] = set()
    for edge in graph.edges:
        if rank[edge.start] < rank[edge.end]:
            bundles.add((edge.start, edge.look))
            above[edge.end] += 1
        elif edge.start != edge.end:
            below[edge.end] += 1
            above[edge.start] += 1
    below.update(start for start, _ in bundles)
    return {id: max(above[id], below[id], 1) for id in graph.nodes}


def _size(node: Node) -> tuple[int, int]:
    rows = [row for part in node.parts for row in part]
    words = max((width(row) for row in rows), default=0) + 2 * width(node.marks)
    if node.border == "none":
        return max(1, words), max(1, len(rows))
    return words + 4, len(rows) + 2 + max(0, len(node.parts) - 1)


def _draw_node(paper: Paper, node: Node, rect: Rect) -> None:
    """The box and its compartments; a single one has its words in the middle."""
    if node.border != "none":
        paper.stroke(frames.corners(rect), Pen(node.border), closed=True)
    edge = int(node.border != "none")
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


def _way(start: At, end: At) -> int:
    return STEPS.index((end.x - start.x, end.y - start.y))
