"""Pages: the one that holds the seat, and the ones that look on."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

from chardesk.broker.wire.messages import Edit

PageKind = Literal["canvas", "reader", "desk"]


HEIR_S = 3.0
"""How long a free seat waits for the page that left it: one that is reloaded is back before."""


@dataclass(slots=True)
class Page:
    """A live page. It is sent the changes of the sheet it shows; `shown` is the seq that it has painted.
    `looks_at` and `selection` are rectangles of that sheet, as far as the page has told."""

    link: str
    kind: PageKind
    canvas: str
    sheet: str
    shown: int = 0
    looks_at: tuple[int, int, int, int] | None = None
    selection: tuple[int, int, int, int] | None = None
    held: deque[Edit] | None = None
    """Edits that wait for a large paste before them; None when there is no such paste."""

    def turn(self, canvas: str, sheet: str) -> None:
        """Show another sheet, of which nothing is painted yet."""
        self.canvas, self.sheet, self.shown = canvas, sheet, 0
        self.looks_at = self.selection = None


@dataclass(slots=True)
class Pages:
    """`epoch` counts the takings of the seat; a command with an old one is refused."""

    all: dict[str, Page] = field(default_factory=dict)
    seat: str | None = None
    epoch: int = 0
    free_since: float = 0.0
    """When the seat became free, or was offered last."""

    def take_seat(self, link: str) -> str | None:
        """Give the seat to `link`; returns the page that had it before."""
        before, self.seat = self.seat, link
        self.epoch += 1
        return before if before != link else None

    def leave(self, link: str, at: float) -> None:
        self.all.pop(link, None)
        if self.seat == link:
            self.seat, self.free_since = None, at

    def heir(self, at: float) -> str | None:
        """The page that a seat is offered to that has been free for a while: the one that came last."""
        if self.seat is not None or at < self.free_since + HEIR_S:
            return None
        self.free_since = at
        return next((page.link for page in reversed(self.all.values()) if page.kind == "canvas"), None)

    def holds_seat(self, link: str, epoch: int) -> bool:
        return self.seat == link and self.epoch == epoch

    def shown_revision(self, sheet: str) -> int | None:
        """The seq that the seat's page has painted of this sheet; None when it shows another, or no page is
        open."""
        page = self.all.get(self.seat or "")
        return page.shown if page is not None and page.sheet == sheet else None

    @property
    def is_live(self) -> bool:
        return self.seat is not None
