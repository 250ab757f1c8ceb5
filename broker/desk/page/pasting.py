"""A large paste: it is read on another thread, and what the page does meanwhile waits for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from chardesk.broker.desk.effects import Effect, Later, TellPage, Work
from chardesk.broker.desk.known.pages import Page
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.page import edits
from chardesk.broker.desk.road.elsewhere import prepare
from chardesk.broker.desk.road.told import refused_edit
from chardesk.broker.desk.world import lay
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.model.change import Change
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.operation import QUICK_CHARS

Go = Callable[[State, Page, m.Edit, float], list[Effect]]
"""Carries out an edit that waited."""

Land = Callable[[edits.Drawn, Change, float], list[Effect]]
"""Makes what was planned a commit, or tells the page why not."""


def is_much(op: m.EditOp) -> bool:
    """Would reading it hold up everybody else?"""
    return isinstance(op, m.PasteOp) and len(op.material) > QUICK_CHARS


def elsewhere(state: State, page: Page, edit: m.Edit, sheet: Sheet, land: Land, go: Go) -> list[Effect]:
    """Plan a paste on a fork of the sheet as it is now. `land` gets the change, for the sheet as it is then;
    the page's edits that came in between follow through `go`.

    The job has seen no commit that could be lost: a disk that refuses meets it in `land`.
    """
    assert isinstance(edit.op, m.PasteOp)
    page.held = deque()
    planned_at = sheet.revision

    def resume(planned: Any, at: float) -> Later:
        """`planned`: what was drawn and the change, or a refusal that stands for a fault of ours."""
        if isinstance(planned, Refused):
            told_so: list[Effect] = [TellPage(refused_edit(edit.id, planned), page.link)]
            return [*told_so, *_follow(state, page, go, at)], None
        drawn, change = planned
        change = change if sheet.revision == planned_at else _again(sheet.scene, change)
        return [*land(drawn, change, at), *_follow(state, page, go, at)], None

    job = state.mint("jb")
    state.jobs[job] = Job(page.link, edit.id, 0, resume)
    is_watched = bool(state.pages.all)
    return [Work(job, partial(_plan, sheet.scene.fork(), edit.op, is_watched))]


def _plan(scene: Scene, op: m.PasteOp, is_watched: bool) -> tuple[edits.Drawn, Change]:
    draft = Draft(scene)
    drawn = edits.paste(draft, op)
    change = draft.change()
    prepare(change, is_watched)
    return drawn, change


def _again(scene: Scene, change: Change) -> Change:
    """The same cells on a sheet that others have changed meanwhile."""
    draft = Draft(scene)
    lay(draft, change)
    return draft.change()


def _follow(state: State, page: Page, go: Go, at: float) -> list[Effect]:
    """Until one of them is itself a large paste: the rest waits on."""
    waiting, page.held = page.held or deque(), None
    effects: list[Effect] = []
    while waiting:
        if page.held is not None:
            page.held.extend(waiting)
            break
        effects += go(state, page, waiting.popleft(), at)
    return effects
