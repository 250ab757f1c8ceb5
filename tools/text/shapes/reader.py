"""Shapes as material: from JSON to cells in rows."""

from __future__ import annotations

from collections.abc import Mapping

from chardesk.tools.model.cell import At
from chardesk.tools.model.change import Strip
from chardesk.tools.text.picture import Glyph, Line, strip
from chardesk.tools.text.shapes.paper import Below
from chardesk.tools.text.shapes.planner import Drawing, plan
from chardesk.tools.text.shapes.spec import parse

Stretch = tuple[At, Strip]
"""Neighbouring columns of one row, and where they begin."""


def read(source: str, below: Below) -> Drawing:
    """What a JSON list of shapes draws over what stands `below`. Raises Refused as `parse` and `plan` do."""
    return plan(parse(source), below)


def stretches(cells: Mapping[At, Glyph]) -> list[Stretch]:
    """The cells as stretches without gaps, by row and column."""
    found: list[tuple[At, Line]] = []
    end = None
    for at, glyph in sorted(cells.items(), key=lambda each: (each[0].y, each[0].x)):
        if at != end:
            found.append((at, []))
        found[-1][1].append(glyph)
        end = At(at.x + glyph.width, at.y)
    return [(at, strip(line)) for at, line in found]
