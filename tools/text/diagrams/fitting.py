"""Diagrams that would be wider than asked for: their words wrap, and graphs are turned, if that helps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chardesk.tools.errors import Refused
from chardesk.tools.text.diagrams.rows import Line
from chardesk.tools.text.picture import Findings, columns
from chardesk.tools.text.undrawn import NotDrawn

LIMITS = (24, 16, 12)
"""Columns at which words are wrapped, one try after the other. Fewer would leave one word to a row."""


@dataclass(frozen=True, slots=True)
class Try:
    """One way to draw. `turned_to` is its direction if that was not asked."""

    draw: Callable[[Findings], list[Line]]
    turned_to: str = ""


def fitted(tries: Iterable[Try], room: int, cost: int, findings: Findings, line: int | None) -> list[Line]:
    """The first drawing that is no wider than `room`; if all are, the narrowest of those that are not turned,
    and it is said. Raises NotDrawn or Refused if the first try does.

    Every further try takes `cost` from what one document may spend on them.
    """
    first, *others = tries
    aside = Findings()
    best, kept = first.draw(aside), aside
    asked = taken = _width(best)
    for other in others:
        if taken <= room or findings.room_to_refit < cost:
            break
        findings.room_to_refit -= cost
        aside = Findings()
        rows = _if_drawn(other, aside)
        if rows is None or (_width(rows) > room if other.turned_to else _width(rows) >= taken):
            continue
        best, kept, taken = rows, aside, _width(rows)
        if other.turned_to:
            message = (
                f"the diagram would be {asked} columns wide; it is turned to {other.turned_to} to fit {room}"
            )
            kept.note("markdown-diagram-turned", message, line)
    if taken > room:
        message = f"the diagram is {taken} columns wide, {room} were asked for; it is shown whole"
        kept.note("markdown-diagram-wide", message, line)
    findings.diagnostics += kept.diagnostics
    findings.drops.take(kept.drops)
    return best


def _width(rows: list[Line]) -> int:
    return max(map(columns, rows), default=0)


def _if_drawn(other: Try, findings: Findings) -> list[Line] | None:
    try:
        return other.draw(findings)
    except (NotDrawn, Refused):
        return None
