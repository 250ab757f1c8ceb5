"""The conflict rule: nobody writes over what another author did and they have not read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from chardesk.broker.desk.known.state import Actor
from chardesk.tools.errors import Refused
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import CellsChanged, SheetRemoved, Step

Expected = int | Literal["any"] | None
"""An explicit `expectedRevision`: it can only make the check stricter, or opt out of it."""

MAX_LISTED = 20

_STRICTEST_IS_READ = 2**62
"""Above every revision: what was read alone decides."""


def refuse_unread(contents: Contents, actor: Actor, steps: Iterable[Step], expected: Expected) -> None:
    """Raises `conflict` with rectangles and authors, and never with a revision to retry blindly."""
    found = [
        (author, rect)
        for step in steps
        if (sheet := contents.sheet(getattr(step, "sheet", ""))) is not None
        for author, rect in unread(sheet, actor, footprint(step), expected)
    ]
    if not found:
        return
    who = " and ".join(dict.fromkeys(author for author, _ in found))
    where = f"{list(found[0][1])}" + (f" and {len(found) - 1} more" if len(found) > 1 else "")
    raise Refused(
        "conflict",
        f"{who} changed cells here that you have not read since: {where}; nothing was written",
        details={
            "conflicts": [{"rect": list(rect), "author": author} for author, rect in found[:MAX_LISTED]]
        },
    )


def footprint(step: Step) -> Region:
    """The cells a step writes or takes away."""
    match step:
        case CellsChanged(change=cells) | SheetRemoved(cells=cells):
            return cells.footprint()
        case _:
            return Region()


def unread(sheet: Sheet, actor: Actor, region: Region, expected: Expected) -> list[tuple[str, Rect]]:
    """Who touched the region, one column beyond included, since the actor's base there; by author."""
    if expected == "any" or (actor.knowledge is None and expected is None):
        return []
    floor = _STRICTEST_IS_READ if expected is None else expected
    wide = region.widened(1)
    touches = (
        sheet.trace.others(wide, actor.author, floor)
        if actor.knowledge is None
        else actor.knowledge.unseen(sheet.id, sheet.trace, wide, actor.author, floor)
    )
    spans: dict[str, list[Span]] = {}
    for touch in touches:
        spans.setdefault(touch.author, []).append(touch.span)
    return [(author, rect) for author, found in spans.items() for rect in Region(found).rects()]


def overwrites(sheet: Sheet, actor: Actor, region: Region, expected: Expected) -> list[dict[str, Any]]:
    """What a preview lists: whom it would write over, where, and the text that is there."""
    found = unread(sheet, actor, region, expected)
    return [
        {"rect": list(rect), "author": author, "text": _text(sheet, rect)}
        for author, rect in found[:MAX_LISTED]
    ]


def _text(sheet: Sheet, rect: Rect) -> str:
    rows = (sheet.scene.strip(y, rect.x, rect.right).chars for y in range(rect.y, rect.bottom))
    return "\n".join("".join(" " if char is None else char for char in row).rstrip() for row in rows)[:500]
