"""Lines between two layers: each has a place to leave, a place to arrive, and a track of its own between."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from chardesk.tools.text.diagrams.layers import Chain, Slot

_SNAP = 2
"""A place to arrive moves this far towards the middle of its line rather than make a small step."""


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

    @property
    def span(self) -> tuple[int, int]:
        return min(self.start, self.end), max(self.start, self.end)


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
    bent = [each for each in bundles.values() if any(hop.start != hop.end for hop in each)]
    taken: list[list[tuple[int, int]]] = []
    placed: list[tuple[list[Hop], int]] = []
    for bundle in sorted(bent, key=_urgency):
        low = min(hop.span[0] for hop in bundle)
        high = max(hop.span[1] for hop in bundle)
        track = _below(bundle, placed)
        while track < len(taken) and any(low <= last and first <= high for first, last in taken[track]):
            track += 1
        while len(taken) <= track:
            taken.append([])
        taken[track].append((low, high))
        placed.append((bundle, track))
        for hop in bundle:
            hop.track = track
    return len(taken)


def _urgency(bundle: Sequence[Hop]) -> tuple[int, int]:
    """Lines to the right are laid from the right, lines to the left from the left: so they do not cross."""
    start = bundle[0].start
    rightmost = max(hop.end for hop in bundle)
    return (0, -start) if rightmost > start else (1, start)


def _below(bundle: Sequence[Hop], placed: Sequence[tuple[Sequence[Hop], int]]) -> int:
    """The first track on which this bundle's ends do not run into the beginnings of those placed already."""
    ends = {hop.end for hop in bundle}
    return max((track + 1 for other, track in placed if other[0].start in ends), default=0)


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
        for bundle, place in zip(bundles, _places(slot, len(bundles)), strict=True):
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
        for hop, place in zip(group, _places(slot, len(group)), strict=True):
            hop.end = place
        (only, *more) = group
        if not more and slot.node and abs(only.start - only.end) <= min(_SNAP, slot.before - 1):
            only.end = only.start


def _places(slot: Slot, count: int) -> list[int]:
    """`count` places on a slot's side, around its centre; they are shared when there are too many."""
    if count == 1 or slot.node is None:
        return [slot.centre] * count
    first, last = slot.first + 1, slot.first + slot.size - 2
    step = max(1, min(4, (last - first) // (count - 1)))
    begin = slot.centre - step * (count - 1) // 2
    return [min(max(begin + step * number, first), last) for number in range(count)]
