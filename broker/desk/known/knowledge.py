"""What a tenant has read: the base that the conflict rule measures against.

A bounded map from rectangles to revisions per sheet (model.md: 64 rectangles). Forgetting is always safe: it
only makes the check stricter, since where nothing was read the base is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.trace import Touch, Trace

MAX_RECTS = 64

MAX_SHEETS = 64
"""Of one tenant; the sheet it has not read for longest is forgotten first."""


@dataclass(slots=True)
class Knowledge:
    """Per tenant. Sheets that were never read are absent. `is_news`: it is not what was kept last."""

    _read: dict[str, list[tuple[Rect, int]]] = field(default_factory=dict)
    is_news: bool = False

    @classmethod
    def load(cls, kept: Mapping[str, list[list[int]]], newest: int) -> Knowledge:
        """The inverse of `packed`. Nothing newer than the newest commit there is was ever read."""
        found = {
            sheet: [(Rect(*rect), seen) for *rect, seen in read if seen <= newest]
            for sheet, read in kept.items()
        }
        return cls(found)

    def packed(self) -> dict[str, list[list[int]]]:
        """By sheet: x, y, width, height and revision of each rectangle."""
        return {sheet: [[*rect, seen] for rect, seen in read] for sheet, read in self._read.items()}

    def add(self, sheet: str, rect: Rect, revision: int) -> None:
        """The tenant has seen `rect` exactly as it was at `revision`."""
        kept = [one for one in self._read.get(sheet, []) if revision < one[1] or not rect.covers(one[0])]
        rect, revision, kept = _joined(rect, revision, kept)
        kept.append((rect, revision))
        self.is_news = True
        if len(kept) > MAX_RECTS:
            kept.remove(min(kept, key=lambda one: one[1]))
        self._read.pop(sheet, None)
        self._read[sheet] = kept
        if len(self._read) > MAX_SHEETS:
            del self._read[next(iter(self._read))]

    def forget_after(self, seq: int) -> None:
        """Commits after `seq` were taken back: who read them has read nothing."""
        self.is_news = True
        for sheet, read in self._read.items():
            self._read[sheet] = [one for one in read if one[1] <= seq]

    def bases(self, sheet: str, region: Region) -> Iterator[tuple[Region, int]]:
        """`region` cut into pieces, each with the newest revision at which the tenant has read it.

        Hot: once per row of every change, over all that was read.
        """
        by_base: dict[int, list[Span]] = {}
        read = self._read.get(sheet, [])
        for span in region.spans:
            for piece, base in _pieces(span, _near(span, read)):
                by_base.setdefault(base, []).append(piece)
        for base, spans in by_base.items():
            yield Region(spans), base

    def unseen(self, sheet: str, trace: Trace, region: Region, author: str, floor: int) -> list[Touch]:
        """What others touched in `region` that this tenant has not read since. `floor` is an explicit
        `expectedRevision`: it can only make the check stricter."""
        return [
            touch
            for piece, base in self.bases(sheet, region)
            for touch in trace.others(piece, author, min(base, floor))
        ]


def _joined(
    rect: Rect, revision: int, kept: list[tuple[Rect, int]]
) -> tuple[Rect, int, list[tuple[Rect, int]]]:
    """Two rectangles that together are one become one, at the lower revision, if they are of one age."""
    for one in kept:
        old, seen = one
        if seen != revision:
            continue
        whole = old.union(rect)
        if whole.area == old.area + rect.area:
            return _joined(whole, seen, [other for other in kept if other is not one])
    return rect, revision, kept


def _near(span: Span, read: list[tuple[Rect, int]]) -> list[tuple[Rect, int]]:
    """What was read of the span, in whole or part."""
    top, begin, end = span
    return [
        (rect, seen)
        for rect, seen in read
        for x, y, width, height in (rect,)
        if y <= top < y + height and x < end and x + width > begin
    ]


def _pieces(span: Span, read: list[tuple[Rect, int]]) -> Iterator[tuple[Span, int]]:
    y, x, end = span
    cuts = {x, end} | {edge for rect, _ in read for edge in (rect.x, rect.right) if x < edge < end}
    edges = sorted(cuts)
    for left, right in pairwise(edges):
        base = max((seen for rect, seen in read if rect.x <= left and rect.right >= right), default=0)
        yield Span(y, left, right), base
