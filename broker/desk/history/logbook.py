"""canvas_history log: what was done and by whom, newest first, as far back as the journal reaches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from chardesk.broker.desk.effects import Later, Outcome, Reply
from chardesk.broker.desk.history.past import MAX_BACK, Query, recall
from chardesk.broker.desk.known.authors import AUTO
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.moment import iso
from chardesk.tools.model.region import Rect
from chardesk.tools.operation import Text

LOG_LIMIT = 50

Wanted = Callable[[Commit], bool]


def log(state: State, ask: Ask) -> Outcome | Later:
    """At most `limit` entries before commit `before`; `next` is where the rest begins, None at the end.

    What memory no longer has comes from the journal. There one call looks through a bounded number of
    commits, so with a narrow filter there may be a `next` and no entry.
    """
    args = ask.args
    wanted, limit = _filter(state, ask), args.limit or LOG_LIMIT
    before = min(args.before or state.seq + 1, state.seq + 1)
    recent = (one for one in reversed(state.timeline.headers.values()) if one.seq < before)
    found = list(islice(filter(wanted, recent), limit + 1))
    oldest = min(next(iter(state.timeline.headers), before), before)
    if len(found) > limit or oldest <= 1:
        return _told(state, ask, found[:limit], found[limit - 1].seq if len(found) > limit else None)
    after = max(0, oldest - 1 - MAX_BACK)

    def older(picked: Sequence[Commit], later: Ask) -> Outcome:
        both = [*found, *picked]
        if len(both) > limit:
            return _told(state, later, both[:limit], both[limit - 1].seq)
        return _told(state, later, both, after + 1 if after else None)

    def pick(commit: Commit) -> Commit | None:
        return replace(commit, steps=()) if wanted(commit) else None

    return recall(state, ask, Query(after, oldest - 1, pick, limit + 1 - len(found)), older)


# -- filters ---------------------------------------------------------------------------


def _filter(state: State, ask: Ask) -> Wanted:
    """A commit passes all that are given. A rectangle is on the sheet that the call means."""
    args = ask.args
    sheet = args.page_id
    if args.rect is not None:
        sheet = state.place(args.canvas_id, args.page_id, ask.place)[1].id
    tool = args.tool.removeprefix("canvas_") if args.tool else None
    since, until = _time(args.since, "since"), _time(args.until, "until")

    def passes(commit: Commit) -> bool:
        return (
            args.author in (None, commit.author)
            and (tool is None or commit.tool.removeprefix("canvas_") == tool)
            and (since is None or commit.time >= since)
            and (until is None or commit.time <= until)
            and (args.canvas_id in (None, commit.canvas))
            and (sheet is None or _reaches(commit, sheet, args.rect))
        )

    return passes


def _time(text: str | None, field: str) -> float | None:
    """Seconds since the epoch. A time without a zone is UTC."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        message = f"{field} must be an ISO 8601 time, such as 2026-01-31T12:00:00Z"
        raise Refused("invalid_input", message, field=field) from None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _reaches(commit: Commit, sheet: str, rect: Rect | None) -> bool:
    """Did it change the sheet, inside the rectangle? Told by bounds: it may have stayed between its cells."""
    places = (commit.result or {}).get("sheets") or [
        {"pageId": commit.sheet, "bounds": (commit.result or {}).get("bounds")}
    ]
    bounds = [place["bounds"] for place in places if place["pageId"] == sheet]
    if rect is None:
        return bool(bounds)
    return any(one is not None and Rect(*one).clip(rect) is not None for one in bounds)


# -- what is told ----------------------------------------------------------------------


def _told(state: State, ask: Ask, shown: Sequence[Commit], rest: int | None) -> Outcome:
    place = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    fields = {"entries": [entry(commit) for commit in shown], "next": rest, **state.common_fields(*place)}
    return [], Reply(fields, (Text("\n".join(map(_line, shown)) or "no history yet"),))


def _line(commit: Commit) -> str:
    bounds = (commit.result or {}).get("bounds") or ""
    return f"{commit.operation_id} #{commit.seq} {commit.author} {commit.tool} {bounds}".rstrip()


def entry(commit: Commit) -> dict[str, Any]:
    """One line of the log. `why` is what the author said, quoted as it is."""
    found: dict[str, Any] = {
        "operationId": commit.operation_id,
        "seq": commit.seq,
        "author": commit.author,
        "appliedBy": commit.applied_by,
        "tool": commit.tool,
        "why": commit.why,
        "time": iso(commit.time),
        "canvasId": commit.canvas,
        "pageId": commit.sheet,
        "bounds": (commit.result or {}).get("bounds"),
    }
    auto = (commit.result or {}).get(AUTO)
    found |= {AUTO: auto} if auto else {}
    return {**found, "undoes": commit.undoes} if commit.undoes else found
