"""Making a preview: the same for a drawing, a script, an arrangement of canvases, an undo under review."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chardesk.broker.desk.effects import Effect, Outcome, Persist, Reply, refused
from chardesk.broker.desk.known.previews import Live, Preview
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road import ghosts
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.conflict import footprint
from chardesk.tools.errors import Refused
from chardesk.tools.model.moment import iso
from chardesk.tools.model.steps import Step
from chardesk.tools.operation import Block, Text
from chardesk.tools.schema import given

MAX_PREVIEW_CELLS = 20_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """What is proposed: `fields` are the operation's own, kept for when it is applied; `extra` are told now
    only. `summary` says it in words, `blocks` show it."""

    tool: str
    steps: tuple[Step, ...]
    canvas: str
    sheet: str
    fields: dict[str, Any]
    summary: str
    extra: dict[str, Any]
    blocks: tuple[Block, ...] = ()
    undoes: str | None = None
    activate: str | None = None
    """The canvas to turn to when it is committed at once."""


def becomes_preview(ask: Ask) -> bool:
    """Is this call a preview, because it says so or because its grant lets it no more?"""
    return ask.args.mode == "preview" or ask.actor.grant == "propose"


def refuse_too_large(steps: tuple[Step, ...]) -> None:
    columns = sum(footprint(step).columns for step in steps)
    if columns > MAX_PREVIEW_CELLS:
        raise Refused(
            "too_large",
            f"the preview has {columns} cells, the limit is {MAX_PREVIEW_CELLS}; split it or apply it",
            details={"limit": MAX_PREVIEW_CELLS, "actual": columns},
        )


def propose(state: State, ask: Ask, proposal: Proposal, *, is_apply: bool) -> Outcome:
    """Keep it as a preview and show it as a ghost.

    Of an apply (`is_apply`), which the grant does not allow, the answer is `approval_required` with the id.
    """
    preview = _kept(state, ask, proposal)
    if is_apply:
        return requested(state, preview)
    return _shown(state, preview), _reply(state, preview, proposal)


def requested(state: State, preview: Preview) -> Outcome:
    """The person is asked to decide about it; asking again is the same request."""
    preview.request = preview.request or state.mint("rq")
    return _shown(state, preview), _approval(preview)


def _shown(state: State, preview: Preview) -> list[Effect]:
    return [Persist(records=(preview.record(),)), ghosts.shown(state, preview)]


def own_preview(state: State, ask: Ask) -> Preview | None:
    """The preview that the call revises. A vetoed preview stays vetoed: only a new one can be proposed."""
    wanted: str | None = given(ask.args, "preview_id")
    if wanted is None:
        return None
    found = state.previews.get(wanted, ask.actor.author)
    found.refuse_unless_live(ask.at)
    if not isinstance(found.state, Live):
        raise Refused("not_found", f"preview {found.id} was applied already", field="previewId")
    return found


def _kept(state: State, ask: Ask, proposal: Proposal) -> Preview:
    state.refuse_without_store()
    revised = own_preview(state, ask)
    preview = Preview(
        id=revised.id if revised is not None else state.mint("pv"),
        author=ask.actor.author,
        tool=proposal.tool,
        canvas=proposal.canvas,
        sheet=proposal.sheet,
        steps=proposal.steps,
        why=ask.args.why or "",
        base=base_of(ask),
        made_at=ask.at,
        fields=proposal.fields,
        undoes=proposal.undoes,
        alt_group=given(ask.args, "alt_group"),
        version=revised.version + 1 if revised is not None else 1,
    )
    state.previews.add(preview)
    return preview


def base_of(ask: Ask) -> int | None:
    """The revision that the caller said it worked from, as the journal keeps it."""
    expected = given(ask.args, "expected_revision")
    return expected if isinstance(expected, int) else None


def _reply(state: State, preview: Preview, proposal: Proposal) -> Reply:
    fields = {
        **state.common_fields(*state.shown_place(proposal.sheet)),
        **proposal.fields,
        **proposal.extra,
        "applied": False,
        "previewId": preview.id,
        "expiresAt": iso(preview.expires_at),
        "nextStep": f"Apply it as shown with canvas_history action apply_preview previewId {preview.id}.",
    }
    return Reply(fields, (Text(f"preview {preview.id}: {proposal.summary}"), *proposal.blocks))


def _approval(preview: Preview) -> Reply:
    ids = {"previewId": preview.id, "requestId": preview.request}
    refusal = Refused("approval_required", "the person decides about this preview", details=ids)
    return refused(refusal)
