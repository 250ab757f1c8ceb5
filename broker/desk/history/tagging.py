"""canvas_history tag, list_tags, drop_tag; and which revision is meant by a number or a tag's name."""

from __future__ import annotations

import unicodedata
from typing import Any

from chardesk.broker.desk.effects import Outcome, Persist, Reply
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.tags import MAX_TAGS, Tag, clean
from chardesk.broker.desk.road.ask import Ask
from chardesk.tools.errors import Refused
from chardesk.tools.operation import Text


def tag(state: State, ask: Ask) -> Outcome:
    """Name a revision, now if none is given. The same call again gets its first result.

    Raises Refused `name_taken`, `too_large` over the limit, `not_found` for a revision that is none.
    """
    args = ask.args
    name = clean(args.name)
    known = state.tags.get(name)
    if known is not None and ask.key is not None and known.key == ask.key:
        return _again(state, ask, known)
    if known is not None:
        raise Refused("name_taken", f"tag {name} is at revision {known.seq}; drop it first", field="name")
    if len(state.tags) >= MAX_TAGS:
        raise Refused(
            "too_large",
            f"there are {MAX_TAGS} tags, which is the limit; drop one first",
            details={"limit": MAX_TAGS, "actual": len(state.tags) + 1},
        )
    state.refuse_without_store()
    seq = revision_of(state, args.to, "to")
    new = Tag(name, seq, ask.actor.author, ask.at, args.why or "", ask.key, ask.digest)
    state.tags[name] = new
    return [Persist(records=(new.record(),))], _told(state, ask, new, {})


def _again(state: State, ask: Ask, known: Tag) -> Outcome:
    if known.digest != ask.digest:
        raise Refused("invalid_input", "this key was used for other arguments", field="idempotencyKey")
    return [], _told(state, ask, known, {"repeated": True})


def _told(state: State, ask: Ask, one: Tag, more: dict[str, Any]) -> Reply:
    fields = {"tags": [one.line()], **more, **_common(state, ask)}
    return Reply(fields, (Text(f"tag {one.name} is revision {one.seq}"),))


def list_tags(state: State, ask: Ask) -> Outcome:
    """All tags, newest revision first."""
    found = sorted(state.tags.values(), key=lambda one: (-one.seq, one.name))
    lines = [f"{one.name} #{one.seq} {one.author}" for one in found]
    fields = {"tags": [one.line() for one in found], **_common(state, ask)}
    return [], Reply(fields, (Text("\n".join(lines) or "no tags yet"),))


def drop_tag(state: State, ask: Ask) -> Outcome:
    """Forget a tag of one's own; the person forgets anybody's. One that is not there is forgotten already."""
    name = unicodedata.normalize("NFC", ask.args.name.strip())
    known = state.tags.get(name)
    if known is not None and not ask.actor.is_person and known.author != ask.actor.author:
        raise Refused("permission_denied", f"tag {name} belongs to {known.author}", field="name")
    if known is not None:
        state.refuse_without_store()
        del state.tags[name]
    fields = {"dropped": known is not None, **_common(state, ask)}
    effects = [Persist(records=(known.forgotten(),))] if known is not None else []
    return [*effects], Reply(fields, (Text(f"no tag {name} any more"),))


def _common(state: State, ask: Ask) -> dict[str, Any]:
    return state.common_fields(*state.place(ask.args.canvas_id, ask.args.page_id, ask.place))


def revision_of(state: State, moment: int | str | None, field: str) -> int:
    """The revision that a number or a tag's name means; None means now. Raises Refused `not_found`."""
    match moment:
        case None:
            return state.seq
        case int():
            if not 0 <= moment <= state.seq:
                raise Refused("not_found", f"no revision {moment}; the desk is at {state.seq}", field=field)
            return moment
        case str():
            known = state.tags.get(unicodedata.normalize("NFC", moment.strip()))
            if known is None:
                raise Refused("not_found", f"no tag {moment[:80]}", field=field)
            return known.seq
