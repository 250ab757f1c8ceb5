"""Calls that go on elsewhere: what is too much for the loop is worked out on another thread, on snapshots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chardesk.broker.desk.effects import Effect, Later, Outcome, Work
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.telling import WHOLE_COLUMNS
from chardesk.broker.desk.road.told import cells_after
from chardesk.tools.errors import Refused
from chardesk.tools.model.change import Change


def elsewhere(
    state: State, ask: Ask, work: Callable[[], Any], resume: Callable[[Any, float], Outcome | Later]
) -> Later:
    """Have `work` done on another thread: it is pure, on snapshots that nobody else writes. What it gives
    goes to `resume`; what it refuses is the call's refusal."""

    def go_on(outcome: Any, at: float) -> Outcome | Later:
        if isinstance(outcome, Refused):
            raise outcome
        return resume(outcome, at)

    job = state.mint("jb")
    state.jobs[job] = Job(ask.link, ask.call, state.seq, go_on)
    wanted: list[Effect] = [Work(job, work)]
    return wanted, None


def prepare(change: Change, is_watched: bool) -> None:
    """Work out here, and not on the loop, what a commit asks of a change, and what pages are told of it."""
    change.altered()
    if is_watched and change.footprint().columns <= WHOLE_COLUMNS:
        change.once(cells_after)
