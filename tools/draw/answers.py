"""Fields that the answers of several drawing operations share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chardesk.tools.errors import Refused
from chardesk.tools.schema import Result
from chardesk.tools.text.clusters import Dropped
from chardesk.tools.text.picture import Diagnostic

MAX_CONTENT = 524_288
"""Characters (code points) of text that one call may bring: as many as a file of the greatest size holds."""


class DroppedText(Result):
    """Text that was left out; no code points: every other kind together."""

    code_points: list[str]
    count: int


class Noted(Result):
    """Something the material asked for that is not shown. `line` counts from 1 in the source;
    absent if it is about the whole."""

    code: str
    message: str
    line: int | None = None


def check_length(text: str, field: str) -> None:
    """Raises Refused `too_large` naming limit and actual."""
    if len(text) > MAX_CONTENT:
        raise Refused(
            "too_large",
            f"{field} has {len(text)} characters; one call takes {MAX_CONTENT}",
            field=field,
            details={"limit": MAX_CONTENT, "actual": len(text)},
        )


def dropped_fields(dropped: Iterable[Dropped]) -> dict[str, Any]:
    """`dropped` for a result's constructor, or nothing if there is nothing to report."""
    found = [DroppedText(code_points=list(kind.code_points), count=kind.count) for kind in dropped]
    return {"dropped": found} if found else {}


def diagnostic_fields(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    """`diagnostics` likewise."""
    found = [
        Noted(code=each.code, message=each.message, **({} if each.line is None else {"line": each.line}))
        for each in diagnostics
    ]
    return {"diagnostics": found} if found else {}
