"""Tools that look: at once, or on a fork elsewhere; and what of canvas_read only the desk can tell."""

from __future__ import annotations

from functools import partial
from typing import Any

from chardesk.broker.desk.effects import Later, Outcome, Reply
from chardesk.broker.desk.known.state import Actor, State
from chardesk.broker.desk.road import ghosts, told
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.elsewhere import elsewhere
from chardesk.broker.desk.road.permits import permit_feature
from chardesk.tools.errors import Refused
from chardesk.tools.look.changes import Changed, changed_since
from chardesk.tools.look.read import ReadArgs
from chardesk.tools.model.region import Rect
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.operation import Look, Note, Shown
from chardesk.tools.schema import given

PICTURES = frozenset({"image", "both"})
"""Representations that need the feature `images`."""

MAX_CHANGED = 256
"""Rectangles that one reply lists: what an agent can go and read."""


def look(state: State, ask: Ask, body: Look) -> Outcome | Later:
    """The answer of a tool that looks. It is of one revision: the one at which the call had its turn."""
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    args, changes = ask.args, list[Changed]()
    if given(args, "representation") in PICTURES:
        permit_feature(state, ask.actor, "images", "representation")
    if isinstance(args, ReadArgs) and args.view == "context":
        return context(state, ask, canvas, sheet)
    if is_since := isinstance(args, ReadArgs) and args.since_revision is not None:
        changes = _changes(state, sheet, args)
        args = args.model_copy(update={"since_revision": None})
    common, revision = state.common_fields(canvas, sheet), sheet.revision

    def answer(shown: Shown, _: float) -> Outcome:
        if ask.actor.knowledge is not None:
            for rect in shown.seen:
                ask.actor.knowledge.add(sheet.id, rect, revision)
        fields = {**shown.result.fields(), **common, **(_listed(changes) if is_since else {})}
        return [], Reply(fields, (*shown.blocks, *_noted(changes)), shows=revision)

    if body.is_slow(sheet.scene, args):
        work = partial(body.show, sheet.scene.fork(), sheet.size, args)
        return elsewhere(state, ask, work, answer)
    return answer(body.show(sheet.scene, sheet.size, args), ask.at)


# -- sinceRevision -----------------------------------------------------------------


def _changes(state: State, sheet: Sheet, args: ReadArgs) -> list[Changed]:
    """Raises Refused `revision_gone` for a number that this desk has not come to: it is of another time, such
    as before a backup was restored."""
    since = args.since_revision or 0
    if since > state.seq:
        raise Refused(
            "revision_gone",
            f"this desk has no revision {since}; it is at {state.seq}",
            field="sinceRevision",
            details={"revision": sheet.revision},
        )
    found = changed_since(sheet.trace, since)
    return [one for one in found if args.viewport is None or _meet(one.rect, args.viewport)]


def _meet(one: Rect, other: Rect) -> bool:
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def _listed(changes: list[Changed]) -> dict[str, Any]:
    listed = [
        {"bounds": list(one.rect), "author": one.author, "revision": one.seq} for one in changes[:MAX_CHANGED]
    ]
    return {"changed": listed, **({"truncated": True} if len(changes) > MAX_CHANGED else {})}


def _noted(changes: list[Changed]) -> tuple[Note, ...]:
    over = len(changes) - MAX_CHANGED
    return (Note(f"{over} more changed rectangles: narrow the viewport"),) if over > 0 else ()


# -- context -----------------------------------------------------------------------


def context(state: State, ask: Ask, canvas: Canvas, sheet: Sheet) -> Outcome:
    """What the person pinned, selected and looks at; which previews wait for somebody; who is here, and what
    the caller may do."""
    pins = [told.pin(pin) for pin in state.pins.values() if state.contents.sheet(pin.sheet) is not None]
    here = [{"name": one.name, "grant": one.grant, "doing": one.doing} for one in told.agents(state)]
    waiting = [ghosts.waiting(ghost) for ghost in state.previews.live()]
    found = {
        "active": {"canvasId": state.canvas, "pageId": state.sheet},
        "person": _person(state),
        "pins": pins,
        "previews": waiting,
        "agents": here,
        "paused": state.is_paused,
        **whoami(state, ask.actor),
    }
    own = {"viewport": None, "sampleSize": 1, "mode": "context", "overviewOnly": True, "context": found}
    words = f"{len(pins)} pins, {len(waiting)} previews, {len(here)} agents here: see the field context"
    return [], Reply({**own, **state.common_fields(canvas, sheet)}, (Note(words),))


def whoami(state: State, actor: Actor) -> dict[str, Any]:
    """What an agent may do and where, as it is told so; nothing for those who are not governed."""
    if not actor.is_agent:
        return {}
    may = {"name": actor.author, "grant": actor.grant, "scope": [area.fields() for area in actor.scope]}
    return {"you": {**may, "lacks": told.lacks(state, actor.author)}}


def _person(state: State) -> dict[str, Any] | None:
    """What the page that holds the seat shows; None when no page does."""
    page = state.pages.all.get(state.pages.seat or "")
    if page is None:
        return None
    return {
        "canvasId": page.canvas,
        "pageId": page.sheet,
        "viewport": list(page.looks_at) if page.looks_at else None,
        "selection": list(page.selection) if page.selection else None,
    }
