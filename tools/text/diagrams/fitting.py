"""Diagrams that would be wider than asked for: their words wrap, and graphs are turned, if that helps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chardesk.tools.errors import Refused
from chardesk.tools.text.diagrams.rows import Line
from chardesk.tools.text.picture import CELLS_A_CHARACTER, Findings, columns

LIMITS = (24, 16, 12)
"""Columns at which words are wrapped, one try after the other. Fewer would leave one word to a row."""


@dataclass(frozen=True, slots=True)
class Try:
    """One way to draw, with what it finds on the way. `columns` and `rows` are how large it will be, as far
    as that is known beforehand; `turned_to` its direction if that was not asked."""

    draw: Callable[[], list[Line]]
    findings: Findings
    columns: int = 0
    rows: int = 0
    turned_to: str = ""


def fitted(tries: Iterable[Try], room: int, cost: int, findings: Findings, line: int | None) -> list[Line]:
    """The first drawing that is no wider than `room`; if all are, the narrowest of those that are not turned,
    and it is said. Raises NotDrawn or Refused if the first try does.

    Every further try takes `cost` (or more, after a large picture) from what one document may spend on them.
    What is known to be too wide is not drawn, unless nothing else is narrower.
    """
    asked = area = 0
    best: tuple[int, Try, list[Line] | None] | None = None
    for each in tries:
        if best is not None:
            price = max(cost, area // CELLS_A_CHARACTER)
            if findings.room_to_refit < price:
                break
            findings.room_to_refit -= price
        try:
            rows = each.draw() if each.columns <= room else None
        except Refused:
            if best is None:
                raise
            continue
        taken = each.columns if rows is None else _width(rows)
        area = taken * (each.rows if rows is None else len(rows))
        asked = asked or taken
        if rows is not None and taken <= room:
            if each.turned_to:
                turned = f"it is turned to {each.turned_to} to fit {room}"
                message = f"the diagram would be {asked} columns wide; {turned}"
                each.findings.note("markdown-diagram-turned", message, line)
            findings.take(each.findings)
            return rows
        if best is None or (taken < best[0] and not each.turned_to):
            best = taken, each, rows
    if best is None:
        return []
    _, kept, rows = best
    found = kept.draw() if rows is None else rows
    message = f"the diagram is {_width(found)} columns wide, {room} were asked for; it is shown whole"
    kept.findings.note("markdown-diagram-wide", message, line)
    findings.take(kept.findings)
    return found


def _width(rows: list[Line]) -> int:
    return max(map(columns, rows), default=0)
