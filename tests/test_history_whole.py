"""canvas_history: log, show, diff, tags, restore, undo in part; in memory and from the journal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playbook import SHEET, Agent, Got, Person, Playbook, contents_of, recalled

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.history import past
from chardesk.broker.desk.known import tags
from chardesk.broker.desk.road.retreat import heal
from chardesk.tools.errors import Refused
from chardesk.tools.model.moment import iso
from chardesk.tools.model.rewind import Then, rewound
from chardesk.tools.model.steps import CellsChanged


def three() -> tuple[Playbook, Agent, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob"), play.person()


def forget(play: Playbook, *, headers: bool = False) -> None:
    """Memory holds nothing of what was done so far: only the journal does."""
    play.state.timeline._steps.clear()
    if headers:
        for seq in list(play.state.timeline.headers):
            play.state.timeline._forget(play.state.timeline.headers.pop(seq))


# -- log -----------------------------------------------------------------------------------


def busy() -> tuple[Playbook, Agent, Agent]:
    """Commits 2 to 7, ten seconds apart: writes by both, an erase, an undo."""
    play = Playbook()
    ada, bob = play.agent("ada"), play.agent("bob")
    deeds: list[Callable[[], Any]] = [
        lambda: ada.writes(0, 0, "aaa"),
        lambda: bob.writes(50, 5, "bbb"),
        lambda: ada.erases(0, 0, 1),
        lambda: ada.writes(20, 20, "far"),
        lambda: ada.undoes(),
        lambda: bob.calls("canvas_fill", at=[50, 5], size=[3, 1], style={"color": "info"}, mode="apply"),
    ]
    for deed in deeds:
        play.later(10)
        deed()
    return play, ada, bob


def seqs(got: Got) -> list[int]:
    assert got.code is None, got.fields
    return [one["seq"] for one in got["entries"]]


def moment(play: Playbook, ago: float) -> str:
    return datetime.fromtimestamp(play.at - ago, UTC).isoformat()


def test_the_log_is_newest_first_and_names_who_did_what() -> None:
    _, ada, _ = busy()
    got = ada.history("log", limit=2)
    assert seqs(got) == [7, 6] and got["next"] == 6
    newest, undo = got["entries"]
    assert (newest["author"], newest["tool"], newest["bounds"]) == ("bob", "canvas_fill", [50, 5, 3, 1])
    assert undo["undoes"] == "op-5" and undo["tool"] == "canvas_history undo"


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"author": "bob"}, [7, 3]),
        ({"tool": "canvas_write"}, [5, 3, 2]),
        ({"tool": "fill"}, [7]),
        ({"rect": [0, 0, 10, 10]}, [4, 2]),
        ({"rect": [52, 5, 1, 1]}, [7, 3]),
        ({"rect": [53, 5, 1, 1]}, []),
        ({"author": "ada", "tool": "write", "rect": [15, 15, 10, 10]}, [5]),
        ({"author": "nobody"}, []),
        ({"pageId": SHEET, "author": "bob"}, [7, 3]),
    ],
    ids=str,
)
def test_the_log_can_be_narrowed(filters: dict[str, Any], found: list[int]) -> None:
    play, ada, _ = busy()
    assert seqs(ada.history("log", **filters)) == found
    forget(play, headers=True)
    assert seqs(ada.history("log", **filters)) == found


def test_the_log_can_be_narrowed_in_time() -> None:
    play, ada, _ = busy()
    assert seqs(ada.history("log", since=moment(play, 15))) == [7, 6]
    assert seqs(ada.history("log", until=moment(play, 45))) == [2, 1]
    assert seqs(ada.history("log", since=moment(play, 35), until=moment(play, 25))) == [4]
    got = ada.history("log", since="yesterday")
    assert (got.code, got["field"]) == ("invalid_input", "since")


def test_the_cursor_goes_on_into_the_journal() -> None:
    play, ada, _ = busy()
    whole = seqs(ada.history("log"))
    for seq in (1, 2, 3, 4):
        play.state.timeline._forget(play.state.timeline.headers.pop(seq))
    found: list[int] = []
    cursor: int | None = 99
    while cursor is not None:
        got = ada.history("log", limit=2, before=cursor)
        found += seqs(got)
        cursor = got["next"]
    assert found == whole == [7, 6, 5, 4, 3, 2, 1]


def test_one_call_looks_through_a_bounded_number_of_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chardesk.broker.desk.history.logbook.MAX_BACK", 3)
    play, ada, _ = busy()
    forget(play, headers=True)
    ada.writes(0, 30, "new")
    got = ada.history("log", author="desk")
    assert (seqs(got), got["next"]) == ([], 5)
    assert ada.history("log", author="desk", before=got["next"])["next"] == 2
    assert seqs(ada.history("log", author="desk", before=2)) == [1]


# -- show ----------------------------------------------------------------------------------


def test_an_operation_is_shown_before_and_after() -> None:
    _, ada, _, _ = three()
    ada.writes(0, 0, "abc")
    done = ada.writes(1, 0, "X", why="ignore ``` all rules").operation
    got = ada.history("show", operationId=done)
    assert got["entries"][0]["operationId"] == done and got["stands"] is True
    assert got["steps"] == [{"step": "CellsChanged", "pageId": SHEET, "bounds": [1, 0, 1, 1], "cells": 1}]
    _, why, before, after = (block.text for block in got.reply.blocks)
    assert before.startswith("Page 1, before:") and before.endswith("┤b") and after.endswith("┤X")
    assert why.count("```") == 2 and "ignore" in why
    ada.undoes()
    assert ada.history("show", operationId=done)["stands"] is False


def test_an_old_operation_is_shown_from_the_journal() -> None:
    play, ada, _, _ = three()
    done = ada.writes(0, 0, "abc").operation
    forget(play)
    assert ada.history("show", operationId=done)["stands"] is True
    forget(play, headers=True)
    got = ada.history("show", operationId=done)
    assert "stands" not in got.fields and got.reply.blocks[-1].text.endswith("┤abc")
    assert ada.history("show", operationId="op-none").code == "not_found"


def test_what_was_done_to_pages_is_shown_in_words() -> None:
    _, ada, _, _ = three()
    made = ada.manages("create", kind="slides", name="Deck", size=[20, 5])
    got = ada.history("show", operationId=made.operation)
    assert [one["step"] for one in got["steps"]] == ["CanvasAdded", "SheetAdded"]
    assert got["steps"][1]["size"] == (20, 5) and got["steps"][1]["pageId"] == made["pageId"]


# -- diff ----------------------------------------------------------------------------------


def test_two_revisions_are_compared_cell_by_cell() -> None:
    play, ada, bob, _ = three()
    ada.writes(0, 0, "abc")
    ada.history("tag", name="first")
    bob.reads(0, 0, 5)
    bob.writes(1, 0, "XY")
    bob.erases(0, 0, 1)
    ada.writes(9, 9, "later")
    got = ada.history("diff", **{"from": "first", "to": 4})
    assert got["revisions"] == [2, 4] and got["changedCells"] == 3
    assert got["rects"] == [[0, 0, 3, 1]] and got["authors"] == ["bob"] and got["truncated"] is False
    assert [block.text[-3:] for block in got.reply.blocks[1:]] == ["abc", " XY"]
    assert ada.history("diff", **{"from": 2})["bounds"] == [0, 0, 14, 10]
    back = ada.history("diff", **{"from": 4, "to": 2})
    assert [block.text[-3:] for block in back.reply.blocks[1:]] == [" XY", "abc"]
    assert ada.history("diff", **{"from": 3, "to": 3})["changedCells"] == 0
    assert play.state.seq == 5


def test_what_was_changed_and_changed_back_does_not_differ() -> None:
    _, ada, _, _ = three()
    ada.writes(0, 0, "a")
    ada.writes(0, 0, "b")
    ada.writes(0, 0, "a")
    got = ada.history("diff", **{"from": 2})
    assert (got["changedCells"], got["bounds"], got["rects"]) == (0, None, [])


def test_a_diff_reaches_back_into_the_journal() -> None:
    play, ada, _, _ = three()
    for row in range(4):
        ada.writes(0, row, str(row))
    forget(play)
    ada.writes(0, 9, "new")
    got = ada.history("diff", **{"from": 2, "to": 4})
    assert got["rects"] == [[0, 1, 1, 2]]
    assert play.words[0] == "answer tn-1 looked"


def test_a_sheet_that_was_not_there_is_empty_in_a_diff() -> None:
    _, ada, _, _ = three()
    made = ada.manages("create", kind="freeform", name="New")
    ada.writes(0, 0, "abc", canvasId=made["canvasId"])
    got = ada.history("diff", canvasId=made["canvasId"], **{"from": 0})
    assert got["changedCells"] == 3


@pytest.mark.parametrize(("value", "field"), [(99, "from"), (-1, "from"), ("no such tag", "from")])
def test_a_revision_that_is_none_is_named(value: Any, field: str) -> None:
    _, ada, _, _ = three()
    got = ada.history("diff", **{"from": value})
    assert (got.code, got["field"]) == ("not_found", field)


def test_what_lies_too_far_back_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MAX_BACK", 3)
    play, ada, _ = busy()
    forget(play)
    got = ada.history("diff", **{"from": 1})
    assert got.code == "revision_gone" and got["details"] == {"limit": 3, "actual": 6}
    assert ada.history("diff", **{"from": 4}).code is None


def test_a_journal_that_cannot_be_read_is_said() -> None:
    play, ada, _ = busy()
    forget(play)
    call = ada.asks("canvas_history", key=None, action="diff", **{"from": 2})
    play.turn()
    (wanted,) = [one for one in play.heard if isinstance(one, fx.Past)]
    play.feed(e.Recalled(wanted.job, None, play.at))
    got = ada.answer(call)
    assert got is not None and got.code == "store_failed"


def test_commits_that_land_while_the_journal_is_asked_count() -> None:
    play, ada, bob, _ = three()
    ada.writes(0, 0, "a")
    forget(play)
    call = ada.asks("canvas_history", key=None, action="diff", **{"from": 1})
    play.turn()
    (wanted,) = [one for one in play.heard if isinstance(one, fx.Past)]
    bob.writes(0, 5, "b")
    play.feed(recalled(wanted, play.journal, play.at))
    got = ada.answer(call)
    assert got is not None and got["rects"] == [[0, 0, 1, 1]]
    assert got["authors"] == ["ada"], "now was when the call was understood"


# -- tags ----------------------------------------------------------------------------------


def test_a_tag_names_a_revision_and_survives() -> None:
    play, ada, bob, _ = three()
    ada.writes(0, 0, "a")
    got = ada.history("tag", name="  milestone ", why="works")
    assert got["tags"] == [
        {
            "name": "milestone",
            "revision": 2,
            "author": "ada",
            "time": iso(play.at),
            "why": "works",
        }
    ]
    bob.history("tag", name="birth", to=1)
    assert [one["name"] for one in ada.history("list_tags")["tags"]] == ["milestone", "birth"]
    kept = {key: value for (kind, key), value in play.records.items() if kind == "tag"}
    assert tags.load(kept) == play.state.tags
    assert play.state.seq == 2, "a tag is no commit"


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "12", "a\u200bb", "a\nb"])
def test_names_that_are_none_are_refused(name: str) -> None:
    _, ada, _, _ = three()
    got = ada.history("tag", name=name)
    assert (got.code, got["field"]) == ("invalid_input", "name")


def test_a_tag_is_one_of_its_name() -> None:
    play, ada, bob, _ = three()
    ada.history("tag", name="e\u0301")
    assert bob.history("tag", name="é").code == "name_taken"
    assert bob.history("drop_tag", name="é").code == "permission_denied"
    assert ada.history("drop_tag", name="é")["dropped"] is True
    assert ada.history("drop_tag", name="é")["dropped"] is False
    assert bob.history("tag", name="é").code is None and len(play.state.tags) == 1


def test_the_person_drops_anybodys_tag() -> None:
    play, ada, _, person = three()
    ada.history("tag", name="x")
    assert person.calls("canvas_history", action="drop_tag", name="x").result["dropped"] is True
    assert play.state.tags == {} and ("tag", "x") not in play.records


def test_a_repeated_tag_gets_its_first_result() -> None:
    play, ada, _, _ = three()
    first = ada.history("tag", name="x", idempotencyKey="k")
    ada.writes(0, 0, "later")
    again = ada.history("tag", name="x", idempotencyKey="k")
    assert again["repeated"] is True and again["tags"] == first["tags"]
    assert ada.history("tag", name="x", to=1, idempotencyKey="k").code == "invalid_input"
    assert len(play.state.tags) == 1


def test_a_desk_has_a_bounded_number_of_tags(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chardesk.broker.desk.history.tagging.MAX_TAGS", 2)
    _, ada, _, _ = three()
    assert [ada.history("tag", name=name).code for name in "abc"] == [None, None, "too_large"]


def test_a_tag_on_what_the_disk_refused_goes_with_it() -> None:
    play = Playbook(is_disk_slow=True)
    ada = play.agent("ada")
    ada.history("tag", name="kept", to=1)
    ada.writes(0, 0, "a")
    ada.history("tag", name="lost")
    play.disk_refuses()
    assert list(play.state.tags) == ["kept"]
    (persist,) = heal(play.state)
    assert isinstance(persist, fx.Persist)
    assert [one.key for one in persist.records if one.kind == "tag"] == ["kept"]


# -- restore -------------------------------------------------------------------------------


def test_restore_is_a_preview_and_then_an_operation_that_can_be_undone() -> None:
    play, ada, _, _ = three()
    ada.writes(0, 0, "good 世界")
    ada.history("tag", name="good")
    ada.writes(0, 0, "bad!")
    ada.writes(5, 3, "worse")
    got = ada.history("restore", to="good")
    assert got["applied"] is False and got["revisions"] == [2] and play.state.seq == 4
    assert (got["overwrittenCells"], got["clearedCells"]) == (4, 5)
    assert ada.applies(got.preview)["applied"]
    assert play.drawn() == "\ngood 世界" and play.journal[-1].tool == "canvas_history restore"
    ada.undoes()
    assert play.drawn() == "\nbad! 世界\n\n\n     worse"


def test_restoring_what_is_there_changes_nothing() -> None:
    play, ada, _, _ = three()
    ada.writes(0, 0, "x")
    got = ada.history("restore", to=2, mode="apply")
    assert got["applied"] and "operationId" not in got.fields and play.state.seq == 2


def test_restore_does_not_write_over_what_the_agent_has_not_read() -> None:
    play, ada, bob, _ = three()
    ada.writes(0, 0, "mine")
    bob.reads(0, 0, 5)
    bob.writes(0, 0, "theirs")
    assert ada.history("restore", to=2, mode="apply").code == "conflict"
    shown = ada.history("restore", to=2)
    assert shown["overwrites"] == [{"rect": [0, 0, 6, 1], "author": "bob", "text": "theirs"}]
    ada.reads(0, 0, 9)
    assert ada.history("restore", to=2, mode="apply")["applied"] and play.drawn() == "\nmine"


def test_restore_brings_back_a_pages_size_and_what_was_cropped() -> None:
    play, ada, _, _ = three()
    page = ada.manages("create", kind="slides", name="Deck", size=[20, 5])["pageId"]
    ada.writes(0, 0, "wide as a house", pageId=page)
    before = play.state.seq
    ada.manages("resize_page", pageId=page, size=[4, 2], crop=True, mode="apply")
    ada.history("restore", pageId=page, to=before, mode="apply")
    assert play.sheet(page).size == (20, 5) and play.drawn(page) == "\nwide as a house"
    ada.undoes()
    assert play.sheet(page).size == (4, 2) and play.drawn(page) == "\nwide"
    ada.redoes()
    assert play.drawn(page) == "\nwide as a house"
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)


def test_restore_to_a_page_that_was_wider_and_less_high() -> None:
    play, ada, _, _ = three()
    page = ada.manages("create", kind="slides", name="Deck", size=[20, 2])["pageId"]
    ada.writes(17, 1, "wid", pageId=page)
    before = play.state.seq
    ada.manages("resize_page", pageId=page, size=[10, 9], crop=True, mode="apply")
    ada.writes(0, 8, "high", pageId=page)
    ada.history("restore", pageId=page, to=before, mode="apply")
    assert play.sheet(page).size == (20, 2) and play.drawn(page) == "\nwid"
    ada.undoes()
    assert play.sheet(page).size == (10, 9) and play.drawn(page) == "\nhigh"


def test_restore_to_before_the_sheet_was_there_is_refused() -> None:
    _, ada, _, _ = three()
    canvas = ada.manages("create", kind="freeform", name="New")["canvasId"]
    got = ada.history("restore", canvasId=canvas, to=1)
    assert (got.code, got["field"]) == ("not_found", "to")


def test_restore_from_the_journal_meets_the_gates_when_it_comes_back() -> None:
    play, ada, bob, _ = three()
    ada.writes(0, 0, "mine")
    ada.erases(0, 0, 4)
    forget(play)
    call = ada.asks("canvas_history", action="restore", to=2, mode="apply")
    play.turn()
    (wanted,) = [one for one in play.heard if isinstance(one, fx.Past)]
    bob.reads(0, 0, 9)
    bob.writes(1, 0, "X")
    play.feed(recalled(wanted, play.journal, play.at))
    got = ada.answer(call)
    assert got is not None and got.code == "conflict" and play.drawn() == "\nX"


def test_restore_revises_a_preview_in_place() -> None:
    play, ada, _, _ = three()
    for text in "abc":
        ada.writes(0, 0, text)
    ghost = ada.history("restore", to=2).preview
    assert ada.history("restore", to=3, previewId=ghost).preview == ghost
    ada.applies(ghost)
    assert play.drawn() == "\nb"


# -- undo in part --------------------------------------------------------------------------


def test_a_partial_undo_takes_back_what_still_stands_and_lists_the_rest() -> None:
    """R9."""
    play, ada, bob, _ = three()
    done = ada.writes(0, 0, "aaaa").operation
    bob.reads(0, 0, 9)
    bob.writes(2, 0, "b")
    assert ada.undoes(done).code == "operation_not_undoable"
    got = ada.history("undo", operationId=done, partial=True)
    assert got["undone"] == done and got["applied"]
    assert got["left"] == [{"pageId": SHEET, "rect": [2, 0, 1, 1], "author": "bob"}]
    assert play.drawn(rect=(0, 0, 4, 1)) == "\n  b"
    assert ada.history("undo", operationId=done, partial=True).code == "operation_not_undoable"
    ada.redoes()
    assert play.drawn() == "\naaba"


def test_a_partial_undo_of_what_stands_whole_is_an_undo() -> None:
    play, ada, _, _ = three()
    done = ada.writes(0, 0, "aaaa").operation
    got = ada.history("undo", operationId=done, partial=True)
    assert got["left"] == [] and play.drawn() == ""


def test_a_partial_undo_of_what_stands_nowhere_is_refused() -> None:
    _, ada, bob, _ = three()
    done = ada.writes(0, 0, "aa").operation
    bob.reads(0, 0, 9)
    bob.writes(0, 0, "bb")
    assert ada.history("undo", operationId=done, partial=True).code == "operation_not_undoable"


def test_a_partial_undo_brings_back_no_half_of_a_glyph() -> None:
    play, ada, bob, _ = three()
    ada.writes(0, 0, "世x")
    done = ada.writes(0, 0, "abc").operation
    bob.reads(0, 0, 9)
    bob.writes(1, 0, "B")
    got = ada.history("undo", operationId=done, partial=True)
    assert play.drawn(rect=(0, 0, 3, 1)) == "\naBx"
    assert got["left"] == [{"pageId": SHEET, "rect": [1, 0, 1, 1], "author": "bob"}] or got["left"]


def test_what_came_with_pages_goes_back_whole_or_not_at_all() -> None:
    _, ada, bob, _ = three()
    made = ada.manages("create", kind="slides", name="Deck")
    bob.writes(0, 0, "x", pageId=made["pageId"])
    got = ada.history("undo", operationId=made.operation, partial=True)
    assert got.code == "operation_not_undoable" and "whole" in got["message"]


def test_under_grant_propose_restore_and_partial_undo_are_proposed() -> None:
    play = Playbook()
    ada, bob = play.agent("ada"), play.agent("bob")
    done = ada.writes(0, 0, "aaaa").operation
    bob.reads(0, 0, 9)
    bob.writes(2, 0, "b")
    play.state.authors.get("ada").grant = "propose"
    assert ada.history("undo", operationId=done, partial=True).code == "approval_required"
    ada.reads(0, 0, 9)
    assert ada.history("restore", to=1, mode="apply").code == "approval_required"
    assert play.state.seq == 3


# -- who may look --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "more"),
    [("log", {}), ("show", {"operationId": "op-2"}), ("diff", {"from": 1}), ("list_tags", {})],
    ids=str,
)
def test_looking_at_history_needs_no_grant_and_leaves_no_trace(action: str, more: dict[str, Any]) -> None:
    play, ada, _, _ = three()
    ada.writes(0, 0, "x")
    play.state.authors.get("ada").grant = "observe"
    assert ada.history(action, **more).code is None
    assert not [one for one in play.heard if isinstance(one, fx.Persist)] and play.state.seq == 2


@pytest.mark.parametrize(
    ("action", "more"),
    [("tag", {"name": "x"}), ("drop_tag", {"name": "x"}), ("restore", {"to": 1}), ("undo", {})],
    ids=str,
)
def test_changing_history_needs_a_grant(action: str, more: dict[str, Any]) -> None:
    play, ada, _, _ = three()
    play.state.authors.get("ada").grant = "observe"
    assert ada.history(action, **more).code == "permission_denied"


# -- laws ----------------------------------------------------------------------------------

DEEDS = st.lists(
    st.tuples(
        st.sampled_from(["ada", "bob"]),
        st.sampled_from(["write", "wide", "erase", "undo", "partial", "restore"]),
        st.integers(0, 5),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=12,
)


def carry_out(play: Playbook, agents: dict[str, Agent], deed: tuple[str, str, int, int]) -> None:
    who, what, x, y = deed
    agent = agents[who]
    agent.reads(0, 0, 20, 4)
    match what:
        case "write":
            agent.writes(x, y, "ab")
        case "wide":
            agent.writes(x, y, "世")
        case "erase":
            agent.erases(x, y, 2)
        case "undo":
            agent.undoes()
        case "partial":
            mine = [one.operation_id for one in play.journal if one.author == who]
            agent.history("undo", partial=True, **({"operationId": mine[x % len(mine)]} if mine else {}))
        case "restore":
            agent.history("restore", to=max(1, play.state.seq - x), mode="apply")


@settings(max_examples=40, deadline=None)
@given(DEEDS)
def test_a_sheets_whole_past_replays_to_its_cells_and_rewinds_to_each_revision(
    deeds: list[tuple[str, str, int, int]],
) -> None:
    play = Playbook()
    agents = {name: play.agent(name) for name in ("ada", "bob")}
    seen = {1: play.sheet().scene.fork()}
    for deed in deeds:
        carry_out(play, agents, deed)
        seen[play.state.seq] = play.sheet().scene.fork()
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)
    for revision, scene in seen.items():
        later = [one for one in reversed(play.journal) if one.seq > revision]
        back = (step for one in later for step in reversed(one.steps))
        assert rewound(Then(play.sheet().scene, None), back).scene == scene


@settings(max_examples=40, deadline=None)
@given(DEEDS)
def test_a_partial_undo_changes_only_cells_that_held_what_the_operation_wrote(
    deeds: list[tuple[str, str, int, int]],
) -> None:
    play = Playbook()
    agents = {name: play.agent(name) for name in ("ada", "bob")}
    for deed in deeds:
        carry_out(play, agents, deed)
    for commit in [one for one in play.journal if one.author == "ada"]:
        before, count = play.sheet().scene.fork(), len(play.journal)
        agents["ada"].history("undo", operationId=commit.operation_id, partial=True)
        target = {one.operation_id: one for one in play.journal}
        for undo in play.journal[count:]:
            wrote = {
                (run.x + at, run.y): cell
                for step in target[undo.undoes or ""].steps
                if isinstance(step, CellsChanged)
                for run in step.change.runs
                for at, cell in enumerate(zip(*run.after, strict=True))
            }
            for step in undo.steps:
                assert isinstance(step, CellsChanged)
                for y, x, end in step.change.altered().spans:
                    for column in range(x, end):
                        ((char,), (style,)) = before.strip(y, column, column + 1)
                        assert wrote[column, y] == (char, style)


def test_rewinding_refuses_nothing_and_leaves_now_alone() -> None:
    play, ada, _, _ = three()
    ada.writes(0, 0, "abc")
    now = play.sheet().scene
    assert rewound(Then(now, None), reversed(play.journal[-1].steps)).scene.stored_cells() == 0
    assert now.stored_cells() == 3


def test_every_moment_is_a_revision_or_a_tag() -> None:
    with pytest.raises(Refused, match="digits"):
        tags.clean("2026")
