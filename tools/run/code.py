"""canvas_code: a script that composes other operations. Declared here; it runs in the broker's sandbox."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from chardesk.tools.operation import Asked, Changing, Operation
from chardesk.tools.schema import Absent, Integer, Result

MAX_SCRIPT_CHARS = 32_768
MIN_TIMEOUT_MS, MAX_TIMEOUT_MS, DEFAULT_TIMEOUT_MS = 50, 10_000, 2_000


def _not_blank(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be blank")
    return value


class CodeArgs(Changing):
    script: Annotated[str, AfterValidator(_not_blank)] = Field(
        min_length=1,
        max_length=MAX_SCRIPT_CHARS,
        description="async function body: canvas.read/search/write/fill/render/box({…}); topic canvas.d.ts",
    )
    timeout_ms: Integer = Field(
        DEFAULT_TIMEOUT_MS, ge=MIN_TIMEOUT_MS, le=MAX_TIMEOUT_MS, description="wall clock"
    )


class CodeResult(Result):
    """`operations` counts the script's calls, `writes` those that changed cells. `truncated` says that the
    value was too large and `result` is null. `seed` set Math.random; it comes from the script's text, so that
    a run can be replayed. `refusedCalls` names the first five calls of `canvas` that were refused, by their
    number from 1: a refusal ends no script. `evidence` (SHA-256 of code, inputs and change) is the same on
    every backend; `backend` says which one ran it and what it held the script to."""

    result: Any
    operations: int
    writes: int
    duration_ms: int
    truncated: bool
    console: str
    backend: dict[str, Any]
    evidence: dict[str, Any]
    seed: int
    refused_calls: Absent[list[dict[str, Any]]] = None


OPERATION = Operation(
    name="canvas_code",
    summary=(
        "Run JavaScript on a snapshot of a sheet; all its writes become one preview, or one undoable "
        "operation. Reads see the script's own writes. Any error: nothing is changed."
    ),
    effect="change",
    args=CodeArgs,
    result=CodeResult,
    body=Asked(),
    destructive=True,
    examples=({"script": "canvas.write({at: [0, 0], content: 'hi'}); return canvas.search({query: 'hi'})"},),
)
