"""Journal, then reply; and when the disk refuses, everything above the last durable commit never was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playbook import CANVAS, SHEET, Playbook, contents_of

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.wire import messages as m
from chardesk.tools.model.region import Region, Span


def order_of(effects: list[fx.Effect]) -> list[type[fx.Effect]]:
    return list(dict.fromkeys(type(one) for one in effects))


IN_ORDER = [fx.Persist, fx.TellPage, fx.Answer]


# -- the order of effects --------------------------------------------------------


def test_whatever_is_applied_is_persisted_first_then_told_then_answered() -> None:
    play = Playbook()
    ada, _ = play.agent("ada"), play.person()
    done = [
        ada.writes(0, 0, "hi"),
        ada.previews(5, 5, "x"),
        ada.manages("create", kind="slides", activate=True),
        ada.manages("archive", canvasId=CANVAS, mode="apply"),
        ada.undoes(),
        ada.redoes(),
    ]
    assert [order_of(got.effects) for got in done] == [IN_ORDER] * len(done)


def test_a_preview_that_comes_true_goes_to_disk_with_its_commit() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ghost, other = ada.previews(0, 0, "hi").preview, ada.previews(1, 0, "ho").preview
    got = ada.applies(ghost)
    (persist,) = [one for one in got.effects if isinstance(one, fx.Persist)]
    forgotten = [one.key for one in persist.records if one.kind == "preview" and one.value is None]
    assert (len(persist.commits), forgotten) == (1, [ghost, other])
    assert play.words[-3:-1] == [
        f"tell all ghost {ghost} is gone: applied",
        f"tell all ghost {other} is gone: stale",
    ]


def test_an_answer_names_the_newest_commit_that_it_may_show() -> None:
    play = Playbook(is_disk_slow=True)
    ada, bob = play.agent("ada"), play.agent("bob")
    other = bob.manages("create", kind="freeform")["pageId"]
    ada.writes(0, 0, "hi")
    replies = [
        bob.writes(9, 9, "x"),
        bob.reads(0, 0, 2),
        bob.reads(0, 0, 2, pageId=other),
        bob.calls("chardesk_read_materials"),
        ada.writes(9, 9, "refused"),
    ]
    answers = [one for got in replies for one in got.effects if isinstance(one, fx.Answer)]
    assert [one.after for one in answers] == [4, 4, 2, 0, 4]


# -- what goes back ----------------------------------------------------------------


def slow_desk() -> Playbook:
    play = Playbook(is_disk_slow=True)
    play.is_durable()
    return play


def test_cells_revisions_and_seq_go_back_to_what_is_durable() -> None:
    play = slow_desk()
    ada = play.agent("ada")
    ada.writes(0, 0, "kept")
    play.is_durable()
    ada.writes(0, 0, "lost")
    ada.erases(0, 0, 2)
    play.disk_refuses()
    assert play.drawn() == "\nkept"
    assert (play.state.seq, play.sheet().revision) == (2, 2)
    assert contents_of(play.state.contents) == contents_of(play.from_the_journal())


def test_what_is_durable_stays() -> None:
    play = slow_desk()
    ada = play.agent("ada")
    ada.writes(0, 0, "kept")
    ada.writes(0, 1, "lost")
    play.is_durable(up_to=2)
    play.disk_refuses()
    assert play.drawn() == "\nkept"


def test_traces_and_the_timeline_forget() -> None:
    play = slow_desk()
    ada = play.agent("ada")
    done = ada.writes(0, 0, "lost", idempotencyKey="k").operation
    play.disk_refuses()
    assert list(play.sheet().trace.others(Region([Span(0, 0, 9)]), "bob", 0)) == []
    play.disk_heals()
    assert ada.undoes(done).code == "not_found"
    assert ada.writes(0, 0, "lost", idempotencyKey="k").fields.get("repeated") is None
    assert play.drawn() == "\nlost"


def test_what_was_read_of_lost_commits_is_not_taken_as_read() -> None:
    """Their numbers are given again: a base from a lost commit would hide another one."""
    play = slow_desk()
    ada, bob = play.agent("ada"), play.agent("bob")
    bob.writes(0, 0, "lost")
    ada.reads(0, 0, 9)
    play.disk_refuses()
    play.disk_heals()
    bob.writes(0, 0, "kept")
    assert ada.writes(0, 0, "mine").code == "conflict"


def test_a_preview_that_a_lost_commit_had_applied_can_be_applied_again() -> None:
    play = slow_desk()
    ada = play.agent("ada")
    ghost, rival = ada.previews(0, 0, "hi").preview, ada.previews(0, 0, "ho").preview
    ada.applies(ghost)
    play.disk_refuses()
    assert {f"tell all ghost {ghost}", f"tell all ghost {rival}"} <= set(play.words)
    play.disk_heals()
    got = ada.applies(ghost)
    assert (got["applied"], got.fields.get("repeated")) == (True, None)
    assert play.drawn() == "\nhi"


def test_a_preview_of_lost_cells_is_stale() -> None:
    play = slow_desk()
    ada, bob = play.agent("ada"), play.agent("bob")
    bob.writes(0, 0, "lost")
    ghost = ada.previews(0, 0, "over").preview
    play.disk_refuses()
    assert f"tell all ghost {ghost} is gone: stale" in play.words
    play.disk_heals()
    assert ada.applies(ghost).code == "stale_preview"


def test_a_canvas_that_is_lost_is_no_longer_the_active_one() -> None:
    play = slow_desk()
    ada, person = play.agent("ada"), play.person()
    ada.manages("create", kind="freeform", activate=True)
    assert play.state.active != (CANVAS, SHEET)
    play.disk_refuses()
    assert play.state.active == (CANVAS, SHEET)
    (shelf,) = person.told(m.Canvases)
    assert (shelf.canvas, shelf.sheet, len(shelf.canvases)) == (CANVAS, SHEET, 1)


def test_pages_start_anew_from_the_truth() -> None:
    play = slow_desk()
    ada, person = play.agent("ada"), play.person()
    ada.writes(0, 0, "lost")
    play.disk_refuses()
    (snapshot,) = person.told(m.Snapshot)
    assert (snapshot.seq, snapshot.cells.rows) == (1, [])


def test_a_script_that_has_seen_lost_cells_is_answered() -> None:
    play = slow_desk()
    ada, bob = play.agent("ada"), play.agent("bob")
    bob.writes(0, 0, "lost")
    script = ada.starts_script()
    waiting = ada.asks("canvas_read")
    play.disk_refuses()
    assert play.words[:2] == [f"stop {script.run.job}", f"answer {ada.link} refused store_failed"]
    assert [one.call for one in play.turns()] == [waiting]


def test_a_script_that_has_seen_only_durable_cells_goes_on() -> None:
    play = slow_desk()
    ada, bob = play.agent("ada"), play.agent("bob")
    script = ada.starts_script()
    script.does("write", at=[5, 5], content="mine")
    bob.writes(0, 0, "lost")
    play.disk_refuses()
    play.disk_heals()
    assert script.ends()["applied"] is True


# -- while the disk refuses ----------------------------------------------------------


def test_changes_are_refused_until_the_disk_heals() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    ghost = ada.previews(3, 3, "x").preview
    assert play.disk_refuses() == [fx.TellPage(m.Disk(refuses=True), person.link)]
    for got in (
        ada.writes(0, 0, "hi"),
        ada.previews(0, 0, "hi"),
        ada.applies(ghost),
        ada.manages("create", kind="freeform"),
    ):
        assert got.code == "store_failed" and [type(one) for one in got.effects] == [fx.Answer]
    assert person.types(0, 0, "hi").refusal == "store_failed"
    assert ada.reads(0, 0, 9).code is None
    late = play.page()
    assert fx.TellPage(m.Disk(refuses=True), late) in play.heard
    play.disk_heals()
    assert fx.TellPage(m.Disk(refuses=False), late) in play.heard
    assert ada.writes(0, 0, "hi")["applied"] is True


def test_a_healed_disk_gets_what_it_missed() -> None:
    """Small records that were written in vain: a new agent, a dismissed ghost."""
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    ghost, kept = ada.previews(0, 0, "x").preview, ada.previews(5, 5, "y").preview
    play.disk_refuses()
    person.vetoes(ghost)
    play.agent("bob")
    play.disk_heals()
    persist, told = play.heard
    assert told == fx.TellPage(m.Disk(refuses=False), person.link)
    assert isinstance(persist, fx.Persist)
    records = {(one.kind, one.key): one.value for one in persist.records}
    assert records["preview", ghost] is None and records["preview", kept] is not None
    assert {("author", "bob"), ("desk", "active")} <= set(records)


def test_an_edit_is_its_own_again_after_it_was_lost() -> None:
    play = slow_desk()
    person = play.person()
    person.types(0, 0, "x", name="edit-1")
    play.disk_refuses()
    play.disk_heals()
    assert person.types(0, 0, "x", name="edit-1").acks == 1
    assert play.drawn() == "\nx"


def test_typing_after_a_loss_is_a_new_run() -> None:
    play = slow_desk()
    person = play.person()
    person.types(0, 0, "a")
    play.disk_refuses()
    play.disk_heals()
    person.types(1, 0, "b", after=0.1)
    person.undoes()
    assert play.drawn() == ""


# -- what survives a restart -----------------------------------------------------------


def test_every_commit_and_record_is_enough_to_start_again() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    deck = ada.manages("create", kind="slides", size=[9, 3], activate=True)
    ada.writes(0, 0, "one", pageId=deck["pageId"])
    person.types(0, 0, "two")
    ada.manages("create_page", canvasId=deck["canvasId"])
    ada.undoes()
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)
    active = play.records["desk", "active"]
    assert (active["canvas"], active["sheet"]) == play.state.active


@pytest.mark.parametrize("what", ["applied", "vetoed", "discarded", "expired", "stale"])
def test_an_ended_preview_leaves_no_record(what: str) -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    ghost = ada.previews(0, 0, "x").preview
    assert ("preview", ghost) in play.records
    ends: dict[str, Callable[[], object]] = {
        "applied": lambda: ada.applies(ghost),
        "vetoed": lambda: person.vetoes(ghost),
        "discarded": lambda: ada.history("discard_preview", previewId=ghost),
        "expired": lambda: play.ticks(600.0),
        "stale": lambda: ada.writes(0, 0, "y"),
    }
    ends[what]()
    assert ("preview", ghost) not in play.records


def test_durable_forgets_what_takes_back() -> None:
    play = slow_desk()
    ada = play.agent("ada")
    ada.writes(0, 0, "a")
    ada.writes(0, 1, "b")
    play >> e.Durable(2)
    assert [one.taken.commit.seq for one in play.state.undurable] == [3]
