"""What the command line is told of a running broker."""

from __future__ import annotations

from typing import Any

from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.tenants import Tenant
from chardesk.broker.desk.road import told


def tenants(state: State) -> list[dict[str, Any]]:
    """Who is connected, but for command lines, which come and go."""
    return [_tenant(one) for one in state.tenants.all.values() if one.is_here and one.door != "cli"]


def _tenant(one: Tenant) -> dict[str, Any]:
    return {
        "name": one.author,
        "door": one.door,
        "waiting": len(one.queue),
        "running": one.running is not None,
    }


def figures(state: State) -> dict[str, Any]:
    """How full the desk is."""
    return {
        "live": state.pages.is_live,
        "pages": len(state.pages.all),
        "tenants": tenants(state),
        "seq": state.seq,
        "canvases": len(state.contents.canvases),
        "previews": len(state.previews.live()),
        "letters": len(state.letters.all),
        "waits": len(state.waits.all),
        "jobs": len(state.jobs),
        "lateResults": state.late_results,
        "storeOk": state.is_store_ok,
        "paused": state.is_paused,
        "policyProblem": state.authors.policy.problem,
    }


def agents(state: State) -> list[dict[str, Any]]:
    """Every agent that was ever here: what it may do, whether it is here, what it is doing."""
    here = {one.author: one for one in state.tenants.all.values() if one.is_here}
    return [
        {
            "name": author.name,
            "grant": author.grant,
            "scope": [area.fields() for area in author.scope],
            "lacks": told.lacks(state, author.name),
            "revoked": author.is_revoked,
            "here": author.name in here,
            "waiting": len(here[author.name].queue) if author.name in here else 0,
            "letters": sum(state.letters.counts(author.name).values()),
        }
        for author in state.authors.known.values()
        if author.is_agent
    ]
