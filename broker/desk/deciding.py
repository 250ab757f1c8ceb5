"""What becomes of previews: applied by their agent or the person, discarded, dismissed, expired."""

from __future__ import annotations

from chardesk.broker.desk import telling
from chardesk.broker.desk.ask import Ask
from chardesk.broker.desk.conflict import Expected, refuse_unread
from chardesk.broker.desk.effects import Effect, Outcome, Persist, Reply
from chardesk.broker.desk.fitting import refit
from chardesk.broker.desk.landing import Plan, land
from chardesk.broker.desk.previews import Applied, Ended, Live, Preview
from chardesk.broker.desk.repeats import first_result
from chardesk.broker.desk.road import applied_reply, note_own
from chardesk.broker.desk.state import Actor, State
from chardesk.tools.errors import Refused
from chardesk.tools.operation import Text


def apply_preview(state: State, ask: Ask, preview_id: str, expected: Expected) -> Outcome:
    """Commit a preview exactly as it was shown. A second apply gets the first result.

    Raises what became of it when it has ended, `stale_preview` when it no longer fits, `conflict` when an
    agent has not read what it writes over; the person has seen the ghost.
    """
    actor, preview = ask.actor, _named(state, ask.actor, preview_id)
    if isinstance(preview.state, Applied):
        return [], _applied_before(state, preview.state)
    preview.refuse_unless_live(ask.at)
    if actor.grant == "propose":
        raise Refused(
            "approval_required",
            "your grant is propose: the person decides about this preview",
            details={"previewId": preview.id},
        )
    steps = refit(state.contents, preview.steps, "stale_preview")
    refuse_unread(state.contents, actor, steps, expected)
    plan = Plan(
        steps=steps,
        author=preview.author,
        applied_by=actor.author,
        tool=preview.tool,
        canvas=preview.canvas,
        sheet=preview.sheet,
        why=preview.why,
        base=preview.base,
        call_key=ask.key,
        digest=ask.digest,
        undoes=preview.undoes,
        fields={**preview.fields, "previewId": preview.id},
        comes_true=preview,
    )
    landed = land(state, plan, ask.at)
    note_own(state, actor, landed)
    return list(landed.effects), applied_reply(state, landed)


def _named(state: State, actor: Actor, preview_id: str) -> Preview:
    return state.previews.get(preview_id, None if actor.is_person else actor.author)


def _applied_before(state: State, applied: Applied) -> Reply:
    commit = state.timeline.by_id(applied.operation_id)
    if commit is None:
        raise Refused("not_found", f"it was applied long ago, as {applied.operation_id}", field="previewId")
    return first_result(state, commit)


def discard_preview(state: State, ask: Ask, preview_id: str) -> Outcome:
    """Take an own preview away. Discarding one that has ended already changes nothing."""
    place = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    preview = _named(state, ask.actor, preview_id)
    ended = end(preview, Ended("not_found"))
    fields = {"previewId": preview.id, "discarded": bool(ended), **state.common_fields(*place)}
    return ended, Reply(fields, (Text(f"discarded {preview.id}"),))


def veto(state: State, preview_id: str, note: str) -> list[Effect]:
    """The person dismisses a ghost. Ended previews stay as they are."""
    return end(state.previews.get(preview_id), Ended("vetoed", note))


def expire(state: State, at: float) -> list[Effect]:
    """End the previews whose time is over."""
    over = [preview for preview in state.previews.live() if at >= preview.expires_at]
    return [effect for preview in over for effect in end(preview, Ended("preview_expired"))]


def end(preview: Preview, fate: Ended) -> list[Effect]:
    """Close a live preview and say so; it stays known, so that a late apply learns why."""
    if not isinstance(preview.state, Live):
        return []
    preview.state = fate
    return [Persist(records=(preview.record(),)), telling.gone(preview)]
