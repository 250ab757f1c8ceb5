"""Previews: changes that were planned and not applied."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from chardesk.broker.desk.effects import Record
from chardesk.tools.errors import Refused
from chardesk.tools.model.packed import pack_step, unpack_step
from chardesk.tools.model.region import Rect, Region
from chardesk.tools.model.steps import CellsChanged, Step

LIFETIME_S = 600.0
MAX_PER_AUTHOR = 12
MAX_ENDED = 200
"""Ended previews are remembered this long, so that a late apply learns what became of them."""


@dataclass(frozen=True, slots=True)
class Live:
    pass


@dataclass(frozen=True, slots=True)
class Applied:
    """Applied once, by this operation; a second apply gets its result."""

    operation_id: str


@dataclass(frozen=True, slots=True)
class Ended:
    """It can't be applied any more: `code` says why (`vetoed` carries the person's note)."""

    code: Literal["vetoed", "stale_preview", "preview_expired", "not_found", "revoked"]
    note: str = ""
    rects: tuple[Rect, ...] = ()


State = Live | Applied | Ended

_MESSAGES = {
    "vetoed": "the person dismissed preview {id}",
    "stale_preview": "cells under preview {id} were changed after it was made",
    "preview_expired": "preview {id} is older than ten minutes",
    "not_found": "preview {id} was discarded",
    "revoked": "the agent of preview {id} was revoked",
}


@dataclass(slots=True)
class Preview:
    id: str
    author: str
    tool: str
    canvas: str
    sheet: str
    steps: tuple[Step, ...]
    why: str
    base: int | None
    made_at: float
    fields: dict[str, Any]
    """The operation's own result fields, for the reply when it is applied."""
    undoes: str | None = None
    """The operation that it proposes to take back."""
    state: State = field(default_factory=Live)

    @property
    def expires_at(self) -> float:
        return self.made_at + LIFETIME_S

    def footprint(self, sheet: str) -> Region:
        parts = [
            step.change.footprint()
            for step in self.steps
            if isinstance(step, CellsChanged) and step.sheet == sheet
        ]
        return Region(span for part in parts for span in part.spans)

    def refuse_unless_live(self, at: float) -> None:
        """Raises the refusal that says what became of it. Applied ones are the caller's to answer."""
        if isinstance(self.state, Live) and at >= self.expires_at:
            raise Refused("preview_expired", _MESSAGES["preview_expired"].format(id=self.id))
        if isinstance(self.state, Ended):
            message = _MESSAGES[self.state.code].format(id=self.id)
            note = f": {self.state.note}" if self.state.note else ""
            rects = [list(rect) for rect in self.state.rects]
            raise Refused(self.state.code, message + note, details={"rects": rects} if rects else None)

    def record(self) -> Record:
        """What survives a restart: live previews only."""
        if not isinstance(self.state, Live):
            return Record("preview", self.id, None)
        value = {
            "author": self.author,
            "tool": self.tool,
            "canvas": self.canvas,
            "sheet": self.sheet,
            "why": self.why,
            "base": self.base,
            "madeAt": self.made_at,
            "fields": self.fields,
            "steps": [pack_step(step) for step in self.steps],
            "undoes": self.undoes,
        }
        return Record("preview", self.id, value)


def from_record(preview_id: str, value: dict[str, Any]) -> Preview:
    """The inverse of `Preview.record`."""
    return Preview(
        preview_id,
        value["author"],
        value["tool"],
        value["canvas"],
        value["sheet"],
        tuple(unpack_step(step) for step in value["steps"]),
        value["why"],
        value["base"],
        value["madeAt"],
        value["fields"],
        value["undoes"],
    )


@dataclass(slots=True)
class Previews:
    """By id, oldest first; live ones and the last few that ended."""

    all: dict[str, Preview] = field(default_factory=dict)

    def live(self) -> list[Preview]:
        return [one for one in self.all.values() if isinstance(one.state, Live)]

    def get(self, preview_id: str, of: str | None = None) -> Preview:
        """The preview of this id, by this author. Raises Refused `not_found`."""
        found = self.all.get(preview_id)
        if found is None or of not in (None, found.author):
            yours = " of yours" if of is not None else ""
            raise Refused("not_found", f"no preview {preview_id[:40]}{yours}", field="previewId")
        return found

    def add(self, preview: Preview) -> None:
        """Take it in, or replace the one of the same id. Raises Refused `too_large` when its author has as
        many as it may have."""
        mine = [one for one in self.live() if one.author == preview.author and one.id != preview.id]
        if len(mine) >= MAX_PER_AUTHOR:
            raise Refused(
                "too_large",
                f"{len(mine)} previews of yours are live, the limit is {MAX_PER_AUTHOR}; end some first",
                details={"limit": MAX_PER_AUTHOR, "actual": len(mine), "previews": [one.id for one in mine]},
            )
        self.all[preview.id] = preview
        ended = [one.id for one in self.all.values() if not isinstance(one.state, Live)]
        for old in ended[: max(0, len(ended) - MAX_ENDED)]:
            del self.all[old]
