"""Fences that are pictures, by the language they name. Each is loaded when the first one comes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from chardesk.tools.errors import Refused
from chardesk.tools.text import trees
from chardesk.tools.text.diagrams.rows import rows_of
from chardesk.tools.text.markdown.tree import Block
from chardesk.tools.text.picture import Findings, Line, columns
from chardesk.tools.text.tables import reader as tables
from chardesk.tools.text.undrawn import NotDrawn

KINDS: Mapping[str, str] = {
    "mermaid": "diagram",
    "vega-lite": "chart",
    "math": "math",
    "tree": "tree",
    "json": "tree",
    "shapes": "shapes",
}
"""Languages whose source is shown in its fences when it cannot be drawn; the word names the diagnostic."""

_COSTLY = frozenset({"mermaid", "vega-lite", "math", "shapes"})
"""Languages where a few characters may take long to draw."""

_Draw = Callable[[Block, int, Findings], list[Line]]


def drawn(block: Block, info: Sequence[str], width: int, findings: Findings) -> list[Line] | None:
    """The picture of a fence; None if its language has none, so that it is code. Raises NotDrawn.

    `json` is code, `json tree` a tree.
    """
    if not info:
        return None
    language = info[0].lower()
    if language == "json" and "tree" in info[1:]:
        return trees.json_lines(block.token.content, findings)
    draw = _DRAWERS.get(language)
    known = len(findings.diagnostics)
    if language in _COSTLY:
        findings.spend(len(block.token.content))
    try:
        found = None if draw is None else draw(block, width, findings)
    except Refused as refused:
        raise NotDrawn(refused.message) from None
    if found is not None and language in _COSTLY:
        findings.spend_area(len(found) * max(map(columns, found), default=0))
    findings.diagnostics[known:] = (
        replace(each, line=each.line or block.line) for each in findings.diagnostics[known:]
    )
    return found


def _mermaid(block: Block, width: int, findings: Findings) -> list[Line]:
    from chardesk.tools.text.diagrams import mermaid

    return mermaid.lines(block.token.content, width, findings, block.line)


def _chart(block: Block, width: int, findings: Findings) -> list[Line]:
    from chardesk.tools.text.charts import draw

    return draw.lines(block.token.content, width, findings)


def _math(block: Block, width: int, findings: Findings) -> list[Line]:
    from chardesk.tools.text.math import reader

    return reader.lines(block.token.content, findings)


def _shapes(block: Block, width: int, findings: Findings) -> list[Line]:
    from chardesk.tools.text.shapes import reader

    drawing = reader.read(block.token.content, lambda _: None)
    findings.diagnostics += drawing.diagnostics
    return rows_of(drawing.cells)


def _tree(block: Block, width: int, findings: Findings) -> list[Line]:
    return trees.lines(block.token.content, findings)


def _table(block: Block, width: int, findings: Findings) -> list[Line]:
    return tables.lines(block.token.content, width, findings)


_DRAWERS: Mapping[str, _Draw] = {
    "mermaid": _mermaid,
    "vega-lite": _chart,
    "math": _math,
    "shapes": _shapes,
    "tree": _tree,
    "csv": _table,
    "tsv": _table,
}
