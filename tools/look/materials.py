"""chardesk_read_materials: what agents read to draw well here. The shelf is handed in."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Protocol

from pydantic import Field

from chardesk.tools.errors import Refused
from chardesk.tools.operation import Asked, Operation, Shown, Text
from chardesk.tools.schema import Args, Result


class Topic(Protocol):
    @property
    def name(self) -> str: ...


class Shelf(Protocol):
    """Where the texts come from."""

    def topics(self) -> Sequence[Topic]: ...

    def read(self, topic: str | None) -> tuple[str, str]:
        """The topic's name and text; without a topic the index and the authoring guide."""


class MaterialsArgs(Args):
    topic: str | None = Field(None, description="default: the index and the guide to drawing")


class MaterialsResult(Result):
    """The text itself is the reply's content."""

    format: str
    topic: str
    topics: list[str]


def show(topic: str | None, shelf: Shelf) -> Shown:
    """One text as a block. Refuses `invalid_input` for a topic the shelf lacks, naming the nearest."""
    names = [each.name for each in shelf.topics()]
    if topic is not None and topic not in names:
        near = difflib.get_close_matches(topic, names, 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        raise Refused(
            "invalid_input", f"no topic {topic[:60]}; {hint}", field="topic", details={"topics": names}
        )
    name, text = shelf.read(topic)
    return Shown(MaterialsResult(format="text/markdown", topic=name, topics=names), (Text(text),))


OPERATION = Operation(
    name="chardesk_read_materials",
    summary="Read how to draw well on this desk: coordinates, widths, previews, Markdown, ANSI, scripts.",
    effect="read",
    args=MaterialsArgs,
    result=MaterialsResult,
    body=Asked(),
    owner="materials",
    examples=({}, {"topic": "scripts"}),
)
