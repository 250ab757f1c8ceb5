"""What a page says, and what the desk makes of it. Everything but looking needs the seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chardesk.broker.desk import arranging, calls, edits, told
from chardesk.broker.desk.deciding import apply_preview, veto
from chardesk.broker.desk.effects import Effect, Persist, TellPage
from chardesk.broker.desk.events import PageJoined, PageSaid
from chardesk.broker.desk.landing import Plan, land, rebased
from chardesk.broker.desk.pages import Page
from chardesk.broker.desk.road import Drawn, refuse_over_the_edge, refuse_unread
from chardesk.broker.desk.state import State
from chardesk.broker.desk.undoing import undo
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.history import next_redo, next_undo
from chardesk.tools.model.commit import PERSON
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import CellsChanged
from chardesk.tools.operation import Changing


def join(state: State, event: PageJoined) -> list[Effect]:
    """Let a page in: the seat if it is free or asked for, then everything it needs to paint."""
    page = Page(event.link, event.kind, state.canvas, state.sheet)
    state.pages.all[event.link] = page
    effects: list[Effect] = []
    if event.kind == "canvas" and (state.pages.seat is None or event.take_seat):
        before = state.pages.take_seat(event.link)
        effects += [TellPage(m.SeatLost(), before)] if before else []
    welcome = m.Welcome(
        protocol=m.PROTOCOL,
        version=state.version,
        epoch=state.pages.epoch,
        seat=state.pages.seat == event.link,
        seq=state.seq,
        token=event.new_token,
        canvases=told.canvases(state),
        canvas=page.canvas,
        sheet=page.sheet,
        agents=told.agents(state),
        tools=told.web_tools(),
    )
    return [*effects, TellPage(welcome, event.link), *_everything(state, page)]


def _everything(state: State, page: Page) -> list[Effect]:
    """The sheet, the last of what happened, and the ghosts."""
    recent = list(state.timeline.headers.values())[-30:]
    return [
        *told.snapshot(_sheet(state, page), page.link, state.seq),
        *(TellPage(told.activity(state, commit), page.link) for commit in recent),
        *(TellPage(told.preview(state, ghost), page.link) for ghost in state.previews.live()),
    ]


def _sheet(state: State, page: Page) -> Sheet:
    found = state.contents.sheet(page.sheet)
    if found is None:
        canvas, found = state.place(None, None, (state.canvas, state.sheet))
        page.canvas, page.sheet = canvas.id, found.id
    return found


def said(state: State, event: PageSaid) -> list[Effect]:
    """Carry out one message. What is refused comes back as `refused` for edits; other messages that make no
    sense any more (an old epoch, a preview that ended) are dropped."""
    page = state.pages.all.get(event.link)
    if page is None:
        return []
    match event.message:
        case m.Edit():
            return _edit(state, page, event.message, event.at)
        case m.Shown(sheet=sheet, seq=seq):
            if sheet == page.sheet:
                page.shown = max(page.shown, seq)
            return []
        case m.Activate(canvas=canvas, sheet=sheet):
            return _activate(state, page, canvas, sheet)
        case m.Decide():
            return _decide(state, page, event.message, event.at)
        case _:
            return []


def _activate(state: State, page: Page, canvas_id: str, sheet_id: str | None) -> list[Effect]:
    canvas, sheet = state.place(canvas_id, sheet_id, (state.canvas, state.sheet))
    page.canvas, page.sheet, page.shown = canvas.id, sheet.id, 0
    effects: list[Effect] = []
    if state.pages.seat == page.link and not canvas.archived:
        state.canvas, state.sheet = canvas.id, sheet.id
        effects.append(Persist(records=(arranging.active_record(state),)))
    message = m.Canvases(canvases=told.canvases(state), canvas=canvas.id, sheet=sheet.id)
    return [*effects, TellPage(message, page.link), *told.snapshot(sheet, page.link, state.seq)]


def _decide(state: State, page: Page, message: m.Decide, at: float) -> list[Effect]:
    if not state.pages.holds_seat(page.link, message.epoch):
        return []
    try:
        if message.verdict == "veto":
            return veto(state, message.preview, message.note)
        return apply_preview(state, state.person(), message.preview, None, "", at)[0]
    except Refused as refusal:
        return [_refused(page, message.preview, refusal)]


def _refused(page: Page, edit_id: str, refusal: Refused) -> TellPage:
    message = m.RefusedEdit(
        id=edit_id,
        code=refusal.code,
        message=refusal.message,
        next_step=refusal.entry.next_step,
        details=refusal.details,
    )
    return TellPage(message, page.link)


# -- edits ---------------------------------------------------------------------


def _edit(state: State, page: Page, edit: m.Edit, at: float) -> list[Effect]:
    """One edit by the person. The same id again has no second effect."""
    key = f"{PERSON}\0{edit.id}"
    known = state.timeline.by_key(key)
    if known is not None:
        return [TellPage(m.Done(id=edit.id, result=known.result or {}), page.link)]
    try:
        if not state.pages.holds_seat(page.link, edit.epoch):
            raise Refused("replaced", "this page does not hold the seat")
        if isinstance(edit.op, m.CallOp):
            return _call(state, page, edit, edit.op, at)
        if isinstance(edit.op, m.UndoOp | m.RedoOp):
            return _walk(state, page, edit, key, at)
        return _draw(state, page, edit, key, at)
    except Refused as refusal:
        return [_refused(page, edit.id, refusal)]


def _draw(state: State, page: Page, edit: m.Edit, key: str, at: float) -> list[Effect]:
    canvas, sheet = state.place(None, edit.sheet, (state.canvas, state.sheet))
    calls.refuse_archived(canvas)
    draft = Draft(sheet.scene)
    tool = _PLANS[type(edit.op)](draft, edit.op)
    change = draft.change()
    if change.is_idle:
        return [TellPage(m.Done(id=edit.id, result={}), page.link)]
    args = Changing.model_validate({"mode": "apply"})
    refuse_over_the_edge(Drawn(state.person(), tool, args, canvas, sheet, change, draft.scene, {}, key, ""))
    if edit.base is not None:
        refuse_unread(state.person(), sheet, change, edit.base)
    plan = Plan(
        steps=(CellsChanged(sheet.id, rebased(state, sheet.id, change)),),
        author=PERSON,
        applied_by=PERSON,
        tool=tool,
        canvas=canvas.id,
        sheet=sheet.id,
        base=edit.base,
        call_key=key,
        ack=(page.link, edit.id),
    )
    return list(land(state, plan, at).effects)


_PLANS: dict[type, Callable[[Draft, Any], str]] = {
    m.TextOp: edits.text,
    m.EraseOp: edits.erase,
    m.FillOp: edits.fill,
    m.PasteOp: edits.paste,
}


def _walk(state: State, page: Page, edit: m.Edit, key: str, at: float) -> list[Effect]:
    """Ctrl+Z and Ctrl+Y: the newest commit that the person applied."""
    action, walk = ("undo", next_undo) if isinstance(edit.op, m.UndoOp) else ("redo", next_redo)
    target = walk(list(state.timeline.headers.values()), PERSON)
    if target is None:
        return [TellPage(m.Done(id=edit.id, result={}), page.link)]
    link = page.link
    effects, _ = undo(state, state.person(), target, action, link, edit.id, key, "", at, (link, edit.id))
    return effects


def _call(state: State, page: Page, edit: m.Edit, op: m.CallOp, at: float) -> list[Effect]:
    request = calls.Request(op.tool, op.args, edit.id, (state.canvas, edit.sheet), page.link, edit.id)
    effects, reply = calls.carry_out(state, state.person(), request, at)
    if reply is None:
        return effects
    result = {**reply.fields, "content": "\n".join(block.text for block in reply.blocks)}
    return [*effects, TellPage(m.Done(id=edit.id, result=result), page.link)]
