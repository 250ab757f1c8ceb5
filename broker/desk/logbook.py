"""canvas_history log: what was done and by whom, newest first."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from chardesk.broker.desk.ask import Ask
from chardesk.broker.desk.effects import Outcome, Reply
from chardesk.broker.desk.state import State
from chardesk.tools.model.commit import Commit
from chardesk.tools.operation import Text

LOG_LIMIT = 50


def log(state: State, ask: Ask) -> Outcome:
    """At most `limit` entries before commit `before`; `next` is where the rest begins, None at the end."""
    args = ask.args
    before = args.before or state.seq + 1
    found = [
        commit
        for commit in reversed(state.timeline.headers.values())
        if commit.seq < before and args.author in (None, commit.author)
    ]
    shown = found[: args.limit or LOG_LIMIT]
    place = state.place(args.canvas_id, args.page_id, ask.place)
    fields = {
        "entries": [_entry(commit) for commit in shown],
        "next": shown[-1].seq if len(found) > len(shown) else None,
        **state.common_fields(*place),
    }
    return [], Reply(fields, (Text("\n".join(map(_line, shown)) or "no history yet"),))


def _line(commit: Commit) -> str:
    bounds = (commit.result or {}).get("bounds") or ""
    return f"{commit.operation_id} #{commit.seq} {commit.author} {commit.tool} {bounds}".rstrip()


def _entry(commit: Commit) -> dict[str, Any]:
    """One line of the log. `why` is what the author said, quoted as it is."""
    entry: dict[str, Any] = {
        "operationId": commit.operation_id,
        "seq": commit.seq,
        "author": commit.author,
        "appliedBy": commit.applied_by,
        "tool": commit.tool,
        "why": commit.why,
        "time": datetime.fromtimestamp(commit.time, UTC).isoformat(timespec="milliseconds"),
        "canvasId": commit.canvas,
        "pageId": commit.sheet,
        "bounds": (commit.result or {}).get("bounds"),
    }
    return {**entry, "undoes": commit.undoes} if commit.undoes else entry
