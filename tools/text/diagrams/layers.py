"""Where nodes stand: in layers along the diagram's direction, ordered so that few edges cross, placed so that
edges are straight.

Positions are abstract: `along` the direction and `across` it; `draw` turns them into columns and rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import floor

from chardesk.tools.text.diagrams.graph import Graph, ranks
from chardesk.tools.text.undrawn import NotDrawn

_MOST_BENDS = 3_000
"""Layers that lines pass through in all. Ordering takes time by their square."""

_SWEEPS = 9
"""Passes down and up, the last one down; more change little."""


@dataclass(slots=True, eq=False)
class Slot:
    """A node, or one of the bends of an edge that passes through a layer (`node` None).

    `size` is its extent across, `before` and `after` what it needs on either side of its centre.
    """

    node: str | None
    layer: int
    size: int = 1
    group: int = -1
    needs_after: int = 0
    centre: int = 0
    ups: list[Slot] = field(default_factory=list)
    downs: list[Slot] = field(default_factory=list)

    @property
    def before(self) -> int:
        return (self.size - 1) // 2

    @property
    def after(self) -> int:
        return max(self.size - 1 - self.before, self.needs_after)

    @property
    def first(self) -> int:
        return self.centre - self.before


@dataclass(slots=True)
class Chain:
    """An edge as the slots it goes through, from the upper to the lower; `is_reversed` if it points up."""

    edge: int
    slots: list[Slot]
    is_reversed: bool
    look: str


@dataclass(slots=True)
class Layers:
    rows: list[list[Slot]]
    chains: list[Chain]
    loops: list[int]
    """Edges from a node to itself."""


def layers(graph: Graph, sizes: dict[str, int], gap: int, room: Sequence[int]) -> Layers:
    """Nodes and bends by layer, with their centres across. `sizes` are extents across, `gap` what stays free
    between neighbours, `room` what the label of each edge needs beside its line."""
    found = _slots(graph, sizes, room)
    _order(found.rows)
    _place(found.rows, gap)
    return found


def _slots(graph: Graph, sizes: dict[str, int], room: Sequence[int]) -> Layers:
    rank = ranks(list(graph.nodes), [(edge.start, edge.end) for edge in graph.edges])
    rows: list[list[Slot]] = [[] for _ in range(max(rank.values()) + 1)]
    bends = sum(abs(rank[edge.end] - rank[edge.start]) for edge in graph.edges)
    if bends > _MOST_BENDS:
        raise NotDrawn(f"its lines pass through {bends} layers; {_MOST_BENDS} can be drawn")
    slots: dict[str, Slot] = {}
    for node in graph.nodes:
        group = next((n for n, each in enumerate(graph.groups) if node in each.members), -1)
        slots[node] = Slot(node, rank[node], sizes[node], group)
        rows[rank[node]].append(slots[node])
    chains, loops = [], []
    for number, edge in enumerate(graph.edges):
        if edge.start == edge.end:
            loops.append(number)
            continue
        ends = sorted((slots[edge.start], slots[edge.end]), key=lambda slot: slot.layer)
        is_reversed = ends[0] is not slots[edge.start]
        chains.append(Chain(number, _threaded(ends[0], ends[1], rows), is_reversed, edge.look))
        below = chains[-1].slots[1]
        below.needs_after = max(below.needs_after, room[number])
    return Layers(rows, chains, loops)


def _threaded(upper: Slot, lower: Slot, rows: list[list[Slot]]) -> list[Slot]:
    """The two ends with a bend in every layer between them, linked up and down."""
    group = upper.group if upper.group == lower.group else -1
    bends = [Slot(None, layer, group=group) for layer in range(upper.layer + 1, lower.layer)]
    for bend in bends:
        rows[bend.layer].append(bend)
    found = [upper, *bends, lower]
    for one, other in pairwise(found):
        one.downs.append(other)
        other.ups.append(one)
    return found


def _order(rows: list[list[Slot]]) -> None:
    """Sort each layer by where its neighbours stand; the members of a group stay together."""
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else rows[::-1]:
            _sort(row, rows, downwards)
        crossed = _crossings(rows)
        if crossed < fewest:
            best, fewest = [list(row) for row in rows], crossed
    for row, kept in zip(rows, best, strict=True):
        row[:] = kept


def _sort(row: list[Slot], rows: list[list[Slot]], downwards: bool) -> None:
    place = {slot: number for number, slot in enumerate(row)}
    near = row[0].layer + (-1 if downwards else 1)
    others = {slot: n for n, slot in enumerate(rows[near])} if 0 <= near < len(rows) else {}
    wanted = {}
    for slot in row:
        at = [others[each] for each in (slot.ups if downwards else slot.downs) if each in others]
        wanted[slot] = sum(at) / len(at) if at else place[slot]
    by_group: dict[int, list[float]] = defaultdict(list)
    for slot in row:
        by_group[slot.group].append(wanted[slot])
    mean = {group: sum(at) / len(at) for group, at in by_group.items()}
    row.sort(
        key=lambda slot: (
            mean[slot.group] if slot.group >= 0 else wanted[slot],
            slot.group,
            wanted[slot],
            place[slot],
        )
    )


def _crossings(rows: list[list[Slot]]) -> int:
    found = 0
    for row, below in pairwise(rows):
        place = {slot: number for number, slot in enumerate(below)}
        ends = [place[down] for slot in row for down in sorted(slot.downs, key=lambda each: place[each])]
        found += sum(earlier > later for n, later in enumerate(ends) for earlier in ends[:n])
    return found


def _place(rows: list[list[Slot]], gap: int) -> None:
    for row in rows:
        _spread(row, [0.0] * len(row), gap)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for row in rows if downwards else rows[::-1]:
            _spread(row, [_wish(slot, downwards) for slot in row], gap)
    first = min(slot.first for row in rows for slot in row)
    for row in rows:
        for slot in row:
            slot.centre -= first


def _wish(slot: Slot, downwards: bool) -> float:
    near = (slot.ups or slot.downs) if downwards else (slot.downs or slot.ups)
    return sum(each.centre for each in near) / len(near) if near else slot.centre


def _spread(row: list[Slot], wishes: Sequence[float], gap: int) -> None:
    """Centres as near to the wishes as the order and the gaps allow, by least squares: neighbours that would
    overlap move together."""
    offsets = [0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + one.after + gap + 1 + other.before)
    pools: list[tuple[float, int]] = []
    for wish, offset in zip(wishes, offsets, strict=True):
        pools.append((wish - offset, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (left, count), (right, more) = pools[-2:]
            pools[-2:] = [((left * count + right * more) / (count + more), count + more)]
    shifts = [floor(mean + 0.5) for mean, count in pools for _ in range(count)]
    for slot, shift, offset in zip(row, shifts, offsets, strict=True):
        slot.centre = shift + offset
