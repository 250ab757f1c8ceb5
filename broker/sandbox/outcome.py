"""How a run ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

FailureCode = Literal[
    "timeout",
    "limit_exceeded",
    "crashed",
    "execution_failed",
    "runtime_unavailable",
    "sandbox_unenforceable",
    "cancelled",
]


class Halt(Exception):
    """Raised by an answerer to end the run as `limit_exceeded`: the script can't catch it.

    `what` was limited, `limit` is how much of it there may be, `actual` how much it would have been.
    """

    def __init__(self, what: str, limit: int, actual: int) -> None:
        super().__init__(f"{actual} {what}; a script may have {limit}")
        self.limit, self.actual = limit, actual


@dataclass(frozen=True, slots=True)
class Finished:
    """The script returned. `result` is JSON: None for undefined, and for what was too large (`truncated`).

    `operations` counts the answered calls of `canvas`. `duration_ms` is wall time from the hand-over of the
    script. `inputs` is the SHA-256 (hex) of all that the script was given: the seed, then each answer.
    """

    result: Any
    truncated: bool
    console: str
    operations: int
    duration_ms: int
    inputs: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """The script did not return. `message` is a sentence for its author.

    `name`, `line` and `column` (from 1) are those of an uncaught error in the script's own text, where the
    engine tells them. `limit` and `actual` are there when a limit was broken that can be told in numbers.
    `phase` is `load` if no script was started.
    """

    code: FailureCode
    message: str
    name: str | None = None
    line: int | None = None
    column: int | None = None
    limit: int | None = None
    actual: int | None = None
    console: str = ""
    operations: int = 0
    duration_ms: int = 0
    phase: Literal["load", "run"] = "run"


Outcome = Finished | Failed
