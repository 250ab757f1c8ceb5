"""canvas_batch: several operations as one. Declared here, carried out by the desk."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import WithJsonSchema

from chardesk.tools.operation import Asked, Changing, Operation
from chardesk.tools.schema import Args, Four, Result

MAX_OPS = 100

Verb = Literal["write", "erase", "fill", "render", "move", "manage", "read", "search"]
"""What a step can do: a tool's name without `canvas_`, or move."""

_OBJECT = WithJsonSchema({"type": "object"})
"""The step's operation knows its own fields; listing them all would cost more than a batch saves."""


class BatchStep(Args):
    op: Verb = Field(description="a tool without canvas_; move: {from: [x,y], size, to: [x,y]}")
    args: Annotated[dict[str, Any], _OBJECT] = Field(
        description="the tool's own fields; a text $n.field is that field of step n's result, from 0"
    )


class BatchArgs(Changing):
    ops: list[BatchStep] = Field(min_length=1, max_length=MAX_OPS, description="steps, in order")


class Batched(Result):
    """`results` are the steps' own fields, in order. Bounds and counts are of the reply's sheet; when cells
    of several changed, `sheets` has them for each."""

    bounds: Four | None
    operations: int
    results: list[dict[str, Any]]
    sheets: list[dict[str, Any]] = Field(default=[])


OPERATION = Operation(
    name="canvas_batch",
    summary=(
        "Several steps as one: all or nothing, one preview, one undo. Later steps see earlier ones and may "
        "use their results. An error names the step."
    ),
    effect="change",
    args=BatchArgs,
    result=Batched,
    body=Asked(),
    destructive=True,
    examples=(
        {
            "ops": [
                {"op": "write", "args": {"at": [2, 1], "content": "Plan"}},
                {
                    "op": "fill",
                    "args": {
                        "at": ["$0.bounds.0", "$0.bounds.1"],
                        "size": [4, 1],
                        "style": {"color": "accent"},
                    },
                },
            ]
        },
    ),
)
