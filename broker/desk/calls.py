"""A tenant's call, from its arguments to effects: the gates that need no cells, then the right road.

parse → unknown keys → grant → scope → budget → idempotency → load → plan … (`road`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from chardesk.broker.desk import arranging, scripting, undoing
from chardesk.broker.desk.effects import Effect, Reply
from chardesk.broker.desk.road import Drawn, Outcome, settle
from chardesk.broker.desk.state import Actor, State
from chardesk.tools.errors import Refused
from chardesk.tools.look.materials import show as show_materials
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.operation import Arrange, Asked, Changing, Draw, Look, Operation, Target, Text
from chardesk.tools.registry import operation
from chardesk.tools.schema import parse


@dataclass(frozen=True, slots=True)
class Request:
    """A call as it arrived. `place` is the canvas and sheet that were active then; `tenant` and `call` say
    where a late answer goes."""

    tool: str
    arguments: Mapping[str, Any]
    key: str | None
    place: tuple[str, str]
    tenant: str
    call: str


Later = tuple[list[Effect], None]
"""The answer comes with a later event."""


def carry_out(state: State, actor: Actor, request: Request, at: float) -> Outcome | Later:
    """The effects of a call and its reply. Raises Refused; what was refused has had no effect."""
    chosen = operation(request.tool)
    args = parse(chosen.args, request.arguments)
    _refuse_without_grant(chosen, actor)
    key, digest = call_key(actor, request, args)
    repeated = _repeat(state, key, digest, chosen)
    if repeated is not None:
        return [], repeated
    match chosen.body:
        case Arrange():
            return arranging.arrange(state, actor, chosen, args, key, digest, at)
        case Asked():
            return _ASKED[chosen.name](state, actor, chosen, args, request, key, digest, at)
        case Look() | Draw():
            pass
    assert isinstance(args, Target)
    canvas, sheet = state.place(args.canvas_id, args.page_id, request.place)
    if isinstance(chosen.body, Look):
        return [], _look(state, actor, chosen.body, args, canvas, sheet)
    return settle(state, draw(actor, chosen, args, canvas, sheet, key, digest), at)


def _look(state: State, actor: Actor, body: Look, args: Target, canvas: Canvas, sheet: Sheet) -> Reply:
    shown = body.show(sheet.scene, sheet.size, args)
    if actor.knowledge is not None:
        for rect in shown.seen:
            actor.knowledge.add(sheet.id, rect, sheet.revision)
    fields = {**shown.result.fields(), **state.common_fields(canvas, sheet)}
    return Reply(fields, shown.blocks, shows=sheet.revision)


def draw(
    actor: Actor, chosen: Operation, args: Any, canvas: Canvas, sheet: Sheet, key: str | None, digest: str
) -> Drawn:
    """Plan a drawing operation on the sheet as it is now."""
    assert isinstance(chosen.body, Draw)
    refuse_archived(canvas)
    draft = Draft(sheet.scene)
    result = chosen.body.plan(draft, sheet.size, args)
    return Drawn(
        actor=actor,
        tool=chosen.name,
        args=args,
        canvas=canvas,
        sheet=sheet,
        change=draft.change(),
        after=draft.scene,
        fields=result.fields(),
        key=key,
        digest=digest,
    )


def refuse_archived(canvas: Canvas) -> None:
    if canvas.archived:
        raise Refused("unsupported_action", f"canvas {canvas.name} is archived; unarchive it first")


def _refuse_without_grant(chosen: Operation, actor: Actor) -> None:
    if actor.grant == "observe" and chosen.effect == "change":
        raise Refused(
            "permission_denied", f"{actor.author} may only look (grant observe); {chosen.name} changes"
        )


def call_key(actor: Actor, request: Request, args: Any) -> tuple[str | None, str]:
    """The author's key for this request and the digest of its arguments. An explicit `idempotencyKey`
    overrides the one that the relay stamped."""
    own = args.idempotency_key if isinstance(args, Changing) else None
    key = own or request.key
    plain = {name: value for name, value in request.arguments.items() if name != "idempotencyKey"}
    text = json.dumps([request.tool, plain], sort_keys=True, default=str)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    return (f"{actor.author}\0{key}" if key else None), digest


def _repeat(state: State, key: str | None, digest: str, chosen: Operation) -> Reply | None:
    found = state.timeline.by_key(key) if key is not None and chosen.effect != "read" else None
    if found is None:
        return None
    if found.digest != digest:
        raise Refused("invalid_input", "this key was used for other arguments", field="idempotencyKey")
    text = f"repeated: {found.operation_id} was applied already"
    fields = {**(found.result or {}), "repeated": True, "revision": found.seq}
    canvas, sheet = state.contents.canvases.get(found.canvas), state.contents.sheet(found.sheet)
    common = state.common_fields(canvas, sheet) if canvas is not None and sheet is not None else {}
    return Reply({**common, **fields}, (Text(text),))


def _materials(state: State, actor: Actor, chosen: Operation, args: Any, *_: Any) -> Outcome:
    shown = show_materials(args.topic, state.shelf)
    return [], Reply(shown.result.fields(), shown.blocks, shows=0)


def _code(
    state: State,
    actor: Actor,
    chosen: Operation,
    args: Any,
    request: Request,
    key: str | None,
    digest: str,
    at: float,
) -> Later:
    canvas, sheet = state.place(args.canvas_id, args.page_id, request.place)
    refuse_archived(canvas)
    return scripting.start(state, actor, args, canvas, sheet, request.tenant, request.call, key, digest)


def _history(
    state: State,
    actor: Actor,
    chosen: Operation,
    args: Any,
    request: Request,
    key: str | None,
    digest: str,
    at: float,
) -> Outcome | Later:
    place = state.place(args.canvas_id, args.page_id, request.place)
    return undoing.history(state, actor, args, place, request.tenant, request.call, key, digest, at)


_ASKED: dict[str, Callable[..., Outcome | Later]] = {
    "chardesk_read_materials": _materials,
    "canvas_code": _code,
    "canvas_history": _history,
}
