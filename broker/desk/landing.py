"""Making a plan a commit: the one place where contents change, and where that is said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from chardesk.broker.desk import told
from chardesk.broker.desk.effects import Effect, Persist, Record, TellPage
from chardesk.broker.desk.previews import Ended, Preview
from chardesk.broker.desk.state import State
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.model import replay
from chardesk.tools.model.change import Change
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.region import Region, Span, union_of
from chardesk.tools.model.steps import CellsChanged, Step

WHOLE_COLUMNS = 60_000
"""A commit with more columns than this reaches pages as a snapshot, since it may not fit one frame."""


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


@dataclass(frozen=True, slots=True)
class Landed:
    commit: Commit
    fields: dict[str, Any]
    effects: tuple[Effect, ...]


def land(state: State, plan: Plan, at: float) -> Landed:
    """Apply a plan. Raises Refused `store_failed` while the disk refuses writes."""
    if not state.is_store_ok:
        raise Refused("store_failed", "the disk refuses writes; the desk is read-only until it recovers")
    commit = _commit(state, plan, at)
    state.undurable.append(replay.take(state.contents, commit))
    state.seq = commit.seq
    state.timeline.add(commit)
    fields = {**(commit.result or {}), "revision": commit.seq}
    told_pages = _tell(state, commit, plan.ack)
    effects: list[Effect] = [Persist((commit,), _records(state, commit)), *told_pages, *_stale(state, commit)]
    return Landed(commit, fields, tuple(effects))


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


def _records(state: State, commit: Commit) -> tuple[Record, ...]:
    """The author's record travels with the first commit, so that its name and colour come back."""
    return (state.authors.get(commit.author).record(),)


def _tell(state: State, commit: Commit, ack: tuple[str, str] | None) -> list[Effect]:
    effects: list[Effect] = []
    for step in commit.steps:
        if isinstance(step, CellsChanged):
            effects += _tell_cells(state, commit, step, ack)
    if any(not isinstance(step, CellsChanged) for step in commit.steps):
        effects.append(TellPage(told.canvases_message(state)))
    effects.append(TellPage(told.activity(state, commit)))
    return effects


def _tell_cells(
    state: State, commit: Commit, step: CellsChanged, ack: tuple[str, str] | None
) -> list[Effect]:
    pages = [page for page in state.pages.all.values() if page.sheet == step.sheet]
    acked = {ack[0]: ack[1]} if ack else {}
    sheet = state.contents.sheet(step.sheet)
    effects: list[Effect] = []
    if sheet is not None and step.change.footprint().columns > WHOLE_COLUMNS:
        for page in pages:
            effects += told.snapshot(sheet, page.link, commit.seq)
    elif pages:
        message = told.change(state, commit, step, None)
        effects += [
            TellPage(
                message.model_copy(update={"ack": acked.pop(page.link)}) if page.link in acked else message,
                page.link,
            )
            for page in pages
        ]
    return effects + [
        TellPage(m.Done(id=edit, result={"operationId": commit.operation_id}), link)
        for link, edit in acked.items()
    ]


def _stale(state: State, commit: Commit) -> list[Effect]:
    """Previews whose cells this commit changed can't be applied any more."""
    effects: list[Effect] = []
    for step in commit.steps:
        if isinstance(step, CellsChanged):
            altered = step.change.altered()
            for ghost in state.previews.touched(step.sheet, altered):
                hit = ghost.footprint(step.sheet)
                rects = tuple(_shared(hit, altered).rects()[:20])
                effects += end_preview(ghost, Ended("stale_preview", rects=rects), "stale")
    return effects


def _shared(one: Region, other: Region) -> Region:
    """The cells of both. Quadratic in spans per row only."""
    rows: dict[int, list[Span]] = {}
    for span in other.spans:
        rows.setdefault(span.y, []).append(span)
    return Region(
        Span(y, max(x, theirs.x), min(end, theirs.end))
        for y, x, end in one.spans
        for theirs in rows.get(y, [])
        if max(x, theirs.x) < min(end, theirs.end)
    )


def end_preview(ghost: Preview, state: Any, reason: Any) -> list[Effect]:
    """Close a preview and say so; it stays known, so that a late apply learns why."""
    ghost.state = state
    return [Persist(records=(ghost.record(),)), TellPage(m.PreviewGone(id=ghost.id, reason=reason))]


def take_back(state: State) -> list[Effect]:
    """The disk refused: go back to the last durable commit, newest first, and show pages the truth."""
    lost, state.undurable = state.undurable, []
    for taken in reversed(lost):
        replay.take_back(state.contents, taken)
        state.timeline.take_back(taken.commit.seq)
        state.seq = taken.commit.seq - 1
    state.is_store_ok = False
    effects: list[Effect] = [TellPage(told.canvases_message(state))]
    for page in state.pages.all.values():
        if (sheet := state.contents.sheet(page.sheet)) is not None:
            effects += told.snapshot(sheet, page.link, state.seq)
    return effects


def rebased(state: State, sheet_id: str, change: Change) -> Change:
    """The same after side, from what the sheet holds now. Raises `conflict` when the sheet changed under it
    in a way that would leave half a glyph."""
    sheet = state.contents.sheet(sheet_id)
    if sheet is None:
        raise Refused("page_not_found", f"sheet {sheet_id} is gone")
    if sheet.scene.fits(change):
        return change
    runs = tuple(replace(run, before=sheet.scene.strip(run.y, run.x, run.end)) for run in change.runs)
    if any("" in (run.before.chars[0], sheet.scene.char(run.end, run.y)) for run in runs):
        rects = [list(rect) for rect in change.footprint().rects()[:20]]
        raise Refused(
            "conflict", "the cells under the change were changed meanwhile", details={"rects": rects}
        )
    return Change(runs)
