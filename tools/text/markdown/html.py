"""Raw HTML by a list: what a few tags mean in cells. All others are shown as they are written."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import replace

from chardesk.tools.model.cell import BOLD, INVERSE, ITALIC, STRIKE, UNDERLINE, Style
from chardesk.tools.text.links import target
from chardesk.tools.text.markdown.styles import CODE, with_attrs

_ATTRS: Mapping[str, int] = {
    "b": BOLD,
    "strong": BOLD,
    "i": ITALIC,
    "em": ITALIC,
    "u": UNDERLINE,
    "ins": UNDERLINE,
    "s": STRIKE,
    "del": STRIKE,
    "mark": INVERSE,
    "code": 0,
    "kbd": 0,
    "a": UNDERLINE,
    "sub": 0,
    "sup": 0,
}
"""Attributes of the words inside each tag that is read; `code` and `kbd` are tinted, `a` keeps its target."""

_TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z]+)(?P<rest>[^>]*)>")
_HREF = re.compile(r"""\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_COMMENT = re.compile(r"\s*<!--(?P<text>.*?)-->\s*", re.DOTALL)

_RAISED = str.maketrans("0123456789+-=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ")
_LOWERED = str.maketrans("0123456789+-=()aeoxhklmnpst", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜ")
_SHIFTED = {"sup": _RAISED, "sub": _LOWERED}


def comment(text: str) -> str | None:
    """What a comment says, in one line; None if the text is not one comment alone."""
    found = _COMMENT.fullmatch(text)
    return " ".join(found["text"].split()) if found else None


def is_break(tag: str) -> bool:
    found = _TAG.fullmatch(tag)
    return found is not None and found["name"].lower() == "br"


class Tags:
    """The tags that are open within a paragraph."""

    def __init__(self) -> None:
        self._open: list[tuple[str, str | None]] = []

    def read(self, tag: str) -> bool:
        """Take a tag in. False if it is none of the list, or closes nothing: then it is text."""
        found = _TAG.fullmatch(tag)
        name = found["name"].lower() if found else ""
        if found is None or name not in _ATTRS:
            return False
        if not found["end"]:
            given = _HREF.search(found["rest"]) if name == "a" else None
            self._open.append(
                (name, html.unescape(next(filter(None, given.groups()), "")) if given else None)
            )
            return True
        at = next((n for n in reversed(range(len(self._open))) if self._open[n][0] == name), None)
        if at is None:
            return False
        del self._open[at]
        return True

    def style(self, base: Style) -> Style:
        """`base` as the open tags change it."""
        for name, href in self._open:
            base = with_attrs(base, _ATTRS[name])
            if name in ("code", "kbd"):
                base = replace(base, color=CODE.color)
            if href:
                base = replace(base, href=target(href) or base.href)
        return base

    def shifted(self, text: str) -> str:
        """The text raised or lowered if it stands in `sup` or `sub`; characters without such a form stay."""
        for name, _ in self._open:
            text = text.translate(_SHIFTED.get(name, {}))
        return text
