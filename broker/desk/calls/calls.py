"""A tenant's call, from its arguments to effects: the gates that need no cells, then the right road.

parse → unknown keys → grant → repeats → features → load → plan … (`road`). The budget's gate stands before
all of them, where calls are queued (`tenants`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, assert_never

from chardesk.broker.desk.calls import arranging, batching, decks, looking, scripting, working
from chardesk.broker.desk.calls.sources import with_texts
from chardesk.broker.desk.effects import Later, Outcome, Reply
from chardesk.broker.desk.history import undoing
from chardesk.broker.desk.known.state import Actor, State
from chardesk.broker.desk.people import inbox
from chardesk.broker.desk.road import repeats
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.fitting import refuse_archived
from chardesk.broker.desk.road.permits import permit_change
from chardesk.broker.desk.road.road import Drawn, settle
from chardesk.tools.errors import Refused
from chardesk.tools.look.materials import show as show_materials
from chardesk.tools.model.draft import Draft
from chardesk.tools.operation import Arrange, Asked, Draw, Look, Operation
from chardesk.tools.registry import operation
from chardesk.tools.schema import given, parse


@dataclass(frozen=True, slots=True)
class Request:
    """A call as it arrived. `place` is the canvas and sheet that were active then; `link` and `call` say
    where a late answer goes."""

    tool: str
    arguments: Mapping[str, Any]
    key: str | None
    place: tuple[str, str]
    link: str
    call: str
    at: float
    may_only_look: bool = False


def carry_out(state: State, actor: Actor, request: Request) -> Outcome | Later:
    """The effects of a call and its reply. Raises Refused; what was refused has had no effect."""
    chosen = operation(request.tool)
    args = parse(chosen.args, request.arguments)
    if not _is_look(chosen, args):
        _refuse_who_asks(chosen, request)
        permit_change(state, actor, chosen.name)
    ask = _ask(actor, request, args)
    if chosen.effect != "read" and (first := repeats.repeated(state, ask.key, ask.digest)) is not None:
        return [], first
    match chosen.body:
        case Look():
            return looking.look(state, ask, chosen.body)
        case Draw():
            body = chosen.body
            return with_texts(state, ask, lambda filled: _draw(state, filled, body))
        case Arrange():
            return arranging.arrange(state, ask, chosen.body)
        case Asked():
            return _ASKED[chosen.name](state, ask)
        case _:
            assert_never(chosen.body)


def _ask(actor: Actor, request: Request, args: Any) -> Ask:
    """An explicit `idempotencyKey` overrides the key that the relay stamped."""
    key = given(args, "idempotency_key") or request.key
    return Ask(
        actor=actor,
        tool=request.tool,
        args=args,
        place=request.place,
        link=request.link,
        call=request.call,
        key=repeats.scoped(actor.author, key) if key else None,
        digest=repeats.digest(request.tool, request.arguments),
        at=request.at,
    )


# -- grant ---------------------------------------------------------------------

_LOOKS: Mapping[str, frozenset[str]] = {
    "canvas_manage": frozenset({"list", "list_pages", "status"}),
    "canvas_inbox": frozenset({"receive", "wait", "ack"}),
    "canvas_history": frozenset({"log", "show", "diff", "list_tags"}),
}
"""Actions that only look, of tools that can do more."""


def _is_look(chosen: Operation, args: Any) -> bool:
    return chosen.effect == "read" or given(args, "action") in _LOOKS.get(chosen.name, ())


def _refuse_who_asks(chosen: Operation, request: Request) -> None:
    if request.may_only_look:
        raise Refused("permission_denied", f"{chosen.name} changes; this page only asks")


# -- the roads -----------------------------------------------------------------


def _draw(state: State, ask: Ask, body: Draw) -> Outcome | Later:
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    refuse_archived(canvas)
    if given(ask.args, "format") == "deck":
        return decks.add(state, ask, canvas, sheet)
    if body.is_slow(sheet.scene, ask.args):
        return working.draw(state, ask, body, canvas, sheet)
    draft = Draft(sheet.scene)
    result = body.plan(draft, sheet.size, ask.args)
    return settle(state, Drawn(ask, canvas, sheet, draft, result.fields()))


def _materials(state: State, ask: Ask) -> Outcome:
    shown = show_materials(ask.args.topic, state.shelf)
    return [], Reply(shown.result.fields(), shown.blocks, shows=0)


def _batch(state: State, ask: Ask) -> Outcome | Later:
    return with_texts(state, ask, lambda filled: batching.batch(state, filled))


_ASKED: Mapping[str, Callable[[State, Ask], Outcome | Later]] = {
    "chardesk_read_materials": _materials,
    "canvas_batch": _batch,
    "canvas_code": scripting.start,
    "canvas_history": undoing.history,
    "canvas_inbox": inbox.inbox,
}
"""Operations that the desk answers itself, or that run elsewhere."""
