"""Mermaid Gantt charts: tasks as bars over a line of days."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from chardesk.tools.model.cell import BOLD, PLAIN, At, Style
from chardesk.tools.text.diagrams.rows import Line, rows_of, width
from chardesk.tools.text.diagrams.source import statements, words
from chardesk.tools.text.diagrams.workdays import Workdays
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.shapes.paper import Paper
from chardesk.tools.text.undrawn import NotDrawn

_TAGS = {"done": "muted", "active": "accent", "crit": "danger", "milestone": "warning"}
_LENGTH = re.compile(r"(?P<count>\d+(?:\.\d+)?)(?P<unit>ms|s|m|h|d|w|M|y)")
_UNITS = {
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "h": 3_600.0,
    "d": 86_400.0,
    "w": 604_800.0,
    "M": 2_592_000.0,
    "y": 31_536_000.0,
}
"""Seconds; months count 30 days and years 365, as near as a bar can show."""
_FORMATS = (
    ("YYYY", "%Y"),
    ("YY", "%y"),
    ("MM", "%m"),
    ("DD", "%d"),
    ("HH", "%H"),
    ("mm", "%M"),
    ("ss", "%S"),
)
_UNDRAWN = (
    "axisFormat",
    "tickInterval",
    "includes",
    "todayMarker",
    "weekday",
    "inclusiveEndDates",
    "click",
)
_SETTINGS = ("title", "dateFormat", "excludes", "weekend")
_FREE = Style("muted")
_MOST_TASKS = 500
_NARROWEST = 20


@dataclass(slots=True)
class _Task:
    name: str
    color: str
    is_milestone: bool
    start: datetime
    end: datetime


def lines(source: str, room: int, findings: Findings, line: int | None) -> list[Line]:
    """The rows of the picture, `room` columns wide (more if names are long). Raises NotDrawn."""
    reading = _Reading()
    undrawn: set[str] = set()
    body = [(number, text.strip()) for number, text in list(statements(source))[1:]]
    for _, text in body:
        reading.setting(*text.partition(" ")[::2])
    for number, text in body:
        word, _, rest = text.partition(" ")
        match word:
            case _ if word in _SETTINGS:
                pass
            case "section":
                reading.rows.append(words(rest))
            case _ if word in _UNDRAWN:
                undrawn.add(word)
            case _:
                reading.task(text, number)
    tasks = [row for row in reading.rows if isinstance(row, _Task)]
    if not tasks or len(tasks) > _MOST_TASKS:
        raise NotDrawn(f"it has {len(tasks)} tasks; 1 to {_MOST_TASKS} can be drawn")
    if undrawn:
        message = f"not drawn: {', '.join(sorted(undrawn))}"
        findings.note("markdown-diagram-statements-left-out", message, line)
    return _drawn(reading, tasks, room, findings)


class _Reading:
    def __init__(self) -> None:
        self.title = ""
        self.format = "%Y-%m-%d"
        self.free = Workdays()
        self.rows: list[str | _Task] = []
        self._ends: dict[str, datetime] = {}
        self._starts: dict[str, datetime] = {}
        self._last: datetime | None = None

    def setting(self, word: str, rest: str) -> None:
        """What holds for all tasks, wherever it stands."""
        match word:
            case "title":
                self.title = words(rest)
            case "dateFormat":
                self.format = _format(rest.strip())
            case "excludes":
                self.free.exclude(rest)
            case "weekend" if rest.strip() in ("friday", "saturday"):
                self.free.weekend = rest.strip()
            case _:
                pass

    def task(self, text: str, number: int) -> None:
        name, colon, rest = text.rpartition(":")
        parts = [part.strip() for part in rest.split(",")]
        tags = [part for part in parts if part in _TAGS]
        given = [part for part in parts if part not in _TAGS]
        if not colon or not given:
            raise NotDrawn(f"this cannot be read: {text[:40]}", number)
        id = given.pop(0) if len(given) > 2 or (len(given) == 2 and not self._is_start(given[0])) else ""
        start = self._start(given[0], number) if len(given) > 1 else self._last
        if start is None:
            raise NotDrawn(f"the first task needs a date: {text[:40]}", number)
        end = self._end(given[-1], start, number)
        bar = end
        if _LENGTH.fullmatch(given[-1]):
            bar, end = self._worked(start, end, number)
        color = _TAGS[tags[0]] if tags else "info"
        self.rows.append(_Task(words(name), color, "milestone" in tags, start, max(start, bar)))
        self._last = end
        if id:
            self._ends[id], self._starts[id] = end, start

    def _is_start(self, text: str) -> bool:
        return text.startswith("after ") or self._date(text) is not None

    def _start(self, text: str, number: int) -> datetime:
        if text.startswith("after "):
            found = [self._ends[id] for id in text.split()[1:] if id in self._ends]
            if found:
                return max(found)
        date = self._date(text)
        if date is None:
            raise NotDrawn(f"this is no date or known task: {text[:40]}", number)
        return date

    def _end(self, text: str, start: datetime, number: int) -> datetime:
        if text.startswith("until "):
            found = [self._starts[id] for id in text.split()[1:] if id in self._starts]
            if found:
                return min(found)
        length = _LENGTH.fullmatch(text)
        try:
            if length:
                return start + timedelta(seconds=float(length["count"]) * _UNITS[length["unit"]])
        except OverflowError:
            raise NotDrawn(f"this is too long: {text[:40]}", number) from None
        date = self._date(text)
        if date is None:
            raise NotDrawn(f"this is no length or date: {text[:40]}", number)
        return date

    def _worked(self, start: datetime, end: datetime, number: int) -> tuple[datetime, datetime]:
        try:
            return self.free.ends(start, end, self.format)
        except OverflowError:
            raise NotDrawn("no day is left to work on", number) from None

    def _date(self, text: str) -> datetime | None:
        try:
            return datetime.strptime(text, self.format)
        except ValueError:
            return None


def _format(text: str) -> str:
    """As Python spells it. Each part counts once; what is there twice stands for itself."""
    text = text.replace("%", "%%")
    for ours, theirs in _FORMATS:
        text = text.replace(ours, theirs, 1)
    return text


def _drawn(reading: _Reading, tasks: list[_Task], room: int, findings: Findings) -> list[Line]:
    first, last = min(task.start for task in tasks), max(task.end for task in tasks)
    seconds = max(1.0, (last - first).total_seconds())
    sections = [width(row) for row in reading.rows if isinstance(row, str)]
    indent = 2 if sections else 0
    left = 1 + max(*(width(task.name) + indent for task in tasks), *sections, 0)
    span = timedelta(seconds=seconds)
    wide = max(_NARROWEST, room - left - 1 - _overhang(first, span))
    paper = Paper(lambda _: None, findings)
    y = 0
    if reading.title:
        paper.words(
            At(left + max(0, (wide - width(reading.title)) // 2), 0), reading.title, Style(attrs=BOLD)
        )
        y = 2
    free = _columns_of(reading, first, span, wide)
    for row in reading.rows:
        for column in free:
            paper.words(At(left + 1 + column, y), "░", _FREE)
        paper.words(At(left, y), "│", Style("muted"))
        if isinstance(row, str):
            paper.words(At(0, y), row, Style(attrs=BOLD))
        else:
            paper.words(At(indent, y), row.name, PLAIN)
            begin = round((row.start - first).total_seconds() / seconds * wide)
            end = round((row.end - first).total_seconds() / seconds * wide)
            bar = "◆" if row.is_milestone else "█" * max(1, end - begin)
            paper.words(At(left + 1 + min(begin, wide - 1), y), bar, Style(row.color))
        y += 1
    _axis(paper, At(left, y), wide, first, span)
    return rows_of(paper.cells)


def _columns_of(reading: _Reading, first: datetime, span: timedelta, wide: int) -> set[int]:
    """The columns of days on which nobody works, if a day has one."""
    if span > timedelta(days=wide):
        return set()
    found: set[int] = set()
    for begin, end in reading.free.between(first, first + span, reading.format):
        found.update(range(round((begin - first) / span * wide), round((end - first) / span * wide)))
    return found


def _form(span: timedelta) -> str:
    """How the axis tells time: by the hour if all is within two days, by the month if it is years."""
    return "%H:%M" if span <= timedelta(days=2) else "%m-%d" if span <= timedelta(days=700) else "%Y-%m"


def _overhang(first: datetime, span: timedelta) -> int:
    """Columns of the last label that stand to the right of the last tick's left edge."""
    columns = len(first.strftime(_form(span)))
    return columns - columns // 2


def _axis(paper: Paper, at: At, wide: int, first: datetime, span: timedelta) -> None:
    """A tick every dozen columns or so, each with its time."""
    form = _form(span)
    count = max(1, wide // 12)
    ticks = [round(number * wide / count) for number in range(count + 1)]
    row = "".join("┬" if column in ticks else "─" for column in range(wide + 1))
    paper.words(at, "└" + row[: wide + 1], Style("muted"))
    for number, tick in enumerate(ticks):
        text = (first + span * (number / count)).strftime(form)
        paper.words(At(at.x + 1 + tick - len(text) // 2, at.y + 1), text, Style("muted"))
