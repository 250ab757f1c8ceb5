"""Canvases and sheets: plans on the desk's contents, as previews or commits."""

from __future__ import annotations

from typing import Any

from chardesk.broker.desk import told
from chardesk.broker.desk.effects import Effect, Persist, Record, Reply, TellPage
from chardesk.broker.desk.landing import Plan, land
from chardesk.broker.desk.previews import Preview
from chardesk.broker.desk.road import Outcome
from chardesk.broker.desk.state import Actor, State
from chardesk.tools.arrange.manage import PREVIEWED_ACTIONS
from chardesk.tools.errors import Refused
from chardesk.tools.model.steps import CanvasArchived, CanvasRemoved, Step
from chardesk.tools.operation import Arrange, Arranged, Operation, Text


def arrange(
    state: State, actor: Actor, chosen: Operation, args: Any, key: str | None, digest: str, at: float
) -> Outcome:
    """Plan on the contents; destructive actions are previews unless mode says apply."""
    assert isinstance(chosen.body, Arrange)
    planned = chosen.body.plan(state.contents, state.canvas, state.mint, args)
    if not planned.steps:
        return [], Reply(
            {**planned.result.fields(), **_common(state, state.canvas)}, (Text(_summary(args, planned)),)
        )
    if actor.grant == "observe":
        raise Refused("permission_denied", f"{actor.author} may only look (grant observe)")
    canvas = _canvas_of(state, planned)
    if args.action in PREVIEWED_ACTIONS and args.mode == "preview":
        return _preview(state, actor, chosen, args, planned, canvas, at)
    return _apply(state, actor, chosen, args, planned, canvas, key, digest, at)


def read_only(state: State, chosen: Operation, args: Any) -> dict[str, Any]:
    """What a script may ask of canvases: answers, no steps."""
    assert isinstance(chosen.body, Arrange)
    planned = chosen.body.plan(state.contents, state.canvas, state.mint, args)
    if planned.steps:
        raise Refused(
            "unsupported_action", f"scripts can't {args.action}; call canvas_manage outside of the script"
        )
    return planned.result.fields()


def _preview(
    state: State, actor: Actor, chosen: Operation, args: Any, planned: Arranged, canvas: str, at: float
) -> Outcome:
    sheet = state.contents.canvases[canvas].sheets[0].id
    preview = Preview(
        id=state.mint("pv"),
        author=actor.author,
        tool=chosen.name,
        canvas=canvas,
        sheet=sheet,
        steps=planned.steps,
        why=args.why or "",
        base=None,
        made_at=at,
        fields=planned.result.fields(),
    )
    state.previews.add(preview)
    fields = {
        **planned.result.fields(),
        **_common(state, canvas),
        "applied": False,
        "previewId": preview.id,
        "expiresAt": preview.expires_at,
        "nextStep": f"Apply it with canvas_history action apply_preview previewId {preview.id}.",
    }
    effects: list[Effect] = [Persist(records=(preview.record(),)), TellPage(told.preview(state, preview))]
    return effects, Reply(fields, (Text(f"preview {preview.id}: {_summary(args, planned)}"),))


def _apply(
    state: State,
    actor: Actor,
    chosen: Operation,
    args: Any,
    planned: Arranged,
    canvas: str,
    key: str | None,
    digest: str,
    at: float,
) -> Outcome:
    before = state.canvas
    plan = Plan(
        steps=planned.steps,
        author=actor.author,
        applied_by=actor.author,
        tool=chosen.name,
        canvas=canvas,
        sheet=_first_sheet(state, planned, canvas),
        why=args.why or "",
        call_key=key,
        digest=digest,
        fields=planned.result.fields(),
    )
    landed = land(state, plan, at)
    moved = settle_active(state, planned.activate)
    fields = {**landed.fields, **_common(state, canvas)}
    summary = f"applied {landed.commit.operation_id}: {_summary(args, planned)}"
    told_again = [TellPage(told.canvases_message(state))] if state.canvas != before else []
    return [*landed.effects, *moved, *told_again], Reply(fields, (Text(summary),))


def settle_active(state: State, wanted: str | None) -> list[Effect]:
    """Make `wanted` the active canvas, or any open one when the active one is gone or archived."""
    canvas = state.contents.canvases.get(wanted or state.canvas)
    if canvas is None or canvas.archived:
        canvas = state.contents.open_canvases()[0]
    sheet = canvas.sheet(state.sheet) or canvas.sheets[0]
    if (canvas.id, sheet.id) == (state.canvas, state.sheet):
        return []
    state.canvas, state.sheet = canvas.id, sheet.id
    return [Persist(records=(active_record(state),))]


def active_record(state: State) -> Record:
    return Record("desk", "active", {"canvas": state.canvas, "sheet": state.sheet})


def _common(state: State, canvas_id: str) -> dict[str, Any]:
    canvas = state.contents.canvases.get(canvas_id) or state.contents.canvases[state.canvas]
    sheet = canvas.sheet(state.sheet) or canvas.sheets[0]
    return state.common_fields(canvas, sheet)


def _canvas_of(state: State, planned: Arranged) -> str:
    for step in planned.steps:
        canvas = getattr(step, "canvas", None)
        if canvas is not None:
            return str(canvas)
    found = state.contents.canvas_of(_sheet_of(planned.steps))
    return found.id if found is not None else state.canvas


def _sheet_of(steps: tuple[Step, ...]) -> str:
    return next((str(step.sheet) for step in steps if hasattr(step, "sheet")), "")


def _first_sheet(state: State, planned: Arranged, canvas: str) -> str:
    known = state.contents.canvases.get(canvas)
    return _sheet_of(planned.steps) or (known.sheets[0].id if known is not None else "")


def _summary(args: Any, planned: Arranged) -> str:
    named = f" {args.name}" if getattr(args, "name", None) else ""
    return f"canvas_manage {args.action}{named}"


def refuse_last_canvas(state: State, steps: tuple[Step, ...]) -> None:
    """An undo must leave at least one open canvas. Raises `last_one`."""
    gone = {step.canvas for step in steps if isinstance(step, CanvasArchived | CanvasRemoved)}
    if gone and not [canvas for canvas in state.contents.open_canvases() if canvas.id not in gone]:
        raise Refused("last_one", "this would leave no open canvas")
