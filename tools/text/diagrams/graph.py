"""Graphs: what flowcharts, states, classes and entities have in common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from chardesk.tools.text.diagrams.rows import wrapped
from chardesk.tools.text.undrawn import NotDrawn

Direction = Literal["TB", "BT", "LR", "RL"]
Look = Literal["light", "heavy", "dotted"]

MAX_NODES = 300
MAX_EDGES = 600
"""A layout of this many takes about a second; more cannot be read either."""
MAX_DEPTH = 12
"""Groups in groups. Every level costs four columns and two rows."""


@dataclass(slots=True)
class Node:
    """`parts` are its compartments, each a list of rows: a flowchart's node has one, a class up to three.

    `border` is a border style of shapes, `none`, or `bar`: a thick line across the diagram's direction.
    `marks` stand at both ends of its rows (`◇ `).
    """

    id: str
    parts: list[list[str]]
    border: str = "light"
    marks: str = ""
    is_titled: bool = False
    is_note: bool = False


@dataclass(slots=True)
class Edge:
    """Heads are single characters, or words for directions: `arrow`, `triangle`; empty for none."""

    start: str
    end: str
    label: str = ""
    look: Look = "light"
    head: str = "arrow"
    tail: str = ""


@dataclass(slots=True)
class Group:
    """A frame around nodes; a group in a group (`parent`) holds its nodes too. A node that several groups
    name is in the first of them that is closed. Edges may end at its `id`. Without a `direction` it has that
    of the diagram. A region is one of several parts of its parent that go on at once; its frame is dashed."""

    title: str
    members: set[str] = field(default_factory=set)
    id: str = ""
    parent: Group | None = None
    direction: Direction | None = None
    is_region: bool = False

    def parents(self) -> Iterator[Group]:
        """The groups it stands in, from the nearest on."""
        group = self.parent
        while group is not None:
            yield group
            group = group.parent


@dataclass(slots=True)
class Graph:
    direction: Direction = "TB"
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    def node(self, id: str, **given: object) -> Node:
        """The node of this name; made, with its name for a label, when it is met for the first time."""
        if id not in self.nodes:
            self.nodes[id] = Node(id, [[id]])
        found = self.nodes[id]
        for name, value in given.items():
            setattr(found, name, value)
        return found

    def wrapped(self, limit: int) -> Graph:
        """The same with the words of its nodes wrapped; rows that go on below a compartment are indented."""
        nodes = {
            id: replace(
                node, parts=[_wrapped(part, limit, int(number > 0)) for number, part in enumerate(node.parts)]
            )
            for id, node in self.nodes.items()
        }
        return replace(self, nodes=nodes)

    def check(self) -> Graph:
        """Itself. Raises NotDrawn if it is empty or too large."""
        if not self.nodes:
            raise NotDrawn("it has no nodes")
        if len(self.nodes) > MAX_NODES or len(self.edges) > MAX_EDGES:
            found = f"{len(self.nodes)} nodes and {len(self.edges)} edges"
            raise NotDrawn(f"it has {found}; {MAX_NODES} and {MAX_EDGES} can be drawn")
        depth = max((len(list(group.parents())) for group in self.groups), default=0)
        if depth >= MAX_DEPTH:
            raise NotDrawn(f"its groups stand {depth + 1} deep in each other; {MAX_DEPTH} can be drawn")
        return self


def _wrapped(part: Sequence[str], limit: int, indent: int) -> list[str]:
    rows = [wrapped(row, limit) for row in part]
    return [row if number == 0 else "  " * indent + row for each in rows for number, row in enumerate(each)]


def note(graph: Graph, id: str | None, rows: list[str], open_groups: Sequence[Group] = ()) -> None:
    """A remark in a round box, beside a node and in its groups if it is about one."""
    name = f"\2{len(graph.nodes)}"
    graph.node(name, parts=[rows], border="round", is_note=True)
    if id is not None:
        graph.edges.append(Edge(graph.node(id).id, name, look="dotted", head=""))
        for group in (*graph.groups, *open_groups):
            group.members |= {name} if id in group.members else set()


def direction(word: str) -> Direction:
    match word.upper():
        case "BT":
            return "BT"
        case "LR":
            return "LR"
        case "RL":
            return "RL"
        case _:
            return "TB"


def ranks(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[str, int]:
    """The layer of each node: below all that lead to it, edges that would close a circle left aside."""
    after: dict[str, list[str]] = {node: [] for node in nodes}
    for start, end in edges:
        if start != end:
            after[start].append(end)
    order = _topological(nodes, after)
    place = {node: number for number, node in enumerate(order)}
    found = dict.fromkeys(nodes, 0)
    for node in order:
        for next_ in after[node]:
            if place[next_] > place[node]:
                found[next_] = max(found[next_], found[node] + 1)
    return found


def _topological(nodes: Sequence[str], after: dict[str, list[str]]) -> list[str]:
    """Nodes before those they lead to; within a circle, in the order of the source."""
    done: list[str] = []
    seen: set[str] = set()
    for root in nodes:
        if root in seen:
            continue
        seen.add(root)
        stack = [(root, iter(after[root]))]
        while stack:
            node, rest = stack[-1]
            next_ = next((each for each in rest if each not in seen), None)
            if next_ is None:
                done.append(node)
                stack.pop()
            else:
                seen.add(next_)
                stack.append((next_, iter(after[next_])))
    return done[::-1]
