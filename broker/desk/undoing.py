"""canvas_history: the log, undo and redo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from chardesk.broker.desk import arranging
from chardesk.broker.desk.deciding import apply_preview, discard_preview
from chardesk.broker.desk.effects import Effect, Fetch, Reply
from chardesk.broker.desk.landing import Landed, Plan, land
from chardesk.broker.desk.road import Outcome, applied_reply, note_own
from chardesk.broker.desk.state import Actor, ScriptJob, State
from chardesk.tools.errors import Refused
from chardesk.tools.history import next_redo, next_undo, refuse_if_built_upon, standing
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import (
    CanvasArchived,
    CanvasRenamed,
    CanvasUnarchived,
    CellsChanged,
    SheetRemoved,
    Step,
    inverse,
)
from chardesk.tools.operation import Text

LOG_LIMIT = 50


def history(
    state: State,
    actor: Actor,
    args: Any,
    place: tuple[Canvas, Sheet],
    tenant: str,
    call: str,
    key: str | None,
    digest: str,
    at: float,
) -> Outcome | tuple[list[Effect], None]:
    """The actions of canvas_history, by name. Only log is a look."""
    if args.action == "log":
        return [], _log(state, args, place)
    if actor.grant == "observe":
        raise Refused("permission_denied", f"{actor.author} may only look (grant observe)")
    if args.action == "apply_preview":
        return apply_preview(state, actor, _need(args, "preview_id"), key, digest, at)
    if args.action == "discard_preview":
        return discard_preview(state, actor, _need(args, "preview_id"), place)
    target = _target(state, actor, args.action, args.operation_id)
    return undo(state, actor, target, args.action, tenant, call, key, digest, at)


def _need(args: Any, name: str) -> str:
    value = getattr(args, name)
    if value is None:
        raise Refused("invalid_input", f"{args.action} needs previewId", field="previewId")
    return str(value)


# -- log -----------------------------------------------------------------------


def _log(state: State, args: Any, place: tuple[Canvas, Sheet]) -> Reply:
    limit = args.limit or LOG_LIMIT
    before = args.before or state.seq + 1
    found = [
        commit
        for commit in reversed(state.timeline.headers.values())
        if commit.seq < before and (args.author is None or commit.author == args.author)
    ]
    shown = found[:limit]
    entries = [log_entry(commit) for commit in shown]
    lines = [
        f"{one['operationId']} #{one['seq']} {one['author']} {one['tool']} {one.get('bounds') or ''}".rstrip()
        for one in entries
    ]
    more = {"next": shown[-1].seq} if len(found) > limit else {"next": None}
    fields = {"entries": entries, **more, **state.common_fields(*place)}
    return Reply(fields, (Text("\n".join(lines) or "no history yet"),))


def log_entry(commit: Commit) -> dict[str, Any]:
    """One line of the log. `why` is what the author said, quoted as it is."""
    entry: dict[str, Any] = {
        "operationId": commit.operation_id,
        "seq": commit.seq,
        "author": commit.author,
        "appliedBy": commit.applied_by,
        "tool": commit.tool,
        "why": commit.why,
        "time": datetime.fromtimestamp(commit.time, UTC).isoformat(timespec="milliseconds"),
        "canvasId": commit.canvas,
        "pageId": commit.sheet,
        "bounds": (commit.result or {}).get("bounds"),
    }
    return {**entry, "undoes": commit.undoes} if commit.undoes else entry


# -- undo and redo -------------------------------------------------------------


def _target(state: State, actor: Actor, action: str, operation_id: str | None) -> Commit:
    """The commit to take back: by id, or the newest that the actor may take back."""
    if operation_id is None:
        walk = next_undo if action == "undo" else next_redo
        found = walk(list(state.timeline.headers.values()), actor.author)
        if found is None:
            raise Refused("not_found", f"there is nothing of yours to {action}")
        return found
    commit = state.timeline.by_id(operation_id)
    if commit is None:
        raise Refused("not_found", f"no operation {operation_id[:40]}", field="operationId")
    if not actor.is_person and actor.author not in (commit.author, commit.applied_by):
        raise Refused("permission_denied", f"{operation_id} belongs to {commit.author}", field="operationId")
    if commit.undoes is not None:
        return commit
    found = standing(list(state.timeline.headers.values()), operation_id)
    if found is None:
        raise Refused("operation_not_undoable", f"{operation_id} was taken back already")
    return found


def undo(
    state: State,
    actor: Actor,
    target: Commit,
    action: str,
    tenant: str,
    call: str,
    key: str | None,
    digest: str,
    at: float,
    ack: tuple[str, str] | None = None,
) -> Outcome | tuple[list[Effect], None]:
    """Take `target` back as a commit of its own; old steps are fetched from the journal first."""

    def finish(steps: tuple[Step, ...], now: float) -> Outcome:
        return _undo_steps(state, actor, replace(target, steps=steps), action, key, digest, now, ack)

    steps = state.timeline.steps(target.seq)
    if steps is not None:
        return finish(steps, at)

    def resume(found: Commit | None, now: float) -> Outcome:
        if found is None:
            raise Refused("not_found", f"the journal no longer has {target.operation_id}")
        return finish(found.steps, now)

    job = state.mint("jb")
    state.jobs[job] = ScriptJob(tenant, call, resume)
    wanted: list[Effect] = [Fetch(job, target.seq)]
    return wanted, None


def _undo_steps(
    state: State,
    actor: Actor,
    target: Commit,
    action: str,
    key: str | None,
    digest: str,
    at: float,
    ack: tuple[str, str] | None,
) -> Outcome:
    steps = tuple(_back(step) for step in reversed(target.steps))
    refuse_if_built_upon(target, state.contents, actor.author, state.timeline.headers)
    for step in steps:
        if (refuse := _BUILT_UPON.get(type(step))) is not None:
            refuse(state, target, step)
    arranging.refuse_last_canvas(state, steps)
    plan = Plan(
        steps=steps,
        author=actor.author,
        applied_by=actor.author,
        tool=f"canvas_history {action}",
        canvas=target.canvas,
        sheet=target.sheet,
        call_key=key,
        digest=digest,
        undoes=target.operation_id,
        fields={"undone" if action == "undo" else "redone": target.operation_id},
        ack=ack,
    )
    landed = land(state, plan, at)
    moved = arranging.settle_active(state, None)
    return [*landed.effects, *moved], _undo_reply(state, actor, landed)


def _undo_reply(state: State, actor: Actor, landed: Landed) -> Reply:
    canvas, sheet = state.place(None, None, (state.canvas, state.sheet))
    if (touched := state.contents.sheet(landed.commit.sheet)) is not None:
        sheet = touched
        canvas = state.contents.canvas_of(sheet.id) or canvas
        for step in landed.commit.steps:
            if isinstance(step, CellsChanged) and step.sheet == sheet.id:
                note_own(actor, sheet, step.change)
    return applied_reply(state, canvas, sheet, landed)


def _back(step: Step) -> Step:
    """What takes a step back: of cells only those that it altered, so that neighbours are left alone."""
    if isinstance(step, CellsChanged):
        return CellsChanged(step.sheet, step.change.essence().inverse())
    return inverse(step)


def _refuse_used_sheet(state: State, target: Commit, step: Any) -> None:
    sheet = state.contents.sheet(step.sheet)
    if sheet is None or sheet.revision > target.seq:
        raise Refused("operation_not_undoable", f"sheet {step.name} was worked on since")


def _refuse_renamed(state: State, target: Commit, step: Any) -> None:
    if any(one.name == step.after and one.id != step.canvas for one in state.contents.canvases.values()):
        raise Refused("name_taken", f"another canvas is called {step.after} now")
    if state.contents.canvases[step.canvas].name != step.before:
        raise Refused("operation_not_undoable", "the canvas was renamed again since")


def _refuse_gone_canvas(state: State, target: Commit, step: Any) -> None:
    if step.canvas not in state.contents.canvases:
        raise Refused("operation_not_undoable", "its canvas is gone")


_BUILT_UPON: dict[type, Callable[[State, Commit, Any], None]] = {
    SheetRemoved: _refuse_used_sheet,
    CanvasRenamed: _refuse_renamed,
    CanvasArchived: _refuse_gone_canvas,
    CanvasUnarchived: _refuse_gone_canvas,
}
