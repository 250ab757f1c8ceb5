"""The person governs: what each agent may do and how long, whether all hold still, where they are pointed.

Only a gesture on the page that holds the seat comes here (`page_talk` sees to it). Everything that is decided
is kept, and told to every page.
"""

from __future__ import annotations

from typing import assert_never

from chardesk.broker.desk.effects import Answer, Disconnect, Effect, Persist, TellPage, refused
from chardesk.broker.desk.known.authors import Author, Leave
from chardesk.broker.desk.known.pins import MAX_PINS, Pin
from chardesk.broker.desk.known.places import placed
from chardesk.broker.desk.known.previews import Ended
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.tenants import Tenant
from chardesk.broker.desk.people import joining
from chardesk.broker.desk.road import told
from chardesk.broker.desk.road.deciding import end
from chardesk.broker.desk.rules.policy import Policy
from chardesk.broker.desk.rules.scope import Area
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.codes import REVOKED
from chardesk.tools.errors import Refused
from chardesk.tools.model.region import Rect

Gesture = m.Govern | m.Allow | m.Newcomers | m.Pause | m.Pin | m.Unpin | m.Stop


def carry_out(state: State, gesture: Gesture, at: float) -> list[Effect]:
    """One gesture. Raises Refused `not_found` for an agent, sheet, pin or run that is not there."""
    match gesture:
        case m.Govern():
            effects = _govern(state, gesture, at)
        case m.Allow():
            effects = [_allow(state, gesture)]
        case m.Newcomers(grant=grant):
            state.authors.newcomers = grant
            effects = [Persist(records=(state.newcomers_record(),))]
        case m.Pause(is_paused=is_paused):
            state.is_paused = is_paused
            effects = [Persist(records=(state.paused_record(),))]
        case m.Pin():
            effects = [_pin(state, gesture)]
        case m.Unpin(id=pin):
            effects = [_unpin(state, pin)]
        case m.Stop(tenant=tenant):
            effects = _stop(state, tenant)
        case _:
            assert_never(gesture)
    return [*effects, TellPage(told.governed(state))]


def follow(state: State, policy: Policy) -> list[Effect]:
    """The operator's file says something else now; it counts for every call from here on."""
    state.authors.policy = policy
    return [TellPage(told.governed(state))]


# -- one agent -----------------------------------------------------------------


def end_leaves(state: State, at: float) -> list[Effect]:
    """What was allowed for a while is over; pages see the standing grant again."""
    over = [one for one in state.authors.known.values() if one.leave and one.leave.until <= at]
    for author in over:
        author.leave = None
    records = tuple(author.record() for author in over)
    return [Persist(records=records), told.presence(state), TellPage(told.governed(state))] if over else []


def _govern(state: State, wanted: m.Govern, at: float) -> list[Effect]:
    author = _agent(state, wanted.author)
    if wanted.scope is not None:
        author.scope = tuple(_area(state, area) for area in wanted.scope)
    if wanted.grant is not None:
        author.grant, author.leave = wanted.grant, None
    if wanted.apply_minutes is not None:
        author.leave = Leave(at, at + wanted.apply_minutes * 60)
    was_revoked = author.is_revoked
    if wanted.is_revoked is not None:
        author.is_revoked = wanted.is_revoked
    kept: Effect = Persist(records=(author.record(),))
    ends = _revoke(state, author) if author.is_revoked and not was_revoked else []
    return [kept, *ends, told.presence(state)]


def _allow(state: State, wanted: m.Allow) -> Effect:
    author = _agent(state, wanted.author)
    author.features[wanted.feature] = wanted.is_allowed
    return Persist(records=(author.record(),))


def _agent(state: State, name: str) -> Author:
    author = state.authors.known.get(name)
    if author is None or not author.is_agent:
        raise Refused("not_found", f"no agent was ever called {name}", field="author")
    return author


def _area(state: State, wanted: m.Area) -> Area:
    """Raises `page_not_found`, `canvas_not_found`, and `invalid_input` for a rectangle that is none."""
    canvas = placed(state.contents, wanted.canvas, wanted.sheet, state.active)[0]
    if wanted.rect is None:
        return Area(canvas.id, wanted.sheet)
    rect = Rect(*wanted.rect)
    if wanted.sheet is None or rect.width <= 0 or rect.height <= 0:
        raise Refused("invalid_input", "a rectangle lies on a sheet and has a size", field="scope")
    return Area(canvas.id, wanted.sheet, rect)


def _revoke(state: State, author: Author) -> list[Effect]:
    """Its links close, what waits is dropped unapplied, its ghosts go. Other tenants notice nothing."""
    theirs = [tenant for tenant in state.tenants.all.values() if tenant.author == author.name]
    ghosts = [preview for preview in state.previews.live() if preview.author == author.name]
    closed = [effect for tenant in theirs for effect in _dismiss(state, tenant)]
    return [*closed, *(effect for ghost in ghosts for effect in end(ghost, Ended("revoked")))]


def _dismiss(state: State, tenant: Tenant) -> list[Effect]:
    stopped = joining.stop_jobs(state, tenant)
    state.waits.drop(tenant.id)
    tenant.queue.clear()
    tenant.running = None
    state.tenants.remove(tenant.id)
    closed = [Disconnect(tenant.id, REVOKED, "the person revoked this agent")] if tenant.is_here else []
    return [*stopped, *closed, Persist(records=(tenant.forgotten(),))]


def _stop(state: State, tenant_id: str) -> list[Effect]:
    """End a script of an agent. Its call is answered at once; the next one in its queue has its turn."""
    tenant = state.tenants.all.get(tenant_id)
    stopped = joining.stop_jobs(state, tenant) if tenant is not None and tenant.running is not None else []
    if tenant is None or tenant.running is None or not stopped:
        raise Refused("not_found", "nothing runs for this agent that could be stopped", field="tenant")
    call, tenant.running = tenant.running.called.call, None
    reply = refused(Refused("cancelled", "the person stopped it; nothing was changed"))
    return [*stopped, Answer(tenant.id, call, reply, 0), told.presence(state)]


# -- pins ----------------------------------------------------------------------


def _pin(state: State, wanted: m.Pin) -> Effect:
    canvas = state.contents.canvas_of(wanted.sheet)
    if canvas is None:
        raise Refused("page_not_found", f"no sheet {wanted.sheet[:40]}", field="sheet")
    if len(state.pins) >= MAX_PINS:
        raise Refused(
            "too_large",
            f"there are {MAX_PINS} pins, which is the limit; remove one first",
            details={"limit": MAX_PINS, "actual": len(state.pins) + 1},
        )
    pin = Pin(state.mint("pn"), canvas.id, wanted.sheet, Rect(*wanted.rect), wanted.note)
    state.pins[pin.id] = pin
    return Persist(records=(pin.record(),))


def _unpin(state: State, pin_id: str) -> Effect:
    pin = state.pins.pop(pin_id, None)
    if pin is None:
        raise Refused("not_found", f"no pin {pin_id[:40]}", field="id")
    return Persist(records=(pin.forgotten(),))
