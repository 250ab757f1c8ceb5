"""Where the nodes of one level stand: in layers along the diagram's direction, ordered so that few edges
cross, placed so that edges are straight.

Positions are abstract: `along` the direction and `across` it; `draw` turns them into columns and rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import floor

from chardesk.tools.text.diagrams.graph import Graph
from chardesk.tools.text.undrawn import NotDrawn

_MOST_BENDS = 3_000
"""Layers that lines pass through in all. Ordering takes time by their square."""

_BEND_WEIGHT = 4
"""Nodes that one bend moves: a long line is rather straight than short."""

_SWEEPS = 9
"""Passes down and up, the last one down; more change little."""


@dataclass(slots=True, eq=False)
class Slot:
    """A node, or one of the bends of an edge that passes through a layer (`node` None).

    `size` is its extent across, `needs_before` and `needs_after` what it needs on both sides of its centre
    for labels. `doors` are places where the lines of these edges meet it, counted from its first; all other
    lines meet it at its centre.
    """

    node: str | None
    layer: int
    size: int = 1
    needs_before: int = 0
    needs_after: int = 0
    centre: int = 0
    doors: dict[int, int] = field(default_factory=dict)
    ups: list[tuple[Slot, int]] = field(default_factory=list)
    downs: list[tuple[Slot, int]] = field(default_factory=list)
    """Neighbours in the next layers, each with the number of the edge."""

    @property
    def before(self) -> int:
        return (self.size - 1) // 2

    @property
    def ahead(self) -> int:
        return max(self.before, self.needs_before)

    @property
    def after(self) -> int:
        return max(self.size - 1 - self.before, self.needs_after)

    @property
    def first(self) -> int:
        return self.centre - self.before

    def lean(self, edge: int) -> int:
        """How far from its centre the line of this edge meets it."""
        return self.doors[edge] - self.before if edge in self.doors else 0


@dataclass(slots=True)
class Chain:
    """An edge as the slots it goes through, from the upper to the lower; `is_reversed` if it points up.
    Chains of one `bundle` leave a node from one place: they look alike there. None for one that points up."""

    edge: int
    slots: list[Slot]
    is_reversed: bool
    bundle: str | None


@dataclass(slots=True)
class Layers:
    rows: list[list[Slot]]
    chains: list[Chain]
    loops: list[int]
    """Edges from a node to itself."""

    def slots(self) -> Iterator[Slot]:
        """Those that are nodes."""
        return (slot for row in self.rows for slot in row if slot.node is not None)


def ordered(graph: Graph, rank: Mapping[str, int], count: int, *, are_ends_fixed: bool) -> Layers:
    """Nodes and bends in `count` layers, in their order; nothing has a size or a place yet. `rank` is the
    layer of each node. Fixed ends are the ports in a group's frame: they keep the order they are given in."""
    found = _slots(graph, rank, count)
    _order(found.rows, are_ends_fixed)
    return found


def place(found: Layers, gap: int) -> None:
    """Give every slot its centre, the first place across is 0; `gap` stays free between neighbours."""
    rows = [row for row in found.rows if row]
    for row in rows:
        _spread(row, [0.0] * len(row), gap)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else rows[::-1]:
            _spread(row, [_wish(slot, downwards) for slot in row], gap)
    _straighten(found, gap)
    first = min(slot.centre - slot.ahead for row in rows for slot in row)
    for row in rows:
        for slot in row:
            slot.centre -= first


def _slots(graph: Graph, rank: Mapping[str, int], count: int) -> Layers:
    rows: list[list[Slot]] = [[] for _ in range(count)]
    bends = sum(abs(rank[edge.end] - rank[edge.start]) for edge in graph.edges)
    if bends > _MOST_BENDS:
        raise NotDrawn(f"its lines pass through {bends} layers; {_MOST_BENDS} can be drawn")
    slots: dict[str, Slot] = {}
    for node in graph.nodes:
        slots[node] = Slot(node, rank[node])
        rows[rank[node]].append(slots[node])
    chains, loops = [], []
    for number, edge in enumerate(graph.edges):
        if edge.start == edge.end:
            loops.append(number)
            continue
        ends = sorted((slots[edge.start], slots[edge.end]), key=lambda slot: slot.layer)
        is_reversed = ends[0] is not slots[edge.start]
        bundle = None if is_reversed else f"{edge.look} {edge.tail}"
        chains.append(Chain(number, _threaded(number, ends[0], ends[1], rows), is_reversed, bundle))
    return Layers(rows, chains, loops)


def _threaded(edge: int, upper: Slot, lower: Slot, rows: list[list[Slot]]) -> list[Slot]:
    """The two ends with a bend in every layer between them, linked up and down."""
    bends = [Slot(None, layer) for layer in range(upper.layer + 1, lower.layer)]
    for bend in bends:
        rows[bend.layer].append(bend)
    found = [upper, *bends, lower]
    for one, other in pairwise(found):
        one.downs.append((other, edge))
        other.ups.append((one, edge))
    return found


def _order(rows: list[list[Slot]], are_ends_fixed: bool) -> None:
    """Sort each layer by where its neighbours stand."""
    best, fewest = [list(row) for row in rows], _crossings(rows)
    loose = rows[1:-1] if are_ends_fixed else rows
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in loose if downwards else loose[::-1]:
            _sort(row, rows, downwards)
        crossed = _crossings(rows)
        if crossed < fewest:
            best, fewest = [list(row) for row in rows], crossed
    for row, kept in zip(rows, best, strict=True):
        row[:] = kept


def _sort(row: list[Slot], rows: list[list[Slot]], downwards: bool) -> None:
    near = row[0].layer + (-1 if downwards else 1)
    others = {slot: n for n, slot in enumerate(rows[near])} if 0 <= near < len(rows) else {}
    wanted = {}
    for number, slot in enumerate(row):
        at = [others[each] for each, _ in (slot.ups if downwards else slot.downs) if each in others]
        wanted[slot] = (sum(at) / len(at) if at else number, number)
    row.sort(key=wanted.__getitem__)


def _crossings(rows: list[list[Slot]]) -> int:
    found = 0
    for row, below in pairwise(rows):
        place = {slot: number for number, slot in enumerate(below)}
        ends = [number for slot in row for number in sorted(place[down] for down, _ in slot.downs)]
        found += sum(earlier > later for n, later in enumerate(ends) for earlier in ends[:n])
    return found


def _straighten(found: Layers, gap: int) -> None:
    """Put all bends of an edge in one place if there is one that is free in every layer."""
    room = {slot: each for row in found.rows if row for slot, each in _neighbours(row).items()}
    for chain in found.chains:
        bends = chain.slots[1:-1]
        for wanted in sorted({bend.centre for bend in bends}) if len(bends) > 1 else ():
            if all(_fits(bend, wanted, *room[bend], gap) for bend in bends):
                for bend in bends:
                    bend.centre = wanted
                break


def _neighbours(row: Sequence[Slot]) -> dict[Slot, tuple[Slot | None, Slot | None]]:
    return dict(zip(row, zip([None, *row[:-1]], [*row[1:], None], strict=True), strict=True))


def _fits(bend: Slot, wanted: int, left: Slot | None, right: Slot | None, gap: int) -> bool:
    return (left is None or left.centre + left.after + gap < wanted - bend.before) and (
        right is None or wanted + bend.after + gap < right.centre - right.ahead
    )


def _wish(slot: Slot, downwards: bool) -> float:
    """Where its lines would be straight."""
    near = (slot.ups or slot.downs) if downwards else (slot.downs or slot.ups)
    if not near:
        return slot.centre
    return sum(each.centre + each.lean(edge) - slot.lean(edge) for each, edge in near) / len(near)


def _spread(row: list[Slot], wishes: Sequence[float], gap: int) -> None:
    """Centres as near to the wishes as the order and the gaps allow, by least squares: neighbours that would
    overlap move together."""
    offsets = [0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + one.after + gap + 1 + other.ahead)
    pools: list[tuple[float, int, int]] = []
    for slot, wish, offset in zip(row, wishes, offsets, strict=True):
        pools.append((wish - offset, 1 if slot.node else _BEND_WEIGHT, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (left, weight, count), (right, heavier, more) = pools[-2:]
            mean = (left * weight + right * heavier) / (weight + heavier)
            pools[-2:] = [(mean, weight + heavier, count + more)]
    shifts = [floor(mean + 0.5) for mean, _, count in pools for _ in range(count)]
    for slot, shift, offset in zip(row, shifts, offsets, strict=True):
        slot.centre = shift + offset
