"""Reaching back: what happened on a sheet since a revision, from memory and, where that ends, the journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chardesk.broker.desk.effects import Effect, Later, Outcome, Past
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.permits import later
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.steps import Step

MAX_BACK = 20_000
"""Commits that one call looks back over: about a second of another thread's time."""


@dataclass(frozen=True, slots=True)
class Happened:
    """What a commit did to one sheet."""

    seq: int
    author: str
    steps: tuple[Step, ...]


Then = Callable[[Ask, Sequence[Happened]], Outcome | Later]
"""What is done with the past, newest first, once it is there."""


def look_back(state: State, ask: Ask, sheet: str, after: int, then: Then) -> Outcome | Later:
    """Everything that happened to the sheet since revision `after`. Raises Refused `revision_gone` when that
    is too far back, `store_failed` when the journal can't be read."""
    recent, reached = _remembered(state, sheet, after)
    if reached <= after:
        return then(ask, recent)
    if state.seq - after > MAX_BACK:
        raise Refused(
            "revision_gone",
            f"revision {after} lies {state.seq - after} commits back; one call follows {MAX_BACK}",
            details={"limit": MAX_BACK, "actual": state.seq - after},
        )
    newest = state.seq

    def resume(found: Sequence[Happened], later: Ask) -> Outcome | Later:
        since, is_whole = _remembered(state, sheet, newest)
        if is_whole > newest:
            return look_back(state, later, sheet, after, then)
        return then(later, (*since, *recent, *found))

    return recall(state, ask, Query(after, reached, lambda commit: happened(commit, sheet)), resume)


def happened(commit: Commit, sheet: str) -> Happened | None:
    """What the commit did to the sheet; None when it did nothing there."""
    steps = tuple(step for step in commit.steps if getattr(step, "sheet", None) == sheet)
    return Happened(commit.seq, commit.author, steps) if steps else None


def _remembered(state: State, sheet: str, after: int) -> tuple[list[Happened], int]:
    """The newest first, and the revision down to which memory reaches."""
    found: list[Happened] = []
    for seq in range(state.seq, after, -1):
        steps, header = state.timeline.steps(seq), state.timeline.headers.get(seq)
        if steps is None or header is None:
            return found, seq
        one = happened(replace(header, steps=steps), sheet)
        found += [one] if one is not None else []
    return found, after


# -- asking the journal ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Query:
    """Commits with `after < seq <= upto`, newest first; `pick` is pure and runs on another thread."""

    after: int
    upto: int
    pick: Callable[[Commit], Any]
    limit: int = MAX_BACK


def recall(state: State, ask: Ask, query: Query, then: Callable[[Any, Ask], Outcome | Later]) -> Later:
    """Look into the journal; the call goes on with what was picked. Raises, then, `store_failed`."""

    def resume(found: Sequence[Any] | None, now: float) -> Outcome | Later:
        if found is None:
            raise Refused("store_failed", "the journal could not be read back; nothing was changed")
        return then(found, later(state, ask, now))

    job = state.mint("jb")
    state.jobs[job] = Job(ask.link, ask.call, state.seq, resume)
    wanted: list[Effect] = [Past(job, query.after, query.upto, query.pick, query.limit)]
    return wanted, None
