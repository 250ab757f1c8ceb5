"""The gates of a call stand in a fixed order, and a call that one of them refuses has no effect at all."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import Agent, Got, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk.known.authors import Grant


def refused(got: Got) -> str | None:
    """The code, after a look that nothing else happened: no persist, no word to pages."""
    assert [type(one) for one in got.effects] == [fx.Answer]
    return got.code


def rooms(grant: Grant = "apply", **sizes: Any) -> tuple[Playbook, Agent, str]:
    """A desk with a slide, where ada wants to write and bob has written already."""
    play = Playbook()
    bob = play.agent("bob")
    page = bob.manages("create", kind="slides", size=[20, 5])["pageId"]
    bob.writes(0, 0, "theirs", pageId=page)
    return play, play.agent("ada", grant), page


def test_a_write_is_persisted_then_told_then_answered() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    ada.writes(0, 0, "hi")
    play << "persist #2 canvas_write by ada"
    play << f"tell {person.link} change #2" << "tell all activity #2" << f"answer {ada.link} applied"
    assert play.is_silent()
    assert play.drawn() == "\nhi"


# -- each gate before the next -------------------------------------------------


def test_an_unknown_tool_is_named_with_the_nearest_one() -> None:
    got = Playbook().agent("ada", "observe").calls("canvas_wirte", at=[0, 0])
    assert refused(got) == "invalid_input"
    assert got["field"] == "name" and "canvas_write" in got["message"]


def test_an_unknown_key_comes_before_what_is_missing_and_names_the_nearest() -> None:
    got = Playbook().agent("ada", "observe").calls("canvas_write", conten="hi")
    assert refused(got) == "invalid_input"
    assert (got["field"], got["details"]["nearest"]) == ("conten", "content")


def test_arguments_come_before_the_grant() -> None:
    got = Playbook().agent("ada", "observe").calls("canvas_write", at=[0], content="hi")
    assert (refused(got), got["field"]) == ("invalid_input", "at")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("canvas_write", {"at": [0, 0], "content": "hi", "canvasId": "cv-nowhere"}),
        ("canvas_code", {"script": "return 1", "canvasId": "cv-nowhere"}),
        ("canvas_manage", {"action": "rename", "name": "new", "canvasId": "cv-nowhere"}),
        ("canvas_history", {"action": "undo", "operationId": "op-nothing"}),
        ("canvas_history", {"action": "discard_preview", "previewId": "pv-nothing"}),
    ],
)
def test_the_grant_comes_before_the_place(tool: str, arguments: dict[str, Any]) -> None:
    got = Playbook().agent("ada", "observe").calls(tool, **arguments)
    assert refused(got) == "permission_denied"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("canvas_read", {}),
        ("canvas_search", {"query": "hi"}),
        ("canvas_manage", {"action": "list"}),
        ("canvas_manage", {"action": "list_pages"}),
        ("canvas_manage", {"action": "status"}),
        ("canvas_history", {"action": "log"}),
        ("chardesk_read_materials", {}),
    ],
)
def test_whoever_may_only_look_may_look_at_everything(tool: str, arguments: dict[str, Any]) -> None:
    assert Playbook().agent("ada", "observe").calls(tool, **arguments).code is None


def test_the_grant_comes_before_a_repeat() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "hi", idempotencyKey="k")
    play.state.authors.get("ada").grant = "observe"
    assert refused(ada.writes(0, 0, "hi", idempotencyKey="k")) == "permission_denied"


def test_a_repeat_comes_before_the_place() -> None:
    play, _, page = rooms()
    bob = play.agent("eve")
    play.agent("cleo").manages("create_page", pageId=page)
    got = bob.manages("delete_page", pageId=page, mode="apply", expectedRevision="any", idempotencyKey="k")
    assert got.code is None
    again = bob.manages("delete_page", pageId=page, mode="apply", expectedRevision="any", idempotencyKey="k")
    assert (again["repeated"], again["operationId"]) == (True, got.operation)


def test_the_place_comes_before_the_plan() -> None:
    got = Playbook().agent("ada").writes(0, 0, "tab\there", canvasId="cv-nowhere")
    assert refused(got) == "canvas_not_found"


def test_an_archived_canvas_is_refused_before_the_plan() -> None:
    play, ada, page = rooms()
    play.agent("cleo").manages("archive", pageId=page, mode="apply", expectedRevision="any")
    assert refused(ada.writes(0, 0, "tab\there", pageId=page)) == "unsupported_action"


def test_the_plan_comes_before_the_edge() -> None:
    _, ada, page = rooms()
    assert refused(ada.writes(19, 0, "a\tb", pageId=page)) == "invalid_input"


def test_the_edge_comes_before_the_conflict() -> None:
    _, ada, page = rooms()
    got = ada.writes(0, 0, "x" * 21, pageId=page)
    assert refused(got) == "out_of_bounds"
    assert "20×5" in got["message"]


def test_the_size_comes_before_the_conflict() -> None:
    play = Playbook()
    play.agent("bob").writes(0, 0, "theirs")
    wide = "\n".join("x" * 200 for _ in range(101))
    got = play.agent("ada", "propose").writes(0, 0, wide)
    assert got.code == "too_large"
    assert got["details"] == {"limit": 20_000, "actual": 20_200}


def test_the_conflict_comes_before_the_approval() -> None:
    play, ada, page = rooms("propose")
    assert refused(ada.writes(0, 0, "mine", pageId=page)) == "conflict"
    assert play.state.previews.live() == []


def test_the_approval_is_last_and_leaves_a_preview_for_the_person() -> None:
    play, ada, page = rooms("propose")
    ada.reads(0, 0, 20, 5, pageId=page)
    got = ada.writes(0, 0, "mine", pageId=page)
    assert got.code == "approval_required"
    (ghost,) = play.state.previews.live()
    assert got["details"] == {"previewId": ghost.id, "requestId": ghost.request}
    play << f"persist preview {ghost.id}" << f"tell all ghost {ghost.id}"
    play << f"answer {ada.link} refused approval_required"
    assert play.drawn(page) == "\ntheirs"


# -- under grant propose ---------------------------------------------------------


def test_propose_asks_for_approval_whatever_would_be_applied() -> None:
    play = Playbook()
    ada = play.agent("ada")
    done = ada.writes(0, 0, "hi").operation
    play.state.authors.get("ada").grant = "propose"
    asked = [
        ada.writes(5, 5, "more"),
        ada.manages("create", kind="freeform"),
        ada.manages("rename", name="new name"),
        ada.undoes(done),
        ada.starts_script().ends(),
    ]
    assert [got.code for got in asked] == ["approval_required"] * 4 + [None]
    assert play.state.seq == 2 and len(play.state.previews.live()) == 4


def test_what_the_person_approves_of_a_proposed_undo_is_an_undo() -> None:
    play = Playbook()
    ada, person = play.agent("ada"), play.person()
    done = ada.writes(0, 0, "hi").operation
    play.state.authors.get("ada").grant = "propose"
    proposed = ada.undoes(done)["details"]["previewId"]
    assert ada.applies(proposed).code == "approval_required"
    person.applies(proposed)
    assert play.drawn() == ""
    assert ada.undoes(done).code == "operation_not_undoable"


def test_a_proposed_canvas_comes_with_the_approval() -> None:
    play = Playbook()
    ada, person = play.agent("ada", "propose"), play.person()
    proposed = ada.manages("create", kind="freeform", name="Plan")["details"]["previewId"]
    assert person.applies(proposed).refusal is None
    assert [one.name for one in play.state.contents.open_canvases()] == ["Canvas 1", "Plan"]


# -- what may be left unsaid -------------------------------------------------------


def test_nothing_to_change_is_no_commit() -> None:
    play = Playbook()
    got = play.agent("ada").writes(0, 0, "   ")
    assert [type(one) for one in got.effects] == [fx.Answer]
    assert got["bounds"] is None and "operationId" not in got.fields


def test_a_new_page_is_answered_with_its_own_id() -> None:
    play, ada, page = rooms()
    got = ada.manages("create_page", pageId=page)
    assert got["pageId"] != page and play.state.contents.sheet(got["pageId"]) is not None
    assert ada.manages("list_pages", canvasId=got["canvasId"])["canvasId"] == got["canvasId"]
