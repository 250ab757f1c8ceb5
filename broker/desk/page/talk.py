"""What a page says, and what the desk makes of it. Everything but looking needs the seat."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from chardesk.broker.desk.calls import calls
from chardesk.broker.desk.effects import Effect, Persist, TellPage
from chardesk.broker.desk.events import PageJoined, PageSaid
from chardesk.broker.desk.history import undoing
from chardesk.broker.desk.known.pages import Page
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.typed import continued
from chardesk.broker.desk.page import edits, pasting, wondering
from chardesk.broker.desk.people import governing, inbox
from chardesk.broker.desk.road import ghosts, told
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.conflict import refuse_unread
from chardesk.broker.desk.road.deciding import decide
from chardesk.broker.desk.road.fitting import refuse_archived
from chardesk.broker.desk.road.landing import Plan, land
from chardesk.broker.desk.road.repeats import scoped
from chardesk.broker.desk.road.road import refuse_over_the_edge
from chardesk.broker.desk.road.telling import snapshot
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.model.change import Change
from chardesk.tools.model.commit import PERSON
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.steps import CellsChanged

RECENT = 30
"""Lines of what happened that a page gets when it joins."""


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
        tools=told.web_tools(event.kind),
    )
    return [*effects, TellPage(welcome, page.link), *_everything(state, page)]


def offer_seat(state: State, at: float) -> list[Effect]:
    """A seat that its page has left for good goes to one that looks on, if there is one."""
    heir = state.pages.heir(at)
    return [TellPage(m.SeatFree(), heir)] if heir is not None else []


def _everything(state: State, page: Page) -> list[Effect]:
    """The sheet, the last of what happened, the ghosts, what the person decided about agents, and a disk that
    refuses."""
    recent = list(state.timeline.headers.values())[-RECENT:]
    return [
        *snapshot(state, page),
        *(TellPage(told.activity(state, commit), page.link) for commit in recent),
        *(replace(ghosts.shown(state, one), link=page.link) for one in state.previews.live()),
        *(TellPage(told.letter(state, letter), page.link) for letter in state.letters.of(PERSON)),
        *(replace(news, link=page.link) for news in told.sent(state.letters.all.values())),
        TellPage(told.governed(state), page.link),
        *([] if state.is_store_ok else [TellPage(told.disk(state), page.link)]),
    ]


def said(state: State, event: PageSaid) -> list[Effect]:
    """Carry out one message. What is refused comes back as `refused` under the id of the edit or preview; a
    sheet that is not there (any more) is not turned to."""
    page = state.pages.all.get(event.link)
    if page is None:
        return []
    match event.message:
        case m.Edit():
            return _edit(state, page, event.message, event.at)
        case m.Decide():
            return _decide(state, page, event.message, event.at)
        case m.Activate():
            return _activate(state, page, event.message)
        case m.Shown(sheet=sheet, seq=seq) if sheet == page.sheet:
            page.shown = max(page.shown, min(seq, state.seq))
            return []
        case m.Viewport(sheet=sheet, rect=rect, selection=selection) if sheet == page.sheet:
            page.looks_at, page.selection = rect, selection
            return []
        case m.Ask():
            return wondering.ask(state, page, event.message, event.at)
        case m.Story():
            return wondering.story(state, page, event.message)
        case m.Post():
            return _post(state, page, event.message, event.at)
        case m.ReadLetter(id=letter, epoch=epoch) if state.pages.holds_seat(page.link, epoch):
            return inbox.read(state, letter)
        case m.Govern() | m.Allow() | m.Newcomers() | m.Pause() | m.Pin() | m.Unpin() | m.Stop():
            return _govern(state, page, event.message, event.at)
        case _:
            return []


def _activate(state: State, page: Page, wanted: m.Activate) -> list[Effect]:
    """Turn this page; with the seat, turn the desk."""
    try:
        canvas, sheet = state.place(wanted.canvas, wanted.sheet, state.active)
    except Refused:
        return []
    page.turn(canvas.id, sheet.id)
    effects: list[Effect] = []
    if state.pages.seat == page.link and not canvas.archived:
        state.canvas, state.sheet = canvas.id, sheet.id
        effects.append(Persist(records=(state.active_record(),)))
    shelf = m.Canvases(canvases=told.canvases(state), canvas=canvas.id, sheet=sheet.id)
    return [*effects, TellPage(shelf, page.link), *snapshot(state, page)]


def _refuse_without_seat(state: State, page: Page, epoch: int) -> None:
    if not state.pages.holds_seat(page.link, epoch):
        raise Refused("replaced", "this page does not hold the seat")


def _decide(state: State, page: Page, decision: m.Decide, at: float) -> list[Effect]:
    try:
        _refuse_without_seat(state, page, decision.epoch)
        return decide(state, decision, page.link, at)
    except Refused as refusal:
        return [TellPage(told.refused_edit(decision.preview, refusal), page.link)]


def _govern(state: State, page: Page, gesture: governing.Gesture, at: float) -> list[Effect]:
    try:
        _refuse_without_seat(state, page, gesture.epoch)
        return governing.carry_out(state, gesture, at)
    except Refused as refusal:
        return [TellPage(told.refused_edit("", refusal), page.link)]


def _post(state: State, page: Page, post: m.Post, at: float) -> list[Effect]:
    try:
        _refuse_without_seat(state, page, post.epoch)
        return inbox.from_page(state, post, page.link, at)
    except Refused as refusal:
        return [TellPage(told.refused_edit(post.id, refusal), page.link)]


# -- edits ---------------------------------------------------------------------


def _edit(state: State, page: Page, edit: m.Edit, at: float) -> list[Effect]:
    """One edit by the person. The same id again has no second effect."""
    if page.held is not None:
        page.held.append(edit)
        return []
    known = state.timeline.by_key(scoped(PERSON, edit.id))
    if known is not None:
        return [_done(page, edit, known.result or {})]
    try:
        _refuse_without_seat(state, page, edit.epoch)
        match edit.op:
            case m.CallOp():
                return _call(state, page, edit, edit.op, at)
            case m.UndoOp():
                return _walk(state, page, edit, "undo", at)
            case m.RedoOp():
                return _walk(state, page, edit, "redo", at)
            case _:
                return _draw(state, page, edit, at)
    except Refused as refusal:
        return [TellPage(told.refused_edit(edit.id, refusal), page.link)]


def _done(page: Page, edit: m.Edit, result: dict[str, Any]) -> Effect:
    return TellPage(m.Done(id=edit.id, result=result), page.link)


def _draw(state: State, page: Page, edit: m.Edit, at: float) -> list[Effect]:
    """Cells, at once. An edit that was queued while offline carries its base, and meets the conflict rule."""
    canvas, sheet = state.place(None, edit.sheet, state.active)
    refuse_archived(canvas)
    if pasting.is_much(edit.op):
        land_later = partial(_land_pasted, state, page, edit)
        return pasting.elsewhere(state, page, edit, sheet, land_later, _edit)
    draft = Draft(sheet.scene)
    drawn = edits.PLANS[type(edit.op)](draft, edit.op)
    return _land(state, page, edit, drawn, draft.change(), at)


def _land_pasted(
    state: State, page: Page, edit: m.Edit, drawn: edits.Drawn, change: Change, at: float
) -> list[Effect]:
    """The seat may have gone to another page meanwhile, and the sheet may be gone."""
    try:
        _refuse_without_seat(state, page, edit.epoch)
        return _land(state, page, edit, drawn, change, at)
    except Refused as refusal:
        return [TellPage(told.refused_edit(edit.id, refusal), page.link)]


def _land(
    state: State, page: Page, edit: m.Edit, drawn: edits.Drawn, change: Change, at: float
) -> list[Effect]:
    canvas, sheet = state.place(None, edit.sheet, state.active)
    refuse_archived(canvas)
    if change.is_idle:
        return [_done(page, edit, drawn.fields())]
    refuse_over_the_edge(sheet, change)
    steps = (CellsChanged(sheet.id, change),)
    refuse_unread(state.contents, state.person(), steps, edit.base)
    typed = edit.op if isinstance(edit.op, m.TextOp) else None
    plan = Plan(
        steps=steps,
        author=PERSON,
        applied_by=PERSON,
        tool=drawn.tool,
        canvas=canvas.id,
        sheet=sheet.id,
        base=edit.base,
        call_key=scoped(PERSON, edit.id),
        fields=continued(state.typing, sheet, change.footprint(), typed.at, at) if typed else drawn.fields(),
        ack=(page.link, edit.id),
        typed_to=edits.end_of(sheet.scene, typed) if typed else None,
    )
    return list(land(state, plan, at).effects)


def _walk(state: State, page: Page, edit: m.Edit, direction: undoing.Direction, at: float) -> list[Effect]:
    """Ctrl+Z and Ctrl+Y: the newest commit that the person applied."""
    key, ack = scoped(PERSON, edit.id), (page.link, edit.id)
    ask = Ask(state.person(), "canvas_history", None, state.active, page.link, edit.id, key, "", at, ack)
    walked = undoing.walk(state, ask, direction)
    return [_done(page, edit, {})] if walked is None else walked[0]


def _call(state: State, page: Page, edit: m.Edit, op: m.CallOp, at: float) -> list[Effect]:
    owner = state.contents.canvas_of(edit.sheet)
    place = (owner.id if owner is not None else state.canvas, edit.sheet)
    request = calls.Request(op.tool, op.args, edit.id, place, page.link, edit.id, at)
    effects, reply = calls.carry_out(state, state.person(), request)
    if reply is None:
        return effects
    return [*effects, _done(page, edit, told.result(reply))]
