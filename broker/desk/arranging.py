"""Canvases and sheets: plans on the desk's contents, as previews or commits."""

from __future__ import annotations

from typing import Any

from chardesk.broker.desk.ask import Ask
from chardesk.broker.desk.conflict import refuse_unread
from chardesk.broker.desk.effects import Outcome, Reply
from chardesk.broker.desk.landing import Plan, land
from chardesk.broker.desk.proposing import Proposal, base_of, own_preview, propose, refuse_too_large
from chardesk.broker.desk.state import State
from chardesk.tools.arrange.manage import is_previewed
from chardesk.tools.errors import Refused
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.operation import Arrange, Arranged, Text


def arrange(state: State, ask: Ask, body: Arrange) -> Outcome:
    """Plan on the contents; destructive actions are previews unless mode says apply. Taking away cells that
    others wrote and the caller has not read is a conflict, as writing over them is."""
    planned = body.plan(state.contents, state.canvas, state.mint, ask.args)
    if not planned.steps:
        return [], _answer(state, ask, planned)
    is_apply = ask.args.mode == "apply" or not is_previewed(ask.args)
    if not is_apply or ask.actor.grant == "propose":
        refuse_too_large(planned.steps)
    if is_apply:
        refuse_unread(state.contents, ask.actor, planned.steps, ask.args.expected_revision)
    if not is_apply or ask.actor.grant == "propose":
        return propose(state, ask, _proposal(state, ask, planned), is_apply=is_apply)
    return _apply(state, ask, planned)


def read_only(state: State, body: Arrange, args: Any) -> dict[str, Any]:
    """What a script may ask of canvases: answers, no steps."""
    planned = body.plan(state.contents, state.canvas, state.mint, args)
    if planned.steps:
        raise Refused(
            "unsupported_action", f"scripts can't {args.action}; call canvas_manage outside of the script"
        )
    return planned.result.fields()


def _answer(state: State, ask: Ask, planned: Arranged) -> Reply:
    common = state.common_fields(*_place(state, planned))
    return Reply({**common, **planned.result.fields()}, (Text(_summary(ask)),))


def _proposal(state: State, ask: Ask, planned: Arranged) -> Proposal:
    canvas, sheet = _place(state, planned)
    return Proposal(
        tool=ask.tool,
        steps=planned.steps,
        canvas=canvas.id,
        sheet=sheet.id,
        fields=planned.result.fields(),
        summary=_summary(ask),
        extra={},
    )


def _apply(state: State, ask: Ask, planned: Arranged) -> Outcome:
    own = planned.result.fields()
    plan = Plan(
        steps=planned.steps,
        author=ask.actor.author,
        applied_by=ask.actor.author,
        tool=ask.tool,
        canvas=own.get("canvasId", state.canvas),
        sheet=own.get("pageId", ""),
        why=ask.args.why or "",
        base=base_of(ask),
        call_key=ask.key,
        digest=ask.digest,
        fields=own,
        activate=planned.activate,
        comes_true=own_preview(state, ask),
    )
    landed = land(state, plan, ask.at)
    fields = {**state.common_fields(*_place(state, planned)), **landed.fields}
    summary = f"applied {landed.commit.operation_id}: {_summary(ask)}"
    return list(landed.effects), Reply(fields, (Text(summary),))


def _place(state: State, planned: Arranged) -> tuple[Canvas, Sheet]:
    """The canvas and sheet that an action was about; the active ones when they are not there (any more)."""
    own = planned.result.fields()
    canvas, sheet = state.place(None, None, state.active)
    canvas = state.contents.canvases.get(own.get("canvasId", canvas.id), canvas)
    return canvas, canvas.sheet(own.get("pageId", sheet.id)) or canvas.sheets[0]


def _summary(ask: Ask) -> str:
    named = f" {ask.args.name}" if ask.args.name else ""
    return f"canvas_manage {ask.args.action}{named}"
