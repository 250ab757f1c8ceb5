"""Pens as a graph: each state knows its style and where every SGR sequence it has met leads.

Hot: a log has a sequence every dozen characters. Run tests/bench/render.py before and after.
"""

from __future__ import annotations

from dataclasses import replace

from chardesk.tools.model.cell import Style
from chardesk.tools.text import sgr


class Ink:
    """One state. `after` is a dictionary's look-up for sequences that were met before."""

    __slots__ = ("_after", "_all", "paper", "pen", "style")

    def __init__(self, pen: sgr.Pen, known: dict[sgr.Pen, Ink] | None = None) -> None:
        self.pen = pen
        self.style = pen.style
        self.paper = Style(bg_color=pen.bg_color)
        self._all = {} if known is None else known
        self._after: dict[str, tuple[Ink, tuple[str, ...]]] = {}

    def after(self, parameters: str) -> tuple[Ink, tuple[str, ...]]:
        """The state after an SGR sequence, and what that asked for and no cell can show."""
        found = self._after.get(parameters)
        if found is None:
            pen = sgr.apply(self.pen, parameters)
            found = self._with(pen), sgr.unshown(pen, parameters)
            self._after[parameters] = found
        return found

    def linked(self, href: str | None) -> Ink:
        return self._with(replace(self.pen, href=href))

    def _with(self, pen: sgr.Pen) -> Ink:
        if pen not in self._all:
            self._all[pen] = Ink(pen, self._all)
        return self._all[pen]
