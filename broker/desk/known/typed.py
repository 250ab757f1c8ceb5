"""Typing in one run of text is one undo step; nothing else merges (model.md, Undo).

Every key is a commit of its own, durable at once. A commit that goes on where the last one ended names it,
and an undo takes the whole run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from chardesk.tools.model.cell import At
from chardesk.tools.model.commit import PERSON, Commit
from chardesk.tools.model.region import Region
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import CellsChanged, cells_changed

PAUSE_S = 0.5
"""A longer pause begins a new step."""

_CONTINUES = "continues"


@dataclass(frozen=True, slots=True)
class Typing:
    """The person's newest commit, if it was typing: `end` is the column after its last one. Its run began
    with commit `since`."""

    operation_id: str
    sheet: str
    end: At
    time: float
    since: int


def continued(
    last: Typing | None, sheet: Sheet, cells: Region, at: tuple[int, int], now: float
) -> dict[str, str]:
    """The result field that makes a commit that writes `cells` part of the run before it; nothing when it
    starts a new one.

    It does so too where another author has touched the cells since the run began: to take the whole run back
    would take their work along.
    """
    if last is None or last.sheet != sheet.id or last.end != at or now - last.time >= PAUSE_S:
        return {}
    is_shared = any(True for _ in sheet.trace.others(cells, PERSON, last.since))
    return {} if is_shared else {_CONTINUES: last.operation_id}


def noted(last: Typing | None, commit: Commit, end: At | None) -> Typing | None:
    """What is to be remembered of a commit by the person, with where its typing ended, if it was typing."""
    if end is None:
        return None
    since = commit.seq if last is None or _before(commit) != last.operation_id else last.since
    return Typing(commit.operation_id, commit.sheet, end, commit.time, since)


class Runs:
    """The runs of typing among commits; everything else is a run of one."""

    def __init__(self, headers: Mapping[int, Commit]) -> None:
        self._by_id = {one.operation_id: one for one in headers.values()}
        self._next = {before: one for one in headers.values() if (before := _before(one)) is not None}

    def last(self, commit: Commit) -> Commit:
        """The newest commit of its run: it stands for the run."""
        while (later := self._next.get(commit.operation_id)) is not None:
            commit = later
        return commit

    def heads(self) -> list[Commit]:
        """All commits, old to new, without those that a later one stands for."""
        return [one for one in self._by_id.values() if one.operation_id not in self._next]

    def members(self, last: Commit) -> tuple[Commit, ...]:
        """The run that ends with `last`, old to new."""
        found = [last]
        while (before := self._by_id.get(_before(found[-1]) or "")) is not None:
            found.append(before)
        return tuple(reversed(found))


def as_one(members: tuple[Commit, ...]) -> Commit:
    """A run as one commit: the newest, with the cells of all, as old as the oldest."""
    if len(members) == 1:
        return members[0]
    cells = cells_changed(step for one in members for step in one.steps)
    steps = tuple(CellsChanged(sheet, change) for sheet, change in cells.items())
    return replace(members[-1], seq=members[0].seq, steps=steps)


def _before(commit: Commit) -> str | None:
    found = (commit.result or {}).get(_CONTINUES)
    return found if isinstance(found, str) else None
