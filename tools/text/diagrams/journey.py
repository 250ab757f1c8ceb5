"""Mermaid's user journeys and timelines: what happens, in rows from top to bottom."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from chardesk.tools.model.cell import BOLD, PLAIN, Style
from chardesk.tools.text.diagrams.rows import Line, trimmed, width, wrapped
from chardesk.tools.text.diagrams.source import statements, words
from chardesk.tools.text.picture import Findings, columns, glyphs
from chardesk.tools.text.undrawn import NotDrawn

_TASK = re.compile(r"(?P<name>[^:]+?)\s*:\s*(?P<score>\d{1,3})\s*(?::(?P<people>.*))?")
_BEST = 5
_COLORS = ("danger", "danger", "danger", "warning", "success", "success")
"""By score."""
_HEAD, _DIM = Style(attrs=BOLD), Style("muted")
_MOST_ROWS = 500
_NARROWEST = 10


@dataclass(frozen=True, slots=True)
class _Task:
    name: str
    score: int
    people: str


@dataclass(slots=True)
class _Period:
    name: str
    events: list[str] = field(default_factory=list)


class _Rows:
    """Lines that are begun at a column and gone on with."""

    def __init__(self, title: str, findings: Findings) -> None:
        self._drops = findings.drops
        self.lines: list[Line] = []
        if title:
            self.lines += [glyphs(title, _HEAD, self._drops), []]

    def add(self, *parts: tuple[int, str, Style]) -> None:
        """A row of texts, each from its column on, or right behind the one before."""
        line: Line = []
        for column, text, style in parts:
            line += glyphs(" " * (column - columns(line)), PLAIN, self._drops)
            line += glyphs(text, style, self._drops)
        self.lines.append(trimmed(line))


def journey(source: str, findings: Findings) -> list[Line]:
    """A row for each task, with its score as dots and who takes part. Raises NotDrawn."""
    rows: list[str | _Task] = []
    title = _read(source, rows.append, lambda text, number: rows.append(_task(text, number)))
    tasks = [row for row in rows if isinstance(row, _Task)]
    _check(len(tasks), "tasks")
    indent = 2 if len(tasks) < len(rows) else 0
    dots = indent + 2 + max(width(task.name) for task in tasks)
    drawn = _Rows(title, findings)
    for row in rows:
        if isinstance(row, str):
            drawn.add((0, row, _HEAD))
            continue
        full, color = "●" * row.score, Style(_COLORS[row.score])
        left = "○" * (_BEST - row.score)
        behind = dots + _BEST + 2
        drawn.add((indent, row.name, PLAIN), (dots, full, color), (0, left, _DIM), (behind, row.people, _DIM))
    return drawn.lines


def _task(text: str, number: int) -> _Task:
    found = _TASK.fullmatch(text)
    if not found:
        raise NotDrawn(f"this cannot be read: {text[:40]}", number)
    score = int(found["score"])
    if score > _BEST:
        raise NotDrawn(f"a score is 0 to {_BEST}, not {score}", number)
    people = ", ".join(words(name) for name in (found["people"] or "").split(",") if name.strip())
    return _Task(words(found["name"]), score, people)


def timeline(source: str, room: int, findings: Findings) -> list[Line]:
    """A dot on a line for each period, its events beside it; they wrap at `room`. Raises NotDrawn."""
    rows: list[str | _Period] = []
    title = _read(source, rows.append, lambda text, number: _period(rows, text, number))
    periods = [row for row in rows if isinstance(row, _Period)]
    _check(len(periods) + sum(len(period.events) for period in periods), "periods and events")
    indent = 2 if len(periods) < len(rows) else 0
    line = indent + 1 + max(width(period.name) for period in periods)
    drawn = _Rows(title, findings)
    for number, row in enumerate(rows):
        if isinstance(row, str):
            drawn.add((0, row, _HEAD), (line, "│", _DIM))
            continue
        _events(drawn, row, indent, line, max(_NARROWEST, room - line - 3))
        if number + 1 < len(rows):
            drawn.add((line, "│", _DIM))
    return drawn.lines


def _period(rows: list[str | _Period], text: str, number: int) -> None:
    name, *events = [part.strip() for part in re.split(r":(?=\s|$)", text)]
    if name:
        rows.append(_Period(words(name)))
    last = rows[-1] if rows else ""
    if isinstance(last, str):
        raise NotDrawn(f"this event has no period: {text[:40]}", number)
    last.events += [words(event) for event in events if event]


def _events(drawn: _Rows, period: _Period, indent: int, line: int, room: int) -> None:
    rows = [(at == 0, row) for event in period.events for at, row in enumerate(wrapped(event, room))]
    first = (indent, period.name, _HEAD), (line, "●", Style("accent"))
    if not rows:
        drawn.add(*first)
    for number, (begins, row) in enumerate(rows):
        if number == 0:
            drawn.add(*first, (line + 1, "─ ", _DIM), (0, row, PLAIN))
        else:
            drawn.add((line, "├─ " if begins else "│  ", _DIM), (0, row, PLAIN))


def _read(source: str, section: Callable[[str], None], other: Callable[[str, int], None]) -> str:
    """The title. Each section's name, and each other statement with its line, is handed on as it comes."""
    title = ""
    for number, line in list(statements(source))[1:]:
        text = line.strip()
        if text.startswith("title "):
            title = words(text.removeprefix("title "))
        elif text.startswith("section "):
            section(words(text.removeprefix("section ")))
        elif not text.startswith(("accTitle", "accDescr")):
            other(text, number)
    return title


def _check(count: int, what: str) -> None:
    if not 0 < count <= _MOST_ROWS:
        raise NotDrawn(f"it has {count} {what}; 1 to {_MOST_ROWS} can be drawn")
