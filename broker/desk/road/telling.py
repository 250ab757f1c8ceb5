"""What pages are told of a commit, each about the sheet that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from chardesk.broker.desk.effects import Effect, TellPage
from chardesk.broker.desk.known.pages import Page
from chardesk.broker.desk.known.previews import Ended, Preview
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road import told
from chardesk.broker.desk.road.fitting import is_structural
from chardesk.broker.wire import messages as m
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.steps import CellsChanged

WHOLE_COLUMNS = 60_000
"""A commit with more columns than this reaches pages as a snapshot, since it may not fit one frame."""

Gone = Literal["applied", "superseded", "vetoed", "stale", "expired", "discarded", "revoked"]

_REASONS: dict[str, Gone] = {
    "vetoed": "vetoed",
    "stale_preview": "stale",
    "preview_expired": "expired",
    "not_found": "discarded",
    "revoked": "revoked",
}


def commit(
    state: State, landed: Commit, ack: tuple[str, str] | None, *, has_turned: bool
) -> Iterator[Effect]:
    """Cells to the pages that show them, the shelf to all if it changed, and the line of what happened.

    `ack` (a page's link and edit) is confirmed exactly once: by the last change that reaches that page, or by
    `done` when none does. A page whose sheet is gone turns to the active one; so does the page with the seat
    when another canvas became active (`has_turned`).
    """
    pages = list(state.pages.all.values())
    if not pages:
        return
    moved = [page for page in pages if _turn(state, page, has_turned)]
    stayed = [page for page in pages if page not in moved]
    yield from _acknowledged([tell for page in stayed for tell in _cells(page, state, landed)], ack, landed)
    if has_turned or any(map(is_structural, landed.steps)):
        yield from shelf(state)
    for page in moved:
        yield from snapshot(state, page)
    yield TellPage(told.activity(state, landed))


def shelf(state: State) -> Iterator[TellPage]:
    """The canvases, to every page with the sheet that it shows."""
    canvases = told.canvases(state)
    for page in state.pages.all.values():
        yield TellPage(m.Canvases(canvases=canvases, canvas=page.canvas, sheet=page.sheet), page.link)


def snapshot(state: State, page: Page) -> Iterable[Effect]:
    """All cells of the sheet that the page shows."""
    return told.snapshot(state.shown_place(page.sheet)[1], page.link, state.seq)


def everything_anew(state: State) -> Iterator[Effect]:
    """After cells were taken back: pages start from the truth."""
    for page in state.pages.all.values():
        _turn(state, page, has_turned=True)
        page.shown = 0
    yield from shelf(state)
    for page in state.pages.all.values():
        yield from snapshot(state, page)


def disk(state: State) -> list[Effect]:
    """Whether changes can be kept now, to whoever may be about to make some."""
    return [TellPage(told.disk(state), link) for link in state.pages.all]


def gone(ghost: Preview) -> TellPage:
    """A preview that has ended is no ghost any more."""
    return TellPage(m.PreviewGone(id=ghost.id, reason=_reason(ghost)))


def _reason(ghost: Preview) -> Gone:
    if not isinstance(ghost.state, Ended):
        return "applied"
    return "superseded" if ghost.state.for_other else _REASONS[ghost.state.code]


def _turn(state: State, page: Page, has_turned: bool) -> bool:
    """Turn a page to the active sheet if it must follow; was it turned?"""
    follows = has_turned and state.pages.seat == page.link
    if (not follows and state.contents.sheet(page.sheet) is not None) or page.sheet == state.sheet:
        return False
    page.turn(state.canvas, state.sheet)
    return True


def _cells(page: Page, state: State, landed: Commit) -> Iterator[TellPage]:
    for step in landed.steps:
        if not isinstance(step, CellsChanged) or step.sheet != page.sheet:
            continue
        if step.change.footprint().columns > WHOLE_COLUMNS:
            yield from told.snapshot(state.shown_place(page.sheet)[1], page.link, landed.seq)
        else:
            yield TellPage(told.change(state, landed, step), page.link)


def _acknowledged(cells: list[TellPage], ack: tuple[str, str] | None, landed: Commit) -> Iterator[TellPage]:
    link, edit = ack or (None, "")
    dropped = (landed.result or {}).get("dropped")
    changes = [tell for tell in cells if tell.link == link and isinstance(tell.message, m.Change)]
    for tell in cells:
        is_last = bool(changes) and tell is changes[-1]
        if is_last and isinstance(tell.message, m.Change):
            yield TellPage(tell.message.model_copy(update={"ack": edit, "dropped": _left_out(dropped)}), link)
        else:
            yield tell
    if link is not None and not changes:
        left_out = {"dropped": dropped} if dropped else {}
        yield TellPage(m.Done(id=edit, result={"operationId": landed.operation_id, **left_out}), link)


def _left_out(dropped: list[dict[str, Any]] | None) -> list[m.LeftOut] | None:
    return [m.LeftOut.model_validate(kind) for kind in dropped] if dropped else None
