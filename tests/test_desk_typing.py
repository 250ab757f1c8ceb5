"""A run of typing is one step, and holds nobody else's work."""

from __future__ import annotations

import pytest
from playbook import Agent, Person, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.known.timeline import Timeline
from chardesk.broker.wire import messages as m


def two() -> tuple[Playbook, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.person()


def test_a_run_of_typing_is_one_step() -> None:
    play, _, person = two()
    for column, letter in enumerate("hello"):
        person.types(column, 0, letter, after=0.2)
    assert play.state.seq == 6
    assert person.undoes().acks == 1
    assert (play.drawn(), play.state.seq) == ("", 7)
    person.redoes()
    assert play.drawn() == "\nhello"
    person.undoes()
    assert play.drawn() == ""


@pytest.mark.parametrize(("x", "y", "after"), [(2, 0, 0.5), (3, 0, 0.1), (2, 1, 0.1), (1, 0, 0.1)], ids=str)
def test_a_pause_or_another_place_begins_a_new_step(x: int, y: int, after: float) -> None:
    play, _, person = two()
    person.types(0, 0, "ab")
    person.types(x, y, "c", after=after)
    person.undoes()
    assert play.drawn() == "\nab"
    person.undoes()
    assert play.drawn() == ""


def test_anything_else_that_the_person_does_ends_the_run() -> None:
    play, ada, person = two()
    ghost = ada.previews(0, 5, "ghost").preview
    person.types(0, 0, "ab")
    person.erases(1, 0, 1, after=0.1)
    person.types(2, 0, "c", after=0.1)
    person.applies(ghost)
    person.types(3, 0, "d", after=0.1)
    seen = []
    for _ in range(5):
        person.undoes()
        seen.append(play.drawn().split("\n")[1:])
    assert seen == [
        ["a c", "", "", "", "", "ghost"],
        ["a c"],
        ["a"],
        ["ab"],
        [],
    ]


def test_typing_that_joins_a_cluster_stays_in_its_run() -> None:
    play, _, person = two()
    person.types(0, 0, "a👩")
    person.types(3, 0, "\u200d🔧", compose=True, after=0.1)
    person.types(3, 0, "b", after=0.1)
    assert play.drawn() == "\na👩\u200d🔧b"
    person.undoes()
    assert play.drawn() == ""


def test_a_run_that_an_agent_wrote_into_is_refused_and_says_so() -> None:
    play, ada, person = two()
    person.types(0, 0, "a")
    person.types(1, 0, "b", after=0.1)
    ada.reads(0, 0, 9)
    ada.writes(0, 0, "X")
    assert person.undoes().refusal == "operation_not_undoable"
    assert play.drawn() == "\nXb"


def test_any_key_of_a_run_names_the_run() -> None:
    play, _, person = two()
    for column, letter in enumerate("abc"):
        person.types(column, 0, letter, after=0.1)
    assert person.calls("canvas_history", action="undo", operationId="op-2").refusal is None
    assert play.drawn() == ""


def inserts(person: Person, x: int, text: str) -> None:
    person.edits(m.TextOp(at=(x, 0), text=text, overwrite=False), after=0.1)


def test_a_run_ends_where_others_wrote_into_what_it_moves() -> None:
    """To take the whole run back would take their work along."""
    play, ada, person = two()
    person.types(0, 0, "--")
    inserts(person, 0, "a")
    ada.reads(0, 0, 9)
    ada.writes(2, 0, "Z")
    inserts(person, 1, "b")
    inserts(person, 2, "c")
    assert play.drawn() == "\nabc-Z"
    person.undoes()
    assert play.drawn() == "\na-Z"
    assert person.undoes().refusal == "operation_not_undoable"
    assert play.drawn() == "\na-Z"


def test_others_who_write_beside_a_run_do_not_end_it() -> None:
    play, ada, person = two()
    person.types(0, 0, "a")
    ada.writes(0, 5, "Z")
    person.types(1, 0, "b", after=0.1)
    person.undoes()
    assert play.drawn() == "\nZ"


def forgetful(play: Playbook) -> None:
    """As after a restart: headers are there, steps are only in the journal."""
    play.state.timeline = Timeline.load(play.state.timeline.headers.values())


def fetched(play: Playbook) -> list[int]:
    """Bring every old commit that the desk asks for; their numbers."""
    found = []
    while wanted := [one for one in play.heard if isinstance(one, fx.Fetch)]:
        (fetch,) = wanted
        assert isinstance(fetch.seq, int)
        found.append(fetch.seq)
        play.feed(e.Fetched(fetch.job, play.journal[fetch.seq - 1], play.at))
    return found


def test_an_old_run_of_typing_is_fetched_key_by_key_and_confirmed_once() -> None:
    play, _, person = two()
    for column, letter in enumerate("abc"):
        person.types(column, 0, letter, after=0.1)
    forgetful(play)
    heard = person.undoes()
    assert heard.acks == 0
    assert fetched(play) == [2, 3, 4]
    heard.effects = play.heard
    assert heard.acks == 1
    assert play.drawn() == ""
