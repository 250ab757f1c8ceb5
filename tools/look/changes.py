"""What was touched on a sheet since a revision, and by whom."""

from __future__ import annotations

from typing import NamedTuple

from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.trace import Trace


class Changed(NamedTuple):
    """Cells that `author` was the last to touch; `seq` is that author's latest commit on the sheet."""

    rect: Rect
    author: str
    seq: int


def changed_since(trace: Trace, revision: int) -> list[Changed]:
    """Few rectangles per author, by y then x; together exactly what was touched after `revision`.

    A cell that was touched and taken back counts: its history moved. Whether the trace reaches back to
    `revision` is the caller's to know.
    """
    spans: dict[str, list[Span]] = {}
    latest: dict[str, int] = {}
    for span, author, seq in trace.since(revision):
        spans.setdefault(author, []).append(span)
        latest[author] = max(seq, latest.get(author, 0))
    found = [
        Changed(rect, author, latest[author]) for author, own in spans.items() for rect in Region(own).rects()
    ]
    return sorted(found, key=lambda change: (change.rect.y, change.rect.x))
