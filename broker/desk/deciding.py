"""What becomes of previews: applied by their agent or the person, discarded, dismissed, expired."""

from __future__ import annotations

from chardesk.broker.desk import arranging
from chardesk.broker.desk.effects import Effect, Persist, Reply, TellPage
from chardesk.broker.desk.landing import Landed, Plan, end_preview, land
from chardesk.broker.desk.previews import Applied, Ended, Live, Preview
from chardesk.broker.desk.road import Outcome, applied_reply, note_own, refuse_unread
from chardesk.broker.desk.state import Actor, State
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import CellsChanged, SheetAdded, Step
from chardesk.tools.operation import Text


def apply_preview(
    state: State, actor: Actor, preview_id: str, key: str | None, digest: str, at: float
) -> Outcome:
    """Commit a preview exactly as it was shown. A second apply gets the first result."""
    preview = state.previews.get(preview_id)
    if not actor.is_person and preview.author != actor.author:
        raise Refused("not_found", f"no preview {preview_id[:40]} of yours", field="previewId")
    if isinstance(preview.state, Applied):
        return [], Reply(
            {**preview.state.result, "repeated": True}, (Text(f"{preview_id} was applied already"),)
        )
    preview.refuse_unless_live()
    if at >= preview.expires_at:
        raise Refused("preview_expired", f"preview {preview.id} is older than ten minutes")
    if actor.grant == "propose":
        raise Refused("approval_required", "your grant is propose: the person decides about this preview")
    for step in preview.steps:
        _refuse_if_changed(state, actor, step)
    landed = land(state, _preview_plan(actor, preview, key, digest), at)
    moved = arranging.settle_active(state, None)
    reply = _preview_reply(state, actor, preview, landed)
    preview.state = Applied(reply.fields)
    gone: list[Effect] = [
        Persist(records=(preview.record(),)),
        TellPage(m.PreviewGone(id=preview.id, reason="applied")),
    ]
    return [*landed.effects, *moved, *gone], reply


def _preview_plan(actor: Actor, preview: Preview, key: str | None, digest: str) -> Plan:
    return Plan(
        steps=preview.steps,
        author=preview.author,
        applied_by=actor.author,
        tool=preview.tool,
        canvas=preview.canvas,
        sheet=preview.sheet,
        why=preview.why,
        base=preview.base,
        call_key=key,
        digest=digest,
        fields={**preview.fields, "previewId": preview.id},
    )


def _preview_reply(state: State, actor: Actor, preview: Preview, landed: Landed) -> Reply:
    canvas, sheet = state.place(None, None, (state.canvas, state.sheet))
    if (touched := state.contents.sheet(preview.sheet)) is not None:
        sheet, canvas = touched, state.contents.canvas_of(touched.id) or canvas
        for step in preview.steps:
            if isinstance(step, CellsChanged) and actor.author == preview.author:
                note_own(actor, sheet, step.change)
    return applied_reply(state, canvas, sheet, landed)


def _refuse_if_changed(state: State, actor: Actor, step: Step) -> None:
    """What was shown must still be what would happen, and an agent must have read what it writes over."""
    sheet_id = getattr(step, "sheet", None)
    sheet = state.contents.sheet(sheet_id) if sheet_id is not None else None
    if sheet_id is not None and not isinstance(step, SheetAdded) and sheet is None:
        raise Refused("stale_preview", "the sheet of this preview is gone")
    if isinstance(step, CellsChanged) and sheet is not None:
        if not sheet.scene.fits(step.change):
            raise Refused("stale_preview", "cells under the preview were changed after it was made")
        refuse_unread(actor, sheet, step.change, None)


def discard_preview(state: State, actor: Actor, preview_id: str, place: tuple[Canvas, Sheet]) -> Outcome:
    """Take an own preview away. Discarding one that has ended already changes nothing."""
    preview = state.previews.get(preview_id)
    if not actor.is_person and preview.author != actor.author:
        raise Refused("not_found", f"no preview {preview_id[:40]} of yours", field="previewId")
    ended: list[Effect] = []
    if isinstance(preview.state, Live):
        ended = end_preview(preview, Ended("not_found"), "discarded")
    fields = {"previewId": preview.id, "discarded": bool(ended), **state.common_fields(*place)}
    return ended, Reply(fields, (Text(f"discarded {preview.id}"),))


def veto(state: State, preview_id: str, note: str) -> list[Effect]:
    """The person dismisses a ghost. Ended previews stay as they are."""
    preview = state.previews.get(preview_id)
    if not isinstance(preview.state, Live):
        return []
    return end_preview(preview, Ended("vetoed", note), "vetoed")


def expire(preview: Preview, at: float) -> list[Effect]:
    """End a preview whose time is over."""
    if isinstance(preview.state, Live) and at >= preview.expires_at:
        return end_preview(preview, Ended("preview_expired"), "expired")
    return []
