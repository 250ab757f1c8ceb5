"""The desk: events in, effects out. No socket, no clock, no disk, no await.

`receive` is the whole of it. A tenant's call is queued when it comes and served on its `Turn`, one tenant
after the other; the person's edits are carried out at once, before all queues.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, assert_never

from chardesk.broker.desk import events as e
from chardesk.broker.desk import page_talk, told
from chardesk.broker.desk.authors import free_name, slug
from chardesk.broker.desk.calls import Request, carry_out
from chardesk.broker.desk.deciding import expire
from chardesk.broker.desk.effects import (
    Answer,
    Disconnect,
    Effect,
    Persist,
    Reply,
    StopScript,
    TellPage,
    Welcomed,
)
from chardesk.broker.desk.landing import take_back
from chardesk.broker.desk.state import ScriptJob, State
from chardesk.broker.desk.tenants import RESUME_S, Tenant, Waiting
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.codes import REPLACED, REVOKED, TRY_LATER
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import CLI
from chardesk.tools.operation import Text

BROWSER_AGENT = "browser-agent"


class Desk:
    """Everything about who may do what, in which order, against which revision."""

    def __init__(self, state: State) -> None:
        self.state = state

    @property
    def has_turn(self) -> bool:
        """Is a call waiting that could be served now?"""
        return self.state.tenants.anyone_ready

    def receive(self, event: e.Event) -> list[Effect]:
        """The effects of one event, to be carried out in order."""
        match event:
            case e.Joined():
                return self._join(event)
            case e.Left():
                return self._leave(event)
            case e.Called():
                return self._called(event)
            case e.Cancelled():
                return self._cancel(event)
            case e.Turn(at):
                return self._turn(at)
            case e.PageJoined():
                return page_talk.join(self.state, event)
            case e.PageLeft(link):
                self.state.pages.leave(link)
                return []
            case e.PageSaid():
                return page_talk.said(self.state, event)
            case e.Ran(job, run, at):
                return self._resume(job, run, at)
            case e.Fetched(job, commit, at):
                return self._resume(job, commit, at)
            case e.Durable(seq):
                self.state.undurable = [one for one in self.state.undurable if one.commit.seq > seq]
                return []
            case e.StoreRefused():
                return take_back(self.state)
            case e.StoreHealed():
                self.state.is_store_ok = True
                return []
            case e.Ticked(at):
                return self._tick(at)
            case _:
                assert_never(event)

    # -- tenants ---------------------------------------------------------------

    def _join(self, event: e.Joined) -> list[Effect]:
        known = self.state.tenants.by_token(event.resume)
        if known is not None:
            return self._resume_tenant(known, event)
        name = {"cli": CLI, "browser": BROWSER_AGENT}.get(event.door) or free_name(
            slug(event.name), self.state.tenants.live_names()
        )
        author = self.state.authors.get(name)
        if author.is_revoked:
            return [Disconnect(event.tenant, REVOKED, "the person revoked this agent")]
        try:
            self.state.tenants.add(Tenant(event.tenant, event.token, name, event.door))
        except Refused as refusal:
            return [Disconnect(event.tenant, TRY_LATER, refusal.message)]
        records = (author.record(),) if event.door == "agent" else ()
        return [Persist(records=records), Welcomed(event.tenant, name), told.presence(self.state)]

    def _resume_tenant(self, known: Tenant, event: e.Joined) -> list[Effect]:
        """A newer connection takes the tenant over, with its queue and what it has read."""
        older = [Disconnect(known.id, REPLACED, "a newer connection took over")] if known.is_here else []
        self.state.tenants.remove(known.id)
        taken = replace(known, id=event.tenant, token=event.token, is_here=True, running=None)
        taken.queue.clear()
        self.state.tenants.add(taken)
        return [*older, Welcomed(taken.id, taken.author), told.presence(self.state)]

    def _leave(self, event: e.Left) -> list[Effect]:
        tenant = self.state.tenants.all.get(event.tenant)
        if tenant is None or tenant.token != event.token:
            return []
        tenant.queue.clear()
        stopped: list[Effect] = [
            StopScript(job) for job, one in list(self.state.jobs.items()) if one.tenant == tenant.id
        ]
        tenant.running = None
        tenant.is_here, tenant.lost_at = False, event.at
        if tenant.door != "agent":
            self.state.tenants.remove(tenant.id)
        return [*stopped, told.presence(self.state)]

    # -- calls -----------------------------------------------------------------

    def _called(self, event: e.Called) -> list[Effect]:
        tenant = self.state.tenants.all.get(event.tenant)
        if tenant is None:
            return []
        try:
            self.state.tenants.enqueue(tenant, Waiting(event, self.state.canvas, self.state.sheet))
        except Refused as refusal:
            return [Answer(tenant.id, event.call, refused(refusal), 0)]
        return []

    def _cancel(self, event: e.Cancelled) -> list[Effect]:
        """Withdraw a waiting call; stop a running script. What was done already stays done."""
        tenant = self.state.tenants.all.get(event.tenant)
        if tenant is None:
            return []
        for waiting in list(tenant.queue):
            if waiting.called.call == event.call:
                tenant.queue.remove(waiting)
        return [
            StopScript(job)
            for job, one in self.state.jobs.items()
            if (one.tenant, one.call) == (event.tenant, event.call)
        ]

    def _turn(self, at: float) -> list[Effect]:
        tenant = self.state.tenants.next()
        if tenant is None:
            return []
        waiting = tenant.queue.popleft()
        tenant.running = waiting
        called = waiting.called
        request = Request(
            called.tool, called.arguments, called.key, (waiting.canvas, waiting.sheet), tenant.id, called.call
        )
        try:
            effects, reply = carry_out(self.state, self.state.actor(tenant), request, at)
        except Refused as refusal:
            effects, reply = [], refused(refusal)
        if reply is None:
            return [*effects, told.presence(self.state)]
        tenant.running = None
        after = self.state.seq if reply.shows is None else reply.shows
        return [*effects, Answer(tenant.id, called.call, reply, after)]

    def _resume(self, job_id: str, outcome: Any, at: float) -> list[Effect]:
        """A job came back: its call goes on where it waited. Nobody waiting any more: nothing happens."""
        job = self.state.jobs.pop(job_id, None)
        if job is None:
            return []
        page = self.state.pages.all.get(job.tenant)
        tenant = self.state.tenants.all.get(job.tenant)
        if page is None and (
            tenant is None or tenant.running is None or tenant.running.called.call != job.call
        ):
            return []
        try:
            effects, reply = job.resume(outcome, at)
        except Refused as refusal:
            effects, reply = [], refused(refusal)
        if page is not None:
            return [*effects, TellPage(_done(job, reply), page.link)]
        assert tenant is not None
        tenant.running = None
        return [*effects, Answer(tenant.id, job.call, reply, self.state.seq), told.presence(self.state)]

    # -- time ------------------------------------------------------------------

    def _tick(self, at: float) -> list[Effect]:
        effects: list[Effect] = []
        for ghost in self.state.previews.live():
            effects += expire(ghost, at)
        for tenant in list(self.state.tenants.all.values()):
            if not tenant.is_here and at - tenant.lost_at > RESUME_S:
                self.state.tenants.remove(tenant.id)
        return effects


def refused(refusal: Refused) -> Reply:
    """A refusal as a reply: the reason and the next step to read, the fields to act on."""
    return Reply(
        refusal.fields(), (Text(f"{refusal.code}: {refusal.message}\nNext: {refusal.entry.next_step}"),), True
    )


def _done(job: ScriptJob, reply: Reply) -> m.Message:
    if reply.is_error:
        return m.RefusedEdit(
            id=job.call,
            code=reply.fields["code"],
            message=reply.fields["message"],
            next_step=reply.fields["nextStep"],
            details=reply.fields.get("details", {}),
        )
    return m.Done(id=job.call, result=reply.fields)
