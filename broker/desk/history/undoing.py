"""canvas_history: undo and redo, and the way to its other actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from chardesk.broker.desk.effects import Effect, Fetch, Later, Outcome
from chardesk.broker.desk.history import partly, restoring, showing, tagging
from chardesk.broker.desk.history.logbook import log
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.known.typed import Runs, as_one
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.deciding import apply_preview, discard_preview
from chardesk.broker.desk.road.elsewhere import elsewhere, prepare
from chardesk.broker.desk.road.fitting import refit
from chardesk.broker.desk.road.landing import Plan, land
from chardesk.broker.desk.road.permits import later, permit_steps
from chardesk.broker.desk.road.proposing import Proposal, propose, refuse_too_large
from chardesk.broker.desk.road.road import applied_reply, note_own
from chardesk.tools.errors import Refused
from chardesk.tools.history import Losses, losses, next_redo, next_undo, refuse_if_built_upon, standing
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.rehearsal import Rehearsal
from chardesk.tools.model.steps import CellsChanged, Step, cells_changed, inverse
from chardesk.tools.operation import QUICK_CELLS

Direction = Literal["undo", "redo"]


@dataclass(frozen=True, slots=True)
class _Undo:
    """The commit to take back: `target` stands for its whole run of typing."""

    ask: Ask
    direction: Direction
    target: Commit


def history(state: State, ask: Ask) -> Outcome | Later:
    """The actions of canvas_history, by name."""
    return _ACTIONS[ask.args.action](state, ask)


def _undo(state: State, ask: Ask) -> Outcome | Later:
    return take_back(state, _Undo(ask, "undo", _target(state, ask, "undo")))


def _redo(state: State, ask: Ask) -> Outcome | Later:
    return take_back(state, _Undo(ask, "redo", _target(state, ask, "redo")))


_ACTIONS: Mapping[str, Callable[[State, Ask], Outcome | Later]] = {
    "log": log,
    "undo": _undo,
    "redo": _redo,
    "apply_preview": lambda state, ask: apply_preview(
        state, ask, ask.args.preview_id, ask.args.expected_revision
    ),
    "discard_preview": lambda state, ask: discard_preview(state, ask, ask.args.preview_id),
    "show": showing.show,
    "diff": showing.diff,
    "tag": tagging.tag,
    "list_tags": tagging.list_tags,
    "drop_tag": tagging.drop_tag,
    "restore": restoring.restore,
}


def walk(state: State, ask: Ask, direction: Direction) -> Outcome | Later | None:
    """Ctrl+Z and Ctrl+Y: the newest commit that the actor may take back; None when there is none."""
    target = _next(state, ask.actor.author, direction)
    return None if target is None else take_back(state, _Undo(ask, direction, target))


# -- which commit ----------------------------------------------------------------


def _next(state: State, author: str, direction: Direction) -> Commit | None:
    heads = Runs(state.timeline.headers).heads()
    return next_undo(heads, author) if direction == "undo" else next_redo(heads, author)


def _target(state: State, ask: Ask, direction: Direction) -> Commit:
    """The commit whose inverse does what is asked: by id, or the newest that is the actor's own."""
    wanted = ask.args.operation_id
    if wanted is None:
        found = _next(state, ask.actor.author, direction)
        if found is None:
            raise Refused("not_found", f"there is nothing of yours to {direction}")
        return found
    commit = state.timeline.by_id(wanted)
    if commit is None:
        known = f"none of the last {len(state.timeline.headers)} operations is {wanted[:40]}"
        raise Refused("not_found", f"{known}; restore goes further back", field="operationId")
    if not ask.actor.is_person and ask.actor.author not in (commit.author, commit.applied_by):
        raise Refused("permission_denied", f"{wanted} belongs to {commit.author}", field="operationId")
    return _link(state, Runs(state.timeline.headers).last(commit), direction)


def _link(state: State, commit: Commit, direction: Direction) -> Commit:
    """The end of the chain of undos and redos that begins with `commit`, if it can be taken further so.

    Redo of what was undone takes the undo back; so does the undo, or redo, of an undo itself.
    """
    found = standing(list(state.timeline.headers.values()), commit.operation_id)
    does = not _takes_back(state, commit)
    if direction == "redo" and does:
        if found is not None:
            raise Refused("operation_not_undoable", f"{commit.operation_id} stands; there is nothing to redo")
        return _newest_undo(state, commit)
    if found is None:
        raise Refused("operation_not_undoable", f"{commit.operation_id} was taken back already")
    return found


def _takes_back(state: State, commit: Commit) -> bool:
    """Is it an undo, and not a redo: an odd number of undos away from an ordinary commit?"""
    if commit.undoes is None:
        return False
    before = state.timeline.by_id(commit.undoes)
    return before is None or not _takes_back(state, before)


def _newest_undo(state: State, commit: Commit) -> Commit:
    undoers = {one.undoes: one for one in state.timeline.headers.values() if one.undoes is not None}
    while (later := undoers.get(commit.operation_id)) is not None:
        commit = later
    return commit


# -- taking it back ----------------------------------------------------------------


def take_back(state: State, undo: _Undo) -> Outcome | Later:
    """Undo as a commit of its own (under grant propose: as a preview). Steps that are no longer in memory
    are fetched from the journal first, one commit after the other."""
    members = Runs(state.timeline.headers).members(undo.target)
    return _with_steps(state, undo, members, {})


def _with_steps(
    state: State, undo: _Undo, members: tuple[Commit, ...], fetched: dict[int, tuple[Step, ...]]
) -> Outcome | Later:
    found = {one.seq: fetched.get(one.seq) or state.timeline.steps(one.seq) for one in members}
    lacking = next((one for one in members if found[one.seq] is None), None)
    if lacking is None:
        whole = as_one(tuple(replace(one, steps=found[one.seq] or ()) for one in members))
        return _finish(state, undo, whole)

    def resume(commit: Commit | None, now: float) -> Outcome | Later:
        if commit is None:
            raise Refused("not_found", f"the journal no longer has {lacking.operation_id}")
        # The page was not told to wait; its edit is confirmed by `done` when the job ends.
        again = replace(undo, ask=replace(later(state, undo.ask, now), ack=None))
        return _with_steps(state, again, members, {**fetched, commit.seq: commit.steps})

    job = state.mint("jb")
    state.jobs[job] = Job(undo.ask.link, undo.ask.call, state.seq, resume)
    wanted: list[Effect] = [Fetch(job, lacking.seq)]
    return wanted, None


# -- what takes it back ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Back:
    """What takes a commit back, and what stood in its way on the sheets as they were at these revisions."""

    steps: tuple[Step, ...]
    losses: Losses
    revisions: Mapping[str, int]

    def known(self, state: State) -> Losses:
        """The losses that are still so."""
        return {sheet: lost for sheet, lost in self.losses.items() if self._is_so(state, sheet)}

    def _is_so(self, state: State, name: str) -> bool:
        sheet = state.contents.sheet(name)
        return sheet is not None and sheet.revision == self.revisions[name]


def _back(whole: Commit, contents: Contents, is_watched: bool) -> _Back:
    """Pure. Of cells only those that were altered are taken back, so that neighbours are left alone."""
    steps = tuple(_step_back(step) for step in reversed(whole.steps))
    cells = cells_changed(whole.steps)
    for change in (*cells.values(), *cells_changed(steps).values()):
        prepare(change, is_watched)
    found = {name: sheet.revision for name in cells if (sheet := contents.sheet(name)) is not None}
    return _Back(steps, losses(cells, contents), found)


def _step_back(step: Step) -> Step:
    if isinstance(step, CellsChanged):
        return CellsChanged(step.sheet, step.change.essence().inverse())
    return inverse(step)


def _finish(state: State, undo: _Undo, whole: Commit) -> Outcome | Later:
    """Work out what takes it back; elsewhere, if that is much. Sheets that change meanwhile are looked at
    again."""
    is_watched = bool(state.pages.all)
    if sum(change.footprint().columns for change in cells_changed(whole.steps).values()) <= QUICK_CELLS:
        return _land(state, undo, whole, _back(whole, state.contents, is_watched))

    def resume(back: _Back, now: float) -> Outcome | Later:
        # As with steps from the journal: a page's edit is confirmed by `done`.
        again = replace(undo, ask=replace(later(state, undo.ask, now), ack=None))
        next_one = _moved_on(state, again)
        return _land(state, again, whole, back) if next_one is None else take_back(state, next_one)

    apart = Rehearsal(state.contents, apart=True)
    return elsewhere(state, undo.ask, partial(_back, whole, apart, is_watched), resume)


def _moved_on(state: State, undo: _Undo) -> _Undo | None:
    """Who asks twice for the newest means two. None while the commit can still be the one that is meant."""
    taken = any(one.undoes == undo.target.operation_id for one in state.timeline.headers.values())
    if not taken or getattr(undo.ask.args, "operation_id", None) is not None:
        return None
    found = _next(state, undo.ask.actor.author, undo.direction)
    if found is None:
        raise Refused("not_found", f"there is nothing of yours to {undo.direction}")
    return replace(undo, target=found)


def _land(state: State, undo: _Undo, whole: Commit, back: _Back) -> Outcome:
    ask = undo.ask
    steps, left = _fitted(state, ask, whole, back)
    permit_steps(state, ask.actor, steps)
    done = {"undone" if undo.direction == "undo" else "redone": undo.target.operation_id, **left}
    tool = f"canvas_history {undo.direction}"
    if ask.actor.grant == "propose":
        refuse_too_large(steps)
        summary = f"{undo.direction} of {undo.target.operation_id}"
        proposal = Proposal(
            tool, steps, whole.canvas, whole.sheet, done, summary, {}, undoes=undo.target.operation_id
        )
        return propose(state, ask, proposal, is_apply=True)
    plan = Plan(
        steps=steps,
        author=ask.actor.author,
        applied_by=ask.actor.author,
        tool=tool,
        canvas=whole.canvas,
        sheet=whole.sheet,
        why=getattr(ask.args, "why", None) or "",
        call_key=ask.key,
        digest=ask.digest,
        undoes=undo.target.operation_id,
        fields=done,
        ack=ask.ack,
    )
    landed = land(state, plan, ask.at)
    note_own(state, ask.actor, landed)
    return list(landed.effects), applied_reply(state, landed)


def _fitted(state: State, ask: Ask, whole: Commit, back: _Back) -> tuple[tuple[Step, ...], dict[str, Any]]:
    """What takes it back, and with `partial` what is `left` as it is. Raises `operation_not_undoable`."""
    is_partial = getattr(ask.args, "partial", False)
    headers, known = state.timeline.headers, back.known(state)
    try:
        refuse_if_built_upon(whole, state.contents, ask.actor.author, headers, known)
        steps = refit(state.contents, back.steps, "operation_not_undoable")
    except Refused as refusal:
        if not is_partial or refusal.code != "operation_not_undoable":
            raise
        return partly.back(state, whole)
    return steps, {"left": []} if is_partial else {}
