"""Approvals between real agents and the person's page as a bare socket, through reloads, restarts and lost
connections."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, Person, answer_of, faultless


@pytest.fixture
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("approvals") / "desk") as running:
        yield running


def govern(person: Person, **what: object) -> None:
    person.say("govern", epoch=person.epoch, **what)
    person.until(lambda told: told["type"] == "governed")


def ask(agent: Caller, y: int = 0, **more: object) -> Fields:
    """The ids of a write that the person has to decide about."""
    told = agent.tool("canvas_write", at=[0, y], content="please", mode="apply", **more)
    assert told.code == "approval_required", told.text
    return dict(told.fields["details"])


def cards(person: Person) -> dict[str, Fields]:
    """Those that are there, by preview."""
    found: dict[str, Fields] = {}
    for told in person.heard:
        if told["type"] == "preview":
            found[told["id"]] = told
        elif told["type"] == "preview_gone":
            found.pop(told["id"], None)
    return found


def joined(broker: RunningBroker, token: str | None) -> Person:
    """A page that has heard all that a page hears when it comes: `governed` is the last of it."""
    person = Person(broker, token)
    person.until(lambda told: told["type"] == "governed")
    return person


def test_every_kind_of_request_is_a_card_with_author_place_and_counts(broker: RunningBroker) -> None:
    """APR-02"""
    with Caller(broker.place.root, "ada") as ada, joined(broker, None) as person:
        ada.put(0, 10, "\n".join(["x" * 50] * 40))
        govern(person, author="ada", grant="propose")
        area = ada.tool("canvas_write", at=[0, 0], content="\n".join(["y" * 30] * 5), mode="apply")
        gone = ada.tool("canvas_erase", at=[0, 10], size=[50, 40], mode="apply")
        named = ada.tool("canvas_manage", action="rename", name="Plan")
        ids = [told.fields["details"]["previewId"] for told in (area, gone, named)]
        shown = [person.until(lambda told, one=one: told.get("id") == one) for one in ids]  # type: ignore[misc]
        assert {one["author"] for one in shown} == {"ada"}
        assert {(one["canvasName"], one["sheetName"]) for one in shown} == {("Canvas 1", "Sheet 1")}
        assert [(one["overwritten"], one["cleared"]) for one in shown] == [(0, 0), (0, 2_000), (0, 0)]
        assert shown[0]["bounds"] == [0, 0, 30, 5]
        assert shown[2]["arranges"] == [
            {"kind": "canvas_renamed", "name": "Canvas 1", "before": "Canvas 1", "after": "Plan", "cells": 0}
        ]


def test_a_request_outlives_a_reload_of_the_page_and_a_restart_of_the_broker(broker: RunningBroker) -> None:
    """APR-03"""
    with Caller(broker.place.root, "ada") as ada:
        with joined(broker, None) as person:
            govern(person, author="ada", grant="propose")
            first, second = ask(ada), ask(ada, y=2)
            token = person.token
        with joined(broker, token) as reloaded:
            assert cards(reloaded).keys() == {first["previewId"], second["previewId"]}
            reloaded.decide(first["previewId"], "apply")
    broker.restart()
    with Caller(broker.place.root, "ada") as ada, joined(broker, token) as person:
        (told,) = ada.ok("canvas_inbox", action="wait")["messages"]
        assert (told["requestId"], told["fate"]) == (first["requestId"], "applied")
        (card,) = cards(person).values()
        assert (card["id"], card["request"]) == (second["previewId"], second["requestId"])
        waiting = ada.send("canvas_inbox", action="wait")
        person.decide(second["previewId"], "veto")
        while (heard := ada.hear()).get("id") != waiting:
            pass
        fates = {one["requestId"]: one["fate"] for one in answer_of(heard).fields["messages"]}
        assert fates == {second["requestId"]: "vetoed"}
        assert ada.rows((0, 0, 8, 3)) == ["please", "", ""]
        late = ada.tool("canvas_history", action="apply_preview", previewId=second["previewId"])
        assert late.code == "vetoed"


def test_who_applies_unasked_is_chosen_agent_by_agent_and_outlives_a_restart(broker: RunningBroker) -> None:
    """APR-04"""
    desk = broker.place.root
    with joined(broker, None) as person:
        person.say("newcomers", epoch=person.epoch, grant="propose")
        person.until(lambda told: told["type"] == "governed" and told["newcomers"] == "propose")
        with Caller(desk, "ada") as ada, Caller(desk, "bob") as bob:
            govern(person, author="ada", grant="apply")
            ada.put(0, 0, "unasked")
            ask(bob, y=2)
            with Caller(desk, "carl") as carl:
                ask(carl, y=4)
    broker.restart()
    with Caller(desk, "ada") as ada, Caller(desk, "bob") as bob, Caller(desk, "dora") as dora:
        ada.put(0, 6, "still unasked")
        ask(bob, y=8)
        ask(dora, y=10)


def test_a_decision_that_is_lost_on_the_way_is_made_again_and_has_one_effect(broker: RunningBroker) -> None:
    """APR-06"""
    with Caller(broker.place.root, "ada") as ada:
        with joined(broker, None) as person:
            govern(person, author="ada", grant="propose")
            first, second = ask(ada)["previewId"], ask(ada, y=2)["previewId"]
            token = person.token
        # The page was cut off before its gesture left: the card is there again, and decides once.
        with joined(broker, token) as person:
            assert first in cards(person)
            for _ in range(2):
                person.decide(first, "apply")
            # Its answer was lost: the gesture comes again from a page that knows nothing of it.
            person.say("decide", epoch=person.epoch, preview=second, version=1, verdict="apply")
        with joined(broker, token) as person:
            person.decide(second, "apply")
        log = ada.ok("canvas_history", action="log")["entries"]
        assert [(one["author"], one["appliedBy"]) for one in log[:3]] == [
            *[("ada", "person")] * 2,
            ("desk", "desk"),
        ]


def test_a_leave_covers_new_calls_only_and_says_so_in_the_history(broker: RunningBroker) -> None:
    """APR-07"""
    with Caller(broker.place.root, "ada") as ada, joined(broker, None) as person:
        govern(person, author="ada", grant="propose")
        waiting = {ask(ada, y=row)["previewId"] for row in range(3)}
        govern(person, author="ada", applyMinutes=10)
        done = ada.put(0, 9, "unasked")
        assert done["autoApproved"]["by"] == "person"
        told = person.until(lambda told: told["type"] == "activity" and told["author"] == "ada")
        assert told["isAuto"] and cards(person).keys() == waiting
        for preview in waiting:
            refused = ada.tool("canvas_history", action="apply_preview", previewId=preview)
            assert refused.code == "approval_required"
        govern(person, author="ada", grant="propose")
        ask(ada, y=12)
