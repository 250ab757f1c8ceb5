"""An applied change, as the journal keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chardesk.tools.model.steps import Step

PERSON, CLI = "person", "cli"
"""The two authors that are not agents."""


@dataclass(frozen=True, slots=True)
class Commit:
    """`author` planned it, `applied_by` let it happen. `seq` is desk-wide and gapless.

    `call_key` (author-scoped) and `digest` of the arguments let a repeated call have its first `result`.
    `undoes` names the operation that this commit takes back; an undo of an undo is a redo.
    """

    seq: int
    operation_id: str
    author: str
    applied_by: str
    tool: str
    time: float
    steps: tuple[Step, ...]
    why: str = ""
    base: int | None = None
    call_key: str | None = None
    digest: str | None = None
    result: dict[str, Any] | None = None
    undoes: str | None = None
    canvas: str = ""
    sheet: str = ""
