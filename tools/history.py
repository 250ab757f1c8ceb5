"""The rules of undo, on plain headers: whose turn it is, and what stands in the way.

An undo is itself a commit that names what it undoes; a redo undoes the undo. So a commit *takes back* when it
is an odd number of such steps away from an ordinary one, and *does* when it is an even number away. A commit
stands while no later commit undoes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import Style
from chardesk.tools.model.change import Change, Run, Strip
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.region import Region, Span
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import cells_changed

_LISTED = 20
"""Later operations that a refusal names."""


class Header(Protocol):
    """A commit without its steps."""

    @property
    def seq(self) -> int: ...
    @property
    def operation_id(self) -> str: ...
    @property
    def author(self) -> str: ...
    @property
    def applied_by(self) -> str: ...
    @property
    def tool(self) -> str: ...
    @property
    def undoes(self) -> str | None: ...


H = TypeVar("H", bound=Header)


def next_undo(headers: Sequence[H], who: str) -> H | None:
    """What `who` takes back next: the newest standing commit that does something and that `who` applied.

    `headers` run from old to new. None when there is nothing left.
    """
    links, undone = _links(headers), _undone(headers)
    own = (header for header in reversed(headers) if header.applied_by == who)
    return next((h for h in own if h.operation_id not in undone and not _takes_back(h, links)), None)


def next_redo(headers: Sequence[H], who: str) -> H | None:
    """What `who` brings back next: the newest standing undo of `who`, unless `who` did something new since.

    What others did since does not matter. Undo the answer to redo.
    """
    links, undone = _links(headers), _undone(headers)
    for header in reversed(headers):
        if header.applied_by != who:
            continue
        if header.undoes is None:
            return None
        if header.operation_id not in undone and _takes_back(header, links):
            return header
    return None


def standing(headers: Sequence[H], operation_id: str) -> H | None:
    """The commit whose undoing takes this operation back now: itself, or the redo that brought it back.

    None when it was taken back already, or is not among the headers.
    """
    links = _links(headers)
    undoers = {header.undoes: header for header in headers if header.undoes is not None}
    found = next((header for header in headers if header.operation_id == operation_id), None)
    if found is None:
        return None
    start = _takes_back(found, links)
    while found.operation_id in undoers:
        found = undoers[found.operation_id]
    return found if _takes_back(found, links) == start else None


def refuse_if_built_upon(
    commit: Commit, contents: Contents, who: str, headers: Mapping[int, H], known: Losses | None = None
) -> None:
    """Let `who` take `commit` back only where nothing was built on it. `headers` are by seq; losses of sheets
    that are `known` are not worked out again.

    Refuses `operation_not_undoable`, listing them, if later operations by others stand on cells that it
    altered, or if those cells no longer hold what it wrote, whoever changed them. Later edits elsewhere,
    undos included, never stand in the way.
    """
    cells = cells_changed(commit.steps)
    done = known or {}
    lost = {**losses({sheet: cells[sheet] for sheet in cells.keys() - done.keys()}, contents), **done}
    later = {
        h.seq: h
        for sheet, change in cells.items()
        if sheet in lost
        for h in _on_top(change, lost[sheet], contents.sheet(sheet), commit.seq, who, headers)
    }
    if not later and lost.keys() == cells.keys() and not any(lost.values()):
        return
    listed = [later[seq] for seq in sorted(later)][:_LISTED]
    named = ", ".join(f"{one.operation_id} by {one.author}" for one in listed[:5]) or "later operations"
    raise Refused(
        "operation_not_undoable",
        f"{commit.operation_id} can't be taken back: {named} changed the same cells since",
        details={
            "later": [{"operationId": o.operation_id, "author": o.author, "tool": o.tool} for o in listed]
        },
    )


Losses = Mapping[str, Region]
"""By sheet, what a change altered there and what was changed again since."""


def losses(cells: Mapping[str, Change], contents: Contents) -> Losses:
    """Those of the sheets that are still there. Cost follows the cells."""
    found = {name: (change, contents.sheet(name)) for name, change in cells.items()}
    return {name: lost_cells(change, sheet.scene) for name, (change, sheet) in found.items() if sheet}


def _on_top(
    change: Change, lost: Region, sheet: Sheet | None, since: int, who: str, headers: Mapping[int, H]
) -> Iterable[H]:
    if sheet is None:
        return
    links = _links(headers.values())
    for touch in sheet.trace.others(change.altered(), "", since):
        header = headers.get(touch.seq)
        if header is None:
            continue
        foreign = who not in (header.author, header.applied_by) and not _takes_back(header, links)
        if foreign or lost.meets(Region([touch.span])):
            yield header


def lost_cells(change: Change, scene: Scene) -> Region:
    """The columns that the change altered and that no longer hold what it wrote."""
    return Region(span for run in change.runs for span in _lost(run, scene))


def still_held(change: Change, scene: Scene) -> Change:
    """The part of a change that still stands as it was written, as far as whole glyphs can go back: one that
    was under a lost cell, or over one, stays as it is now. What the change did not alter is no part of it."""
    runs = (_cut(run, atom) for run in change.essence().runs for atom in _held_atoms(run, scene))
    return Change(tuple(runs))


def _held_atoms(run: Run, scene: Scene) -> Iterable[Span]:
    lost = Region(_lost(run, scene))
    for atom in _atoms(run):
        if not lost.meets(Region([atom])):
            yield atom


def _atoms(run: Run) -> Iterable[Span]:
    """The columns of a run in pieces that cut no glyph, before or after."""
    begin = run.x
    pairs = zip(run.before.chars, run.after.chars, strict=True)
    for x, (before, after) in enumerate(pairs, run.x):
        if x > begin and "" not in (before, after):
            yield Span(run.y, begin, x)
            begin = x
    yield Span(run.y, begin, run.end)


def _cut(run: Run, span: Span) -> Run:
    columns = slice(span.x - run.x, span.end - run.x)
    before, after = (Strip(side.chars[columns], side.styles[columns]) for side in (run.before, run.after))
    return Run(run.y, span.x, before, after)


def _lost(run: Run, scene: Scene) -> Iterable[Span]:
    now = scene.strip(run.y, run.x, run.end)
    for x, (before, after, found) in enumerate(
        zip(*map(_columns, (run.before, run.after, now)), strict=True), run.x
    ):
        if before != after != found:
            yield Span(run.y, x, x + 1)


def _columns(strip: Strip) -> Iterable[tuple[str | None, Style]]:
    return zip(*strip, strict=True)


def _links(headers: Iterable[Header]) -> dict[str, str]:
    """Which operation each undo and redo names."""
    return {header.operation_id: header.undoes for header in headers if header.undoes is not None}


def _undone(headers: Iterable[Header]) -> set[str]:
    return {header.undoes for header in headers if header.undoes is not None}


def _takes_back(header: Header, links: Mapping[str, str]) -> bool:
    """Is it an odd number of undos away from an ordinary commit?"""
    depth, at = 0, header.undoes
    while at is not None:
        depth, at = depth + 1, links.get(at)
    return depth % 2 == 1
