"""Previews: changes that were planned and not applied."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from chardesk.broker.desk.effects import Record
from chardesk.tools.errors import Refused
from chardesk.tools.model.packed import pack_change, pack_step, unpack_step
from chardesk.tools.model.region import Rect, Region
from chardesk.tools.model.steps import CellsChanged, Step

LIFETIME_S = 600.0
MAX_PER_AUTHOR = 12
MAX_TOTAL = 64
"""All authors together: more ghosts than a person can look through."""

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
    """It can't be applied any more: `code` says why (`vetoed` carries the person's note). `for_other` names
    the alternative that was applied in its place; what it was planned on is no more, so it is stale."""

    code: Literal["vetoed", "stale_preview", "preview_expired", "not_found", "revoked"]
    note: str = ""
    rects: tuple[Rect, ...] = ()
    for_other: str | None = None


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
    alt_group: str | None = None
    """Alternatives of one author share it; one of them comes true."""
    request: str | None = None
    """Its agent wanted to apply it and waits for the person: under this id. Only the person decides then."""
    version: int = 1
    """Counts how often it was revised: a decision is about what was shown."""
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
        if (refusal := self.refusal()) is not None:
            raise refusal

    def refusal(self) -> Refused | None:
        """Why it can't be applied any more; None while it can, or when it was."""
        return _refusal(self.id, self.state) if isinstance(self.state, Ended) else None

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
            "steps": [pack_step(step, lambda change: change.once(pack_change)) for step in self.steps],
            "undoes": self.undoes,
            "altGroup": self.alt_group,
            "request": self.request,
            "version": self.version,
        }
        return Record("preview", self.id, value)


def _refusal(preview_id: str, fate: Ended) -> Refused:
    if fate.for_other is not None:
        message = f"preview {preview_id} was an alternative to {fate.for_other}, which was applied"
        return Refused(fate.code, message, details={"applied": fate.for_other})
    message = _MESSAGES[fate.code].format(id=preview_id)
    note = f": {fate.note}" if fate.note else ""
    rects = [list(rect) for rect in fate.rects]
    return Refused(fate.code, message + note, details={"rects": rects} if rects else None)


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
        value.get("altGroup"),
        value.get("request"),
        value.get("version", 1),
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

    def alternatives(self, chosen: Preview) -> list[Preview]:
        """The live previews that lose when this one comes true."""
        if chosen.alt_group is None:
            return []
        group = (chosen.author, chosen.alt_group)
        return [one for one in self.live() if one is not chosen and (one.author, one.alt_group) == group]

    def add(self, preview: Preview) -> None:
        """Take it in, or replace the one of the same id. Raises Refused `too_large` when its author, or the
        desk, has as many as it may have."""
        others = [one for one in self.live() if one.id != preview.id]
        mine = [one.id for one in others if one.author == preview.author]
        if len(mine) >= MAX_PER_AUTHOR:
            raise _too_many(f"{len(mine)} previews of yours are live", MAX_PER_AUTHOR, mine)
        if len(others) >= MAX_TOTAL:
            raise _too_many(f"{len(others)} previews are live on this desk", MAX_TOTAL, mine)
        self.all[preview.id] = preview
        ended = [one.id for one in self.all.values() if not isinstance(one.state, Live)]
        for old in ended[: max(0, len(ended) - MAX_ENDED)]:
            del self.all[old]


def _too_many(what: str, limit: int, mine: list[str]) -> Refused:
    """Names the caller's own previews: those it can end."""
    details = {"limit": limit, "actual": limit, "previews": mine}
    return Refused("too_large", f"{what}, the limit is {limit}; apply or discard some first", details=details)
