"""Undo belongs to who applied; nobody's undo removes another's commit without naming it."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import CANVAS, Agent, Person, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.timeline import Timeline
from chardesk.broker.wire import messages as m


def three() -> tuple[Playbook, Agent, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob"), play.person()


# -- whose commits --------------------------------------------------------------------


def test_ctrl_z_takes_back_only_what_the_person_did() -> None:
    """UND-02."""
    play, ada, bob, person = three()
    person.types(0, 0, "box")
    ada.writes(0, 5, "T")
    bob.writes(0, 9, "U")
    for _ in range(3):
        person.undoes()
    assert play.drawn(rect=(0, 0, 3, 10)) == "\n\n\n\n\n\nT\n\n\n\nU"
    got = ada.undoes()
    assert got["undone"] == "op-3"
    assert play.drawn() == "\nU"


def test_a_dismissed_preview_leaves_no_step() -> None:
    """UND-03."""
    play, ada, _, person = three()
    person.types(0, 0, "X")
    person.vetoes(ada.previews(0, 0, "over").preview)
    person.undoes()
    assert play.drawn() == ""
    person.redoes()
    assert play.drawn() == "\nX"


def test_no_step_holds_letters_of_two_authors() -> None:
    """UND-04: the person types in one run, an agent writes elsewhere between any two keys."""
    play, ada, _, person = three()
    for column, letter in enumerate("h1h2h3"):
        person.types(column, 0, letter, after=0.03)
        ada.writes(column, 5, "abcdef"[column])
    person.undoes()
    assert play.drawn() == "\nabcdef"
    for left in ("abcde", "abcd", "abc", "ab", "a", ""):
        ada.undoes()
        assert play.drawn().strip() == left


def test_an_undone_write_is_gone_for_everybody() -> None:
    """UND-08."""
    play, ada, bob, person = three()
    ada.writes(0, 0, "A")
    assert "A" in bob.reads(0, 0, 3).reply.blocks[0].text
    ada.undoes()
    assert [one.cells.rows for one in person.told(m.Change)] == [[(0, [(0, 1, -1)])]]
    assert "A" not in bob.reads(0, 0, 3).reply.blocks[0].text.split("┤")[1]
    assert play.from_the_journal().sheet("pg-first") is not None


def test_what_the_person_accepted_is_the_persons_step() -> None:
    """UND-09."""
    play, ada, _, person = three()
    person.types(0, 0, "E1")
    person.applies(ada.previews(0, 5, "P").preview)
    seen = []
    for step in (person.undoes, person.redoes, person.undoes, person.undoes):
        step()
        seen.append(play.drawn().split())
    assert seen == [["E1"], ["E1", "P"], ["E1"], []]


def test_an_agent_undoes_by_id_what_it_planned_and_the_person_accepted() -> None:
    play, ada, _, person = three()
    person.applies(ada.previews(0, 5, "P").preview)
    assert ada.undoes().code == "not_found"
    assert ada.undoes("op-2").code is None
    assert play.drawn() == ""


def test_nobody_undoes_what_belongs_to_another() -> None:
    _, ada, bob, _ = three()
    assert bob.undoes(ada.writes(0, 0, "x").operation).code == "permission_denied"


def test_the_person_undoes_anybodys_commit_by_naming_it() -> None:
    play, ada, _, person = three()
    done = ada.writes(0, 0, "x").operation
    assert person.calls("canvas_history", action="undo", operationId=done).refusal is None
    assert play.drawn() == ""
    assert ada.writes(0, 0, "y").code == "conflict"


def test_undo_walks_from_the_newest_and_ends() -> None:
    play, ada, _, _ = three()
    for row in range(3):
        ada.writes(0, row, str(row))
    assert [ada.undoes()["undone"] for _ in range(3)] == ["op-4", "op-3", "op-2"]
    assert ada.undoes().code == "not_found"
    assert play.drawn() == ""


def test_an_undo_with_nothing_left_is_done_at_once() -> None:
    _, _, _, person = three()
    assert person.undoes().acks == person.redoes().acks == 1


# -- redo -------------------------------------------------------------------------------


def test_redo_walks_back_what_undo_walked() -> None:
    play, ada, _, _ = three()
    for row in range(3):
        ada.writes(0, row, str(row))
    for _ in range(3):
        ada.undoes()
    for drawn in ("\n0", "\n0\n1", "\n0\n1\n2"):
        ada.redoes()
        assert play.drawn() == drawn
    assert ada.redoes().code == "not_found"


def test_what_is_new_drops_redo_and_what_others_do_does_not() -> None:
    """R11."""
    play, ada, bob, person = three()
    person.types(0, 0, "x")
    person.undoes()
    bob.writes(0, 5, "elsewhere")
    person.turns_to(CANVAS)
    ada.previews(9, 9, "ghost")
    person.redoes()
    assert play.drawn(rect=(0, 0, 1, 1)) == "\nx"
    person.undoes()
    person.types(0, 7, "new")
    person.redoes()
    assert play.drawn(rect=(0, 0, 1, 1)) == "\n"


def test_redo_by_id_brings_back_the_operation_or_takes_back_its_undo() -> None:
    play, ada, _, _ = three()
    done = ada.writes(0, 0, "x").operation
    undone = ada.undoes(done).operation
    assert ada.redoes(done).code is None
    assert play.drawn() == "\nx"
    assert ada.redoes(done).code == ada.redoes(undone).code == "operation_not_undoable"
    again = ada.undoes(done).operation
    assert ada.redoes(again).code is None
    assert play.drawn() == "\nx"


def test_an_operation_is_undone_once() -> None:
    play, ada, _, _ = three()
    done = ada.writes(0, 0, "x").operation
    assert ada.undoes(done).code is None
    assert ada.undoes(done).code == "operation_not_undoable"
    ada.redoes(done)
    assert ada.undoes(done).code is None
    assert play.drawn() == ""


# -- what stands in the way ----------------------------------------------------------------


def test_later_commits_by_others_on_the_same_cells_refuse_an_undo_and_are_listed() -> None:
    """R9."""
    play, ada, bob, _ = three()
    done = ada.writes(0, 0, "aaaa").operation
    bob.reads(0, 0, 9)
    over = bob.writes(2, 0, "b").operation
    got = ada.undoes(done)
    assert got.code == "operation_not_undoable"
    assert got["details"]["later"] == [{"operationId": over, "author": "bob", "tool": "canvas_write"}]
    assert play.drawn() == "\naaba"
    bob.undoes()
    assert ada.undoes(done).code is None


def test_later_commits_elsewhere_never_stand_in_the_way() -> None:
    play, ada, bob, person = three()
    done = ada.writes(0, 0, "aaaa").operation
    bob.writes(5, 0, "bbb")
    person.types(0, 1, "me")
    assert ada.undoes(done).code is None
    assert play.drawn() == "\n     bbb\nme"


def test_an_undo_takes_back_only_the_cells_that_were_altered() -> None:
    play, ada, bob, _ = three()
    bob.writes(0, 0, "a-c")
    ada.reads(0, 0, 9)
    ada.writes(0, 0, "abc")
    ada.undoes()
    assert play.drawn() == "\na-c"
    assert play.sheet().trace.latest(0, 0) == ("bob", 2)
    assert bob.undoes().code is None
    assert play.drawn() == ""


def test_wide_glyphs_go_and_come_whole() -> None:
    play, ada, _, person = three()
    ada.writes(0, 0, "世界")
    person.types(1, 0, "x")
    assert play.drawn(rect=(0, 0, 4, 1)) == "\n x界"
    person.undoes()
    assert play.drawn() == "\n世界"


# -- runs of typing --------------------------------------------------------------------------


def test_a_run_of_typing_is_one_step() -> None:
    play, _, _, person = three()
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
    play, _, _, person = three()
    person.types(0, 0, "ab")
    person.types(x, y, "c", after=after)
    person.undoes()
    assert play.drawn() == "\nab"
    person.undoes()
    assert play.drawn() == ""


def test_anything_else_that_the_person_does_ends_the_run() -> None:
    play, ada, _, person = three()
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
    play, _, _, person = three()
    person.types(0, 0, "a👩")
    person.types(3, 0, "\u200d🔧", compose=True, after=0.1)
    person.types(3, 0, "b", after=0.1)
    assert play.drawn() == "\na👩\u200d🔧b"
    person.undoes()
    assert play.drawn() == ""


def test_a_run_that_an_agent_wrote_into_is_refused_and_says_so() -> None:
    play, ada, _, person = three()
    person.types(0, 0, "a")
    person.types(1, 0, "b", after=0.1)
    ada.reads(0, 0, 9)
    ada.writes(0, 0, "X")
    assert person.undoes().refusal == "operation_not_undoable"
    assert play.drawn() == "\nXb"


def test_any_key_of_a_run_names_the_run() -> None:
    play, _, _, person = three()
    for column, letter in enumerate("abc"):
        person.types(column, 0, letter, after=0.1)
    assert person.calls("canvas_history", action="undo", operationId="op-2").refusal is None
    assert play.drawn() == ""


# -- canvases and pages --------------------------------------------------------------------------


def names(play: Playbook) -> list[str]:
    return [canvas.name for canvas in play.state.contents.open_canvases()]


def pages(play: Playbook, canvas: str) -> list[str]:
    return [sheet.name for sheet in play.state.contents.canvases[canvas].sheets]


def deck(ada: Agent, *more: str) -> tuple[str, list[str]]:
    """A slides canvas of 20×5 and its pages."""
    made = ada.manages("create", kind="slides", size=[20, 5], name="Deck")
    rest = [ada.manages("create_page", canvasId=made["canvasId"], name=name)["pageId"] for name in more]
    return made["canvasId"], [made["pageId"], *rest]


@pytest.mark.parametrize(
    ("action", "more"),
    [
        ("rename", {"name": "Other"}),
        ("archive", {}),
        ("duplicate", {}),
        ("create_page", {}),
        ("resize_page", {"size": [30, 9]}),
        ("resize_page", {"size": [10, 5], "crop": True}),
        ("rename_page", {"name": "Other"}),
        ("duplicate_page", {}),
        ("delete_page", {}),
        ("reorder_page", {"index": 1}),
    ],
)
def test_every_arrangement_is_undone_and_redone(action: str, more: dict[str, Any]) -> None:
    play, ada, _, _ = three()
    canvas, (page, _) = deck(ada, "two")
    ada.writes(0, 0, "edge of the slide 20", pageId=page)
    where = {"canvasId": canvas} if action in ("rename", "archive", "duplicate") else {"pageId": page}

    def state() -> Any:
        return [
            (one.id, one.name, one.archived, sheet.id, sheet.name, sheet.size, play.drawn(sheet.id))
            for one in play.state.contents.canvases.values()
            for sheet in one.sheets
        ]

    before = state()
    assert ada.manages(action, mode="apply", **where, **more).code is None
    after = state()
    assert after != before
    assert ada.undoes().code is None
    assert state() == before
    assert ada.redoes().code is None
    assert state() == after


def test_undoing_all_the_way_leaves_no_canvas_behind() -> None:
    play, ada, _, _ = three()
    _, (page,) = deck(ada)
    ada.writes(0, 0, "x", pageId=page)
    ada.undoes()
    assert ada.undoes().code is None
    assert names(play) == ["Canvas 1"]
    for _ in range(2):
        assert ada.redoes().code is None
    assert play.drawn(page) == "\nx"


def test_a_rename_that_was_built_upon_is_not_undone() -> None:
    play, ada, bob, _ = three()
    renamed = ada.manages("rename", name="Mine").operation
    bob.manages("rename", name="Theirs")
    assert ada.undoes(renamed).code == "operation_not_undoable"
    assert names(play) == ["Theirs"]


def test_a_name_that_was_taken_meanwhile_is_not_taken_back() -> None:
    _, ada, bob, _ = three()
    renamed = ada.manages("rename", name="Mine").operation
    bob.manages("create", kind="freeform", name="Canvas 1")
    assert ada.undoes(renamed).code == "name_taken"


def test_a_canvas_on_which_others_worked_is_not_taken_away() -> None:
    play, ada, bob, _ = three()
    canvas, (page,) = deck(ada)
    bob.manages("create_page", canvasId=canvas, name="theirs")
    assert ada.undoes().code == "operation_not_undoable"
    bob.undoes()
    bob.writes(0, 0, "theirs", pageId=page)
    assert ada.undoes().code == "operation_not_undoable"
    assert play.drawn(page) == "\ntheirs"


def test_the_last_open_canvas_is_never_taken_away() -> None:
    play, ada, bob, _ = three()
    deck(ada)
    bob.manages("archive", canvasId=CANVAS, mode="apply")
    assert ada.undoes().code == "last_one"
    assert names(play) == ["Deck"]


def test_the_last_page_is_never_taken_away() -> None:
    play, ada, bob, _ = three()
    canvas, (first, _) = deck(ada, "two")
    bob.manages("delete_page", pageId=first, mode="apply")
    assert ada.undoes().code == "last_one"
    assert pages(play, canvas) == ["two"]


def test_growing_a_page_is_not_undone_over_cells_that_were_written_since() -> None:
    play, ada, bob, _ = three()
    _, (page,) = deck(ada)
    ada.manages("resize_page", pageId=page, size=[40, 5])
    bob.writes(30, 0, "theirs", pageId=page)
    assert ada.undoes().code == "operation_not_undoable"
    assert play.sheet(page).size == (40, 5)


def test_neighbouring_pages_do_not_block_an_undo() -> None:
    play, ada, bob, _ = three()
    canvas, (_, two) = deck(ada, "two")
    bob.manages("create_page", canvasId=canvas, name="three")
    bob.manages("reorder_page", pageId=two, index=0)
    bob.undoes()
    assert ada.undoes().code is None
    assert pages(play, canvas) == ["Page 1", "three"]
    assert ada.redoes().code is None
    assert pages(play, canvas) == ["Page 1", "two", "three"]


def test_an_archived_canvas_is_left_as_it_is() -> None:
    play, ada, bob, _ = three()
    canvas, (page,) = deck(ada)
    ada.writes(0, 0, "x", pageId=page)
    bob.manages("archive", canvasId=canvas, mode="apply", expectedRevision="any")
    assert ada.undoes().code == "unsupported_action"
    assert play.drawn(page) == "\nx"


def test_ctrl_z_of_an_arrangement_is_confirmed_to_the_page_once() -> None:
    play, _, _, person = three()
    person.calls("canvas_manage", action="rename", name="New")
    assert person.undoes().acks == 1
    assert names(play) == ["Canvas 1"]


# -- old commits ----------------------------------------------------------------------------------


def forgetful(play: Playbook) -> None:
    """As after a restart: headers are there, steps are only in the journal."""
    play.state.timeline = Timeline.load(play.state.timeline.headers.values())


def fetched(play: Playbook) -> list[int]:
    """Bring every old commit that the desk asks for; their numbers."""
    found = []
    while wanted := [one for one in play.heard if isinstance(one, fx.Fetch)]:
        (fetch,) = wanted
        found.append(fetch.seq)
        play.feed(e.Fetched(fetch.job, play.journal[fetch.seq - 1], play.at))
    return found


def test_an_old_commit_is_fetched_from_the_journal_first() -> None:
    play, ada, bob, _ = three()
    ada.writes(0, 0, "old")
    forgetful(play)
    call = ada.asks("canvas_history", action="undo")
    play.turn()
    assert bob.reads(0, 0, 3).code is None
    play.feed(e.Fetched("jb-1", play.journal[1], play.at))
    got = ada.answer(call)
    assert got is not None and got["undone"] == "op-2"
    assert play.drawn() == ""


def test_an_old_commit_that_is_gone_is_not_found() -> None:
    play, ada, _, _ = three()
    ada.writes(0, 0, "old")
    forgetful(play)
    call = ada.asks("canvas_history", action="undo")
    play.turn()
    play.feed(e.Fetched("jb-1", None, play.at))
    got = ada.answer(call)
    assert got is not None and got.code == "not_found"


def test_an_old_run_of_typing_is_fetched_key_by_key_and_confirmed_once() -> None:
    play, _, _, person = three()
    for column, letter in enumerate("abc"):
        person.types(column, 0, letter, after=0.1)
    forgetful(play)
    heard = person.undoes()
    assert heard.acks == 0
    assert fetched(play) == [2, 3, 4]
    heard.effects = play.heard
    assert heard.acks == 1
    assert play.drawn() == ""
