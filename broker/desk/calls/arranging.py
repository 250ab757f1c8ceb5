"""Canvases and sheets: plans on the desk's contents, as previews or commits."""

from __future__ import annotations

from typing import Any

from chardesk.broker.desk.calls import pointing
from chardesk.broker.desk.calls.looking import whoami
from chardesk.broker.desk.effects import Outcome, Reply
from chardesk.broker.desk.known.places import Place
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.concluding import conclude
from chardesk.broker.desk.road.proposing import Proposal
from chardesk.tools.arrange.forms import Action
from chardesk.tools.arrange.manage import is_previewed
from chardesk.tools.errors import Refused
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.operation import Arrange, Arranged, Text


def arrange(state: State, ask: Ask, body: Arrange) -> Outcome:
    """Plan on the contents; destructive actions are previews unless mode says apply. Taking away cells that
    others wrote and the caller has not read is a conflict, as writing over them is."""
    if ask.args.action == "show":
        return pointing.point(state, ask)
    args = with_place(ask.args, ask.place)
    planned = body.plan(state.contents, state.canvas, state.mint, args)
    if not planned.steps:
        return [], _answer(state, ask, planned)
    is_apply = args.mode == "apply" or not is_previewed(args)
    return conclude(state, ask, _proposal(state, ask, planned), is_apply=is_apply)


def with_place(args: Any, place: Place) -> Any:
    """The arguments with the canvas, and its active page, that the call means by naming none."""
    if args.action in _PLACELESS:
        return args
    missing: dict[str, str] = {}
    if args.canvas_id is None and args.page_id is None:
        missing["canvas_id"] = place[0]
    if args.page_id is None and args.action in _OF_A_PAGE and args.canvas_id in (None, place[0]):
        missing["page_id"] = place[1]
    return args.model_copy(update=missing)


_PLACELESS: frozenset[Action] = frozenset({"list", "status", "create"})
_OF_A_PAGE: frozenset[Action] = frozenset(
    {"rename_page", "note_page", "duplicate_page", "delete_page", "reorder_page", "resize_page"}
)


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
    you = whoami(state, ask.actor) if ask.args.action == "status" else {}
    return Reply({**common, **planned.result.fields(), **you}, (Text(_summary(ask)),))


def _proposal(state: State, ask: Ask, planned: Arranged) -> Proposal:
    """About the canvas and sheet that the result names, even where they are only just to come."""
    canvas, sheet = _place(state, planned)
    own = planned.result.fields()
    return Proposal(
        tool=ask.tool,
        steps=planned.steps,
        canvas=own.get("canvasId", canvas.id),
        sheet=own.get("pageId", sheet.id),
        fields=own,
        summary=_summary(ask),
        extra={},
        activate=planned.activate,
    )


def _place(state: State, planned: Arranged) -> tuple[Canvas, Sheet]:
    """The canvas and sheet that an action was about; the active ones when they are not there (any more)."""
    own = planned.result.fields()
    canvas, sheet = state.place(None, None, state.active)
    canvas = state.contents.canvases.get(own.get("canvasId", canvas.id), canvas)
    return canvas, canvas.sheet(own.get("pageId", sheet.id)) or canvas.sheets[0]


def _summary(ask: Ask) -> str:
    named = f" {ask.args.name.strip()}" if ask.args.name else ""
    return f"canvas_manage {ask.args.action}{named}"
