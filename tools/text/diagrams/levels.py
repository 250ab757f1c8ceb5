"""A graph with groups as levels: a group is a graph of its own, and a single node in the one around it.

An edge that crosses a group's frame is cut there into pieces. They meet in a port, a place in the frame. So
the nodes of a group always stand together, and its frame holds nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chardesk.tools.text.diagrams.graph import Direction, Edge, Graph, Group, Look, Node, ranks
from chardesk.tools.text.diagrams.layers import Chain, Layers, ordered
from chardesk.tools.text.picture import Findings

Trail = tuple[str, ...]
"""The way to a node through its groups, from the outermost on. A group's own trail ends with the group."""


@dataclass(slots=True, eq=False)
class Port:
    """Where lines cross a frame, on the side where its level begins or (`is_below`) ends.

    `trail` leads on from the group, empty if the line ends at the frame; `mark` is the head at its inner end,
    `room` the columns its label needs behind it. `order` is where its line comes from.
    """

    name: str
    trail: Trail
    is_below: bool
    look: Look
    mark: str
    room: int = 0
    order: list[int] = field(default_factory=list)

    def strand(self) -> Strand:
        """The line from the frame to the inner end."""
        if self.is_below:
            return Strand(Edge("", "", look=self.look, head="", tail=self.mark), self.trail, (self.name,))
        return Strand(Edge("", "", look=self.look, head=self.mark), (self.name,), self.trail)


@dataclass(frozen=True, slots=True)
class Strand:
    """An edge, or what is left of it within a group."""

    edge: Edge
    start: Trail
    end: Trail


@dataclass(slots=True, eq=False)
class Level:
    """`graph` has the level's nodes, its groups and the ports of its frame as nodes, and the pieces of edges.
    `inner` are its groups by node, `doors` the ports of each by the number of the piece that ends there.
    `ports` are those of its own frame."""

    group: Group | None
    graph: Graph
    layers: Layers
    inner: dict[str, Level] = field(default_factory=dict)
    doors: dict[str, dict[int, Port]] = field(default_factory=dict)
    ports: Sequence[Port] = ()


def levels(graph: Graph, room: Callable[[Edge], int], findings: Findings) -> Level:
    """The outermost level. `room` is what an edge's label needs beside its line."""
    return _Nest(graph, room, findings).outermost()


class _Nest:
    def __init__(self, graph: Graph, room: Callable[[Edge], int], findings: Findings) -> None:
        self._graph = graph
        self._room = room
        self._findings = findings
        groups = [group for group in graph.groups if group.members - {group.id}]
        self._groups = {f"\0{number}": group for number, group in enumerate(groups)}
        self._trails: dict[str, Trail] = {}
        self._members: dict[Trail, dict[str, None]] = defaultdict(dict)
        self._find_trails()

    def _find_trails(self) -> None:
        names = {id(group): name for name, group in self._groups.items()}
        trails: dict[str, Trail] = {}
        for name, group in self._groups.items():
            around = [names[id(each)] for each in group.parents() if id(each) in names]
            trails[name] = (*reversed(around), name)
        ends = {group.id: name for name, group in self._groups.items() if group.id in self._graph.nodes}
        for node in self._graph.nodes:
            if node in ends:
                self._trails[node] = trails[ends[node]]
                continue
            home = next((name for name, group in self._groups.items() if node in group.members), None)
            self._trails[node] = (*(trails[home] if home else ()), node)
            for depth in range(len(self._trails[node])):
                self._members[self._trails[node][:depth]][self._trails[node][depth]] = None
        for node, name in ends.items():
            if trails[name] not in self._members:
                self._trails[node] = (node,)
                self._members[()][node] = None

    def outermost(self) -> Level:
        strands = [
            Strand(edge, self._trails[edge.start], self._trails[edge.end]) for edge in self._graph.edges
        ]
        return self._level((), strands, (), self._graph.direction)

    def _level(
        self, at: Trail, strands: Sequence[Strand], ports: Sequence[Port], direction: Direction
    ) -> Level:
        nodes = {name: self._graph.nodes.get(name) or Node(name, [[]]) for name in self._members[at]}
        passing = [port for port in ports if port.trail]
        pieces, deeper = self._sorted([*strands, *(port.strand() for port in passing)])
        edges = [
            replace(
                strand.edge,
                start=strand.start[0],
                end=strand.end[0],
                tail=strand.edge.tail if len(strand.start) == 1 else "",
                head=strand.edge.head if len(strand.end) == 1 else "",
            )
            for strand in pieces
        ]
        group = self._groups[at[-1]] if at else None
        if group is not None and group.direction and not passing:
            direction = group.direction
        rank, count = _ranked(nodes, edges, passing, is_group=group is not None)
        nodes |= {port.name: Node(port.name, [[]]) for port in passing}
        graph = Graph(direction, nodes, edges)
        found = ordered(graph, rank, count, are_ends_fixed=group is not None)
        level = Level(group, graph, found, ports=ports)
        self._open(level, pieces)
        for name, doors in level.doors.items():
            within = sorted(dict.fromkeys(doors.values()), key=lambda port: sum(port.order) / len(port.order))
            level.inner[name] = self._level((*at, name), deeper[name], within, direction)
        return level

    def _sorted(self, strands: Sequence[Strand]) -> tuple[list[Strand], dict[str, list[Strand]]]:
        """The strands that are lines of this level, and those that lie within one of its groups."""
        pieces: list[Strand] = []
        deeper: dict[str, list[Strand]] = defaultdict(list)
        for strand in strands:
            shorter = min(len(strand.start), len(strand.end))
            if strand.start[0] != strand.end[0] or (shorter == 1 and strand.start == strand.end):
                pieces.append(strand)
            elif shorter > 1:
                deeper[strand.start[0]].append(replace(strand, start=strand.start[1:], end=strand.end[1:]))
            else:
                title = self._groups[strand.start[0]].title[:40]
                message = f"a line between the group {title} and what is in it is not drawn"
                self._findings.note("markdown-diagram-edge-left-out", message)
        return pieces, deeper

    def _open(self, level: Level, pieces: Sequence[Strand]) -> None:
        """Give every group of a level the ports that its pieces need."""
        level.doors = {name: {} for name in level.graph.nodes if name in self._groups}
        places = {slot: number for row in level.layers.rows for number, slot in enumerate(row)}
        shared: dict[tuple[str, Trail, str, str], Port] = {}
        for chain in level.layers.chains:
            strand = pieces[chain.edge]
            for is_upper in (True, False):
                slot = chain.slots[0 if is_upper else -1]
                if slot.node not in level.doors:
                    continue
                is_start = is_upper != chain.is_reversed
                port = self._port(strand, chain, is_upper=is_upper, is_start=is_start)
                if is_start and is_upper and port.trail:
                    port = shared.setdefault((slot.node, port.trail, port.look, port.mark), port)
                port.order.append(places[chain.slots[1 if is_upper else -2]])
                level.doors[slot.node][chain.edge] = port

    def _port(self, strand: Strand, chain: Chain, *, is_upper: bool, is_start: bool) -> Port:
        edge = strand.edge
        trail, mark = (strand.start[1:], edge.tail) if is_start else (strand.end[1:], edge.head)
        room = self._room(edge) if not is_upper and len(chain.slots) == 2 else 0
        return Port(f"\1{chain.edge}{'^v'[is_upper]}", trail, is_upper, edge.look, mark, room)


def _ranked(
    nodes: Mapping[str, Node], edges: Sequence[Edge], ports: Sequence[Port], *, is_group: bool
) -> tuple[dict[str, int], int]:
    """The layer of every node and port, and how many there are; a group's frame is the first and the last."""
    inner = [(edge.start, edge.end) for edge in edges if edge.start in nodes and edge.end in nodes]
    found = ranks(list(nodes), inner)
    count = max(found.values()) + 1
    if not is_group:
        return found, count
    return (
        {node: rank + 1 for node, rank in found.items()}
        | {port.name: count + 1 if port.is_below else 0 for port in ports},
        count + 2,
    )
