"""canvas_history: the log, undo, redo, and what becomes of previews. Declared here, answered by the desk."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from chardesk.tools.operation import Asked, Key, Operation, Target, Why
from chardesk.tools.schema import Fields, Integer, Result, check_action

Action = Literal["log", "undo", "redo", "apply_preview", "discard_preview"]

MAX_ENTRIES = 100

FIELDS: dict[Action, Fields] = {
    "log": Fields(takes=("limit", "before", "author")),
    "undo": Fields(takes=("operation_id",)),
    "redo": Fields(takes=("operation_id",)),
    "apply_preview": Fields(needs=("preview_id",)),
    "discard_preview": Fields(needs=("preview_id",)),
}

_ALWAYS = frozenset({*Target.model_fields, "action", "expected_revision", "why", "idempotency_key"})


class HistoryArgs(Target):
    action: Action = Field(description="log, or what to take back, repeat, apply or drop")
    operation_id: str | None = Field(None, description="undo, redo: which; default: your newest")
    preview_id: str | None = Field(None, description="apply_preview, discard_preview: which")
    limit: Integer | None = Field(None, ge=1, le=MAX_ENTRIES, description="log: entries; default 50")
    before: Integer | None = Field(
        None, ge=1, description="log: older than this seq, `next` of the last reply"
    )
    author: str | None = Field(None, description="log: only this author's")
    expected_revision: Integer | Literal["any"] | None = Field(None, description="base revision of a check")
    why: Why | None = Field(None, description="reason, kept in the history")
    idempotency_key: Key | None = Field(None, description="same key and arguments: the first result again")

    @model_validator(mode="after")
    def _fields_of_the_action(self) -> Self:
        check_action(self, self.action, FIELDS[self.action], _ALWAYS)
        return self


class HistoryResult(Result):
    """`entries` newest first: operationId, seq, author, appliedBy, tool, why, time, canvasId, pageId, bounds,
    undoes. Each field belongs to some of the actions."""

    entries: list[dict[str, Any]] | None = None
    next: int | None = None
    applied: bool | None = None
    operation_id: str | None = None
    undone: str | None = None
    redone: str | None = None
    preview_id: str | None = None
    discarded: bool | None = None


OPERATION = Operation(
    name="canvas_history",
    summary=(
        "See what was done and by whom; undo or redo your own operations; apply a preview exactly as it was "
        "shown, or drop it."
    ),
    effect="history",
    args=HistoryArgs,
    result=HistoryResult,
    body=Asked(),
    destructive=True,
    examples=({"action": "log", "limit": 10}, {"action": "apply_preview", "previewId": "pv-2345abcdef"}),
)
