"""Scope and features over the sockets: set by the page with the seat, felt by an agent, crash-proof."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, Person

RECT = [0, 0, 10, 4]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path / "desk") as running:
        yield running


@contextmanager
def on_page(broker: RunningBroker, **hello: Any) -> Iterator[Person]:
    """A page that has heard all that a page is told when it joins."""
    with Person(broker, **hello) as page:
        page.until(lambda message: message["type"] == "governed")
        yield page


def governed(page: Person, kind: str, **gesture: object) -> Fields:
    """Ada, as the page is told of her after a gesture."""
    page.say(kind, epoch=page.epoch, author="ada", **gesture)
    told = page.until(lambda message: message["type"] in ("governed", "refused"))
    names: list[Fields] = told.get("names", [])
    return next((one for one in names if one["name"] == "ada"), told)


def write(agent: Caller, x: int) -> str | None:
    told = agent.tool("canvas_write", at=[x, 0], content="x", mode="apply", expectedRevision="any")
    return str(told.fields["code"]) if told.refused else None


def here(page: Person) -> Fields:
    return {"canvas": page.welcome["canvas"], "sheet": page.welcome["sheet"], "rect": RECT}


def test_what_the_person_sets_survives_a_crash_of_the_broker(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "ada") as ada:
        with on_page(broker) as page:
            assert governed(page, "govern", scope=[here(page)])["scope"] == [here(page)]
            assert governed(page, "allow", feature="code", isAllowed=False)["lacks"] == ["code"]
        assert (write(ada, 0), write(ada, 50)) == (None, "permission_denied")
        broker.kill()
        assert (write(ada, 1), write(ada, 50)) == (None, "permission_denied")
        you = ada.ok("canvas_manage", action="status")["you"]
        assert ([one["bounds"] for one in you["scope"]], you["lacks"]) == ([RECT], ["code"])
        assert ada.tool("canvas_code", script="return 1").fields["code"] == "permission_denied"


def test_a_tool_that_is_off_stays_listed(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "ada") as ada, on_page(broker) as page:
        before = ada.answer("tools/list")
        for feature in ("code", "images", "files", "pages"):
            governed(page, "allow", feature=feature, isAllowed=False)
        assert ada.answer("tools/list")["result"] == before["result"]


def test_a_page_without_the_seat_narrows_nothing(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "ada") as ada, on_page(broker) as first, on_page(broker, takeSeat=True):
        assert governed(first, "govern", scope=[here(first)])["code"] == "replaced"
        assert write(ada, 50) is None
