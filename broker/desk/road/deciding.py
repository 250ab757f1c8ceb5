"""What becomes of previews: applied by their agent or the person, discarded, dismissed, expired."""

from __future__ import annotations

from dataclasses import replace

from chardesk.broker.desk.effects import Effect, Outcome, Persist, Reply, TellPage
from chardesk.broker.desk.known.previews import Applied, Ended, Live, Preview
from chardesk.broker.desk.known.state import Actor, State
from chardesk.broker.desk.road import telling, told
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.conflict import Expected, refuse_unread
from chardesk.broker.desk.road.fitting import refit
from chardesk.broker.desk.road.landing import Plan, land
from chardesk.broker.desk.road.permits import permit_steps
from chardesk.broker.desk.road.proposing import requested
from chardesk.broker.desk.road.repeats import first_result
from chardesk.broker.desk.road.road import applied_reply, note_own
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.operation import Text


def apply_preview(state: State, ask: Ask, preview_id: str, expected: Expected) -> Outcome:
    """Commit a preview exactly as it was shown. A second apply gets the first result.

    Under `propose` the person is asked; who asked once waits for the answer, whatever its grant is by then.
    Raises what became of it when it has ended, `permission_denied` when it is outside of the agent's scope by
    now, `stale_preview` when it no longer fits, `conflict` when an agent has not read what it writes over;
    the person has seen the ghost.
    """
    actor, preview = ask.actor, _named(state, ask.actor, preview_id)
    if isinstance(preview.state, Applied):
        return [], _applied_before(state, preview.state)
    preview.refuse_unless_live(ask.at)
    permit_steps(state, actor, preview.steps)
    if not actor.is_person and (actor.grant == "propose" or preview.request is not None):
        return requested(state, preview)
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


def decide(state: State, decision: m.Decide, link: str, at: float) -> list[Effect]:
    """The person's gesture on a ghost. One that has ended stays as it is, and the page is told that it is no
    ghost any more: so a gesture that comes twice, or late, has one effect and leaves no card behind.

    Raises `stale_preview` when the ghost was revised after the person saw it.
    """
    ghost = state.previews.get(decision.preview)
    if not isinstance(ghost.state, Live):
        refusal = ghost.refusal() if decision.verdict == "apply" else None
        reason = [TellPage(told.refused_edit(ghost.id, refusal), link)] if refusal is not None else []
        return [*reason, replace(telling.gone(ghost), link=link)]
    if decision.version != ghost.version:
        raise Refused("stale_preview", f"preview {ghost.id} was revised; look at it again")
    if decision.verdict == "veto":
        return end(ghost, Ended("vetoed", decision.note))
    ask = Ask(state.person(), "canvas_history", None, state.active, link, "", None, "", at)
    return apply_preview(state, ask, ghost.id, None)[0]


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
