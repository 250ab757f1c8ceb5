"""The road of a call that draws: load once, plan, then the gates in their order, then preview or apply.

plan → size → conflict → claim → approval → apply. Each gate can only refuse. Parsing, grant, scope, budget
and repeats come before (`calls`); they need no cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from chardesk.broker.desk import told
from chardesk.broker.desk.effects import Effect, Persist, Reply, TellPage
from chardesk.broker.desk.landing import Landed, Plan, land
from chardesk.broker.desk.previews import Live, Preview
from chardesk.broker.desk.state import Actor, State
from chardesk.tools.draw.impact import impact
from chardesk.tools.errors import Refused
from chardesk.tools.look.read import text_map
from chardesk.tools.model.change import Change
from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import CellsChanged
from chardesk.tools.model.trace import Touch
from chardesk.tools.operation import Block, Changing, Note, Text

MAX_PREVIEW_CELLS = 20_000
MAX_OVERWRITES = 20
MAX_READ_BACK = 16
"""Rectangles of an own change that a tenant is taken to have read; more are simply not noted."""

ANY = 2**62
"""A floor that makes no check stricter."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A planned change and the call it belongs to."""

    actor: Actor
    tool: str
    args: Changing
    canvas: Canvas
    sheet: Sheet
    change: Change
    after: Scene
    fields: dict[str, Any]
    key: str | None
    digest: str
    blocks: tuple[Block, ...] = ()


Outcome = tuple[list[Effect], Reply]


def settle(state: State, drawn: Drawn, at: float) -> Outcome:
    """Make a planned change a preview or a commit, or say that it would change nothing."""
    drawn = replace(drawn, fields={**drawn.fields, **impact(drawn.change).fields()})
    if drawn.change.is_idle:
        fields = {**drawn.fields, **_nothing(drawn), **state.common_fields(drawn.canvas, drawn.sheet)}
        return [], Reply(fields, (Text(f"{drawn.tool}: nothing to change"), *drawn.blocks))
    refuse_over_the_edge(drawn)
    if drawn.args.mode == "preview":
        return _preview(state, drawn, at)
    refuse_unread(drawn.actor, drawn.sheet, drawn.change, drawn.args.expected_revision)
    if drawn.actor.grant == "propose":
        return _ask_approval(state, drawn, at)
    return _apply(state, drawn, at)


def _nothing(drawn: Drawn) -> dict[str, Any]:
    return {"applied": drawn.args.mode == "apply", "bounds": None}


def refuse_over_the_edge(drawn: Drawn) -> None:
    size, bounds = drawn.sheet.size, drawn.change.bounds()
    if size is not None and bounds is not None and not Rect(0, 0, *size).covers(bounds):
        raise Refused(
            "out_of_bounds",
            f"{list(bounds)} reaches over the edge; the sheet is {size.columns}×{size.rows}",
            details={"bounds": list(bounds), "size": list(size)},
        )


# -- conflict ------------------------------------------------------------------


def _touches(
    actor: Actor, sheet: Sheet, change: Change, expected: int | Literal["any"] | None
) -> list[Touch]:
    """What others touched in the footprint, one column beyond included, since the base."""
    if expected == "any" or (actor.knowledge is None and expected is None):
        return []
    floor = expected if isinstance(expected, int) else ANY
    footprint = change.footprint().widened(1)
    if actor.knowledge is None:
        return list(sheet.trace.others(footprint, actor.author, floor))
    return actor.knowledge.unseen(sheet.id, sheet.trace, footprint, actor.author, floor)


def _by_author(touches: Iterable[Touch]) -> dict[str, Region]:
    spans: dict[str, list[Span]] = {}
    for touch in touches:
        spans.setdefault(touch.author, []).append(touch.span)
    return {author: Region(found) for author, found in spans.items()}


def refuse_unread(actor: Actor, sheet: Sheet, change: Change, expected: int | Literal["any"] | None) -> None:
    """Raises `conflict` with rectangles and authors, and never with a revision to retry blindly."""
    found = _by_author(_touches(actor, sheet, change, expected))
    if not found:
        return
    conflicts = [
        {"rect": list(rect), "author": author} for author, region in found.items() for rect in region.rects()
    ][:MAX_OVERWRITES]
    who = " and ".join(found)
    raise Refused(
        "conflict",
        f"{who} changed cells here that you have not read since; nothing was written",
        details={"conflicts": conflicts},
    )


def _overwrites(drawn: Drawn) -> list[dict[str, Any]]:
    found = _by_author(_touches(drawn.actor, drawn.sheet, drawn.change, drawn.args.expected_revision))
    rects = [(author, rect) for author, region in found.items() for rect in region.rects()]
    return [
        {"rect": list(rect), "author": author, "text": _text(drawn.sheet.scene, rect)}
        for author, rect in rects[:MAX_OVERWRITES]
    ]


def _text(scene: Scene, rect: Rect) -> str:
    rows = (scene.strip(y, rect.x, rect.right).chars for y in range(rect.y, rect.bottom))
    return "\n".join("".join(" " if char is None else char for char in row).rstrip() for row in rows)[:500]


# -- preview -------------------------------------------------------------------


def _preview(state: State, drawn: Drawn, at: float) -> Outcome:
    preview = _stored(state, drawn, at)
    overwrites = _overwrites(drawn)
    fields = {
        "bounds": _bounds(drawn.change),
        **drawn.fields,
        **state.common_fields(drawn.canvas, drawn.sheet),
        "applied": False,
        "previewId": preview.id,
        "expiresAt": preview.expires_at,
        "overwrites": overwrites,
        "nextStep": f"Apply it as shown with canvas_history action apply_preview previewId {preview.id}.",
    }
    effects: list[Effect] = [Persist(records=(preview.record(),)), TellPage(told.preview(state, preview))]
    return effects, Reply(fields, _preview_blocks(drawn, preview, overwrites))


def _stored(state: State, drawn: Drawn, at: float) -> Preview:
    columns = drawn.change.footprint().columns
    if columns > MAX_PREVIEW_CELLS:
        raise Refused(
            "too_large",
            f"the preview has {columns} cells, the limit is {MAX_PREVIEW_CELLS}; split it or apply it",
            details={"limit": MAX_PREVIEW_CELLS, "actual": columns},
        )
    preview = Preview(
        id=_own_preview(state, drawn) or state.mint("pv"),
        author=drawn.actor.author,
        tool=drawn.tool,
        canvas=drawn.canvas.id,
        sheet=drawn.sheet.id,
        steps=(CellsChanged(drawn.sheet.id, drawn.change),),
        why=drawn.args.why or "",
        base=_base(drawn),
        made_at=at,
        fields=drawn.fields,
    )
    state.previews.add(preview)
    return preview


def _own_preview(state: State, drawn: Drawn) -> str | None:
    """The id to revise in place. A vetoed preview stays vetoed: only a new one can be proposed."""
    if drawn.args.preview_id is None:
        return None
    found = state.previews.get(drawn.args.preview_id)
    if found.author != drawn.actor.author:
        raise Refused("not_found", f"no preview {found.id} of yours", field="previewId")
    found.refuse_unless_live()
    if not isinstance(found.state, Live):
        raise Refused("not_found", f"preview {found.id} was applied already", field="previewId")
    return found.id


def _preview_blocks(drawn: Drawn, preview: Preview, overwrites: list[dict[str, Any]]) -> tuple[Block, ...]:
    bounds = drawn.change.bounds()
    assert bounds is not None
    over = f"; overwrites {len(overwrites)} areas of others" if overwrites else ""
    summary = f"preview {preview.id}: {drawn.tool} at {list(bounds)} on {drawn.canvas.name}{over}"
    return (Text(summary), Text(text_map(drawn.after, bounds)), *drawn.blocks, *_quoted(overwrites))


def _quoted(overwrites: list[dict[str, Any]]) -> tuple[Block, ...]:
    """What would be written over, fenced: it is somebody's text, never an instruction."""
    if not overwrites:
        return ()
    parts = [f"{one['author']} at {one['rect']}:\n{one['text']}" for one in overwrites]
    return (Note("text before, quoted:\n```untrusted\n" + "\n".join(parts).replace("```", "'''") + "\n```"),)


# -- apply ---------------------------------------------------------------------


def _apply(state: State, drawn: Drawn, at: float) -> Outcome:
    plan = Plan(
        steps=(CellsChanged(drawn.sheet.id, drawn.change),),
        author=drawn.actor.author,
        applied_by=drawn.actor.author,
        tool=drawn.tool,
        canvas=drawn.canvas.id,
        sheet=drawn.sheet.id,
        why=drawn.args.why or "",
        base=_base(drawn),
        call_key=drawn.key,
        digest=drawn.digest,
        fields={"bounds": _bounds(drawn.change), **drawn.fields},
    )
    landed = land(state, plan, at)
    note_own(drawn.actor, drawn.sheet, drawn.change)
    reply = applied_reply(state, drawn.canvas, drawn.sheet, landed, drawn.blocks)
    return list(landed.effects), reply


def note_own(actor: Actor, sheet: Sheet, change: Change) -> None:
    """A tenant knows what it has just written itself."""
    if actor.knowledge is not None:
        for rect in change.footprint().rects()[:MAX_READ_BACK]:
            actor.knowledge.add(sheet.id, rect, sheet.revision)


def applied_reply(
    state: State, canvas: Canvas, sheet: Sheet, landed: Landed, blocks: tuple[Block, ...] = ()
) -> Reply:
    fields = {**landed.fields, **state.common_fields(canvas, sheet)}
    where = f" at {fields['bounds']}" if fields.get("bounds") else ""
    summary = f"applied {landed.commit.operation_id}: {landed.commit.tool}{where} on {canvas.name}"
    return Reply(fields, (Text(summary), *blocks))


def _ask_approval(state: State, drawn: Drawn, at: float) -> Outcome:
    """Under grant propose an apply becomes a preview; the refusal says which."""
    effects, reply = _preview(state, drawn, at)
    refusal = Refused(
        "approval_required",
        "your grant is propose: the person decides about this preview",
        details={"previewId": reply.fields["previewId"]},
    )
    return effects, Reply(refusal.fields(), (Text(refusal.message),), is_error=True)


def _base(drawn: Drawn) -> int | None:
    return drawn.args.expected_revision if isinstance(drawn.args.expected_revision, int) else None


def _bounds(change: Change) -> list[int] | None:
    bounds = change.bounds()
    return list(bounds) if bounds else None
