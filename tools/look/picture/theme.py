"""The colours of an image: the page's light theme (`styles/theme.css`; a test holds the two together)."""

from __future__ import annotations

from typing import NamedTuple

from chardesk.tools.model.cell import DEFAULT_COLOR, INVERSE, Style

PAPER = "#ffffff"
_COLORS = {
    DEFAULT_COLOR: "#1c1e21",
    "accent": "#3b5bdb",
    "info": "#0b7285",
    "success": "#2b7a3d",
    "warning": "#945200",
    "danger": "#c92a2a",
    "muted": "#676d76",
}


class Ink(NamedTuple):
    """Of a cell, inverse honoured; `back` is None where the sheet shows through."""

    text: str
    back: str | None


def ink(style: Style) -> Ink:
    text = color(style.color)
    back = None if style.bg_color is None else color(style.bg_color)
    return Ink(back or PAPER, text) if style.attrs & INVERSE else Ink(text, back)


def color(name: str) -> str:
    """What a cell's colour looks like on paper: words and the default are the theme's."""
    return _COLORS.get(name, name)
