"""Lines between two layers: each has a place to leave, a place to arrive, and a track of its own between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from chardesk.tools.text.diagrams.layers import Chain, Slot

_SNAP, _NEAR = 2, 3
"""Places to arrive, and all places at a node's side, move this far rather than make a small step."""

_CLASH = 100
"""Crossings that are better than a line whose end lies on another's beginning."""


@dataclass(slots=True)
class Hop:
    """A chain's way from one layer to the next. `track` counts from the upper layer; -1 if it is straight."""

    chain: Chain
    upper: Slot
    lower: Slot
    start: int = 0
    end: int = 0
    track: int = -1

    @property
    def is_last(self) -> bool:
        return self.lower is self.chain.slots[-1]


def hops(chains: Sequence[Chain], count: int) -> list[list[Hop]]:
    """The hops of every channel, with their ends; `count` is the number of layers."""
    found: list[list[Hop]] = [[] for _ in range(max(0, count - 1))]
    for chain in chains:
        for upper, lower in zip(chain.slots, chain.slots[1:], strict=False):
            found[upper.layer].append(Hop(chain, upper, lower))
    for channel in found:
        _leave(channel)
        _arrive(channel)
    return found


def tracks(channel: Sequence[Hop]) -> int:
    """Give every hop its track; how many there are. Lines that leave one node together share theirs."""
    bundles: dict[tuple[int, int], list[Hop]] = defaultdict(list)
    for hop in channel:
        bundles[id(hop.upper), hop.start].append(hop)
    bent = [_Bundle(each) for each in bundles.values() if any(hop.start != hop.end for hop in each)]
    count = 0
    above: list[tuple[_Bundle, int]] = []
    for bundle in _stacked(sorted(bent, key=_urgency)):
        track = max((other + 1 for each, other in above if bundle.meets(each)), default=0)
        above.append((bundle, track))
        count = max(count, track + 1)
        for hop in bundle.hops:
            hop.track = track
    return count


class _Bundle:
    """Hops that begin in one place: down from `start`, along a track from `low` to `high`, down to `ends`."""

    def __init__(self, hops: list[Hop]) -> None:
        self.hops = hops
        self.start = hops[0].start
        self.ends = {hop.end for hop in hops}
        self.low, self.high = min(self.start, *self.ends), max(self.start, *self.ends)

    def meets(self, other: _Bundle) -> bool:
        return self.low <= other.high and other.low <= self.high

    def crossed_below(self, other: _Bundle) -> int:
        """What it costs to lay this above the other: crossings, and lines that would run into each other."""
        crossed = sum(other.low <= end <= other.high for end in self.ends)
        return crossed + (self.low <= other.start <= self.high) + _CLASH * (other.start in self.ends)


def _urgency(bundle: _Bundle) -> tuple[int, int]:
    """Lines to the right are laid from the right, lines to the left from the left: so they do not cross."""
    return (0, -bundle.start) if bundle.high > bundle.start else (1, bundle.start)


def _stacked(bundles: Sequence[_Bundle]) -> list[_Bundle]:
    """From top to bottom: each is put where it costs least among those before it."""
    found: list[_Bundle] = []
    for bundle in bundles:
        cost = sum(each.crossed_below(bundle) for each in found)
        best, at = cost, len(found)
        for place in range(len(found) - 1, -1, -1):
            other = found[place]
            cost += bundle.crossed_below(other) - other.crossed_below(bundle)
            if cost < best:
                best, at = cost, place
        found.insert(at, bundle)
    return found


def _leave(channel: Sequence[Hop]) -> None:
    """Lines of one bundle leave from one place; each that points up has its own."""
    by_slot: dict[int, list[Hop]] = defaultdict(list)
    for hop in channel:
        by_slot[id(hop.upper)].append(hop)
    for group in by_slot.values():
        slot = group[0].upper
        if slot.doors:
            for hop in group:
                hop.start = slot.first + slot.doors[hop.chain.edge]
            continue
        by_look: dict[str, list[Hop]] = defaultdict(list)
        for hop in group:
            by_look[hop.chain.bundle or str(id(hop))].append(hop)
        bundles = sorted(by_look.values(), key=_leaning)
        wishes = [_bend_below(bundle) for bundle in bundles]
        places = _nearer(slot, _places(slot, len(bundles)), wishes)
        for bundle, place in zip(bundles, places, strict=True):
            for hop in bundle:
                hop.start = place


def _leaning(bundle: Sequence[Hop]) -> float:
    return sum(hop.lower.centre for hop in bundle) / len(bundle)


def _arrive(channel: Sequence[Hop]) -> None:
    by_slot: dict[int, list[Hop]] = defaultdict(list)
    for hop in channel:
        by_slot[id(hop.lower)].append(hop)
    for group in by_slot.values():
        slot = group[0].lower
        if slot.doors:
            for hop in group:
                hop.end = slot.first + slot.doors[hop.chain.edge]
            continue
        group.sort(key=lambda hop: hop.start)
        wishes = [hop.start if len(group) > 1 else None for hop in group]
        places = _nearer(slot, _places(slot, len(group)), wishes)
        for hop, place in zip(group, places, strict=True):
            hop.end = place
        (only, *more) = group
        if not more and slot.node and abs(only.start - only.end) <= min(_SNAP, slot.before - 1):
            only.end = only.start


def _bend_below(bundle: Sequence[Hop]) -> int | None:
    """Where a single line would go on straight through the next layer."""
    (first, *more) = bundle
    return first.lower.centre if first.lower.node is None and not more else None


def _nearer(slot: Slot, places: Sequence[int], wishes: Sequence[int | None]) -> list[int]:
    """The places, each moved to its wish if that is near, on the slot's side, and apart from the others."""
    found = list(places)
    for number, wish in enumerate(wishes):
        left = found[number - 1] + 1 if number else slot.first
        right = found[number + 1] - 1 if number + 1 < len(found) else slot.first + slot.size - 1
        if wish is not None and abs(wish - found[number]) <= _NEAR and left < wish < right:
            found[number] = wish
    return found


def _places(slot: Slot, count: int) -> list[int]:
    """`count` places on a slot's side, around its centre; they are shared when there are too many."""
    if count == 1 or slot.node is None:
        return [slot.centre] * count
    first, last = slot.first + 1, slot.first + slot.size - 2
    step = max(1, min(4, (last - first) // (count - 1)))
    begin = slot.centre - step * (count - 1) // 2
    return [min(max(begin + step * number, first), last) for number in range(count)]
