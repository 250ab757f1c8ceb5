"""Which link targets may be kept with a cell."""

from __future__ import annotations

import re

MAX_HREF = 2048
"""Characters; the same limit as in the style arguments."""

_UNFIT = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff]")
_RUNS_CODE = re.compile(r"(?:javascript|vbscript|data|file):", re.IGNORECASE)


def target(found: str) -> str | None:
    """The target as it may be stored. None for one with spaces or controls, for one that is too long, and for
    schemes that run code or open files when a person follows the link."""
    if not found or len(found) > MAX_HREF or _UNFIT.search(found) or _RUNS_CODE.match(found):
        return None
    return found
