"""Undo belongs to who applied; nobody's undo removes another's commit without naming it."""

from __future__ import annotations

from playbook import CANVAS, Agent, Person, Playbook

from chardesk.broker.desk import events as e
from chardesk.broker.desk.known.timeline import Timeline
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
    bob.writes(0, 0, "a-cd")
    ada.reads(0, 0, 9)
    ada.writes(0, 0, "abcd")
    assert bob.writes(3, 0, "D").code is None
    assert ada.undoes().code is None
    assert play.drawn() == "\na-cD"
    assert play.sheet().trace.latest(3, 0) == ("bob", 4)


def test_wide_glyphs_go_and_come_whole() -> None:
    play, ada, _, person = three()
    ada.writes(0, 0, "世界")
    person.types(1, 0, "x")
    assert play.drawn(rect=(0, 0, 4, 1)) == "\n x界"
    person.undoes()
    assert play.drawn() == "\n世界"


# -- old commits ----------------------------------------------------------------------------------


def forgetful(play: Playbook) -> None:
    """As after a restart: headers are there, steps are only in the journal."""
    play.state.timeline = Timeline.load(play.state.timeline.headers.values())


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
