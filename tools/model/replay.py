"""Carrying a whole commit out on the contents, live or when a desk is loaded, and taking it back."""

from __future__ import annotations

from dataclasses import dataclass

from chardesk.tools.model import steps as s
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.trace import Trace, Undo


@dataclass(frozen=True, slots=True)
class Taken:
    """A commit that was carried out, with all that is needed to take it back exactly."""

    commit: Commit
    marks: tuple[tuple[Trace, Undo], ...]
    revisions: tuple[tuple[Sheet, int], ...]
    removed: tuple[Sheet, ...]
    updated_at: float | None


def take(contents: Contents, commit: Commit) -> Taken:
    """Apply the steps, note in the traces who altered what, move the revisions and the canvas's time.

    A start replays the journal through here, so a desk that is loaded equals the desk that wrote it. Raises
    Fault when the contents are not what the steps expect; they are then of no more use.
    """
    marks: list[tuple[Trace, Undo]] = []
    removed: list[Sheet] = []
    for step in commit.steps:
        if isinstance(step, s.SheetRemoved) and (leaving := contents.sheet(step.sheet)) is not None:
            removed.append(leaving)
        contents.apply(step)
        marks += _marked(contents, step, commit)
    revisions = _move_revisions(contents, commit)
    return Taken(commit, tuple(marks), revisions, tuple(removed), _move_time(contents, commit))


def take_back(contents: Contents, taken: Taken) -> None:
    """The inverse of `take`. Commits go newest first; nothing stays of them, not even in the traces."""
    for step in s.inverses(taken.commit.steps):
        contents.apply(step)
    for old in taken.removed:
        if (sheet := contents.sheet(old.id)) is not None:
            sheet.trace, sheet.revision = old.trace, old.revision
    for trace, mark in reversed(taken.marks):
        trace.unmark(mark)
    for old, revision in taken.revisions:
        if (sheet := contents.sheet(old.id)) is not None:
            sheet.revision = revision
    canvas = contents.canvases.get(taken.commit.canvas)
    if canvas is not None and taken.updated_at is not None:
        canvas.updated_at = taken.updated_at


def _marked(contents: Contents, step: s.Step, commit: Commit) -> list[tuple[Trace, Undo]]:
    if not isinstance(step, s.CellsChanged | s.SheetAdded) or (sheet := contents.sheet(step.sheet)) is None:
        return []
    change = step.change if isinstance(step, s.CellsChanged) else step.cells
    return [(sheet.trace, sheet.trace.mark(change.altered(), commit.author, commit.seq))]


def _move_revisions(contents: Contents, commit: Commit) -> tuple[tuple[Sheet, int], ...]:
    found = [sheet for name in contents.touched(commit.steps) if (sheet := contents.sheet(name)) is not None]
    before = tuple((sheet, sheet.revision) for sheet in found)
    for sheet in found:
        sheet.revision = commit.seq
    return before


def _move_time(contents: Contents, commit: Commit) -> float | None:
    canvas = contents.canvases.get(commit.canvas)
    if canvas is None:
        return None
    before, canvas.updated_at = canvas.updated_at, commit.time
    return before
