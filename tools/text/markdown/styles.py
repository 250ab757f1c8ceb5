"""How Markdown looks. Colours are theme tokens, so that every theme can be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from chardesk.tools.model.cell import BOLD, ITALIC, PLAIN, STRIKE, UNDERLINE, Style

HEADING_MARK = Style("accent")
HEADINGS = (BOLD | UNDERLINE, BOLD, BOLD | ITALIC, ITALIC, ITALIC, ITALIC)
"""Attributes of a heading's words, from level 1 on."""

EMPHASIS: Mapping[str, int] = {"em": ITALIC, "strong": BOLD, "s": STRIKE, "link": UNDERLINE}
"""Attributes by inline token, `_open` and `_close` taken off."""

CODE = Style("info")
FOOTNOTE = Style("accent")
TERM = Style(attrs=BOLD)
RAIL = Style("muted")
LIST_MARK = Style("muted")
RULE = Style("muted")
OPEN_TASK, DONE_TASK = "○ ", "● "
TASK_COLORS: Mapping[str, str] = {OPEN_TASK: "muted", DONE_TASK: "success"}


class Alert(NamedTuple):
    title: str
    rail: Style

    @property
    def title_style(self) -> Style:
        return replace(self.rail, attrs=BOLD)


ALERTS: Mapping[str, Alert] = {
    name: Alert(name, Style(color))
    for name, color in (
        ("NOTE", "info"),
        ("TIP", "success"),
        ("IMPORTANT", "accent"),
        ("WARNING", "warning"),
        ("CAUTION", "danger"),
    )
}


def with_attrs(style: Style, attrs: int) -> Style:
    return replace(style, attrs=style.attrs | attrs)


BODY = PLAIN
