"""Marks that Markdown writes as words at the beginning of a paragraph: alerts and tasks."""

from __future__ import annotations

import re

from chardesk.tools.text.markdown.styles import ALERTS, DONE_TASK, OPEN_TASK, Alert
from chardesk.tools.text.markdown.tree import Block

_ALERT = re.compile(r"\[!([A-Za-z]+)\]\s*")
_TASK = re.compile(r"\[([ xX])\](?=\s|$)\s*")


def alert_of(quote: Block) -> Alert | None:
    """The alert that a quote is: `[!NOTE]` or the like alone on its first line. The mark is taken out."""
    first = quote.children[0] if quote.children else None
    words = first.words if first is not None and first.kind == "paragraph" else []
    found = _ALERT.fullmatch(words[0].content) if words and words[0].type == "text" else None
    alert = ALERTS.get(found[1].upper()) if found else None
    if alert is None or (len(words) > 1 and words[1].type not in ("softbreak", "hardbreak")):
        return None
    del words[:2]
    if not words:
        del quote.children[0]
    return alert


def task_of(item: Block) -> str | None:
    """The circle of a task, if the item begins with `[ ]` or `[x]`; the box is taken out of its words."""
    first = item.children[0] if item.children else None
    words = first.words if first is not None and first.kind == "paragraph" else []
    found = _TASK.match(words[0].content) if words and words[0].type == "text" else None
    if found is None:
        return None
    words[0].content = words[0].content[found.end() :]
    return OPEN_TASK if found[1] == " " else DONE_TASK
