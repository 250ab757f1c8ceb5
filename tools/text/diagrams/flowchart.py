"""Mermaid flowcharts to graphs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chardesk.tools.text.diagrams.graph import Edge, Graph, Group, Look, direction
from chardesk.tools.text.diagrams.source import label, statements, words
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.undrawn import NotDrawn

_SHAPES: tuple[tuple[str, str, str, str], ...] = (
    ("(((", ")))", "double", ""),
    ("((", "))", "round", ""),
    ("([", "])", "round", ""),
    ("[[", "]]", "double", ""),
    ("[(", ")]", "round", "≡ "),
    ("{{", "}}", "heavy", ""),
    ("[/", "/]", "light", "/ "),
    ("[/", "\\]", "light", "/ "),
    ("[\\", "\\]", "light", "/ "),
    ("[\\", "/]", "light", "/ "),
    ("[", "]", "light", ""),
    ("(", ")", "round", ""),
    ("{", "}", "light", "◇ "),
    (">", "]", "light", ""),
)
"""Opening, closing, border, and a mark at both ends of the words for a shape that a box cannot have."""

_ID = re.compile(r"[^\W_](?:[\w./]|-(?![-.>=]))*|_\w*")
_ARROW = re.compile(
    r"(?P<tail>[<ox](?=[-=]))?"
    r"(?P<line>--+|==+|-\.+-?|~~~+)"
    r"(?:(?P<head>[>ox])(?![\w-])|(?P<head2>>))?"
)
_OPEN_LABEL = re.compile(
    r"(?P<tail><)?(?P<line>--|==|-\.)\s+(?P<text>[^|]*?\S)\s*(?P<end>--+|==+|\.+-)(?P<head>[>ox])?"
)
_CLASS = re.compile(r":::[\w-]+")
_DETAILS = re.compile(r"@\{(?P<body>[^}]*)\}")
_UNDRAWN = ("classDef", "class", "style", "linkStyle", "click", "accTitle", "accDescr")
_HEADS = {">": "arrow", "<": "arrow", "o": "○", "x": "×"}
_LOOKS: dict[str, Look] = {"-": "light", "=": "heavy", ".": "dotted"}


def read(source: str, findings: Findings, line: int | None) -> Graph:
    """The graph of a `flowchart` or `graph`. Raises NotDrawn naming the line that cannot be read."""
    (_, head), *body = statements(source)
    graph = Graph(direction([*head.split(), "TB"][1].rstrip(";")))
    groups: list[Group] = []
    undrawn: set[str] = set()
    for number, text in body:
        for statement in _split(text):
            _statement(graph, groups, undrawn, statement, number)
    if groups:
        raise NotDrawn(f"the subgraph {groups[-1].title} has no end")
    if undrawn:
        found = f"not drawn: {', '.join(sorted(undrawn))}"
        findings.note("markdown-diagram-statements-left-out", found, line)
    return graph.check()


def _split(text: str) -> list[str]:
    """Statements of a line; a `;` in quotes or brackets separates nothing."""
    parts, depth, quoted = [""], 0, False
    for char in text:
        quoted ^= char == '"'
        depth += (char in "[({") - (char in "])}")
        if char == ";" and not quoted and depth <= 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]


def _statement(graph: Graph, groups: list[Group], undrawn: set[str], text: str, number: int) -> None:
    word = text.split(None, 1)[0]
    if word == "subgraph":
        groups.append(_group(text, groups[-1] if groups else None))
    elif word == "end" and text == "end":
        if not groups:
            raise NotDrawn("there is no subgraph to end", number)
        graph.groups.append(groups.pop())
    elif word == "direction" and groups:
        groups[-1].direction = direction(text.split()[-1])
    elif word in _UNDRAWN:
        undrawn.add(word)
    else:
        _Statement(graph, text, number, groups).read()


def _group(text: str, parent: Group | None) -> Group:
    rest = text.removeprefix("subgraph").strip()
    found = re.fullmatch(r"(?P<id>[\w-]+)\s*\[(?P<title>.*)\]", rest)
    title, id = (found["title"], found["id"]) if found else (rest, rest)
    return Group(words(title), id=id, parent=parent)


class _Statement:
    """One chain of nodes and arrows: `a & b -->|label| c --> d`."""

    def __init__(self, graph: Graph, text: str, number: int, groups: Sequence[Group]) -> None:
        self._graph, self._text, self._number, self._groups = graph, text, number, groups
        self._at = 0

    def read(self) -> None:
        before = self._nodes()
        while self._at < len(self._text):
            arrow = self._arrow()
            after = self._nodes()
            if arrow is not None:
                label_, look, tail, head = arrow
                self._graph.edges += (
                    Edge(one, other, label_, look, head, tail) for one in before for other in after
                )
            before = after

    def _nodes(self) -> list[str]:
        found = [self._node()]
        while self._text.startswith("&", self._skip()):
            self._at += 1
            found.append(self._node())
        return found

    def _node(self) -> str:
        named = _ID.match(self._text, self._skip())
        if named is None:
            raise self._odd()
        self._at = named.end()
        node = self._graph.node(named[0])
        for group in self._groups:
            group.members.add(node.id)
        shape = next((each for each in _SHAPES if self._fits(each)), None)
        if shape is not None:
            node.parts = [label(self._inside(shape))]
            _, _, node.border, node.marks = shape
        elif self._text[self._at : self._at + 1] in tuple("[({"):
            raise NotDrawn(f"a {self._text[self._at]} is not closed: {self._text[:60]}", self._number)
        self._details(node.id)
        return node.id

    def _fits(self, shape: tuple[str, str, str, str]) -> bool:
        opening, closing, _, _ = shape
        return self._text.startswith(opening, self._at) and self._close(opening, closing) > 0

    def _close(self, opening: str, closing: str) -> int:
        """Where the shape's end stands; 0 if nowhere. What is quoted does not count."""
        start = self._at + len(opening)
        quote = self._text.find('"', start)
        if self._text[start:quote].strip() == "" and quote >= 0:
            end = self._text.find('"', quote + 1)
            start = max(start, end)
        return max(0, self._text.find(closing, start))

    def _inside(self, shape: tuple[str, str, str, str]) -> str:
        opening, closing, _, _ = shape
        end = self._close(opening, closing)
        text = self._text[self._at + len(opening) : end]
        self._at = end + len(closing)
        return text

    def _details(self, id: str) -> None:
        """`:::class` is let go; of `@{…}` the label counts."""
        if found := _CLASS.match(self._text, self._at):
            self._at = found.end()
        if found := _DETAILS.match(self._text, self._at):
            self._at = found.end()
            if given := re.search(r'label:\s*("[^"]*"|[^,]+)', found["body"]):
                self._graph.nodes[id].parts = [label(given[1])]

    def _arrow(self) -> tuple[str, Look, str, str] | None:
        """Label, look, tail and head; None for an invisible link."""
        start = self._skip()
        if found := _OPEN_LABEL.match(self._text, start):
            self._at = found.end()
            return words(found["text"]), _look(found["line"]), _head(found["tail"]), _head(found["head"])
        found = _ARROW.match(self._text, start)
        if found is None:
            raise self._odd()
        self._at = found.end()
        text = self._bar_label()
        if found["line"][0] == "~":
            return None
        return text, _look(found["line"]), _head(found["tail"]), _head(found["head"] or found["head2"])

    def _bar_label(self) -> str:
        if not self._text.startswith("|", self._skip()):
            return ""
        end = self._text.find("|", self._at + 1)
        if end < 0:
            raise NotDrawn(f"a label is not closed: {self._text[self._at : self._at + 60]}", self._number)
        text = self._text[self._at + 1 : end]
        self._at = end + 1
        return words(text)

    def _skip(self) -> int:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._at

    def _odd(self) -> NotDrawn:
        rest = self._text[self._at : self._at + 40] or "the end of the line"
        return NotDrawn(f"this cannot be read: {rest}", self._number)


def _look(line: str) -> Look:
    return _LOOKS["." if "." in line else line[0]]


def _head(mark: str | None) -> str:
    return _HEADS[mark] if mark else ""
