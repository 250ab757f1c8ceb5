"""What was arranged is undone and redone like cells are, unless somebody has built on it."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import CANVAS, Agent, Person, Playbook


def three() -> tuple[Playbook, Agent, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob"), play.person()


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
        ("note_page", {"note": "say hello"}),
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
            (
                one.id,
                one.name,
                one.archived,
                sheet.id,
                sheet.name,
                sheet.size,
                sheet.note,
                play.drawn(sheet.id),
            )
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
