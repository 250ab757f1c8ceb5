"""The texts for agents, by topic. Each is a Markdown file beside this one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent


class Topic(NamedTuple):
    """`title` says in a few words what the text is good for."""

    name: str
    title: str


_TOPICS = (
    Topic(
        "guide",
        "how to draw well with cells: coordinates, widths, preview and apply, boxes, arrows",
    ),
    Topic("tools", "every tool with its arguments, results and refusals"),
    Topic("markdown", "what canvas_render makes of Markdown, element by element"),
    Topic("shapes", "boxes, arrows that find their way, labels, tables: the JSON of format shapes"),
    Topic("diagrams", "mermaid: flowcharts, sequences, classes, states, entities, Gantt, mind maps, Git"),
    Topic("charts", "vega-lite: bars, lines, areas, points, sparklines"),
    Topic("math", "TeX in a sentence and in blocks"),
    Topic("data", "tables from CSV, TSV and JSON; trees"),
    Topic("ansi", "what canvas_render makes of terminal output"),
    Topic("scripts", "canvas_code: what a script finds, its limits, examples"),
    Topic("cookbook", "twelve scripts to start from: align, renumber, swimlanes, tree, histogram, …"),
    Topic("canvas.d.ts", "everything a script can call, as TypeScript declarations"),
)
_FIRST = _TOPICS[0]


def topics() -> list[Topic]:
    """Every topic that has a text, the guide first."""
    return [topic for topic in _TOPICS if _file(topic.name).is_file()]


def read(topic: str | None) -> tuple[str, str]:
    """The topic's name and its text; without a topic the index and the guide. Raises KeyError for a name that
    `topics` does not have."""
    if topic is None:
        return _FIRST.name, f"{_index()}\n{_text(_FIRST.name)}"
    if topic not in [known.name for known in topics()]:
        raise KeyError(topic)
    return topic, _text(topic)


def _index() -> str:
    lines = [f"- `{topic.name}`: {topic.title}" for topic in topics()]
    return "\n".join(
        ["# Materials", "", "Read more with `chardesk_read_materials` and a `topic`:", "", *lines, ""]
    )


def _text(name: str) -> str:
    return _file(name).read_text(encoding="utf-8")


def _file(name: str) -> Path:
    return _HERE / f"{name}.md"
