"""Sheets and canvases: what a desk holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from chardesk.tools.model.scene import Scene
from chardesk.tools.model.trace import Trace

Kind = Literal["freeform", "slides"]


class Size(NamedTuple):
    columns: int
    rows: int


DEFAULT_SLIDE = Size(100, 27)
MAX_NOTE = 4_000
"""Characters of what a sheet says to its speaker."""


@dataclass(slots=True)
class Sheet:
    """One surface: endless, or a slide of `size`. `revision` is the seq of the last commit on it. `note`
    is for who speaks about a slide; it is shown to nobody else."""

    id: str
    name: str
    size: Size | None = None
    scene: Scene = field(default_factory=Scene)
    trace: Trace = field(default_factory=Trace)
    revision: int = 0
    note: str = ""


@dataclass(slots=True)
class Canvas:
    """A named document; its sheets in order (a freeform canvas has exactly one)."""

    id: str
    name: str
    kind: Kind
    archived: bool = False
    sheets: list[Sheet] = field(default_factory=list)
    updated_at: float = 0.0

    def sheet(self, sheet_id: str) -> Sheet | None:
        return next((sheet for sheet in self.sheets if sheet.id == sheet_id), None)
