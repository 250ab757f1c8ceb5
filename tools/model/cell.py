"""What one slot of a sheet can hold: a grapheme cluster and its style, at an integer position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

MAX_COORDINATE = 2**53 - 1
"""Largest |x| and |y|: the integers that JSON and JavaScript carry exactly."""

DEFAULT_COLOR = "#000000"
"""Text colour when none is given. Shown in the theme's foreground: black on paper, white at night."""

THEME_COLORS = ("accent", "info", "success", "warning", "danger", "muted")
"""Colours by meaning; every theme gives them a value of its own."""

ATTRS = ("bold", "italic", "underline", "strike", "inverse")
BOLD, ITALIC, UNDERLINE, STRIKE, INVERSE = (1 << bit for bit in range(5))

VISIBLE_ON_BLANK = UNDERLINE | STRIKE | INVERSE
"""Attributes that can be seen on a space; a blank with one of them counts as occupied."""


class At(NamedTuple):
    """A position in columns and rows: x grows to the right, y downwards; both may be negative."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Style:
    """How a cell looks. `bg_color` None lets the sheet show through; `attrs` is a set of the bits above."""

    color: str = DEFAULT_COLOR
    bg_color: str | None = None
    attrs: int = 0
    href: str | None = None

    def over(self, slot: Style) -> Style:
        """This style as it lands on `slot`: without a background of its own it keeps the slot's."""
        if self.bg_color is not None or slot.bg_color is None:
            return self
        return replace(self, bg_color=slot.bg_color)

    @property
    def marks_blank(self) -> bool:
        """Does a space in this style leave a visible mark (so that it counts as occupied)?"""
        return self.bg_color is not None or bool(self.attrs & VISIBLE_ON_BLANK)

    @property
    def is_worth_a_blank(self) -> bool:
        """Is a space in this style written, not skipped? (contract: background, link or any attribute)"""
        return self.bg_color is not None or self.href is not None or self.attrs != 0


PLAIN = Style()


class Cell(NamedTuple):
    """A grapheme cluster and its style. A wide cluster's cell stands at its left column."""

    char: str
    style: Style = PLAIN


def joined(chars: Sequence[str | None]) -> str:
    """Columns as text: an empty one is a space, a follower nothing. Hot: full rows are joined as they are."""
    try:
        return "".join(chars)  # type: ignore[arg-type]  # an empty column raises
    except TypeError:
        return "".join([" " if char is None else char for char in chars])


def attr_names(attrs: int) -> dict[str, bool]:
    """The bits as the wire spells them: only the true ones, in the fixed order."""
    return {name: True for bit, name in enumerate(ATTRS) if attrs >> bit & 1}


def attr_bits(names: Mapping[str, Any]) -> int:
    """The other way round; names that are false do not count."""
    return sum(1 << bit for bit, name in enumerate(ATTRS) if names.get(name))


def style_json(style: Style) -> dict[str, Any]:
    """A style as plain JSON; default values are left out, so `{}` is plain text."""
    found: dict[str, Any] = {}
    if style.color != DEFAULT_COLOR:
        found["color"] = style.color
    if style.bg_color is not None:
        found["bgColor"] = style.bg_color
    if style.attrs:
        found["attrs"] = attr_names(style.attrs)
    if style.href is not None:
        found["href"] = style.href
    return found


def style_from_json(found: Mapping[str, Any]) -> Style:
    """The inverse of `style_json`. The values are trusted: callers parse what comes from outside first."""
    return Style(
        found.get("color", DEFAULT_COLOR),
        found.get("bgColor"),
        attr_bits(found.get("attrs", {})),
        found.get("href"),
    )
