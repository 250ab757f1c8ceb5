"""The budget's gate, before the queue; and what a call has cost once that is known."""

from __future__ import annotations

from collections.abc import Mapping

from chardesk.broker.desk.events import Called, Ran
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.tenants import Tenant
from chardesk.broker.desk.rules.policy import Metered
from chardesk.tools.registry import OPERATIONS

_COSTS: Mapping[str, tuple[Metered, ...]] = {
    one.name: ("calls", "script_seconds", "cells")
    if one.name == "canvas_code"
    else ("calls", "cells")
    if one.effect == "change"
    else ("calls",)
    for one in OPERATIONS
}
"""What a tool may use up. Looking goes on when only cells or scripts are used up."""


def admit(state: State, tenant: Tenant, called: Called) -> None:
    """Counts the call. Raises `budget_exceeded` at once, and then it is not counted."""
    author, limits = state.authors.get(tenant.author), state.authors.policy.limits
    if not author.is_agent:
        return
    for what in _COSTS.get(called.tool, ("calls",)):
        state.budget.refuse_over(author.name, what, limits, called.at)
    state.budget.spend(author.name, "calls", 1, limits, called.at)


def script_began(state: State, job: str, author: str, at: float) -> None:
    state.scripts[job] = (author, at)


def script_ended(state: State, event: Ran) -> None:
    """It costs what it ran, also when nobody waits for it any more: withdrawing calls is no way around."""
    begun = state.scripts.pop(event.job, None)
    if begun is None:
        return
    author, since = begun
    limits = state.authors.policy.limits
    state.budget.spend(author, "script_seconds", _ran_s(event, since), limits, event.at)


def _ran_s(event: Ran, since: float) -> float:
    """As its sandbox measured it; one that was stopped is counted from when it was sent off."""
    refusal = event.run.refusal
    measured = event.run.duration_ms if refusal is None else refusal.details.get("durationMs")
    return measured / 1000 if isinstance(measured, int | float) else event.at - since
