"""A change: cells before and after. It can be inverted, composed, and says what it touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import eq
from typing import NamedTuple, TypeVar

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.model.region import Rect, Region, Span

T = TypeVar("T")


class Strip(NamedTuple):
    """Neighbouring columns of one row: a cluster, `''` under the right half of a wide one, None for empty.

    A strip holds whole glyphs: it starts with no follower and ends with no half. An empty column is PLAIN.
    """

    chars: tuple[str | None, ...]
    styles: tuple[Style, ...]

    @classmethod
    def empty(cls, columns: int) -> Strip:
        return cls((None,) * columns, (PLAIN,) * columns)


@dataclass(frozen=True, slots=True)
class Run:
    """What happens to the columns from `x` on of row `y`. Both strips have the same length."""

    y: int
    x: int
    before: Strip
    after: Strip

    @property
    def end(self) -> int:
        return self.x + len(self.before.chars)

    @property
    def is_idle(self) -> bool:
        return self.before == self.after


@dataclass(frozen=True)
class Change:
    """Runs sorted by row and column, disjoint. It may hold columns that stay as they are: those were
    written too, so a preview that shows them is stale when somebody changes them."""

    runs: tuple[Run, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Would applying it change nothing?"""
        return all(run.is_idle for run in self.runs)

    def inverse(self) -> Change:
        return Change(tuple(Run(run.y, run.x, run.after, run.before) for run in self.runs))

    def footprint(self) -> Region:
        """Every column it writes, changed or not."""
        return self._footprint

    @cached_property
    def _footprint(self) -> Region:
        """Hot: every gate of a call asks for it."""
        return Region(Span(run.y, run.x, run.end) for run in self.runs)

    @cached_property
    def _bounds(self) -> Rect | None:
        return self._footprint.bounds()

    def altered(self) -> Region:
        """The columns that really differ afterwards, and the right half of a glyph whose left half does."""
        return self._altered

    @cached_property
    def _altered(self) -> Region:
        return Region(span for run in self.runs for span in _altered(run))

    def once(self, make: Callable[[Change], T]) -> T:
        """What `make` gives for this change. It is asked once, since a change never changes; what it gave is
        shared, and not to be written to."""
        made: dict[object, T] = self.__dict__.setdefault("_made", {})
        if make not in made:
            made[make] = make(self)
        return made[make]

    def essence(self) -> Change:
        """The same change without the columns that stay as they are."""
        return Change(tuple(_cut(run, span) for run in self.runs for span in _altered(run)))

    def bounds(self) -> Rect | None:
        return self._bounds

    def then(self, later: Change) -> Change:
        """The two as one. `later` must start from where this one ends."""
        columns: dict[int, dict[int, _Column]] = {}
        for run in (*self.runs, *later.runs):
            row = columns.setdefault(run.y, {})
            for x, column in enumerate(zip(*run.before, *run.after, strict=True), run.x):
                earlier = row.get(x)
                row[x] = column if earlier is None else (*earlier[:2], *column[2:])
        return Change(tuple(run for y in sorted(columns) for run in _runs(y, columns[y])))


_Column = tuple[str | None, Style, str | None, Style]


def _altered(run: Run) -> Iterable[Span]:
    """Hot: once per row of every commit. A right half goes with its left one.

    Columns are compared as pairs: a tuple's equality asks for identity first, a style's own would not.
    """
    same = list(map(eq, zip(*run.before, strict=True), zip(*run.after, strict=True)))
    if True not in same:
        yield Span(run.y, run.x, run.end)
    elif False in same:
        yield from _stretches(run, same)


def _stretches(run: Run, same: list[bool]) -> Iterable[Span]:
    begin: int | None = None
    for x, (is_same, char) in enumerate(zip(same, run.before.chars, strict=True), run.x):
        if is_same and not (char == "" and begin is not None):
            if begin is not None:
                yield Span(run.y, begin, x)
                begin = None
        elif begin is None:
            begin = x
    if begin is not None:
        yield Span(run.y, begin, run.end)


def _cut(run: Run, span: Span) -> Run:
    start, stop = span.x - run.x, span.end - run.x
    before, after = (
        Strip(side.chars[start:stop], side.styles[start:stop]) for side in (run.before, run.after)
    )
    return Run(run.y, span.x, before, after)


def _runs(y: int, row: dict[int, _Column]) -> Iterable[Run]:
    spans = Region(Span(y, x, x + 1) for x in row).spans
    for _, x, end in spans:
        before_chars, before_styles, after_chars, after_styles = zip(
            *(row[column] for column in range(x, end)), strict=True
        )
        yield Run(y, x, Strip(before_chars, before_styles), Strip(after_chars, after_styles))
