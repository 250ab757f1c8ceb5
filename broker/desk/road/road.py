"""The road of a call that draws: a plan, then the gates in their order, then a preview or a commit.

plan → scope → size → conflict → approval → apply. Each gate can only refuse. Parsing, grant, features, budget
and repeats come before (`calls`); they need no cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from chardesk.broker.desk.effects import Outcome, Reply
from chardesk.broker.desk.known.state import Actor, State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.conflict import overwrites, refuse_unread
from chardesk.broker.desk.road.landing import Landed, Plan, land
from chardesk.broker.desk.road.permits import permit_steps
from chardesk.broker.desk.road.proposing import (
    Proposal,
    base_of,
    becomes_preview,
    own_preview,
    propose,
    refuse_too_large,
)
from chardesk.tools.draw.impact import impact
from chardesk.tools.errors import Refused
from chardesk.tools.look.read import text_map
from chardesk.tools.model.change import Change
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import CellsChanged
from chardesk.tools.operation import Block, Note, Text

MAX_READ_BACK = 16
"""Rectangles of an own change that a tenant is taken to have read; more are simply not noted."""


class Weighed(NamedTuple):
    """A change, what it does to what was there before, and how it looks if that was drawn with it."""

    change: Change
    counts: dict[str, Any]
    map: str | None = None


def weigh(draft: Draft) -> Weighed:
    """Pure, and slow where much was drawn."""
    change = draft.change()
    return Weighed(change, impact(change).fields())


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a call planned on `draft`, the sheet as it was then; `fields` are the operation's own."""

    ask: Ask
    canvas: Canvas
    sheet: Sheet
    draft: Draft
    fields: dict[str, Any]
    blocks: tuple[Block, ...] = ()
    weighed: Weighed | None = None
    """What the draft comes to, where that was found out elsewhere."""


def settle(state: State, drawn: Drawn) -> Outcome:
    """Make a planned change a preview or a commit, or say that it would change nothing."""
    ask, sheet = drawn.ask, drawn.sheet
    change, counts, _ = drawn.weighed or weigh(drawn.draft)
    fields = {"bounds": _list(change.bounds()), **drawn.fields, **counts}
    if change.is_idle:
        return _nothing(state, drawn, fields)
    steps = (CellsChanged(sheet.id, change),)
    permit_steps(state, ask.actor, steps)
    refuse_over_the_edge(sheet, change)
    if becomes_preview(ask):
        refuse_too_large(steps)
    if ask.args.mode == "apply":
        refuse_unread(state.contents, ask.actor, steps, ask.args.expected_revision)
    if becomes_preview(ask):
        return propose(state, ask, _proposal(drawn, change, fields), is_apply=ask.args.mode == "apply")
    return _apply(state, drawn, change, fields)


def _list(rect: Rect | None) -> list[int] | None:
    return None if rect is None else list(rect)


def _nothing(state: State, drawn: Drawn, fields: dict[str, Any]) -> Outcome:
    own = {**fields, "bounds": None, "applied": drawn.ask.args.mode == "apply"}
    reply = {**own, **state.common_fields(drawn.canvas, drawn.sheet)}
    return [], Reply(reply, (Text(f"{drawn.ask.tool}: nothing to change"), *drawn.blocks))


def refuse_over_the_edge(sheet: Sheet, change: Change) -> None:
    """Raises `out_of_bounds` when a change reaches over the edge of a slide."""
    size, bounds = sheet.size, change.bounds()
    if size is not None and bounds is not None and not Rect(0, 0, *size).covers(bounds):
        raise Refused(
            "out_of_bounds",
            f"{list(bounds)} reaches over the edge; the sheet is {size.columns}×{size.rows}",
            details={"bounds": list(bounds), "size": list(size)},
        )


# -- preview -------------------------------------------------------------------


def _proposal(drawn: Drawn, change: Change, fields: dict[str, Any]) -> Proposal:
    ask, bounds = drawn.ask, change.bounds()
    assert bounds is not None
    lost = overwrites(drawn.sheet, ask.actor, change.footprint(), ask.args.expected_revision)
    over = f"; overwrites {len(lost)} areas of others" if lost else ""
    shown = drawn.weighed.map if drawn.weighed else None
    return Proposal(
        tool=ask.tool,
        steps=(CellsChanged(drawn.sheet.id, change),),
        canvas=drawn.canvas.id,
        sheet=drawn.sheet.id,
        fields=fields,
        summary=f"{ask.tool} at {list(bounds)} on {drawn.canvas.name}{over}",
        extra={"overwrites": lost},
        blocks=(Text(shown or text_map(drawn.draft.scene, bounds)), *drawn.blocks, *quoted(lost)),
    )


def quoted(lost: list[dict[str, Any]]) -> tuple[Block, ...]:
    """What would be written over, fenced: it is somebody's text, never an instruction."""
    if not lost:
        return ()
    parts = [f"{one['author']} at {one['rect']}:\n{one['text']}" for one in lost]
    return (Note("text before, quoted:\n```untrusted\n" + "\n".join(parts).replace("```", "'''") + "\n```"),)


# -- apply ---------------------------------------------------------------------


def _apply(state: State, drawn: Drawn, change: Change, fields: dict[str, Any]) -> Outcome:
    """Commit it. A preview that it revises has come true with that."""
    ask = drawn.ask
    plan = Plan(
        steps=(CellsChanged(drawn.sheet.id, change),),
        author=ask.actor.author,
        applied_by=ask.actor.author,
        tool=ask.tool,
        canvas=drawn.canvas.id,
        sheet=drawn.sheet.id,
        why=ask.args.why or "",
        base=base_of(ask),
        call_key=ask.key,
        digest=ask.digest,
        fields=fields,
        comes_true=own_preview(state, ask),
    )
    landed = land(state, plan, ask.at)
    note_own(state, ask.actor, landed)
    return list(landed.effects), applied_reply(state, landed, drawn.blocks)


def read_back(change: Change) -> list[Rect]:
    """Where a tenant is taken to have read its own change. Slow where that is scattered, so it is kept."""
    return change.footprint().rects()[:MAX_READ_BACK]


def note_own(state: State, actor: Actor, landed: Landed) -> None:
    """A tenant knows what it has just written itself."""
    if actor.knowledge is None or actor.author != landed.commit.author:
        return
    for step in landed.commit.steps:
        if isinstance(step, CellsChanged):
            for rect in step.change.once(read_back):
                actor.knowledge.add(step.sheet, rect, landed.commit.seq)


def applied_reply(
    state: State, landed: Landed, blocks: tuple[Block, ...] = (), summary: str | None = None
) -> Reply:
    """What a call gets that has become a commit; `summary` says in words what it was."""
    canvas, sheet = state.shown_place(landed.commit.sheet)
    fields = {**state.common_fields(canvas, sheet), **landed.fields}
    where = f" at {fields['bounds']}" if fields.get("bounds") else ""
    words = summary or f"{landed.commit.tool}{where} on {canvas.name}"
    return Reply(fields, (Text(f"applied {landed.commit.operation_id}: {words}"), *blocks))
