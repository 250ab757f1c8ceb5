"""Making a plan a commit: the one place where contents change, and where that is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from chardesk.broker.desk.effects import Effect, Persist, Record
from chardesk.broker.desk.known.authors import AUTO
from chardesk.broker.desk.known.previews import Applied, Ended, Preview
from chardesk.broker.desk.known.state import State, Undurable
from chardesk.broker.desk.known.typed import noted
from chardesk.broker.desk.road import telling
from chardesk.broker.desk.road.fitting import is_structural, refit, subjects
from chardesk.tools.errors import Refused
from chardesk.tools.model import replay
from chardesk.tools.model.cell import At
from chardesk.tools.model.commit import PERSON, Commit
from chardesk.tools.model.moment import iso
from chardesk.tools.model.region import Region, Span, union_of
from chardesk.tools.model.steps import CellsChanged, Step

MAX_LISTED = 20
"""Rectangles that a stale preview names."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is about to become a commit. `fields` are the operation's own, kept to answer a repeat."""

    steps: tuple[Step, ...]
    author: str
    applied_by: str
    tool: str
    canvas: str
    sheet: str
    why: str = ""
    base: int | None = None
    call_key: str | None = None
    digest: str | None = None
    undoes: str | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    ack: tuple[str, str] | None = None
    """The page's link and edit id, when the commit confirms an edit."""
    activate: str | None = None
    """The canvas to turn to."""
    comes_true: Preview | None = None
    """The preview that is applied with it."""
    typed_to: At | None = None
    """Where the person's typing has come to."""


@dataclass(frozen=True, slots=True)
class Landed:
    commit: Commit
    fields: dict[str, Any]
    effects: tuple[Effect, ...]


def land(state: State, plan: Plan, at: float) -> Landed:
    """Apply a plan: persist, then tell pages. Raises Refused `store_failed` while the disk refuses writes."""
    state.refuse_without_store()
    commit, before = _commit(state, plan, at), state.active
    taken = replay.take(state.contents, commit)
    state.seq = commit.seq
    state.timeline.add(commit)
    _note_typing(state, plan, commit)
    _note_spent(state, plan, at)
    settle_active(state, plan.activate)
    ended = _end_previews(state, plan, commit)
    state.undurable.append(Undurable(taken, ended, before))
    effects: list[Effect] = [
        Persist((commit,), _records(state, commit, before, ended)),
        *telling.commit(state, commit, plan.ack, has_turned=state.active != before),
        *(telling.gone(ghost) for ghost in ended),
    ]
    return Landed(commit, {**(commit.result or {}), "revision": commit.seq}, tuple(effects))


def _commit(state: State, plan: Plan, at: float) -> Commit:
    operation_id = state.mint("op")
    changes = [step.change for step in plan.steps if isinstance(step, CellsChanged)]
    bounds = union_of(rect for change in changes if (rect := change.bounds()) is not None)
    result = {
        "applied": True,
        "operationId": operation_id,
        "persisted": True,
        "bounds": list(bounds) if bounds else None,
        **plan.fields,
        **_unasked(state, plan.applied_by, at),
    }
    return Commit(
        seq=state.seq + 1,
        operation_id=operation_id,
        author=plan.author,
        applied_by=plan.applied_by,
        tool=plan.tool,
        time=at,
        steps=plan.steps,
        why=plan.why,
        base=plan.base,
        call_key=plan.call_key,
        digest=plan.digest,
        result=result,
        undoes=plan.undoes,
        canvas=plan.canvas,
        sheet=plan.sheet,
    )


def _unasked(state: State, applied_by: str, at: float) -> dict[str, Any]:
    """Who let it be applied without asking, and since when, if the agent's grant alone would not have."""
    author = state.authors.get(applied_by)
    leave = author.leave_at(at)
    if leave is None or author.grant == "apply":
        return {}
    return {AUTO: {"by": PERSON, "since": iso(leave.given_at), "until": iso(leave.until)}}


def _note_typing(state: State, plan: Plan, commit: Commit) -> None:
    """Whatever else the person does ends a run of typing; what agents do meanwhile does not."""
    if plan.applied_by == PERSON:
        state.typing = noted(state.typing, commit, plan.typed_to)


def _note_spent(state: State, plan: Plan, at: float) -> None:
    """Cells count where there is a limit to them, for the agent that applied."""
    limits = state.authors.policy.limits
    if limits.cells is not None and state.authors.get(plan.applied_by).is_agent:
        altered = sum(step.change.altered().columns for step in plan.steps if isinstance(step, CellsChanged))
        state.budget.spend(plan.applied_by, "cells", altered, limits, at)


def settle_active(state: State, wanted: str | None) -> None:
    """Make `wanted` the active canvas, or any open one when the active one is gone or archived."""
    canvas = state.contents.canvases.get(wanted or state.canvas)
    if canvas is None or canvas.archived:
        canvas = state.contents.open_canvases()[0]
    sheet = canvas.sheet(state.sheet) or canvas.sheets[0]
    state.canvas, state.sheet = canvas.id, sheet.id


def _records(
    state: State, commit: Commit, before: tuple[str, str], ended: tuple[Preview, ...]
) -> tuple[Record, ...]:
    """The author's record travels with the commit, so that its name and colour come back."""
    turned = (state.active_record(),) if state.active != before else ()
    return (state.authors.get(commit.author).record(), *turned, *(ghost.record() for ghost in ended))


# -- previews that a commit ends --------------------------------------------------


def _end_previews(state: State, plan: Plan, commit: Commit) -> tuple[Preview, ...]:
    """The one that came true, its alternatives, and those whose cells were changed; each knows its fate."""
    ended: list[Preview] = []
    if plan.comes_true is not None:
        ended += [plan.comes_true, *state.previews.alternatives(plan.comes_true)]
        for ghost in ended:
            ghost.state = Ended("stale_preview", for_other=plan.comes_true.id)
        plan.comes_true.state = Applied(commit.operation_id)
    for ghost in state.previews.live():
        hit = _hit(ghost, commit)
        if hit or _is_adrift(state, ghost, commit):
            ghost.state = Ended("stale_preview", rects=tuple(hit.rects()[:MAX_LISTED]))
            ended.append(ghost)
    return tuple(ended)


def _hit(ghost: Preview, commit: Commit) -> Region:
    """The cells of a preview that a commit altered."""
    return Region(
        span
        for step in commit.steps
        if isinstance(step, CellsChanged)
        for span in _shared(ghost.footprint(step.sheet), step.change.altered())
    )


def _is_adrift(state: State, ghost: Preview, commit: Commit) -> bool:
    """Do canvases or sheets no longer fit it? Asked only where the two are about the same ones."""
    is_about_sheets = any(map(is_structural, (*ghost.steps, *commit.steps)))
    if not is_about_sheets or not subjects(ghost.steps) & subjects(commit.steps):
        return False
    try:
        refit(state.contents, ghost.steps, "stale_preview")
    except Refused:
        return True
    return False


def _shared(one: Region, other: Region) -> list[Span]:
    """The cells of both. Quadratic in spans per row only."""
    rows: dict[int, list[Span]] = {}
    for span in other.spans:
        rows.setdefault(span.y, []).append(span)
    return [
        Span(y, max(x, theirs.x), min(end, theirs.end))
        for y, x, end in one.spans
        for theirs in rows.get(y, [])
        if max(x, theirs.x) < min(end, theirs.end)
    ]
