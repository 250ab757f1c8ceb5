"""Levels with their sizes and places: what stands where, before anything is drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect
from chardesk.tools.text.diagrams import boxes
from chardesk.tools.text.diagrams.channels import Hop, hops, tracks
from chardesk.tools.text.diagrams.graph import Edge
from chardesk.tools.text.diagrams.layers import Slot, place
from chardesk.tools.text.diagrams.levels import Level, Port
from chardesk.tools.text.diagrams.rows import width
from chardesk.tools.text.undrawn import NotDrawn

_APART = 4
"""How far lines that end at a frame stay from others, if there is room."""

_MAX_AREA = 400_000
"""Columns times rows. A diagram beyond it is no picture any more."""


@dataclass(frozen=True, slots=True)
class Axes:
    """How `along` and `across` of one level turn into columns and rows. Its picture begins at `origin`."""

    is_sideways: bool
    is_backwards: bool
    length: int
    origin: At

    def at(self, across: int, along: int) -> At:
        along = self.length - 1 - along if self.is_backwards else along
        x, y = (along, across) if self.is_sideways else (across, along)
        return At(self.origin.x + x, self.origin.y + y)

    def rect(self, across: int, along: int, width: int, depth: int) -> Rect:
        one, other = self.at(across, along), self.at(across + width - 1, along + depth - 1)
        x, y = min(one.x, other.x), min(one.y, other.y)
        return Rect(x, y, abs(one.x - other.x) + 1, abs(one.y - other.y) + 1)


@dataclass(slots=True, eq=False)
class Block:
    """A level whose slots have places. `begins` is where each layer begins and ends along the direction."""

    level: Level
    is_sideways: bool
    across: int
    along: int
    begins: list[tuple[int, int]]
    channels: list[list[Hop]]
    inner: dict[str, Block] = field(default_factory=dict)

    @property
    def columns(self) -> int:
        return self.along if self.is_sideways else self.across

    @property
    def rows(self) -> int:
        return self.across if self.is_sideways else self.along

    def turn(self, hop: Hop) -> int:
        """How far behind the upper layer a hop turns. Where a frame is above, it may at once."""
        is_first = self.level.group is not None and hop.upper.layer == 0
        step = 2 if self.is_sideways else 1
        return step * hop.track + step - (1 if is_first else 0)

    def axes(self, origin: At) -> Axes:
        is_backwards = self.level.graph.direction in ("BT", "RL")
        return Axes(self.is_sideways, is_backwards, self.along, origin)


def laid_out(level: Level, label_width: Callable[[Edge], int]) -> Block:
    """The level and all in it. Raises NotDrawn if it would be too large."""
    return _Layout(level, label_width).block()


class _Layout:
    def __init__(self, level: Level, label_width: Callable[[Edge], int]) -> None:
        self._level = level
        self._label_width = label_width
        self._sideways = level.graph.direction in ("LR", "RL")
        self._inner = {name: laid_out(each, label_width) for name, each in level.inner.items()}
        self._ports = {port.name: port for port in level.ports}

    def block(self) -> Block:
        found, group = self._level.layers, self._level.group
        self._measure()
        place(found, 1 if self._sideways else 4)
        pad = 0 if group is None else 1 if self._sideways else 2
        across = max(self._end(slot) for row in found.rows for slot in row) + 2 * pad
        title = width(group.title) + 4 if group else 0
        if not self._sideways and title > across:
            pad, across = pad + (title - across) // 2, title
        for row in found.rows:
            for slot in row:
                slot.centre += pad
        if group and not self._sideways:
            across = max(across, self._beside_doors(across, title - 2))
        channels = hops(found.chains, len(found.rows))
        begins, along = self._along(channels)
        if self._sideways and title > along:
            begins[-1], along = (title - 1, title), title
        if along * across > _MAX_AREA:
            raise NotDrawn(f"its picture would be {max(along, across)} cells long or wide")
        return Block(self._level, self._sideways, across, along, begins, channels, self._inner)

    def _end(self, slot: Slot) -> int:
        """One past a slot's last place; within a frame its label's room counts."""
        return slot.centre + 1 + (slot.after if self._level.group else slot.size - 1 - slot.before)

    def _beside_doors(self, across: int, title: int) -> int:
        """How wide a frame must be for its title to have room in the upper side, where lines may cross it."""
        row = self._level.layers.rows[-1 if self._level.graph.direction == "BT" else 0]
        doors = [0, *sorted(slot.centre for slot in row), across - 1]
        if any(right - left > title for left, right in pairwise(doors)):
            return across
        return doors[-2] + title + 2

    def _measure(self) -> None:
        """The size of every slot across, the doors of groups, and the room for labels."""
        busy = self._busy()
        for slot in self._level.layers.slots():
            name = str(slot.node)
            if name in self._inner:
                block = self._inner[name]
                slot.size = block.rows if self._sideways else block.columns
                slot.doors = _doors(block, self._level.doors[name], slot.size)
            elif name in self._ports:
                slot.needs_after = self._ports[name].room
            else:
                own = boxes.size(self._level.graph.nodes[name])[1 if self._sideways else 0]
                slot.size = max(own, 2 * min(busy[name], 12) + 1)
        if not self._sideways:
            for chain in self._level.layers.chains:
                taken = self._label_width(self._level.graph.edges[chain.edge])
                below = chain.slots[1]
                if below.node in self._inner or not taken:
                    continue
                if below.needs_after and below.node not in self._ports:
                    below.needs_before = max(below.needs_before, taken + 2)
                below.needs_after = max(below.needs_after, taken + 2)

    def _busy(self) -> Counter[str]:
        """How many places lines need on the busier of a node's two sides."""
        above, below = Counter[str](), Counter[str]()
        bundles: set[tuple[str, str]] = set()
        for chain in self._level.layers.chains:
            start, end = str(chain.slots[0].node), str(chain.slots[-1].node)
            above[end] += 1
            if chain.bundle is None:
                below[start] += 1
            else:
                bundles.add((start, chain.bundle))
        below.update(start for start, _ in bundles)
        return above | below

    def _depth(self, name: str) -> int:
        if name in self._inner:
            block = self._inner[name]
            return block.columns if self._sideways else block.rows
        if name in self._ports:
            return 1
        return boxes.size(self._level.graph.nodes[name])[0 if self._sideways else 1]

    def _along(self, channels: Sequence[Sequence[Hop]]) -> tuple[list[tuple[int, int]], int]:
        """Where every layer begins and ends along the direction, and the whole length."""
        begins, at = [], 0
        for number, row in enumerate(self._level.layers.rows):
            depth = max((self._depth(slot.node) if slot.node else 1 for slot in row), default=1)
            begins.append((at, at + depth))
            at += depth
            if number < len(channels):
                at += self._channel(channels[number], is_rim=self._is_rim(number))
        return begins, at

    def _is_rim(self, channel: int) -> bool:
        return self._level.group is not None and channel in (0, len(self._level.layers.rows) - 2)

    def _channel(self, channel: Sequence[Hop], *, is_rim: bool) -> int:
        """How far two layers stand apart. Beside a frame that nothing crosses there are no lines."""
        if is_rim and not channel:
            return int(self._sideways)
        count = tracks(channel)
        if is_rim:
            return 2 + 2 * count if self._sideways else 1 + count
        edges = self._level.graph.edges
        widest = max(
            (self._label_width(edges[hop.chain.edge]) for hop in channel if hop.upper.node), default=0
        )
        if not self._sideways:
            return 2 + count + bool(widest)
        return 3 + 2 * count + (widest + 2 if widest else 1)


def _doors(block: Block, ports: Mapping[int, Port], size: int) -> dict[int, int]:
    """Where each piece meets a group: at its port; if it ends at the frame, near the middle of the side,
    between those before and after it."""
    passing = {slot.node: slot.first for slot in block.level.layers.slots()}
    found = {port: passing[port.name] for port in block.level.ports if port.trail}
    for is_below in (False, True):
        _spread_ends([port for port in block.level.ports if port.is_below == is_below], found, size)
    return {edge: found[port] for edge, port in ports.items()}


def _spread_ends(side: Sequence[Port], found: dict[Port, int], size: int) -> None:
    """Give the ports of one side that have no place theirs: between those before and after them."""
    for number, port in enumerate(side):
        if port in found:
            continue
        first = max((found[each] for each in side[:number] if each in found), default=0)
        last = min((found[each] for each in side[number:] if each in found), default=size - 1)
        waiting = sum(each not in found for each in side[number:])
        wanted = _between(first, last, size // 2 if waiting == 1 else 0, waiting)
        taken = {found[each] for each in side if each in found}
        free = {abs(at - wanted): at for at in range(1, size - 1) if at not in taken}
        found[port] = free[min(free)] if free else wanted


def _between(first: int, last: int, middle: int, count: int) -> int:
    """The place of the first of `count` doors between two others, apart from both if there is room."""
    wanted = middle if first < middle < last else first + (last - first) // (count + 1)
    apart = min(_APART, (last - first) // 2)
    return min(max(wanted, first + apart), last - apart)
