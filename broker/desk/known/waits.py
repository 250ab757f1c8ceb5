"""Agents that wait for letters. A wait holds up nothing: the tenant's other calls go on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Why = Literal["messages", "timeout", "page_closed", "broker_restarting", "replaced"]

PAGE_CLOSED_S = 10.0
"""A page that is reloaded is back long before; after this nobody is there to answer."""

MAX_WAITS = 4
"""Of one tenant."""


@dataclass(frozen=True, slots=True)
class Wait:
    """`for_page`: a page was open when it began, so it ends when no page is."""

    tenant: str
    call: str
    author: str
    limit: int
    since: float
    until: float
    for_page: bool


@dataclass(slots=True)
class Waits:
    all: list[Wait] = field(default_factory=list)
    page_left_at: float | None = None
    """Since when no canvas page has been here; None while one is."""

    def of(self, tenant: str) -> list[Wait]:
        return [one for one in self.all if one.tenant == tenant]

    def find(self, tenant: str, call: str) -> Wait | None:
        return next((one for one in self.of(tenant) if one.call == call), None)

    def over(self, at: float) -> list[tuple[Wait, Why]]:
        """Those that time has ended, with the reason."""
        is_closed = self.page_left_at is not None and at >= self.page_left_at + PAGE_CLOSED_S
        timed: list[tuple[Wait, Why]] = [(one, "timeout") for one in self.all if one.until <= at]
        closed: list[tuple[Wait, Why]] = [
            (one, "page_closed") for one in self.all if one.for_page and is_closed and one.until > at
        ]
        return [*timed, *closed]

    def drop(self, tenant: str, call: str | None = None) -> None:
        """Nobody waits there any more: this call, or all of the tenant's."""
        self.all = [one for one in self.all if one.tenant != tenant or call not in (None, one.call)]
