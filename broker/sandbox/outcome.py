"""How a run ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

FailureCode = Literal[
    "timeout", "limit_exceeded", "crashed", "execution_failed", "runtime_unavailable", "cancelled"
]


@dataclass(frozen=True, slots=True)
class Finished:
    """The script returned. `result` is JSON: None for undefined, and for what was too large (`truncated`).

    `operations` counts the answered calls of `canvas`. `duration_ms` is wall time from the hand-over of the
    script.
    """

    result: Any
    truncated: bool
    console: str
    operations: int
    duration_ms: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The script did not return. `message` is a sentence for its author; it names the limit that was broken.

    `name`, `line` and `column` (from 1) are those of an uncaught error in the script's own text, where the
    engine tells them. `phase` is `load` if no script was started.
    """

    code: FailureCode
    message: str
    name: str | None = None
    line: int | None = None
    column: int | None = None
    console: str = ""
    operations: int = 0
    duration_ms: int = 0
    phase: Literal["load", "run"] = "run"


Outcome = Finished | Failed
