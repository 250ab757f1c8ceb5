"""Mermaid to lines: which kind of diagram it is, and who draws it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from chardesk.tools.errors import Refused
from chardesk.tools.text.diagrams import classes, draw, flowchart, gantt, sequence, small, state
from chardesk.tools.text.diagrams.graph import Direction, Graph
from chardesk.tools.text.diagrams.rows import Line
from chardesk.tools.text.diagrams.source import statements
from chardesk.tools.text.picture import Findings, columns
from chardesk.tools.text.undrawn import NotDrawn

MAX_SOURCE = 20_000
"""Characters of one diagram."""

_TURNED: Mapping[Direction, Direction] = {"TB": "LR", "LR": "TB", "BT": "RL", "RL": "BT"}
"""The way that needs rows where the other needs columns."""

_MOST_TURNED = 25
"""Nodes of a graph that is tried the other way. A larger one fits a page in neither and costs twice."""

_Draw = Callable[[str, int, Findings, int | None], list[Line]]
_Read = Callable[[str, Findings, int | None], Graph]


def lines(source: str, room: int, findings: Findings, line: int | None = None) -> list[Line]:
    """The rows of a diagram. `room` is the columns that charts may fill; a graph that would be wider is
    turned if that helps, and shown whole if not.

    `line` is where the diagram stands in its document, for findings. Raises NotDrawn saying why and, where it
    is known, in which line of the source.
    """
    if len(source) > MAX_SOURCE:
        raise NotDrawn(f"it has {len(source)} characters; {MAX_SOURCE} can be drawn")
    found = next(statements(source), None)
    if found is None:
        raise NotDrawn("it is empty")
    word = re.match(r"\s*([\w-]*)", found[1])
    kind = word[1] if word else ""
    if kind not in _KINDS:
        raise NotDrawn(f"this kind of diagram is not drawn: {kind or found[1].strip()[:20]}", found[0])
    return _KINDS[kind](source, room, findings, line)


def _graph(read: _Read) -> _Draw:
    return lambda source, room, findings, line: _fitted(read(source, findings, line), room, findings, line)


def _fitted(graph: Graph, room: int, findings: Findings, line: int | None) -> list[Line]:
    """The graph as it was asked for; turned, if only so it is no wider than `room`. Either way is said."""
    known = len(findings.diagnostics)
    rows = draw.lines(graph, findings)
    taken = max(map(columns, rows), default=0)
    if taken <= room:
        return rows
    aside = Findings()
    graph.direction = _TURNED[graph.direction]
    turned = _if_drawn(graph, aside) if len(graph.nodes) <= _MOST_TURNED else None
    if turned is None or max(map(columns, turned), default=0) > room:
        message = f"the diagram is {taken} columns wide, {room} were asked for; it is shown whole"
        findings.note("markdown-diagram-wide", message, line)
        return rows
    findings.diagnostics[known:] = aside.diagnostics
    message = f"the diagram would be {taken} columns wide; it is turned to {graph.direction} to fit {room}"
    findings.note("markdown-diagram-turned", message, line)
    return turned


def _if_drawn(graph: Graph, findings: Findings) -> list[Line] | None:
    try:
        return draw.lines(graph, findings)
    except (NotDrawn, Refused):
        return None


_FLOWCHART, _STATE = _graph(flowchart.read), _graph(state.read)
_KINDS: Mapping[str, _Draw] = {
    "flowchart": _FLOWCHART,
    "graph": _FLOWCHART,
    "stateDiagram": _STATE,
    "stateDiagram-v2": _STATE,
    "classDiagram": _graph(classes.read_classes),
    "classDiagram-v2": _graph(classes.read_classes),
    "erDiagram": _graph(classes.read_entities),
    "sequenceDiagram": lambda source, _, findings, line: sequence.lines(source, findings, line),
    "gantt": gantt.lines,
    "pie": lambda source, room, findings, _: small.pie(source, room, findings),
    "mindmap": lambda source, _, findings, __: small.mindmap(source, findings),
}
