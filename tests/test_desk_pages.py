"""Pages: one holds the seat and acts for the person; everything it does has its effect once."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import CANVAS, SHEET, Agent, Person, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.road.told import parts as sheet_parts
from chardesk.broker.desk.world import ScriptRun
from chardesk.broker.wire import messages as m


def two() -> tuple[Playbook, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.person()


def told(play: Playbook, link: str) -> list[str]:
    """What sorts of messages the last event brought to a page."""
    heard = [one for one in play.heard if isinstance(one, fx.TellPage) and one.link in (None, link)]
    return [
        "whole" if isinstance(one.message, fx.Whole) else one.message.model_dump()["type"] for one in heard
    ]


def wholes(play: Playbook) -> list[fx.Whole]:
    """The large sheets that the last event brought to pages."""
    messages = [one.message for one in play.heard if isinstance(one, fx.TellPage)]
    return [one for one in messages if isinstance(one, fx.Whole)]


# -- the seat ---------------------------------------------------------------------------------


def test_the_first_canvas_page_gets_the_seat_and_all_it_needs_to_paint() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "hi")
    ghost = ada.previews(5, 5, "x").preview
    person = play.person()
    (welcome,) = person.told(m.Welcome)
    assert (welcome.seat, welcome.seq, welcome.canvas, welcome.sheet) == (True, 2, CANVAS, SHEET)
    assert [one.name for one in welcome.agents] == ["ada"]
    assert [one.name for one in welcome.tools][:2] == ["canvas_manage", "canvas_read"]
    (snapshot,) = person.told(m.Snapshot)
    assert snapshot.cells.rows == [(0, [(0, "hi", 0)])]
    assert [one.id for one in person.told(m.Preview)] == [ghost]


def test_a_second_page_is_read_only_until_it_takes_the_seat() -> None:
    """CON-07."""
    play, _, first = two()
    second = play.person()
    assert [one.seat for one in second.told(m.Welcome)] == [False]
    assert second.types(0, 0, "x").refusal == "replaced"
    assert first.types(0, 0, "y").refusal is None
    third = play.person(take_seat=True)
    assert told(play, first.link) == ["seat_lost"]
    assert third.types(1, 0, "z").refusal is None
    assert play.drawn() == "\nyz"


def test_what_the_old_page_sends_late_is_refused() -> None:
    """R93: its acknowledged edits stand, the rest is its draft."""
    play, ada, first = two()
    ghost = ada.previews(5, 5, "x").preview
    first.types(0, 0, "kept", name="edit-1")
    play.person(take_seat=True)
    assert first.types(0, 0, "late").refusal == "replaced"
    assert first.applies(ghost).refusal == first.vetoes(ghost).refusal == "replaced"
    assert first.types(0, 0, "kept", name="edit-1").acks == 1
    assert play.drawn() == "\nkept"


def test_an_old_epoch_is_refused_even_from_the_page_with_the_seat() -> None:
    _, _, person = two()
    person.epoch -= 1
    assert person.types(0, 0, "x").refusal == "replaced"


@pytest.mark.parametrize("kind", ["reader", "desk"])
def test_other_kinds_of_pages_never_get_the_seat(kind: str) -> None:
    play = Playbook()
    play.page(kind, take_seat=True)
    assert play.state.pages.seat is None


def test_the_seat_is_free_when_its_page_leaves() -> None:
    play, ada, person = two()
    assert ada.reads(0, 0, 1)["live"] is True
    play >> e.PageLeft(person.link, play.at)
    assert ada.writes(0, 0, "x")["live"] is False
    assert play.feed(e.PageSaid(person.link, m.Shown(sheet=SHEET, seq=1), play.at)) == []
    assert play.person().types(1, 0, "y").refusal is None


def test_a_seat_that_was_left_for_good_is_offered_to_the_page_that_came_last() -> None:
    play, _, first = two()
    waits = [play.person(), play.person()]
    reader = play.page("reader")
    play >> e.PageLeft(first.link, play.at)
    play.ticks(1)
    assert [told(play, one.link) for one in waits] == [[], []], "the first may only be reloading"
    play.ticks(2.5)
    assert [told(play, one.link) for one in waits] == [[], ["seat_free"]]
    assert told(play, reader) == []
    play >> e.PageLeft(waits[1].link, play.at)
    play.ticks(3.5)
    assert told(play, waits[0].link) == ["seat_free"]
    assert play.person(take_seat=True).types(0, 0, "x").refusal is None
    play.ticks(10)
    assert told(play, waits[0].link) == [], "the seat is taken"


def test_replies_say_what_the_person_has_on_the_screen() -> None:
    _, ada, person = two()
    ada.writes(0, 0, "x")
    assert ada.reads(0, 0, 1)["shownRevision"] == 0
    person.says(m.Shown(sheet=SHEET, seq=2))
    assert ada.reads(0, 0, 1)["shownRevision"] == 2
    person.says(m.Shown(sheet=SHEET, seq=1))
    person.says(m.Shown(sheet="pg-other", seq=9))
    assert ada.reads(0, 0, 1)["shownRevision"] == 2
    person.says(m.Shown(sheet=SHEET, seq=99))
    assert ada.reads(0, 0, 1)["shownRevision"] == 2


# -- edits --------------------------------------------------------------------------------------


def test_an_edit_is_confirmed_by_the_change_that_it_made() -> None:
    play, _, person = two()
    other = play.page()
    assert person.types(0, 0, "x", name="edit-1").acks == 1
    acks = [
        (one.link, one.message.ack)
        for one in play.heard
        if isinstance(one, fx.TellPage) and isinstance(one.message, m.Change)
    ]
    assert acks == [(person.link, "edit-1"), (other, None)]


def test_an_edit_has_its_effect_once() -> None:
    """R70: a page sends again what was not confirmed."""
    play, _, person = two()
    person.types(0, 0, "x", name="edit-1")
    person.types(0, 0, "y")
    again = person.types(0, 0, "x", name="edit-1")
    assert (again.acks, again.result["operationId"]) == (1, "op-2")
    assert play.drawn() == "\ny"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("canvas_write", {"at": [5, 5], "content": "x", "mode": "apply"}),
        ("canvas_history", {"action": "undo"}),
    ],
)
def test_a_call_by_the_person_has_its_effect_once(tool: str, arguments: dict[str, Any]) -> None:
    play, _, person = two()
    person.types(0, 0, "abc")
    op = m.CallOp(tool=tool, args=arguments)
    person.edits(op, name="edit-9")
    seq = play.state.seq
    assert person.edits(op, name="edit-9").acks == 1
    assert play.state.seq == seq == 3


def test_an_edit_without_effect_is_done_at_once() -> None:
    play, _, person = two()
    assert person.erases(0, 0, 9).acks == 1
    assert play.state.seq == 1


def test_an_edit_over_the_edge_of_a_slide_is_refused() -> None:
    play, ada, person = two()
    deck = ada.manages("create", kind="slides", size=[5, 2], activate=True)
    heard = person.types(3, 0, "abc", sheet=deck["pageId"])
    assert heard.refusal == "out_of_bounds"
    assert play.drawn(deck["pageId"]) == ""


def test_what_is_no_text_is_refused() -> None:
    _, _, person = two()
    assert person.types(0, 0, "a\tb").refusal == "invalid_input"


def test_an_emoji_typed_in_pieces_is_one() -> None:
    play, _, person = two()
    person.types(0, 0, "👩")
    person.types(2, 0, "\u200d🔧", compose=True)
    assert play.drawn() == "\n👩\u200d🔧"
    assert play.sheet().scene.bounds() == (0, 0, 2, 1)


def test_what_does_not_join_is_typed_as_it_is() -> None:
    play, _, person = two()
    person.types(0, 0, "a")
    person.types(1, 0, "b", compose=True)
    assert play.drawn() == "\nab"


def test_online_typing_needs_no_base() -> None:
    play, ada, person = two()
    ada.writes(0, 0, "theirs")
    assert person.types(0, 0, "me").refusal is None
    assert play.drawn() == "\nmeeirs"


def test_an_offline_edit_over_what_others_did_is_a_conflict() -> None:
    """SYN-02."""
    play, ada, person = two()
    ada.writes(0, 0, "NEW")
    assert person.erases(0, 0, 10, base=1).refusal == "conflict"
    assert person.erases(5, 5, 10, base=1).refusal is None
    assert play.drawn() == "\nNEW"
    assert person.erases(0, 0, 10, base=2).refusal is None


def test_an_offline_edit_over_ones_own_is_none() -> None:
    _, _, person = two()
    person.types(0, 0, "mine")
    assert person.types(0, 0, "more", base=1).refusal is None


def test_edits_on_an_archived_canvas_are_refused() -> None:
    _, ada, person = two()
    other = ada.manages("create", kind="freeform")
    ada.manages("archive", canvasId=other["canvasId"], mode="apply")
    assert person.types(0, 0, "x", sheet=other["pageId"]).refusal == "unsupported_action"
    assert person.types(0, 0, "x", sheet="pg-gone").refusal == "page_not_found"


def test_a_call_that_is_refused_is_refused_under_its_edit() -> None:
    _, _, person = two()
    assert person.calls("canvas_history", action="undo", operationId="op-99").refusal == "not_found"
    assert person.calls("canvas_manage", action="rename").refusal == "invalid_input"


def test_a_script_by_the_person_ends_as_an_edit() -> None:
    play, _, person = two()
    person.calls("canvas_code", script="…", mode="apply")
    (run,) = [one for one in play.heard if isinstance(one, fx.RunScript)]
    run.world.answer("write", {"at": [0, 0], "content": "hi"})
    play >> e.Ran(run.job, ScriptRun(), play.at)
    assert "done" in told(play, person.link)
    assert play.drawn() == "\nhi"


# -- what pages are told ---------------------------------------------------------------------------


def test_only_pages_that_show_a_sheet_get_its_cells() -> None:
    play, ada, person = two()
    other = ada.manages("create", kind="freeform")
    ada.writes(0, 0, "x", canvasId=other["canvasId"])
    assert told(play, person.link) == ["activity"]
    person.turns_to(other["canvasId"])
    assert told(play, person.link) == ["canvases", "snapshot"]
    ada.writes(0, 5, "x", canvasId=other["canvasId"])
    assert told(play, person.link) == ["change", "activity"]


def test_only_the_page_with_the_seat_turns_the_desk() -> None:
    play, ada, person = two()
    other = ada.manages("create", kind="freeform")["canvasId"]
    reader = play.page("reader")
    play >> e.PageSaid(reader, m.Activate(canvas=other), play.at)
    assert play.state.canvas == CANVAS
    assert [type(one) for one in person.turns_to(other)] == [fx.Persist, fx.TellPage, fx.TellPage]
    assert play.records["desk", "active"]["canvas"] == other


def test_a_page_may_look_at_an_archived_canvas_without_making_it_active() -> None:
    play, ada, person = two()
    other = ada.manages("create", kind="freeform")["canvasId"]
    ada.manages("archive", canvasId=other, mode="apply")
    person.turns_to(other)
    assert told(play, person.link) == ["canvases", "snapshot"]
    assert play.state.canvas == CANVAS


def test_turning_to_what_is_not_there_changes_nothing() -> None:
    _, _, person = two()
    assert person.turns_to("cv-nowhere") == person.turns_to(CANVAS, "pg-nowhere") == []


def test_a_canvas_that_an_agent_activates_is_turned_to_with_its_cells() -> None:
    play, ada, person = two()
    reader = play.page("reader")
    other = ada.manages("create", kind="freeform", activate=True)
    (shelf,) = person.told(m.Canvases)
    assert (shelf.canvas, shelf.sheet) == (other["canvasId"], other["pageId"])
    assert [one.sheet for one in person.told(m.Snapshot)] == [other["pageId"]]
    (kept,) = [
        one.message
        for one in play.heard
        if isinstance(one, fx.TellPage) and one.link == reader and isinstance(one.message, m.Canvases)
    ]
    assert (kept.canvas, kept.sheet) == (CANVAS, SHEET)


def test_whoever_shows_a_sheet_that_goes_turns_to_the_active_one() -> None:
    play, ada, person = two()
    deck = ada.manages("create", kind="slides")
    page = ada.manages("create_page", canvasId=deck["canvasId"])["pageId"]
    person.turns_to(deck["canvasId"], page)
    ada.manages("delete_page", pageId=page, mode="apply")
    assert play.state.active == (deck["canvasId"], deck["pageId"])
    assert [one.sheet for one in person.told(m.Snapshot)] == [deck["pageId"]]
    ada.writes(0, 0, "x", pageId=deck["pageId"])
    assert told(play, person.link) == ["change", "activity"]


def test_a_very_large_commit_reaches_pages_as_a_snapshot() -> None:
    play, ada, person = two()
    row = "x" * 400
    for half in range(2):
        ada.writes(0, half * 100, "\n".join([row] * 100))
    heard = person.calls("canvas_history", action="undo", operationId="op-2")
    assert heard.refusal is None
    person.erases(0, 0, 400, 200)
    ada.writes(0, 0, "\n".join([row] * 170), expectedRevision="any")
    assert {"whole", "activity"} == set(told(play, person.link)) - {"presence"}
    (whole,) = wholes(play)
    parts = sheet_parts(whole)
    assert [(one.part, one.parts, one.seq) for one in parts] == [
        (0, 2, play.state.seq),
        (1, 2, play.state.seq),
    ]
    assert sum(len(one.cells.rows) for one in parts) == 170


def test_a_large_sheet_is_spelled_as_it_was_when_the_page_asked_for_it() -> None:
    play, ada, _ = two()
    for half in range(2):
        ada.writes(0, half * 100, "\n".join(["x" * 400] * 100))
    late = play.person()
    (whole,) = wholes(play)
    ada.writes(0, 0, "later", expectedRevision="any")
    first = sheet_parts(whole)[0]
    assert first.cells.rows[0] == (0, [(0, "x" * 400, 0)])
    assert first.seq == next(late.told(m.Change)).seq - 1


def test_agents_are_told_nothing_of_each_other() -> None:
    """QUE-08."""
    play, ada, _ = two()
    bob = play.agent("bob")
    for got in (ada.writes(0, 0, "x"), ada.reads(0, 0, 1), ada.previews(5, 5, "y")):
        assert {one.tenant for one in got.effects if isinstance(one, fx.Answer)} == {ada.link}
        assert bob.link not in repr(got.effects)
