"""Areas of a sheet: rectangles, and sets of row spans."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Rect(NamedTuple):
    """`[x, y, width, height]`, half-open, sizes > 0."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def area(self) -> int:
        return self.width * self.height

    def clip(self, other: Rect) -> Rect | None:
        """What both share; None when they do not touch."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.right, other.right), min(self.bottom, other.bottom)
        return Rect(left, top, right - left, bottom - top) if right > left and bottom > top else None

    def covers(self, other: Rect) -> bool:
        return (
            self.x <= other.x
            and self.y <= other.y
            and self.right >= other.right
            and self.bottom >= other.bottom
        )

    def union(self, other: Rect) -> Rect:
        left, top = min(self.x, other.x), min(self.y, other.y)
        right, bottom = max(self.right, other.right), max(self.bottom, other.bottom)
        return Rect(left, top, right - left, bottom - top)


def union_of(rects: Iterable[Rect]) -> Rect | None:
    """The smallest rectangle around all of them; None for none."""
    whole: Rect | None = None
    for rect in rects:
        whole = rect if whole is None else whole.union(rect)
    return whole


class Span(NamedTuple):
    """Columns `x .. end` (half-open) of row `y`."""

    y: int
    x: int
    end: int


class Region:
    """A set of cells as row spans: sorted, disjoint, not touching. Immutable."""

    __slots__ = ("spans",)

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        found = tuple(spans)
        self.spans: tuple[Span, ...] = found if len(found) < 2 else tuple(_merged(sorted(found)))

    @classmethod
    def of(cls, rect: Rect) -> Region:
        """Every row of `rect`. Cost follows its height; use it for rectangles that were bounded before."""
        return cls(Span(y, rect.x, rect.right) for y in range(rect.y, rect.bottom))

    def __bool__(self) -> bool:
        return bool(self.spans)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Region) and self.spans == other.spans

    def __hash__(self) -> int:
        return hash(self.spans)

    def __or__(self, other: Region) -> Region:
        return Region((*self.spans, *other.spans))

    def __repr__(self) -> str:
        return f"Region({list(self.spans)!r})"

    @property
    def columns(self) -> int:
        """How many cells it has, in columns."""
        return sum(span.end - span.x for span in self.spans)

    def widened(self, columns: int) -> Region:
        """Each span grown to the left and right (the conflict rule looks one column beyond a change)."""
        return Region(Span(y, x - columns, end + columns) for y, x, end in self.spans)

    def bounds(self) -> Rect | None:
        if not self.spans:
            return None
        left, right = min(span.x for span in self.spans), max(span.end for span in self.spans)
        top, bottom = self.spans[0].y, self.spans[-1].y + 1
        return Rect(left, top, right - left, bottom - top)

    def meets(self, other: Region) -> bool:
        """Do the two share a cell?"""
        few, many = sorted((self.spans, other.spans), key=len)
        return any(True for span in few for _ in _sharing(many, span))

    def rects(self) -> list[Rect]:
        """The same cells as few rectangles: equal spans on consecutive rows become one. By y, then x."""
        open_: dict[tuple[int, int], Rect] = {}
        done: list[Rect] = []
        for y, x, end in self.spans:
            rect = open_.get((x, end))
            if rect is not None and rect.bottom == y:
                open_[x, end] = rect._replace(height=rect.height + 1)
                continue
            if rect is not None:
                done.append(rect)
            open_[x, end] = Rect(x, y, end - x, 1)
        return sorted([*done, *open_.values()], key=lambda rect: (rect.y, rect.x))


def _merged(spans: list[Span]) -> Iterator[Span]:
    held: Span | None = None
    for span in spans:
        if held is None:
            held = span
        elif held.y == span.y and span.x <= held.end:
            held = held._replace(end=max(held.end, span.end))
        else:
            yield held
            held = span
    if held is not None:
        yield held


def _sharing(spans: tuple[Span, ...], wanted: Span) -> Iterator[Span]:
    """The spans (sorted, disjoint) that share a cell with `wanted`."""
    first = bisect_left(spans, (wanted.y, wanted.x, wanted.x))
    for at in range(max(0, first - 1), len(spans)):
        span = spans[at]
        if (span.y, span.x) >= (wanted.y, wanted.end):
            return
        if span.y == wanted.y and span.end > wanted.x:
            yield span
