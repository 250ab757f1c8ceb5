"""The desk: events in, effects out. No socket, no clock, no disk, no await.

`receive` is the whole of it. A tenant's call is queued when it comes and served on its `Turn`, one tenant
after the other; the person's edits are carried out at once, before all queues.
"""

from __future__ import annotations

from typing import Any, assert_never

from chardesk.broker.desk import events as e
from chardesk.broker.desk.calls.calls import Request, carry_out
from chardesk.broker.desk.calls.sources import File
from chardesk.broker.desk.calls.working import patience
from chardesk.broker.desk.effects import Alarm, Answer, Effect, Later, Outcome, Reply, TellPage
from chardesk.broker.desk.effects import refused as refused
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.known.tenants import Tenant, Waiting
from chardesk.broker.desk.page import talk as page_talk
from chardesk.broker.desk.people import governing, inbox, joining, spending
from chardesk.broker.desk.people.news import with_news
from chardesk.broker.desk.road import retreat, told
from chardesk.broker.desk.road.deciding import expire
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused


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
        return with_news(self.state, self._receive(event), getattr(event, "at", 0.0))

    def _receive(self, event: e.Event) -> list[Effect]:
        match event:
            case e.Joined():
                return joining.join(self.state, event)
            case e.Left():
                return joining.leave(self.state, event)
            case e.Called():
                return self._called(event)
            case e.Cancelled():
                return self._cancel(event)
            case e.Turn(at):
                return self._turn(at)
            case e.PageJoined():
                return [*page_talk.join(self.state, event), *self._note_pages(event.at)]
            case e.PageLeft(link, at):
                self.state.pages.leave(link, at)
                return self._note_pages(at)
            case e.PageSaid():
                return page_talk.said(self.state, event)
            case e.Ran(job, run, at):
                spending.script_ended(self.state, event)
                return self._resume(job, run, at)
            case e.Worked(job, outcome, at):
                return self._resume(job, outcome, at)
            case e.Fetched(job, commit, at):
                return self._resume(job, commit, at)
            case e.Recalled(job, found, at):
                return self._resume(job, found, at)
            case e.SourceRead():
                return self._source_read(event)
            case e.Durable(seq):
                self.state.undurable = [one for one in self.state.undurable if one.taken.commit.seq > seq]
                return []
            case e.StoreRefused():
                return retreat.take_back(self.state)
            case e.StoreHealed():
                return retreat.heal(self.state)
            case e.Stopping(at):
                ended = inbox.end_all(self.state, "broker_restarting", at)
                return [*ended, *joining.keep_read(self.state)]
            case e.PolicyRead(policy):
                return governing.follow(self.state, policy)
            case e.Ticked(at):
                return self._ticked(at)
            case _:
                assert_never(event)

    # -- calls -----------------------------------------------------------------

    def _called(self, event: e.Called) -> list[Effect]:
        """Queue it, with the place that is active now. Pages see queues that form behind a running call."""
        tenant = self.state.tenants.all.get(event.tenant)
        if tenant is None:
            return []
        try:
            spending.admit(self.state, tenant, event)
            self.state.tenants.enqueue(tenant, Waiting(event, self.state.active))
        except Refused as refusal:
            reply = inbox.noted(self.state, tenant.author, refused(refusal))
            return [Answer(tenant.id, event.call, reply, 0)]
        return [told.presence(self.state)] if tenant.running is not None else []

    def _cancel(self, event: e.Cancelled) -> list[Effect]:
        """Withdraw a waiting call; nobody waits for what a running one gives. What was done stays done."""
        tenant = self.state.tenants.all.get(event.tenant)
        if tenant is None:
            return []
        for waiting in list(tenant.queue):
            if waiting.called.call == event.call:
                tenant.queue.remove(waiting)
        self.state.waits.drop(tenant.id, event.call)
        if not tenant.runs(event.call):
            return []
        tenant.running = None
        return [*joining.stop_jobs(self.state, tenant), told.presence(self.state)]

    def _ticked(self, at: float) -> list[Effect]:
        overdue = [one for one in self.state.tenants.all.values() if one.running and one.until <= at]
        return [
            *(effect for tenant in overdue for effect in self._time_out(tenant)),
            *expire(self.state, at),
            *inbox.tick(self.state, at),
            *joining.forget_lost(self.state, at),
            *joining.keep_read(self.state),
            *governing.end_leaves(self.state, at),
            *page_talk.offer_seat(self.state, at),
        ]

    def _time_out(self, tenant: Tenant) -> list[Effect]:
        """What runs elsewhere for a call has no effect any more: it would only have been planned there."""
        assert tenant.running is not None
        late = Refused("timeout", "the call took too long; nothing was changed")
        call = tenant.running.called.call
        stopped = joining.stop_jobs(self.state, tenant)
        return [*stopped, *self._answered(tenant, call, ([], refused(late))), told.presence(self.state)]

    def _turn(self, at: float) -> list[Effect]:
        tenant = self.state.tenants.next()
        if tenant is None:
            return []
        tenant.running = tenant.queue.popleft()
        called, place = tenant.running.called, tenant.running.place
        tenant.until = at + patience(called.tool, called.arguments)
        request = Request(called.tool, called.arguments, called.key, place, tenant.id, called.call, at)
        try:
            outcome = carry_out(self.state, self.state.actor(tenant, at), request)
        except Refused as refusal:
            outcome = [], refused(refusal)
        return self._answered(tenant, called.call, outcome)

    def _answered(self, tenant: Tenant, call: str, outcome: Outcome | Later) -> list[Effect]:
        """The call is over, or goes on elsewhere; then only this tenant's queue waits for it."""
        effects, reply = outcome
        if reply is None and (wait := self.state.waits.find(tenant.id, call)) is not None:
            tenant.running = None
            return [*effects, Alarm(wait.until - wait.since)]
        if reply is None:
            return [*effects, told.presence(self.state)]
        tenant.running = None
        reply = inbox.noted(self.state, tenant.author, reply)
        after = self.state.seq if reply.shows is None else reply.shows
        return [*effects, Answer(tenant.id, call, reply, after)]

    def _note_pages(self, at: float) -> list[Effect]:
        """Waits end some time after the page is gone, unless it comes back."""
        if self.state.pages.is_live:
            self.state.waits.page_left_at = None
        elif self.state.waits.page_left_at is None:
            self.state.waits.page_left_at = at
        return []

    def _source_read(self, event: e.SourceRead) -> list[Effect]:
        """A file for a call of this very tenant; anything else it says of jobs is not heard."""
        job = self.state.jobs.get(event.job)
        if job is None or job.tenant != event.tenant:
            return []
        return self._resume(event.job, File(event.text, event.error, event.code), event.at)

    # -- jobs ------------------------------------------------------------------

    def _resume(self, name: str, outcome: Any, at: float) -> list[Effect]:
        """A job came back: its call goes on where it waited. Nobody waiting any more: nothing happens."""
        job = self.state.jobs.pop(name, None)
        if job is None:
            self.state.late_results += 1
            return []
        if job.tenant in self.state.pages.all:
            return _told(job, _resumed(job, outcome, at))
        tenant = self.state.tenants.all.get(job.tenant)
        if tenant is None or not tenant.runs(job.call):
            return []
        return [*self._answered(tenant, job.call, _resumed(job, outcome, at)), told.presence(self.state)]


def _resumed(job: Job, outcome: Any, at: float) -> Outcome | Later:
    try:
        return job.resume(outcome, at)
    except Refused as refusal:
        return [], refused(refusal)


def _told(job: Job, outcome: Outcome | Later) -> list[Effect]:
    """How a page learns what became of a call of its own."""
    effects, reply = outcome
    return effects if reply is None else [*effects, TellPage(_done(job.call, reply), job.tenant)]


def _done(call: str, reply: Reply) -> m.Message:
    if not reply.is_error:
        return m.Done(id=call, result=told.result(reply))
    return m.RefusedEdit(
        id=call,
        code=reply.fields["code"],
        message=reply.fields["message"],
        next_step=reply.fields["nextStep"],
        details=reply.fields.get("details", {}),
    )
