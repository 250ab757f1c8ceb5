"""Where lines may leave a shape: a few places along each of its sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect
from chardesk.tools.text.shapes.route import Port

SIDES = {"top": 0, "right": 1, "bottom": 2, "left": 3}

_OFF_CENTRE = 2.0
"""What a port costs for each column from the middle of its side, in columns of detour."""


def side_ports(rect: Rect, towards: Rect, way: int, titles: Sequence[Rect]) -> Iterator[Port]:
    """Ports on one side of a shape: its middle, its quarters, and where it faces the other shape. None is at
    a title in the upper border; then its ends are ports, and the place right after the title."""
    is_row = way in (0, 2)
    low, length = (rect.x, rect.width) if is_row else (rect.y, rect.height)
    other, reach = (towards.x, towards.width) if is_row else (towards.y, towards.height)
    first, last = (low + 1, low + length - 2) if length > 2 else (low, low + length - 1)
    facing = (max(first, other) + min(last, other + reach - 1)) // 2
    middle = (first + last) // 2
    wanted = {middle, (first + middle) // 2, (middle + last + 1) // 2, facing, other + reach // 2}
    closed = {column for title in titles for column in range(title.x, title.right)} if way == 0 else set()
    if closed:
        wanted |= {first, max(closed) + 1, last}
    for place in sorted(wanted - closed):
        if first <= place <= last:
            yield Port(_outside(rect, way, place), way, _OFF_CENTRE * abs(place - middle))


def _outside(rect: Rect, way: int, place: int) -> At:
    match way:
        case 0:
            return At(place, rect.y - 1)
        case 1:
            return At(rect.right, place)
        case 2:
            return At(place, rect.bottom)
        case _:
            return At(rect.x - 1, place)
