"""Trees: indented words, paths, or JSON as branches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from chardesk.tools.model.cell import BOLD, PLAIN, Style
from chardesk.tools.text.picture import Findings, Line, glyphs
from chardesk.tools.text.plain import TAB_STOP, lines_of
from chardesk.tools.text.undrawn import NotDrawn

_MOST_NODES = 5_000
_DEEPEST = 60
_BRANCHES = re.compile(r"^(?:[│|]\s+|\s+|[├└]─*\s*|[`|+]--\s*|[-*+]\s+)*")
_STEM = Style("muted")


@dataclass(slots=True)
class Node:
    """`parts` are the words with their styles."""

    parts: list[tuple[str, Style]]
    branches: list[Node] = field(default_factory=list)


def lines(source: str, findings: Findings) -> list[Line]:
    """The tree of a fence: paths if every line has a `/` inside and none is indented, else by indentation.

    Raises NotDrawn for one of more than 5,000 nodes or 60 levels.
    """
    rows = [row.expandtabs(TAB_STOP) for row in lines_of(source) if row.strip()]
    if not rows:
        raise NotDrawn("it is empty")
    if len(rows) > _MOST_NODES:
        raise NotDrawn(f"it has {len(rows)} lines; {_MOST_NODES} can be drawn")
    are_paths = len(rows) > 1 and all("/" in row.strip().strip("/") and not row[0].isspace() for row in rows)
    roots = _paths(rows) if are_paths else _indented(rows)
    return [line for root in roots for line in _grown(root, findings)]


def json_lines(source: str, findings: Findings) -> list[Line]:
    """A JSON value as a tree, scalars behind their keys. Raises NotDrawn if it is none, or too large."""
    try:
        value = json.loads(source)
    except json.JSONDecodeError as error:
        raise NotDrawn(f"this is no JSON: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError):
        raise NotDrawn("this is no JSON that can be read") from None
    budget = [_MOST_NODES]
    name = "[]" if isinstance(value, list) else "{}" if isinstance(value, dict) else ""
    return _grown(_json_node([(name, _STEM)] if name else [], value, 0, budget), findings)


def _indented(rows: list[str]) -> list[Node]:
    """Lines that stand further in grow out of the line above; drawn branches count as indentation."""
    roots: list[Node] = []
    path: list[tuple[int, Node]] = []
    for row in rows:
        found = _BRANCHES.match(row)
        indent = found.end() if found else 0
        while path and path[-1][0] >= indent:
            path.pop()
        node = Node(_named(row[indent:].rstrip()))
        (path[-1][1].branches if path else roots).append(node)
        path.append((indent, node))
        if len(path) > _DEEPEST:
            raise NotDrawn(f"it is nested more than {_DEEPEST} deep")
    return roots


def _paths(rows: list[str]) -> list[Node]:
    """Every part of a path once, in the order of the source."""
    top = Node([])
    known: dict[tuple[str, ...], Node] = {(): top}
    for row in rows:
        parts = tuple(part for part in row.strip().split("/") if part)
        if len(parts) > _DEEPEST:
            raise NotDrawn(f"it is nested more than {_DEEPEST} deep")
        for depth in range(1, len(parts) + 1):
            if parts[:depth] not in known:
                if len(known) > _MOST_NODES:
                    raise NotDrawn(f"it has more than {_MOST_NODES} parts")
                is_folder = depth < len(parts) or row.rstrip().endswith("/")
                known[parts[:depth]] = Node(_named(parts[depth - 1] + "/" * is_folder))
                known[parts[: depth - 1]].branches.append(known[parts[:depth]])
    return top.branches


def _named(text: str) -> list[tuple[str, Style]]:
    """Folders are bold; what follows a `#` behind spaces is a remark."""
    name, mark, remark = text.partition("  #")
    style = Style(attrs=BOLD) if name.rstrip().endswith("/") else PLAIN
    return [(name, style), *([(mark + remark, _STEM)] if mark else [])]


def _json_node(head: list[tuple[str, Style]], value: Any, depth: int, budget: list[int]) -> Node:
    budget[0] -= 1
    if budget[0] < 0 or depth > _DEEPEST:
        raise NotDrawn(f"it has more than {_MOST_NODES} values, or is nested more than {_DEEPEST} deep")
    match value:
        case dict():
            pairs = ((str(key), each) for key, each in value.items())
            return Node(
                head, [_json_node([(key, Style("accent"))], each, depth + 1, budget) for key, each in pairs]
            )
        case list():
            named = ((f"[{at}]", each) for at, each in enumerate(value))
            return Node(head, [_json_node([(name, _STEM)], each, depth + 1, budget) for name, each in named])
        case _:
            colour = Style("success" if isinstance(value, str) else "warning")
            joint = [(": ", _STEM)] if head else []
            return Node([*head, *joint, (json.dumps(value, ensure_ascii=False), colour)])


def _grown(node: Node, findings: Findings) -> list[Line]:
    return [
        [
            *glyphs(stem, _STEM, findings.drops),
            *(glyph for text, style in parts for glyph in glyphs(text, style, findings.drops)),
        ]
        for stem, parts in _rows(node)
    ]


def _rows(node: Node) -> Iterator[tuple[str, list[tuple[str, Style]]]]:
    """Every node with the branches before it."""
    yield "", node.parts
    for branch in node.branches:
        is_last = branch is node.branches[-1]
        for number, (stem, parts) in enumerate(_rows(branch)):
            if number == 0:
                yield ("└── " if is_last else "├── ") + stem, parts
            else:
                yield ("    " if is_last else "│   ") + stem, parts
