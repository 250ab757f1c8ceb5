"""canvas_history: what was done, by whom, and taking it back. Declared here, answered by the desk."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from chardesk.tools.operation import Asked, Key, Operation, Target, Why
from chardesk.tools.schema import (
    Absent,
    Fields,
    Four,
    Integer,
    Mode,
    RectArg,
    Result,
    check_action,
    integer_or_text,
)

Action = Literal[
    "log",
    "show",
    "diff",
    "undo",
    "redo",
    "apply_preview",
    "discard_preview",
    "tag",
    "list_tags",
    "drop_tag",
    "restore",
]

MAX_ENTRIES = 100

FIELDS: dict[Action, Fields] = {
    "log": Fields(takes=("limit", "before", "author", "tool", "rect", "since", "until")),
    "show": Fields(needs=("operation_id",)),
    "diff": Fields(needs=("from_",), takes=("to",)),
    "undo": Fields(takes=("operation_id", "partial")),
    "redo": Fields(takes=("operation_id",)),
    "apply_preview": Fields(needs=("preview_id",)),
    "discard_preview": Fields(needs=("preview_id",)),
    "tag": Fields(needs=("name",), takes=("to",)),
    "list_tags": Fields(),
    "drop_tag": Fields(needs=("name",)),
    "restore": Fields(needs=("to",), takes=("mode", "preview_id")),
}

_ALWAYS = frozenset({*Target.model_fields, "action", "expected_revision", "why", "idempotency_key"})

Moment = Annotated[
    int | str,
    BeforeValidator(integer_or_text),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
]
"""A revision, or a tag's name, which is never all digits."""


class HistoryArgs(Target):
    action: Action = Field(description="restore previews by default; others happen at once")
    operation_id: str | None = Field(None, description="show, undo, redo; default: your newest")
    partial: bool = Field(False, description="undo: only cells nobody changed since")
    preview_id: str | None = Field(None, description="which; restore: revise it")
    limit: Integer | None = Field(None, ge=1, le=MAX_ENTRIES, description="log: entries; default 50")
    before: Integer | None = Field(None, ge=1, description="log: older than this seq (`next`)")
    author: str | None = Field(None, description="log: only this author's")
    tool: str | None = Field(None, description="log: only by this tool")
    rect: RectArg | None = Field(None, description="log: only in [x,y,width,height]")
    since: str | None = Field(None, description="log: from this ISO time on")
    until: str | None = Field(None, description="log: up to it")
    from_: Moment | None = Field(None, alias="from", description="diff: a revision or tag")
    to: Moment | None = Field(None, description="diff, tag, restore; default: now")
    name: str | None = Field(None, description="tag: 1-80 characters, not only digits")
    mode: Mode = Field("preview", description="restore")
    expected_revision: Integer | Literal["any"] | None = Field(None, description="base of a check")
    why: Why | None = Field(None, description="reason, kept in the history")
    idempotency_key: Key | None = Field(None, description="repeats give the first result")

    @model_validator(mode="after")
    def _fields_of_the_action(self) -> Self:
        check_action(self, self.action, FIELDS[self.action], _ALWAYS)
        return self


_OBJECTS = WithJsonSchema({"type": "array"})
Objects = Absent[Annotated[list[dict[str, Any]], _OBJECTS]]


class HistoryResult(Result):
    """Each field belongs to some of the actions.

    `entries` newest first: operationId, seq, author, appliedBy, tool, why, time, canvasId, pageId, bounds,
    undoes; `next` is null at the end. `left`: what a partial undo did not take back, and who changed it.
    `run`: of a script, its backend with levels, evidence, seed and duration.
    `revisions`: what was compared, or restored to. `rects`: what differs, at most 200, else `truncated`.
    """

    entries: Objects = None
    next: int | None = None
    steps: Objects = None
    stands: Absent[bool] = None
    run: Absent[Annotated[dict[str, Any], WithJsonSchema({"type": "object"})]] = None
    applied: Absent[bool] = None
    operation_id: Absent[str] = None
    undone: Absent[str] = None
    redone: Absent[str] = None
    left: Objects = None
    preview_id: Absent[str] = None
    discarded: Absent[bool] = None
    tags: Objects = None
    dropped: Absent[bool] = None
    revisions: Absent[list[int]] = None
    changed_cells: Absent[int] = None
    bounds: Four | None = None
    rects: Absent[Annotated[list[Four], WithJsonSchema({"type": "array"})]] = None
    truncated: Absent[bool] = None
    authors: Absent[list[str]] = None


OPERATION = Operation(
    name="canvas_history",
    summary=(
        "Log, show and compare what was done and by whom; undo or redo your own operations; tag a revision, "
        "restore a sheet to one; apply a preview as shown, or drop it."
    ),
    effect="history",
    args=HistoryArgs,
    result=HistoryResult,
    body=Asked(),
    destructive=True,
    examples=(
        {"action": "log", "limit": 10},
        {"action": "apply_preview", "previewId": "pv-2345abcdef"},
        {"action": "tag", "name": "before the rework"},
        {"action": "restore", "to": "before the rework"},
    ),
)
