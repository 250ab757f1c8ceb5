"""Mermaid class and entity-relationship diagrams to graphs."""

from __future__ import annotations

import re

from chardesk.tools.text.diagrams.graph import Edge, Graph, Group, Look, direction, note
from chardesk.tools.text.diagrams.source import label, statements, words
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.undrawn import NotDrawn

_RELATION = re.compile(
    r'(?P<start>[\w.~`-]+?)\s*(?:"(?P<near>[^"]*)")?\s*'
    r"(?P<tail><\|?|\*|o|\|>)?(?P<line>--|\.\.)(?P<head>\|?>|\*|o|<\|)?"
    r'\s*(?:"(?P<far>[^"]*)")?\s*(?P<end>[\w.~`-]+)\s*(?::(?P<label>.*))?'
)
_CLASS = re.compile(
    r'class\s+(?P<id>[\w.~`-]+)(?:\["(?P<label>[^"]*)"\])?(?::::?[\w-]+)?\s*'
    r"(?:(?P<open>\{)(?P<member>[^{}]*)(?P<close>\})?)?"
)
_MEMBER = re.compile(r"(?P<id>[\w.~`-]+)\s*:\s*(?P<member>.+)")
_STEREOTYPE = re.compile(r"<<(?P<name>[^>]+)>>\s*(?P<id>[\w.~`-]+)?")
_HEADS = {"<|": "triangle", "|>": "triangle", "<": "arrow", ">": "arrow", "*": "◆", "o": "◇"}
_NOTE = re.compile(r'note\s+(?:for\s+(?P<id>[\w.~`-]+)\s+)?"(?P<text>[^"]*)"')
_NAMESPACE = re.compile(r"namespace\s+(?P<id>[\w.-]+)\s*\{")
_UNDRAWN = ("classDef", "style", "cssClass", "link", "click", "callback")

_ENTITY_RELATION = re.compile(
    r"(?P<start>\"[^\"]+\"|[\w.-]+?)\s*(?P<left>\|o|\|\||\}o|\}\|)(?P<line>--|\.\.)(?P<right>o\||\|\||o\{|\|\{)"
    r"\s*(?P<end>\"[^\"]+\"|[\w.-]+)\s*(?::(?P<label>.*))?"
)
_ENTITY = re.compile(r"(?P<id>\"[^\"]+\"|[\w.-]+)(?:\[(?P<label>[^\]]*)\])?\s*(?P<open>\{)?\s*(?P<close>\})?")
_MANY = {"|o": "0..1", "o|": "0..1", "||": "1", "}o": "0..*", "o{": "0..*", "}|": "1..*", "|{": "1..*"}


def read_classes(source: str, findings: Findings, line: int | None) -> Graph:
    """A class has its name, its fields and its methods in compartments. Raises NotDrawn."""
    graph, undrawn = Graph(), set[str]()
    members: dict[str, tuple[list[str], list[str], list[str]]] = {}
    inside: str | None = None
    group: Group | None = None
    for number, text in list(statements(source))[1:]:
        statement = text.strip()
        if group is not None and inside is None and statement == "}":
            graph.groups.append(group)
            group = None
        elif inside is None and (named := _NAMESPACE.fullmatch(statement)):
            group = Group(named["id"])
        elif inside is not None:
            member = statement.removesuffix("}").strip()
            found = _member(members, inside, member) if member else inside
            inside = None if statement.endswith("}") else found
        elif statement.split(None, 1)[0] in _UNDRAWN:
            undrawn.add(statement.split(None, 1)[0])
        else:
            known = set(graph.nodes)
            inside = _class_statement(graph, members, statement, number)
            if group is not None:
                group.members |= graph.nodes.keys() - known
    if inside is not None:
        raise NotDrawn(f"the class {inside} is not closed")
    if group is not None:
        raise NotDrawn(f"the namespace {group.title} is not closed")
    _fill(graph, members)
    if undrawn:
        message = f"not drawn: {', '.join(sorted(undrawn))}"
        findings.note("markdown-diagram-statements-left-out", message, line)
    return graph.check()


_Members = dict[str, tuple[list[str], list[str], list[str]]]
"""By class: stereotypes, fields, methods."""


def _class_statement(graph: Graph, members: _Members, text: str, number: int) -> str | None:
    """Read one statement; the class whose body it opens, if it does."""
    if text.startswith("direction "):
        graph.direction = direction(text.split()[1])
    elif found := _NOTE.fullmatch(text):
        note(graph, found["id"] and _id(found["id"]), label(found["text"]))
    elif found := _CLASS.fullmatch(text):
        node = graph.node(_id(found["id"]))
        node.parts = [[found["label"]]] if found["label"] else node.parts
        if member := (found["member"] or "").strip():
            _member(members, node.id, member)
        return node.id if found["open"] and not found["close"] else None
    elif found := _RELATION.fullmatch(text):
        start, end = graph.node(_id(found["start"])).id, graph.node(_id(found["end"])).id
        parts = (found["near"], words(found["label"] or ""), found["far"])
        look: Look = "dotted" if found["line"] == ".." else "light"
        head, tail = (_HEADS.get(found[side] or "", "") for side in ("head", "tail"))
        graph.edges.append(Edge(start, end, " ".join(filter(None, parts)), look, head, tail))
    elif found := _STEREOTYPE.fullmatch(text):
        _member(members, graph.node(_id(found["id"] or "?")).id, text)
    elif found := _MEMBER.fullmatch(text):
        _member(members, graph.node(_id(found["id"])).id, found["member"])
    else:
        raise NotDrawn(f"this cannot be read: {text[:40]}", number)
    return None


def _id(text: str) -> str:
    """`List~int~` is written `List<int>`."""
    return re.sub(r"~([^~]*)~", r"<\1>", text.strip("`"))


def _member(members: _Members, id: str, text: str) -> str:
    stereotypes, fields, methods = members.setdefault(id, ([], [], []))
    if found := _STEREOTYPE.match(text):
        stereotypes.append(f"«{found['name']}»")
    else:
        (methods if "(" in text else fields).append(words(_id(text)))
    return id


def _fill(graph: Graph, members: _Members) -> None:
    for node in graph.nodes.values():
        if node.is_note:
            continue
        stereotypes, fields, methods = members.get(node.id, ([], [], []))
        node.is_titled = True
        node.parts = [[*stereotypes, *node.parts[0]], *(part for part in (fields, methods) if part)]


def read_entities(source: str, findings: Findings, line: int | None) -> Graph:
    """An entity has its name and its attributes; cardinalities stand in the label. Raises NotDrawn."""
    graph = Graph()
    attributes: dict[str, list[str]] = {}
    inside: str | None = None
    for number, text in list(statements(source))[1:]:
        statement = text.strip()
        if inside is not None:
            if statement == "}":
                inside = None
            else:
                attributes.setdefault(inside, []).append(words(statement.replace('"', "")))
        elif statement.startswith("direction "):
            graph.direction = direction(statement.split()[1])
        else:
            inside = _entity_statement(graph, statement, number)
    if inside is not None:
        raise NotDrawn(f"the entity {inside} is not closed")
    for node in graph.nodes.values():
        node.is_titled = True
        node.parts += [attributes[node.id]] if node.id in attributes else []
    return graph.check()


def _entity_statement(graph: Graph, text: str, number: int) -> str | None:
    if found := _ENTITY_RELATION.fullmatch(text):
        start, end = (graph.node(found[side].strip('"')).id for side in ("start", "end"))
        many = f"{_MANY[found['left']]} : {_MANY[found['right']]}"
        label = " ".join(part for part in (words(found["label"] or ""), many) if part)
        look: Look = "dotted" if found["line"] == ".." else "light"
        graph.edges.append(Edge(start, end, label, look, head=""))
        return None
    found = _ENTITY.fullmatch(text)
    if found is None:
        raise NotDrawn(f"this cannot be read: {text[:40]}", number)
    node = graph.node(found["id"].strip('"'))
    node.parts = [[words(found["label"])]] if found["label"] else node.parts
    return node.id if found["open"] and not found["close"] else None
