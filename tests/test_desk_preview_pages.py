"""Previews of what is done to canvases and pages: they hold only while what they were planned on is so."""

from __future__ import annotations

from playbook import CANVAS, Agent, Person, Playbook


def three() -> tuple[Playbook, Agent, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob"), play.person()


def deck(play: Playbook, ada: Agent) -> tuple[str, str, str]:
    """A slides canvas and its two pages."""
    made = ada.manages("create", kind="slides", size=[20, 5])
    second = ada.manages("create_page", canvasId=made["canvasId"])["pageId"]
    return made["canvasId"], made["pageId"], second


def test_archiving_and_deleting_are_previews_first() -> None:
    play, ada, _, _ = three()
    canvas, _, page = deck(play, ada)
    for got in (ada.manages("delete_page", pageId=page), ada.manages("archive", canvasId=canvas)):
        assert got["applied"] is False
        assert ada.applies(got.preview)["applied"] is True
    assert play.state.contents.sheet(page) is None and play.state.contents.canvases[canvas].archived


def test_a_preview_to_delete_a_page_is_stale_when_the_page_was_written_on() -> None:
    """Its undo would bring back the page without what was written since."""
    play, ada, bob, person = three()
    _, _, page = deck(play, ada)
    ghost = ada.manages("delete_page", pageId=page).preview
    bob.writes(0, 0, "new", pageId=page)
    assert f"tell all ghost {ghost} is gone: stale" in play.words
    assert person.applies(ghost).refusal == "stale_preview"


def test_a_preview_to_crop_is_stale_when_more_would_be_cut() -> None:
    play, ada, bob, person = three()
    _, _, page = deck(play, ada)
    ada.writes(15, 0, "edge", pageId=page)
    ghost = ada.manages("resize_page", pageId=page, size=[10, 5], crop=True).preview
    bob.writes(15, 3, "more", pageId=page)
    assert person.applies(ghost).refusal == "stale_preview"
    assert play.drawn(page) == "\nedge\n\n\nmore"


def test_a_page_that_moved_meanwhile_is_still_deleted_and_comes_back_to_its_place() -> None:
    play, ada, bob, _ = three()
    canvas, first, page = deck(play, ada)
    ghost = ada.manages("delete_page", pageId=page).preview
    bob.manages("reorder_page", pageId=page, index=0)
    assert ada.applies(ghost).code is None
    ada.undoes()
    assert [one.id for one in play.state.contents.canvases[canvas].sheets] == [page, first]


def test_a_preview_on_a_page_that_is_deleted_is_stale() -> None:
    play, ada, _, _ = three()
    _, _, page = deck(play, ada)
    ghost = ada.previews(0, 0, "x", pageId=page).preview
    ada.manages("delete_page", pageId=page, mode="apply")
    assert f"tell all ghost {ghost} is gone: stale" in play.words


def test_a_preview_can_not_leave_the_desk_without_a_canvas() -> None:
    play, ada, bob, _ = three()
    canvas, _, _ = deck(play, ada)
    ghost = ada.manages("archive", canvasId=canvas).preview
    bob.manages("archive", canvasId=CANVAS, mode="apply")
    assert ada.applies(ghost).code == "last_one"


def test_a_preview_can_not_leave_a_canvas_without_a_page() -> None:
    play, ada, bob, _ = three()
    _, first, second = deck(play, ada)
    ghost = ada.manages("delete_page", pageId=first).preview
    bob.manages("delete_page", pageId=second, mode="apply")
    assert ada.applies(ghost).code == "stale_preview"
    assert play.state.contents.sheet(first) is not None


def test_an_archived_canvas_takes_no_ghosts() -> None:
    play, ada, _, person = three()
    canvas, page, _ = deck(play, ada)
    ghost = ada.previews(0, 0, "x", pageId=page).preview
    ada.manages("archive", canvasId=canvas, mode="apply")
    assert person.applies(ghost).refusal == "unsupported_action"
    ada.manages("unarchive", canvasId=canvas)
    assert person.applies(ghost).refusal is None
