"""Days on which nobody works: what a Gantt chart excludes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from chardesk.tools.text.undrawn import NotDrawn

_DAY = timedelta(days=1)
_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKENDS = {"saturday": {5, 6}, "friday": {4, 5}}
"""By the day they begin with."""

_MOST_DAYS = 20_000
"""Days that are looked at for all tasks of a chart."""


@dataclass(slots=True)
class Workdays:
    """`weekdays` count from Monday, 0."""

    weekend: str = "saturday"
    weekdays: set[int] = field(default_factory=set)
    dates: set[str] = field(default_factory=set)
    has_weekends: bool = False
    _days_left: int = _MOST_DAYS

    def exclude(self, text: str) -> None:
        """`weekends`, names of days, and dates as the chart spells them; with commas or spaces between."""
        for word in text.replace(",", " ").split():
            if word.lower() == "weekends":
                self.has_weekends = True
            elif word.lower() in _NAMES:
                self.weekdays.add(_NAMES.index(word.lower()))
            else:
                self.dates.add(word)

    def is_free(self, day: datetime, form: str) -> bool:
        """Does nobody work on this day? `form` is how the chart spells dates."""
        is_weekend = self.has_weekends and day.weekday() in _WEEKENDS[self.weekend]
        is_named = bool(self.dates & {day.strftime(form), day.strftime("%Y-%m-%d")})
        return is_weekend or day.weekday() in self.weekdays or is_named

    def ends(self, start: datetime, end: datetime, form: str) -> tuple[datetime, datetime]:
        """Where a task that takes until `end` without free days ends: its bar, and what comes after it.

        Every free day on the way moves the end by a day, as in Mermaid. Raises NotDrawn if no day is left
        to work on, or the way is too long.
        """
        day, bar, was_free = start + _DAY, end, False
        while self and day <= end:
            self._days_left -= 1
            if self._days_left < 0:
                raise NotDrawn(f"its tasks have more than {_MOST_DAYS} days, too many to leave some out")
            bar = bar if was_free else end
            was_free = self.is_free(day, form)
            end += _DAY if was_free else timedelta()
            day += _DAY
        return bar, end

    def between(self, first: datetime, last: datetime, form: str) -> Iterator[tuple[datetime, datetime]]:
        """The free days of a stretch of time, each from midnight to midnight, cut at the stretch's ends."""
        day = first.replace(hour=0, minute=0, second=0, microsecond=0)
        while self and day < last:
            if self.is_free(day, form):
                yield max(day, first), min(day + _DAY, last)
            day += _DAY

    def __bool__(self) -> bool:
        return bool(self.has_weekends or self.weekdays or self.dates)
