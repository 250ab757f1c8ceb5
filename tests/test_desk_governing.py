"""The person governs: grants, revocation, pause, pins; and any page may ask what only looks."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import SHEET, Agent, Person, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.known.pins import MAX_PINS, load
from chardesk.broker.desk.world import ScriptRun
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.codes import REVOKED


def desk() -> tuple[Playbook, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.person()


def governs(person: Person, author: str, **what: Any) -> m.Governed | None:
    person.says(m.Govern(epoch=person.epoch, author=author, **what))
    return next(person.told(m.Governed), None)


def refusal(person: Person) -> str | None:
    return next((one.code for one in person.told(m.RefusedEdit)), None)


def disconnected(play: Playbook) -> list[tuple[str, int]]:
    return [(one.link, one.code) for one in play.heard if isinstance(one, fx.Disconnect)]


# -- grants --------------------------------------------------------------------


def test_a_grant_holds_from_the_next_call_on_and_is_kept() -> None:
    play, ada, person = desk()
    told = governs(person, "ada", grant="observe")
    assert told is not None and [(one.name, one.grant) for one in told.names] == [("ada", "observe")]
    assert ada.writes(0, 0, "hi").code == "permission_denied"
    assert ada.reads(0, 0, 5).code is None
    assert play.records["author", "ada"]["grant"] == "observe"


def test_pages_see_the_grant_beside_the_agent() -> None:
    _, _, person = desk()
    governs(person, "ada", grant="propose")
    presence = next(person.told(m.Presence))
    assert [(one.name, one.grant) for one in presence.agents] == [("ada", "propose")]


@pytest.mark.parametrize("name", ["person", "cli", "desk", "nobody"])
def test_only_agents_that_were_here_are_governed(name: str) -> None:
    _, _, person = desk()
    assert governs(person, name, grant="observe") is None
    assert refusal(person) == "not_found"


def test_a_page_without_the_seat_governs_nothing() -> None:
    play, ada, person = desk()
    other = play.person(take_seat=True)
    assert governs(person, "ada", grant="observe") is None
    assert refusal(person) == "replaced"
    assert ada.writes(0, 0, "hi").code is None
    assert governs(other, "ada", grant="observe") is not None


# -- revocation ----------------------------------------------------------------


def test_revoking_closes_the_link_drops_the_queue_and_ends_the_ghosts() -> None:
    play, ada, person = desk()
    bob = play.agent("bob")
    ghost = ada.previews(0, 0, "hi").preview
    ada.asks("canvas_write", at=[0, 0], content="too late", mode="apply")
    bob.asks("canvas_write", at=[0, 1], content="mine", mode="apply")
    governs(person, "ada", is_revoked=True)
    assert disconnected(play) == [(ada.link, REVOKED)]
    assert f"tell all ghost {ghost} is gone: revoked" in play.words
    assert [answer.tenant for answer in play.turns()] == [bob.link]
    assert "mine" in play.drawn() and "late" not in play.drawn()
    assert person.applies(ghost).refusal == "revoked"


def test_a_revoked_name_stays_out_whoever_asks_until_it_is_let_in() -> None:
    play, ada, person = desk()
    governs(person, "ada", is_revoked=True)
    again = play.agent("ada", resume=ada.token)
    assert (again.name, disconnected(play)) == ("", [(again.link, REVOKED)])
    governs(person, "ada", is_revoked=False)
    assert play.agent("ada").writes(0, 0, "back").code is None


def test_revoking_twice_changes_nothing_more() -> None:
    play, _, person = desk()
    governs(person, "ada", is_revoked=True)
    governs(person, "ada", is_revoked=True)
    assert disconnected(play) == []


def test_a_running_script_of_a_revoked_agent_is_stopped_and_never_applied() -> None:
    play, ada, person = desk()
    script = ada.starts_script()
    script.does("write", at=[0, 0], content="late")
    governs(person, "ada", is_revoked=True)
    assert f"stop {script.run.job}" in play.words
    before = play.state.seq
    play.feed(e.Ran(script.run.job, ScriptRun(), play.at))
    assert play.state.seq == before


# -- pause ---------------------------------------------------------------------


def test_paused_agents_look_but_change_nothing_and_the_person_goes_on() -> None:
    play, ada, person = desk()
    person.says(m.Pause(epoch=person.epoch, is_paused=True))
    assert next(person.told(m.Governed)).is_paused
    held = ada.writes(0, 0, "hi")
    assert (held.code, held["retryable"]) == ("disabled", True)
    assert ada.reads(0, 0, 5).code is None
    assert person.types(0, 0, "me").acks == 1
    assert play.tenant("cli", "cli").writes(0, 1, "shell").code is None
    person.says(m.Pause(epoch=person.epoch, is_paused=False))
    assert ada.writes(0, 2, "hi").code is None


def test_a_page_that_comes_later_learns_of_the_pause() -> None:
    play, _, person = desk()
    person.says(m.Pause(epoch=person.epoch, is_paused=True))
    late = Person(play, play.page("canvas", take_seat=True))
    assert next(late.told(m.Governed)).is_paused
    assert play.records["desk", "paused"] == {"isPaused": True}


# -- pins ----------------------------------------------------------------------


def pin(person: Person, sheet: str = SHEET) -> None:
    person.says(m.Pin(epoch=person.epoch, sheet=sheet, rect=(1, 2, 3, 4), note="look"))


def test_a_pin_is_told_kept_and_taken_away() -> None:
    play, _, person = desk()
    pin(person)
    (known,) = next(person.told(m.Governed)).pins
    assert (known.rect, known.note) == ((1, 2, 3, 4), "look")
    assert load({known.id: play.records["pin", known.id]}) == play.state.pins
    person.says(m.Unpin(epoch=person.epoch, id=known.id))
    assert next(person.told(m.Governed)).pins == []
    assert ("pin", known.id) not in play.records


def test_a_pin_needs_a_sheet_and_there_is_a_limit() -> None:
    _, _, person = desk()
    pin(person, "pg-gone")
    assert refusal(person) == "page_not_found"
    for _ in range(MAX_PINS):
        pin(person)
    assert refusal(person) is None
    pin(person)
    assert refusal(person) == "too_large"


def test_an_unknown_pin_is_not_found() -> None:
    _, _, person = desk()
    person.says(m.Unpin(epoch=person.epoch, id="pn-gone"))
    assert refusal(person) == "not_found"


# -- what any page may ask -------------------------------------------------------


def test_a_reader_asks_tools_that_look_and_no_others() -> None:
    play, ada, _ = desk()
    ada.writes(0, 0, "hi")
    reader = Person(play, play.page("reader"))
    reader.says(m.Ask(id="q-1", tool="canvas_read", args={}))
    assert "hi" in next(reader.told(m.Done)).result["content"]
    reader.says(m.Ask(id="q-2", tool="canvas_write", args={"at": [0, 0], "content": "no"}))
    assert refusal(reader) == "permission_denied"
    reader.says(m.Ask(id="q-3", tool="canvas_manage", args={"action": "list"}))
    assert next(reader.told(m.Done)).result["canvases"]


def test_the_story_of_a_cell_names_those_who_touched_it_newest_first() -> None:
    play, ada, person = desk()
    ada.writes(0, 0, "old", why="first")
    person.types(0, 0, "n")
    person.says(m.Story(sheet=SHEET, at=(0, 0)))
    story = next(person.told(m.CellStory))
    assert [(one.author, one.why) for one in story.lines] == [("person", ""), ("ada", "first")]
    person.says(m.Story(sheet=SHEET, at=(50, 50)))
    assert next(person.told(m.CellStory)).lines == []
    assert play.state.seq == 3


# -- the browser's agent -----------------------------------------------------------


def tools_of(play: Playbook, kind: str) -> list[m.Tool]:
    page = Person(play, play.page(kind))
    return list(next(page.told(m.Welcome)).tools)


def test_each_kind_of_page_gives_its_tools_to_the_browsers_agent() -> None:
    play = Playbook()
    assert [one.name.partition("_")[2] for one in tools_of(play, "canvas")] == [
        *("manage", "read", "search", "write", "erase", "fill", "render", "code", "read_materials")
    ]
    reading = tools_of(play, "reader")
    assert [one.name.partition("_")[2] for one in reading] == ["manage", "read", "search", "read_materials"]
    assert reading[0].input_schema["properties"]["action"]["enum"] == ["list", "list_pages"]
    assert all(one.read_only for one in reading)
    assert tools_of(play, "desk") == []


def test_the_browsers_agent_on_a_reading_page_only_looks() -> None:
    play = Playbook()
    agent = play.tenant("reader", "browser")
    assert agent.name == "reading-agent"
    assert agent.reads(0, 0, 5).code is None
    assert agent.manages("list").code is None
    assert agent.writes(0, 0, "no").code == "permission_denied"
    assert agent.manages("create", kind="freeform").code == "permission_denied"
