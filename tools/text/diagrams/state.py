"""Mermaid state diagrams to graphs."""

from __future__ import annotations

import re

from chardesk.tools.text.diagrams.graph import Edge, Graph, Group, direction, note
from chardesk.tools.text.diagrams.source import label, statements, words
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.undrawn import NotDrawn

_EDGE = re.compile(r"(?P<start>\[\*\]|[\w.-]+?)\s*-->\s*(?P<end>\[\*\]|[\w.-]+)\s*(?::(?P<label>.*))?")
_NAMED = re.compile(r'state\s+"(?P<label>[^"]*)"\s+as\s+(?P<id>[\w.-]+)\s*(?P<open>\{)?')
_STATE = re.compile(r"state\s+(?P<id>[\w.-]+)\s*(?:<<(?P<kind>\w+)>>)?\s*(?P<open>\{)?")
_DESCRIBED = re.compile(r"(?P<id>[\w.-]+)\s*:(?P<label>.*)")
_NOTE = re.compile(r"note\s+(?:left|right)\s+of\s+(?P<id>[\w.-]+)\s*(?::(?P<text>.*))?")
_ALONE = re.compile(r"[\w.-]+")
_KINDS = {"choice": ("◇", "none"), "fork": ("", "bar"), "join": ("", "bar")}
"""What a pseudo state shows, and its border."""
_UNDRAWN = ("classDef", "class", "style", "hide", "scale")


def read(source: str, findings: Findings, line: int | None) -> Graph:
    """States are rounded; `●` begins and `◉` ends; a composite state is a frame, and so is
    each of its regions. Raises NotDrawn."""
    graph, groups, undrawn = Graph(), list[Group](), set[str]()
    in_note: tuple[str, list[str]] | None = None
    for number, text in list(statements(source))[1:]:
        statement = text.strip()
        word = statement.split(None, 1)[0]
        if in_note is not None:
            id, rows = in_note
            in_note = None if statement == "end note" else in_note
            if in_note is None:
                note(graph, id, rows, groups)
            else:
                rows += label(statement)
        elif found := _NOTE.fullmatch(statement):
            _state(graph, groups, found["id"], "")
            if found["text"] is None:
                in_note = found["id"], []
            else:
                note(graph, found["id"], label(found["text"]), groups)
        elif word in _UNDRAWN:
            undrawn.add(word)
        else:
            _statement(graph, groups, statement, number)
    if in_note is not None:
        raise NotDrawn(f"the note about {in_note[0]} has no end")
    if groups:
        raise NotDrawn(f"the state {groups[-1].title} is not closed")
    if undrawn:
        message = f"not drawn: {', '.join(sorted(undrawn))}"
        findings.note("markdown-diagram-statements-left-out", message, line)
    return graph.check()


def _statement(graph: Graph, groups: list[Group], text: str, number: int) -> None:
    if text == "}":
        _close(graph, groups, number)
    elif text == "--":
        _divide(graph, groups, number)
    elif text.startswith("direction "):
        (groups[-1] if groups else graph).direction = direction(text.split()[1])
    elif found := _EDGE.fullmatch(text):
        start, end = _state(graph, groups, found["start"], "●"), _state(graph, groups, found["end"], "◉")
        graph.edges.append(Edge(start, end, words(found["label"] or "")))
    elif found := _NAMED.fullmatch(text):
        _declared(graph, groups, found["id"], label(found["label"]), found["open"])
    elif found := _STATE.fullmatch(text):
        mark, border = _KINDS.get(found["kind"] or "", (found["id"], "round"))
        _declared(graph, groups, found["id"], [mark], found["open"])
        if not found["open"]:
            graph.nodes[found["id"]].border = border
    elif found := _DESCRIBED.fullmatch(text):
        _declared(graph, groups, found["id"], label(found["label"]), None)
    elif _ALONE.fullmatch(text):
        _state(graph, groups, text, "")
    else:
        raise NotDrawn(f"this cannot be read: {text[:40]}", number)


def _close(graph: Graph, groups: list[Group], number: int) -> None:
    if not groups:
        raise NotDrawn("there is no state to close", number)
    if groups[-1].is_region:
        graph.groups.append(groups.pop())
    graph.groups.append(groups.pop())


def _divide(graph: Graph, groups: list[Group], number: int) -> None:
    """What the composite state has held so far is a region of its own, and so is what follows."""
    if not groups:
        raise NotDrawn("only a composite state has regions", number)
    if groups[-1].is_region:
        graph.groups.append(groups.pop())
    else:
        whole = groups[-1]
        first = Group("", set(whole.members), parent=whole, is_region=True)
        for group in graph.groups:
            group.parent = first if group.parent is whole else group.parent
        graph.groups.append(first)
    groups.append(Group("", id=f"\0{number}", parent=groups[-1], is_region=True))


def _declared(graph: Graph, groups: list[Group], id: str, rows: list[str], opens: str | None) -> None:
    if opens:
        groups.append(Group(" ".join(rows), id=id, parent=groups[-1] if groups else None))
        return
    _state(graph, groups, id, "")
    graph.nodes[id].parts = [rows]


def _state(graph: Graph, groups: list[Group], id: str, mark: str) -> str:
    """The state's id; a beginning or an end is a state of its own in each composite."""
    is_end = id == "[*]"
    name = f"{mark}{len(groups)}{_name(groups[-1]) if groups else ''}" if is_end else id
    is_new = name not in graph.nodes
    node = graph.node(name)
    if is_new:
        node.border = "none" if is_end else "round"
        node.parts = [[mark if is_end else id]]
    for group in groups:
        group.members.add(name)
    return name


def _name(group: Group) -> str:
    return group.title or group.id
