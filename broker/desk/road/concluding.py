"""From finished steps to an outcome: what every plan of more than one sheet's cells goes through."""

from __future__ import annotations

from chardesk.broker.desk.effects import Outcome
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.conflict import refuse_unread
from chardesk.broker.desk.road.landing import Plan, land
from chardesk.broker.desk.road.permits import permit_steps
from chardesk.broker.desk.road.proposing import Proposal, base_of, own_preview, propose, refuse_too_large
from chardesk.broker.desk.road.road import applied_reply, note_own


def conclude(state: State, ask: Ask, proposal: Proposal, *, is_apply: bool) -> Outcome:
    """Scope, size, conflict, approval; then a preview, or a commit. Raises what these gates refuse with."""
    permit_steps(state, ask.actor, proposal.steps)
    is_preview = not is_apply or ask.actor.grant == "propose"
    if is_preview:
        refuse_too_large(proposal.steps)
    if is_apply:
        refuse_unread(state.contents, ask.actor, proposal.steps, ask.args.expected_revision)
    if is_preview:
        return propose(state, ask, proposal, is_apply=is_apply)
    plan = Plan(
        steps=proposal.steps,
        author=ask.actor.author,
        applied_by=ask.actor.author,
        tool=proposal.tool,
        canvas=proposal.canvas,
        sheet=proposal.sheet,
        why=ask.args.why or "",
        base=base_of(ask),
        call_key=ask.key,
        digest=ask.digest,
        undoes=proposal.undoes,
        fields=proposal.fields,
        activate=proposal.activate,
        ack=ask.ack,
        comes_true=own_preview(state, ask),
    )
    landed = land(state, plan, ask.at)
    note_own(state, ask.actor, landed)
    return list(landed.effects), applied_reply(state, landed, summary=proposal.summary)
