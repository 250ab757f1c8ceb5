"""What of an operation a script is promised, where that is less than a caller of its tool is.

No files, pictures and waits, and nothing done to canvases or the history. What is left out here a script is
refused, or has no use for. By operation, and then field, in their names on the wire.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

from pydantic.alias_generators import to_camel

from chardesk.tools.arrange.forms import ManageArgs
from chardesk.tools.draw.render import Format
from chardesk.tools.draw.sourced import TEXT_OF as TEXTS
from chardesk.tools.schema import Args
from chardesk.tools.talk.history import FIELDS as HISTORY
from chardesk.tools.talk.history import HistoryArgs


def words(values: Iterable[str]) -> str:
    """One of some texts, as a type."""
    return " | ".join(f'"{value}"' for value in values)


def _all_but(args: type[Args], *kept: str) -> frozenset[str]:
    return frozenset(str(info.alias) for info in args.model_fields.values()) - {*kept}


KINDS: Mapping[tuple[str, str], str] = {
    ("canvas_read", "view"): words(("surface", "outline", "lint")),
    ("canvas_read", "representation"): words(("text", "cells")),
    ("canvas_render", "format"): words(word for word in get_args(Format) if word != "deck"),
    ("canvas_manage", "action"): words(("list", "list_pages", "status")),
    ("canvas_history", "action"): words(("log",)),
}

SAYS: Mapping[tuple[str, str], str] = {
    ("canvas_read", "view"): "outline: boxes, texts, connectors; lint: what looks broken",
    ("canvas_read", "representation"): "text map with rulers, or cells as data (≤ 100×40)",
    ("canvas_render", "format"): "auto: ansi if it has escapes, markdown if it looks like it, else raw",
    ("canvas_manage", "action"): "of the desk; of this canvas; of its sheet",
    ("canvas_history", "action"): "newest first, as far back as the broker remembers",
}

SUMMARIES: Mapping[str, str] = {
    "canvas_read": "Read the sheet: exact text up to 100×40 columns and rows, a sampled overview of anything "
    "larger, its cells, or an outline.",
    "canvas_manage": "What canvases and pages there are. To change them call canvas_manage outside of the "
    "script.",
    "canvas_history": "What was done and by whom. For all else call canvas_history outside of the script.",
}

OMITTED: Mapping[str, frozenset[str]] = {
    "canvas_read": frozenset({"sinceRevision", "detail"}),
    "canvas_write": frozenset({"sourceRef"}),
    "canvas_render": frozenset({"sourceRef"}),
    "canvas_manage": _all_but(ManageArgs, "action", "includeArchived"),
    "canvas_history": _all_but(HistoryArgs, "action", *map(to_camel, HISTORY["log"].takes)),
}

TEXT_OF: Mapping[str, str] = {f"canvas_{verb}": field for verb, field in TEXTS.items()}
"""Without files this text must be there."""

RESULTS: Mapping[str, tuple[str, ...]] = {"canvas_history": ("entries", "next")}
"""The fields that are left of a result."""
