"""Mermaid to lines: which kind of diagram it is, and who draws it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from chardesk.tools.text.diagrams import (
    classes,
    commits,
    draw,
    flowchart,
    gantt,
    journey,
    quadrants,
    sequence,
    small,
    state,
)
from chardesk.tools.text.diagrams.fitting import LIMITS, Try, fitted
from chardesk.tools.text.diagrams.graph import Direction, Graph
from chardesk.tools.text.diagrams.rows import Line
from chardesk.tools.text.diagrams.source import statements
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.undrawn import NotDrawn

MAX_SOURCE = 20_000
"""Characters of one diagram."""

_TURNED: Mapping[Direction, Direction] = {"TB": "LR", "LR": "TB", "BT": "RL", "RL": "BT"}
"""The way that needs rows where the other needs columns."""

_MOST_TURNED = 25
"""Nodes of a graph that is tried in every way. A larger one fits a page in hardly any and costs as much."""

_Draw = Callable[[str, int, Findings, int | None], list[Line]]
_Read = Callable[[str, Findings, int | None], Graph]


def lines(source: str, room: int, findings: Findings, line: int | None = None) -> list[Line]:
    """The rows of a diagram. `room` is the columns that charts may fill; of a diagram that would be wider the
    words wrap, and a graph is turned if that helps; else it is shown whole.

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
    def drawn(source: str, room: int, findings: Findings, line: int | None) -> list[Line]:
        graph = read(source, findings, line)
        return fitted(_tries(graph), room, len(source), findings, line)

    return drawn


def _tries(graph: Graph) -> Iterator[Try]:
    """As it was asked for; its words wrapped; turned; both."""
    yield _try(graph)
    is_large = len(graph.nodes) > _MOST_TURNED
    turned = replace(graph, direction=_TURNED[graph.direction])
    others = [
        *_narrower(graph, LIMITS[1:2] if is_large else LIMITS),
        *([] if is_large else [turned, *_narrower(turned, LIMITS[1:])]),
    ]
    for each in others:
        with suppress(NotDrawn):
            yield _try(each, "" if each.direction == graph.direction else each.direction)


def _try(graph: Graph, turned_to: str = "") -> Try:
    drawing = draw.Drawing(graph)
    return Try(drawing.lines, drawing.findings, drawing.columns, drawing.rows, turned_to)


def _narrower(graph: Graph, limits: Sequence[int]) -> Iterator[Graph]:
    """The graph with its words wrapped, at each limit at which that makes a difference."""
    last = graph
    for limit in limits:
        wrapped = graph.wrapped(limit)
        if wrapped.nodes != last.nodes:
            yield wrapped
            last = wrapped


_FLOWCHART, _STATE = _graph(flowchart.read), _graph(state.read)
_KINDS: Mapping[str, _Draw] = {
    "flowchart": _FLOWCHART,
    "graph": _FLOWCHART,
    "stateDiagram": _STATE,
    "stateDiagram-v2": _STATE,
    "classDiagram": _graph(classes.read_classes),
    "classDiagram-v2": _graph(classes.read_classes),
    "erDiagram": _graph(classes.read_entities),
    "sequenceDiagram": sequence.lines,
    "gantt": gantt.lines,
    "pie": lambda source, room, findings, _: small.pie(source, room, findings),
    "mindmap": lambda source, _, findings, __: small.mindmap(source, findings),
    "journey": lambda source, _, findings, __: journey.journey(source, findings),
    "timeline": lambda source, room, findings, _: journey.timeline(source, room, findings),
    "gitGraph": lambda source, _, findings, __: commits.git_graph(source, findings),
    "quadrantChart": lambda source, room, findings, _: quadrants.quadrant_chart(source, room, findings),
}
