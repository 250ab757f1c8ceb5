"""Alternatives, limits, and previews that other previews' applying ends."""

from __future__ import annotations

import pytest
from playbook import Agent, Person, Playbook

from chardesk.broker.desk.known.previews import MAX_PER_AUTHOR, MAX_TOTAL, from_record
from chardesk.broker.wire import messages as m


def three() -> tuple[Playbook, Agent, Agent, Person]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob"), play.person()


# -- alternatives --------------------------------------------------------------------


def test_applying_an_alternative_supersedes_its_siblings() -> None:
    play, ada, _, person = three()
    one, two, three_ = (ada.previews(0, row, "x", altGroup="layout").preview for row in range(3))
    person.applies(two)
    gone = {one.id: one.reason for one in person.told(m.PreviewGone)}
    assert gone == {one: "superseded", two: "applied", three_: "superseded"}
    assert play.drawn() == "\nx"
    got = ada.applies(one)
    assert got.code == "stale_preview"
    assert got["details"] == {"applied": two} and two in got["message"]


def test_a_superseded_preview_writes_nothing_and_is_forgotten_by_the_store() -> None:
    play, ada, _, _ = three()
    one, two = (ada.previews(0, row, "x", altGroup="a").preview for row in range(2))
    ada.applies(one)
    assert ("preview", two) not in play.records
    assert ada.applies(two).code == "stale_preview" and play.state.seq == 2


def test_alternatives_are_of_one_author_and_one_group() -> None:
    play, ada, bob, _ = three()
    chosen = ada.previews(0, 0, "x", altGroup="a").preview
    others = [
        ada.previews(0, 1, "x", altGroup="b").preview,
        ada.previews(0, 2, "x").preview,
        bob.previews(0, 3, "x", altGroup="a").preview,
    ]
    ada.applies(chosen)
    assert [one.id for one in play.state.previews.live()] == others


def test_an_apply_that_revises_an_alternative_ends_the_others() -> None:
    play, ada, _, _ = three()
    one, two = (ada.previews(0, row, "x", altGroup="a").preview for row in range(2))
    assert ada.writes(0, 5, "better", previewId=one, altGroup="a")["applied"]
    assert play.state.previews.live() == []
    assert ada.applies(two).code == "stale_preview"


def test_dismissing_one_alternative_leaves_the_others() -> None:
    play, ada, _, person = three()
    one, two = (ada.previews(0, row, "x", altGroup="a").preview for row in range(2))
    person.vetoes(one)
    assert [ghost.id for ghost in play.state.previews.live()] == [two]
    assert ada.applies(two).code is None


def test_alternatives_come_back_when_the_disk_refuses() -> None:
    play = Playbook(is_disk_slow=True)
    ada = play.agent("ada")
    one, two = (ada.previews(0, row, "x", altGroup="a").preview for row in range(2))
    ada.applies(one)
    play.disk_refuses()
    assert [ghost.id for ghost in play.state.previews.live()] == [one, two]


def test_the_group_survives_a_restart() -> None:
    play, ada, _, _ = three()
    ghost = ada.previews(0, 0, "x", altGroup="a").preview
    assert from_record(ghost, play.records["preview", ghost]).alt_group == "a"


def test_the_page_is_told_the_group() -> None:
    _, ada, _, person = three()
    ada.previews(0, 0, "x", altGroup="a")
    assert [ghost.alt_group for ghost in person.told(m.Preview)] == ["a"]


# -- limits --------------------------------------------------------------------------


def test_a_desk_has_sixty_four_previews() -> None:
    play = Playbook()
    agents = [play.agent(f"agent{number}") for number in range(7)]
    for number in range(MAX_TOTAL):
        assert agents[number // MAX_PER_AUTHOR].previews(0, number, "x").code is None
    got = agents[6].previews(0, 99, "x")
    assert got.code == "too_large" and got["details"] == {"limit": 64, "actual": 64, "previews": []}
    mine = [one.id for one in play.state.previews.live() if one.author == "agent0"]
    assert agents[0].previews(0, 98, "revised", previewId=mine[0]).code is None
    agents[0].history("discard_preview", previewId=mine[0])
    assert agents[6].previews(0, 99, "x").code is None


# -- overlapping previews ------------------------------------------------------------


def test_accepting_one_of_two_overlapping_previews_makes_the_other_stale() -> None:
    """APR-05."""
    play, ada, bob, person = three()
    first = ada.previews(0, 0, "a" * 10).preview
    second = bob.previews(5, 0, "b" * 10).preview
    person.applies(first)
    assert {one.id: one.reason for one in person.told(m.PreviewGone)} == {first: "applied", second: "stale"}
    assert person.applies(second).refusal == "stale_preview"
    got = bob.applies(second)
    assert got.code == "stale_preview" and got["details"]["rects"] == [[5, 0, 5, 1]]
    assert play.drawn() == "\n" + "a" * 10


def test_a_stale_preview_names_the_changed_cell_and_a_new_one_applies() -> None:
    """APR-01."""
    play, ada, _, person = three()
    ghost = ada.previews(0, 0, "a" * 10).preview
    person.types(4, 0, "x")
    got = ada.applies(ghost)
    assert got.code == "stale_preview" and got["details"]["rects"] == [[4, 0, 1, 1]]
    assert play.drawn() == "\nx"
    ada.reads(0, 0, 10)
    assert ada.applies(ada.previews(0, 0, "a" * 10).preview).code is None
    assert play.drawn() == "\n" + "a" * 10


# -- pointing ------------------------------------------------------------------------


def test_show_raises_a_chip_on_the_page_with_the_seat_and_moves_nothing() -> None:
    play, ada, _, person = three()
    before = (play.state.active, play.state.seq)
    got = ada.manages("show", rect=[3, 4, 10, 2], why="the new legend")
    assert got["shown"] is True
    (chip,) = person.told(m.Chip)
    assert (chip.author, chip.rect, chip.note) == ("ada", (3, 4, 10, 2), "the new legend")
    assert (play.state.active, play.state.seq) == before
    play << f"tell {person.link} chip"


def test_show_without_a_page_says_that_nobody_saw_it() -> None:
    ada = Playbook().agent("ada")
    got = ada.manages("show", rect=[0, 0, 1, 1])
    assert got["shown"] is False and got["live"] is False


def test_show_needs_a_rectangle() -> None:
    got = Playbook().agent("ada").manages("show")
    assert (got.code, got["field"]) == ("invalid_input", "rect")


# -- which page ----------------------------------------------------------------------


def deck() -> tuple[Playbook, Agent, str, list[str]]:
    play = Playbook()
    ada = play.agent("ada")
    canvas = ada.manages("create", kind="slides", name="Deck")["canvasId"]
    for _ in range(2):
        ada.manages("create_page", canvasId=canvas)
    pages = [page["pageId"] for page in ada.manages("list_pages", canvasId=canvas)["pages"]]
    return play, ada, canvas, pages


def test_a_page_action_without_a_page_means_the_active_one() -> None:
    play, ada, canvas, pages = deck()
    play.person().turns_to(canvas, pages[1])
    assert ada.manages("rename_page", name="Middle")["pageId"] == pages[1]
    assert ada.manages("delete_page", canvasId=canvas, mode="apply")["pageId"] == pages[1]
    left = ada.manages("list_pages", canvasId=canvas)["pages"]
    assert [page["pageId"] for page in left] == [pages[0], pages[2]]


def test_a_page_of_a_canvas_that_is_not_active_must_be_named() -> None:
    _, ada, canvas, _ = deck()
    got = ada.manages("delete_page", canvasId=canvas, mode="apply")
    assert (got.code, got["field"]) == ("invalid_input", "pageId")


def test_a_page_action_keeps_to_the_page_that_was_active_when_it_arrived() -> None:
    play, ada, canvas, pages = deck()
    person = play.person()
    person.turns_to(canvas, pages[0])
    call = ada.asks("canvas_manage", action="rename_page", name="First")
    person.turns_to(canvas, pages[2])
    play.turns()
    got = ada.answer(call)
    assert got is not None and got["pageId"] == pages[0]


@pytest.mark.parametrize("action", ["rename", "archive", "duplicate"])
def test_canvas_actions_without_a_canvas_mean_the_active_one(action: str) -> None:
    play, ada, canvas, pages = deck()
    play.person().turns_to(canvas, pages[0])
    more = {"name": "Talk"} if action == "rename" else {"mode": "apply"} if action == "archive" else {}
    got = ada.manages(action, **more)
    assert got.code is None and got["canvasId"] == (canvas if action != "duplicate" else got["canvasId"])
