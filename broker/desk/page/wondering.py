"""What any page may ask, with or without the seat: tools that only look, and the story of a cell."""

from __future__ import annotations

from itertools import islice

from chardesk.broker.desk.calls import calls
from chardesk.broker.desk.effects import Effect, TellPage
from chardesk.broker.desk.known.pages import Page
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road import told
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.steps import CellsChanged

STORY_LINES = 8
"""What a person reads of one cell before giving up."""

STORY_DEPTH = 2_000
"""Commits that are looked through for a cell's earlier lines: a few milliseconds."""


def ask(state: State, page: Page, question: m.Ask, at: float) -> list[Effect]:
    """The answer of a tool that only looks; any other is refused `permission_denied`."""
    place = (page.canvas, page.sheet)
    request = calls.Request(
        question.tool, question.args, None, place, page.link, question.id, at, may_only_look=True
    )
    try:
        effects, reply = calls.carry_out(state, state.person(), request)
    except Refused as refusal:
        return [TellPage(told.refused_edit(question.id, refusal), page.link)]
    if reply is None:
        return effects
    return [*effects, TellPage(m.Done(id=question.id, result=told.result(reply)), page.link)]


def story(state: State, page: Page, question: m.Story) -> list[Effect]:
    """The commits that touched a cell, newest first. Those whose steps only the journal has are left out."""
    x, y = question.at
    lines = islice(_touching(state, question.sheet, x, y), STORY_LINES)
    told_lines = [told.story_line(state, commit) for commit in lines]
    return [TellPage(m.CellStory(sheet=question.sheet, at=question.at, lines=told_lines), page.link)]


def _touching(state: State, sheet: str, x: int, y: int) -> list[Commit]:
    found = state.contents.sheet(sheet)
    latest = found.trace.latest(x, y) if found is not None else None
    if latest is None:
        return []
    newest = latest[1]
    recent = islice(reversed(state.timeline.headers.values()), STORY_DEPTH)
    return [
        commit
        for commit in recent
        if commit.seq == newest or (commit.seq < newest and _touches(state, commit, sheet, x, y))
    ]


def _touches(state: State, commit: Commit, sheet: str, x: int, y: int) -> bool:
    return any(
        run.y == y and run.x <= x < run.end
        for step in state.timeline.steps(commit.seq) or ()
        if isinstance(step, CellsChanged) and step.sheet == sheet
        for run in step.change.runs
    )
