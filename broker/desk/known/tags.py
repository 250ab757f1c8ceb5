"""Tags: names for revisions. They are kept beside the journal; dropping one takes nothing else away."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from chardesk.broker.desk.effects import Record
from chardesk.tools.arrange import names
from chardesk.tools.errors import Refused
from chardesk.tools.model.moment import iso

MAX_TAGS = 256
"""More would be a list that nobody reads."""


@dataclass(frozen=True, slots=True)
class Tag:
    """`key` and `digest` of the call that made it answer its repeats."""

    name: str
    seq: int
    author: str
    time: float
    why: str
    key: str | None
    digest: str

    def record(self) -> Record:
        return Record("tag", self.name, asdict(self))

    def forgotten(self) -> Record:
        return Record("tag", self.name, None)

    def line(self) -> dict[str, Any]:
        """As replies show it."""
        return {
            "name": self.name,
            "revision": self.seq,
            "author": self.author,
            "time": iso(self.time),
            "why": self.why,
        }


def load(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Tag]:
    """The inverse of `Tag.record`, for all of a desk's tags."""
    return {name: Tag(**value) for name, value in found.items()}


def clean(name: str) -> str:
    """A name as tags have it, NFC. Refuses `invalid_input` as canvases' names are, and for one of digits
    only: it would be taken for a revision."""
    wanted = unicodedata.normalize("NFC", names.clean(name))
    if wanted.isdecimal():
        raise Refused("invalid_input", "name must not be all digits: that is a revision", field="name")
    return wanted
