"""How tenants come, come back, and go."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from chardesk.broker.desk.effects import Disconnect, Effect, Persist, StopScript, Welcomed
from chardesk.broker.desk.events import Joined, Left
from chardesk.broker.desk.known.authors import free_name, slug
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.tenants import RESUME_S, Tenant, seal
from chardesk.broker.desk.people import inbox
from chardesk.broker.desk.road import told
from chardesk.broker.desk.rules.scope import resolved
from chardesk.broker.wire.codes import REPLACED, REVOKED, TRY_LATER
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import CLI

BROWSER_AGENT = "browser-agent"
READING_AGENT = "reading-agent"
"""The browser's agent on a reading page: it may only look, whatever its grant."""

_FIXED_NAMES = {"cli": CLI, "browser": BROWSER_AGENT, "reader": READING_AGENT}
"""Doors whose tenants do not choose their name."""


def join(state: State, event: Joined) -> list[Effect]:
    """Let a tenant in, or in again; turn it away when it is revoked or the desk is full.

    A token whose author's name another live agent has taken meanwhile resumes nothing: two agents must never
    act as one.
    """
    known = state.tenants.by_token(event.resume)
    try:
        if known is not None and (known.is_here or known.author not in state.tenants.live_names()):
            return _resume(state, known, event)
        return _join(state, event)
    except Refused as refusal:
        return [Disconnect(event.tenant, TRY_LATER, refusal.message)]


def _join(state: State, event: Joined) -> list[Effect]:
    name = _FIXED_NAMES.get(event.door) or free_name(slug(event.name), state.tenants.live_names())
    is_new = name not in state.authors.known
    author = state.authors.get(name)
    if is_new:
        author.scope = resolved(state.contents, author.scope)
    if author.is_revoked:
        return [Disconnect(event.tenant, REVOKED, "the person revoked this agent")]
    tenant = Tenant(event.tenant, seal(event.token), name, event.door)
    state.tenants.add(tenant)
    kept = [Persist(records=(author.record(), tenant.record()))] if event.door == "agent" else []
    return [*kept, Welcomed(tenant.id, name), told.presence(state)]


def _resume(state: State, known: Tenant, event: Joined) -> list[Effect]:
    """A newer connection takes the tenant over, with what it has read. What waited or ran is dropped: the
    relay sends again what was not answered, and a commit that landed answers it by its key."""
    if state.authors.get(known.author).is_revoked:
        return [Disconnect(event.tenant, REVOKED, "the person revoked this agent")]
    taken = replace(
        known,
        id=event.tenant,
        seal=seal(event.token),
        former=seal(event.resume or ""),
        is_here=True,
        running=None,
        queue=deque(),
    )
    state.tenants.replace(known, taken)
    waits = inbox.end_all(state, "replaced", event.at, known.id)
    released = told.sent(state.letters.release(known.author))
    older = [Disconnect(known.id, REPLACED, "a newer connection took over")] if known.is_here else []
    kept = Persist(records=(known.forgotten(), taken.record()))
    stopped = stop_jobs(state, known)
    return [*waits, *released, *older, *stopped, kept, Welcomed(taken.id, taken.author), told.presence(state)]


def leave(state: State, event: Left) -> list[Effect]:
    """The connection is gone: its queue too. An agent can be resumed for a while; others leave for good."""
    tenant = state.tenants.all.get(event.tenant)
    if tenant is None or tenant.seal != seal(event.token):
        return []
    stopped = stop_jobs(state, tenant)
    state.waits.drop(tenant.id)
    released = told.sent(state.letters.release(tenant.author))
    tenant.queue.clear()
    tenant.running = None
    tenant.is_here, tenant.lost_at = False, event.at
    if tenant.door != "agent":
        state.tenants.remove(tenant.id)
    return [*stopped, *released, told.presence(state)]


def stop_jobs(state: State, tenant: Tenant) -> list[Effect]:
    """Nobody waits any more for what runs for this tenant."""
    mine = [job for job, one in state.jobs.items() if one.tenant == tenant.id]
    for job in mine:
        del state.jobs[job]
    return [StopScript(job) for job in mine]


def keep_read(state: State) -> list[Effect]:
    """What agents have read, so that a restart of the broker does not make them read it again. Not with each
    read: what is forgotten only makes the check for conflicts stricter."""
    news = state.tenants.take_news() if state.is_store_ok else ()
    return [Persist(records=news)] if news else []


def forget_lost(state: State, at: float) -> list[Effect]:
    """Tenants that were lost too long ago can't be resumed."""
    gone = state.tenants.lost_before(at - RESUME_S)
    for tenant in gone:
        state.tenants.remove(tenant.id)
    return [Persist(records=tuple(tenant.forgotten() for tenant in gone))] if gone else []
