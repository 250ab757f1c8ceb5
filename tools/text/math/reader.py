"""Mathematics to cells: in a sentence as one row, in a block as a picture."""

from __future__ import annotations

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.text.math import layout
from chardesk.tools.text.math.parser import parse
from chardesk.tools.text.picture import Findings, Line, glyphs
from chardesk.tools.text.undrawn import NotDrawn


def words(source: str) -> str:
    """TeX in one row of Unicode. Raises NotDrawn."""
    return " ".join(layout.inline(parse(source)).split())


def lines(source: str, findings: Findings, style: Style = PLAIN) -> list[Line]:
    """TeX as rows. Raises NotDrawn."""
    if not source.strip():
        raise NotDrawn("it is empty")
    return [glyphs(row.rstrip(), style, findings.drops) for row in layout.box(parse(source)).rows]
