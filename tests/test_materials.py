"""chardesk_read_materials: texts as blocks, and topics that are not there."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from chardesk.materials import shelf
from chardesk.tools.errors import Refused
from chardesk.tools.look.materials import show
from chardesk.tools.operation import Text


@dataclass(frozen=True)
class Named:
    name: str


class Two:
    """A shelf with two texts."""

    def topics(self) -> list[Named]:
        return [Named("guide"), Named("scripts")]

    def read(self, topic: str | None) -> tuple[str, str]:
        return topic or "guide", f"# {topic or 'index'}"


def test_a_text_is_a_block_and_not_repeated_as_a_field() -> None:
    shown = show("scripts", Two())
    assert shown.blocks == (Text("# scripts"),)
    assert shown.result.fields() == {
        "format": "text/markdown",
        "topic": "scripts",
        "topics": ["guide", "scripts"],
    }


def test_without_a_topic_there_is_the_index() -> None:
    assert show(None, Two()).blocks == (Text("# index"),)


def test_an_unknown_topic_is_told_the_nearest_one() -> None:
    with pytest.raises(Refused) as caught:
        show("script", Two())
    assert (caught.value.code, caught.value.field) == ("invalid_input", "topic")
    assert "did you mean scripts?" in caught.value.message
    with pytest.raises(Refused) as caught:
        show("zzz", Two())
    assert "guide, scripts" in caught.value.message


def test_the_real_shelf_has_all_that_it_lists() -> None:
    names = [topic.name for topic in shelf.topics()]
    assert names
    for name in names:
        (block,) = show(name, shelf).blocks
        assert block.text.startswith("#")
