"""Mermaid's Git graphs: a row for each commit, a lane for each branch, the oldest on top."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from chardesk.tools.model.cell import BOLD, PLAIN, Style
from chardesk.tools.text.diagrams.rows import Line, trimmed
from chardesk.tools.text.diagrams.source import statements, words
from chardesk.tools.text.picture import Findings, Glyph, glyphs
from chardesk.tools.text.undrawn import NotDrawn

_OPTION = re.compile(
    r'(?P<name>id|tag|type|msg|parent|order)\s*:\s*(?:"(?P<quoted>[^"]*)"|(?P<bare>[\w.-]+))'
)
_STATEMENT = re.compile(r"(?P<word>commit|branch|checkout|switch|merge|cherry-pick)\b\s*(?P<rest>.*)")
_NAME = re.compile(r'"(?P<quoted>[^"]+)"|(?P<bare>[^\s":]+)(?=\s|$)(?!\s*:)')
_DOTS = {"NORMAL": "●", "HIGHLIGHT": "■", "REVERSE": "⊗"}
_MERGE, _PICKED, _BIRTH = "◉", "◆", "╷"
_COLORS = ("accent", "info", "success", "warning", "danger")
_MOST_ROWS, _MOST_LANES = 500, 40


@dataclass(slots=True)
class _Row:
    """What happens at `lane`: a commit (`dot`), or the birth of a branch, if `dot` is empty. `other` is the
    lane that it comes from."""

    lane: int
    dot: str
    text: str
    tag: str = ""
    other: int | None = None


@dataclass(slots=True)
class _Reading:
    lanes: dict[str, int] = field(default_factory=lambda: {"main": 0})
    at: str = "main"
    rows: list[_Row] = field(default_factory=list)

    def read(self, word: str, rest: str, number: int) -> None:
        """Raises NotDrawn for a branch that is unknown, or known already."""
        options = {
            found["name"]: words(found["quoted"] or found["bare"] or "") for found in _OPTION.finditer(rest)
        }
        named = _NAME.match(rest)
        name = (named["quoted"] or named["bare"]) if named else ""
        match word:
            case "commit":
                self._commit(options, _DOTS.get(options.get("type", ""), "●"), name if named else "")
            case "branch":
                self._branch(name, number)
            case "checkout" | "switch":
                self._lane(name, number)
                self.at = name
            case "merge":
                if name == self.at:
                    raise NotDrawn(f"{name[:40]} is not merged into itself", number)
                self._commit(options, _MERGE, f"merge {name}", self._lane(name, number))
            case _:
                self._commit({}, _PICKED, f"cherry-pick {options.get('id', '')}")

    def _commit(self, options: dict[str, str], dot: str, text: str, other: int | None = None) -> None:
        said = " ".join(filter(None, (options.get("id"), options.get("msg")))) or text
        self.rows.append(_Row(self.lanes[self.at], dot, said, options.get("tag", ""), other))

    def _branch(self, name: str, number: int) -> None:
        if not name or name in self.lanes:
            raise NotDrawn(f"this branch has no name or is there already: {name[:40]}", number)
        before = self.lanes[self.at]
        self.lanes[name] = len(self.lanes)
        self.rows.append(_Row(self.lanes[name], "", name, other=before))
        self.at = name

    def _lane(self, name: str, number: int) -> int:
        if name not in self.lanes:
            raise NotDrawn(f"there is no branch {name[:40] or 'without a name'}", number)
        return self.lanes[name]


def git_graph(source: str, findings: Findings) -> list[Line]:
    """Lanes from left to right as branches are made, what is said about a commit to the right of all.
    Raises NotDrawn."""
    reading = _Reading()
    for number, text in list(statements(source))[1:]:
        found = _STATEMENT.fullmatch(text.strip())
        if not found:
            raise NotDrawn(f"this cannot be read: {text.strip()[:40]}", number)
        reading.read(found["word"], found["rest"], number)
    if not 0 < len(reading.rows) <= _MOST_ROWS or len(reading.lanes) > _MOST_LANES:
        raise NotDrawn(f"it has {len(reading.rows)} commits and {len(reading.lanes)} branches")
    rows = [_Row(0, _BIRTH, "main"), *reading.rows]
    last = {
        lane: number for number, row in enumerate(rows) for lane in (row.lane, row.other) if lane is not None
    }
    first = {row.lane: number for number, row in reversed(list(enumerate(rows)))}
    return [
        _line(row, {lane for lane in last if first[lane] < number <= last[lane]}, last, number, findings)
        for number, row in enumerate(rows)
    ]


def _line(row: _Row, open_: set[int], last: dict[int, int], number: int, findings: Findings) -> Line:
    """`open_` are the lanes that come from above and end here or later."""
    line: Line = []
    left, right = sorted((row.lane, row.lane if row.other is None else row.other))
    for lane in range(len(last)):
        char = _PASSING[left < lane < right, lane in open_]
        if lane == row.lane:
            char = row.dot or "╮"
        elif lane == row.other:
            char = _JOINTS[lane == left, last[lane] > number]
        line.append(Glyph(char, 1, _style(lane if lane in open_ else row.lane)))
        line.append(Glyph("─" if left <= lane < right else " ", 1, _style(row.lane)))
    if not (row.text or row.tag):
        return trimmed(line)
    is_name = row.dot in ("", _BIRTH)
    words_style = replace(_style(row.lane), attrs=BOLD) if is_name else PLAIN
    line += glyphs(f" {row.text}" if row.text else "", words_style, findings.drops)
    return line + glyphs(f" [{row.tag}]" if row.tag else "", Style("warning"), findings.drops)


_PASSING = {(True, True): "┼", (True, False): "─", (False, True): "│", (False, False): " "}
"""By: does a line run through this lane, is the lane open."""

_JOINTS = {(True, True): "├", (True, False): "╰", (False, True): "┤", (False, False): "╯"}
"""By: is the lane the left end of a line, does it go on below."""


def _style(lane: int) -> Style:
    return Style(_COLORS[lane % len(_COLORS)])
