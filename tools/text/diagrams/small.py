"""Mermaid's pies and mind maps: bars with shares, and branches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from chardesk.tools.model.cell import BOLD, PLAIN, Style
from chardesk.tools.text.diagrams.rows import Line, width
from chardesk.tools.text.diagrams.source import statements, words
from chardesk.tools.text.picture import Findings, Glyph, columns, glyphs
from chardesk.tools.text.undrawn import NotDrawn

_SLICE = re.compile(r'"(?P<name>[^"]*)"\s*:\s*(?P<value>\d{1,15}(?:\.\d{1,15})?)')
_COLORS = ("accent", "info", "success", "warning", "danger", "muted")
_NARROWEST = 10
_EIGHTHS = " ▏▎▍▌▋▊▉█"

_SHAPED = re.compile(
    r"[\w-]*(?:\(\((?P<a>.*)\)\)|\[(?P<b>.*)\]|\{\{(?P<c>.*)\}\}|\)\)(?P<d>.*)\(\(|\)(?P<e>.*)\(|\((?P<f>.*)\))"
)
_MOST_BRANCHES = 500


def pie(source: str, room: int, findings: Findings) -> list[Line]:
    """A bar for each slice with its share; `showData` adds the values. Raises NotDrawn."""
    (_, head), *body = statements(source)
    title = head.partition("title")[2].strip()
    slices: list[tuple[str, float]] = []
    for number, text in body:
        found = _SLICE.fullmatch(text.strip())
        if found:
            slices.append((words(found["name"]), float(found["value"])))
        elif text.strip().startswith("title"):
            title = text.strip().removeprefix("title").strip()
        elif text.strip() != "showData":
            raise NotDrawn(f"this cannot be read: {text.strip()[:40]}", number)
    total = sum(value for _, value in slices)
    if total <= 0:
        raise NotDrawn("it has no slices")
    rows = [glyphs(words(title), Style(attrs=BOLD), findings.drops), []] if title else []
    return rows + _bars(slices, total, room, "showData" in source, findings)


def _bars(
    slices: list[tuple[str, float]], total: float, room: int, with_data: bool, findings: Findings
) -> list[Line]:
    names = max(width(name) for name, _ in slices)
    tails = [f" {value / total:6.1%}" + (f"  {value:g}" if with_data else "") for _, value in slices]
    wide = max(_NARROWEST, room - names - 1 - max(map(len, tails)))
    most = max(value for _, value in slices)
    rows = []
    for number, ((name, value), tail) in enumerate(zip(slices, tails, strict=True)):
        eighths = round(value / most * wide * 8)
        bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
        line = glyphs(name, PLAIN, findings.drops)
        line += [_SPACE] * (names - columns(line) + 1)
        line += glyphs(bar, Style(_COLORS[number % len(_COLORS)]), findings.drops)
        line += [_SPACE] * (wide - len(bar))
        rows.append(line + glyphs(tail, Style("muted"), findings.drops))
    return rows


@dataclass(slots=True)
class _Branch:
    indent: int
    text: str
    branches: list[_Branch] = field(default_factory=list)


def mindmap(source: str, findings: Findings) -> list[Line]:
    """The root to the left, every branch in a row of its own. Raises NotDrawn."""
    body = [(number, text) for number, text in list(statements(source))[1:] if not _is_aside(text)]
    if not body or len(body) > _MOST_BRANCHES:
        raise NotDrawn(f"it has {len(body)} branches; 1 to {_MOST_BRANCHES} can be drawn")
    path: list[_Branch] = []
    for number, text in body:
        branch = _Branch(len(text) - len(text.lstrip()), _branch_words(text.strip()))
        while path and path[-1].indent >= branch.indent:
            path.pop()
        if path:
            path[-1].branches.append(branch)
        elif number != body[0][0]:
            raise NotDrawn(f"there is a second root: {text.strip()[:40]}", number)
        else:
            root = branch
        path.append(branch)
        if len(path) > 40:
            raise NotDrawn("it is nested more than 40 deep", number)
    return _grown(root, findings, Style(attrs=BOLD))


def _is_aside(text: str) -> bool:
    return text.strip().startswith(("::icon", ":::"))


def _branch_words(text: str) -> str:
    found = _SHAPED.fullmatch(text)
    return words(next((part for part in found.groups() if part is not None), text) if found else text)


def _grown(branch: _Branch, findings: Findings, style: Style = PLAIN) -> list[Line]:
    """The rows of a branch; its words stand in the middle of what grows out of it."""
    line = glyphs(branch.text, style, findings.drops)
    if not branch.branches:
        return [line]
    rows: list[tuple[str, Line]] = []
    joints: list[int] = []
    for number, each in enumerate(branch.branches):
        grown = _grown(each, findings)
        middle = (len(grown) - 1) // 2
        joints.append(len(rows) + middle)
        for at, row in enumerate(grown):
            before, after = number == 0 and at < middle, number == len(branch.branches) - 1 and at > middle
            rows.append(("─" if at == middle else " " if before or after else "│", row))
    stem = (joints[0] + joints[-1]) // 2
    return [_row(line, at, stem, joints, mark, row) for at, (mark, row) in enumerate(rows)]


def _row(line: Line, at: int, stem: int, joints: list[int], mark: str, row: Line) -> Line:
    up, down = joints[0] < at <= joints[-1], joints[0] <= at < joints[-1]
    piece = _PIECES[up, down, at == stem, mark == "─"]
    head = [*line, _SPACE, Glyph("─", 1, _STEM)] if at == stem else [_SPACE] * (columns(line) + 2)
    tail = [Glyph("─", 1, _STEM), _SPACE] if mark == "─" else [_SPACE, _SPACE]
    return [*head, Glyph(piece, 1, _STEM), *tail, *row]


_PIECES = {
    (False, False, False, False): " ",
    (False, False, True, True): "─",
    (False, True, False, True): "╭",
    (True, False, False, True): "╰",
    (True, True, False, True): "├",
    (True, True, False, False): "│",
    (True, True, True, False): "┤",
    (True, True, True, True): "┼",
    (False, True, True, True): "┬",
    (True, False, True, True): "┴",
}
"""By: does the trunk go on up, down; does the root join here, a branch."""

_SPACE = Glyph(" ", 1, PLAIN)
_STEM = Style("muted")
