"""Nobody writes over what another author did and they have not read; a refusal says whom they would hit."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playbook import SHEET, Agent, Got, Playbook

from chardesk.broker.desk.known.knowledge import MAX_RECTS, Knowledge
from chardesk.tools.model.region import Rect, Region, Span


def two() -> tuple[Playbook, Agent, Agent]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob")


# -- the footprint ---------------------------------------------------------------


def test_cells_that_nobody_else_touched_are_free() -> None:
    play, ada, bob = two()
    bob.writes(0, 0, "theirs")
    assert ada.writes(8, 0, "mine")["applied"]
    assert ada.writes(0, 1, "mine")["applied"]
    assert play.drawn() == "\ntheirs  mine\nmine"


@pytest.mark.parametrize(("x", "code"), [(3, None), (4, "conflict"), (8, "conflict"), (9, None)])
def test_the_footprint_reaches_one_column_beyond_the_change(x: int, code: str | None) -> None:
    _, ada, bob = two()
    bob.writes(5, 0, "bob")
    assert ada.writes(x, 0, "a").code == code


def test_an_erased_cell_is_a_touched_cell() -> None:
    play, ada, bob = two()
    ada.writes(0, 0, "abc")
    bob.reads(0, 0, 9)
    bob.erases(1, 0, 1)
    assert ada.writes(1, 0, "x").code == "conflict"
    assert play.drawn() == "\na c"


def test_a_conflict_names_the_cells_and_the_authors_and_no_revision() -> None:
    """R5: nothing in it can be sent back as a base."""
    play, ada, bob = two()
    bob.writes(0, 0, "theirs")
    play.person().types(0, 1, "more")
    got = ada.writes(0, 0, "mine\nmine")
    assert got.code == "conflict"
    assert got["details"]["conflicts"] == [
        {"rect": [0, 0, 5, 1], "author": "bob"},
        {"rect": [0, 1, 4, 1], "author": "person"},
    ]
    assert "evision" not in json.dumps(got.fields)
    assert play.state.seq == 3


# -- what grants a base ------------------------------------------------------------


def test_without_a_read_the_base_is_0() -> None:
    """R4: the guard is there without an argument."""
    play, ada, _ = two()
    play.person().types(0, 0, "hi")
    assert ada.writes(0, 0, "x").code == "conflict"


def test_an_exact_read_grants_its_rectangle_only() -> None:
    _, ada, bob = two()
    bob.writes(0, 0, "theirs")
    bob.writes(0, 1, "theirs")
    ada.reads(0, 0, 9)
    assert ada.writes(0, 0, "x").code is None
    assert ada.writes(0, 1, "x").code == "conflict"


def test_a_read_is_old_once_another_writes_there_again() -> None:
    _, ada, bob = two()
    bob.writes(0, 0, "theirs")
    ada.reads(0, 0, 9)
    bob.writes(3, 0, "anew")
    assert ada.writes(0, 0, "x").code is None
    assert ada.writes(4, 0, "x").code == "conflict"


def test_a_search_grants_the_bounds_of_its_matches() -> None:
    _, ada, bob = two()
    bob.writes(0, 0, "needle+more")
    ada.calls("canvas_search", query="needle")
    assert ada.writes(0, 0, "thread").code == "conflict"
    assert ada.writes(0, 0, "threa").code is None


@pytest.mark.parametrize(
    "look",
    [
        lambda ada: ada.reads(0, 0, 500, 10),
        lambda ada: ada.previews(0, 0, "mine"),
        lambda ada: ada.manages("list"),
        lambda ada: ada.history("log"),
        lambda ada: ada.writes(0, 0, "mine"),
        lambda ada: ada.reads(0, 0, 9, pageId="pg-nowhere"),
        lambda ada: ada.calls("canvas_search", query="nothing like it"),
    ],
    ids=["a sampled read", "a preview", "a list", "the log", "a conflict", "a refused read", "no match"],
)
def test_what_grants_no_base(look: Callable[[Agent], Got]) -> None:
    _, ada, bob = two()
    bob.writes(0, 0, "theirs")
    look(ada)
    assert ada.writes(0, 0, "mine").code == "conflict"


def test_what_was_written_counts_as_read() -> None:
    play, ada, bob = two()
    bob.writes(0, 0, "theirs")
    ada.reads(0, 0, 9)
    ada.writes(0, 0, "mine")
    assert ada.writes(0, 0, "more").code is None
    assert play.drawn() == "\nmorers"


def test_what_one_agent_has_read_is_nothing_to_another() -> None:
    play, ada, bob = two()
    bob.writes(0, 0, "theirs")
    ada.reads(0, 0, 9)
    assert play.agent("cleo").writes(0, 0, "x").code == "conflict"


def test_the_agent_in_the_browser_is_never_the_person() -> None:
    play = Playbook()
    play.person().types(0, 0, "theirs")
    web = play.tenant("browser", "any wish")
    assert web.name == "browser-agent"
    assert web.writes(0, 0, "x").code == "conflict"


# -- what is said about the base ---------------------------------------------------


def test_an_explicit_revision_only_makes_the_check_stricter() -> None:
    play, ada, bob = two()
    bob.writes(0, 0, "theirs")
    assert ada.writes(0, 0, "x", expectedRevision=play.state.seq).code == "conflict"
    ada.reads(0, 0, 9)
    assert ada.writes(0, 0, "x", expectedRevision=1).code == "conflict"
    assert ada.writes(0, 0, "x", expectedRevision=2).code is None


def test_a_conflict_can_not_be_retried_with_a_guess() -> None:
    """R5: only a covering read helps."""
    play, ada, bob = two()
    bob.writes(0, 0, "theirs")
    for guess in range(9):
        assert ada.writes(0, 0, "mine", expectedRevision=guess).code == "conflict"
    ada.reads(0, 0, 9)
    assert ada.writes(0, 0, "mine").code is None
    assert play.drawn() == "\nminers"


def test_any_opts_out() -> None:
    play, ada, bob = two()
    bob.writes(0, 0, "theirs")
    assert ada.writes(0, 0, "mine", expectedRevision="any").code is None
    assert play.drawn() == "\nminers"


def test_the_person_and_the_command_line_need_no_base() -> None:
    play, ada, _ = two()
    ada.writes(0, 0, "theirs")
    play.person().types(0, 0, "me")
    assert play.tenant("cli", "").writes(2, 0, "too").code is None
    assert play.drawn() == "\nmetoos"


def test_the_command_line_may_name_a_base() -> None:
    play, ada, _ = two()
    ada.writes(0, 0, "theirs")
    cli = play.tenant("cli", "")
    assert cli.writes(0, 0, "x", expectedRevision=1).code == "conflict"
    assert cli.writes(0, 0, "x", expectedRevision=2).code is None


def test_of_two_who_have_read_the_same_exactly_one_writes() -> None:
    """R1: load and commit are one, so the second meets the first."""
    _, ada, bob = two()
    ada.writes(0, 0, "first")
    ada.reads(0, 0, 9)
    bob.reads(0, 0, 9)
    assert [ada.writes(0, 0, "ada").code, bob.writes(0, 0, "bob").code] == [None, "conflict"]


# -- canvases and pages ------------------------------------------------------------


def test_deleting_a_page_takes_away_cells_that_must_have_been_read() -> None:
    play, ada, bob = two()
    deck = ada.manages("create", kind="slides", size=[20, 5])
    page = ada.manages("create_page", canvasId=deck["canvasId"])["pageId"]
    bob.writes(0, 0, "theirs", pageId=page)
    assert ada.manages("delete_page", pageId=page, mode="apply").code == "conflict"
    ada.reads(0, 0, 20, 5, pageId=page)
    assert ada.manages("delete_page", pageId=page, mode="apply").code is None
    assert play.state.contents.sheet(page) is None


def test_cropping_takes_away_cells_that_must_have_been_read() -> None:
    _, ada, bob = two()
    page = ada.manages("create", kind="slides", size=[20, 5])["pageId"]
    bob.writes(15, 0, "edge", pageId=page)
    crop = {"pageId": page, "size": [10, 5], "crop": True, "mode": "apply"}
    assert ada.manages("resize_page", **crop).code == "conflict"
    ada.reads(0, 0, 20, 5, pageId=page)
    assert ada.manages("resize_page", **crop)["croppedCells"] == 4


def test_cropping_is_a_preview_unless_it_is_applied() -> None:
    play, ada, _ = two()
    page = ada.manages("create", kind="slides", size=[20, 5])["pageId"]
    ada.writes(15, 0, "edge", pageId=page)
    got = ada.manages("resize_page", pageId=page, size=[10, 5], crop=True)
    assert got["applied"] is False
    assert play.sheet(page).size == (20, 5)
    assert ada.applies(got.preview).code is None
    assert play.sheet(page).size == (10, 5)
    assert play.drawn(page) == ""


# -- what is kept of reads -----------------------------------------------------------


def test_too_many_reads_make_the_oldest_forgotten_which_only_makes_the_check_stricter() -> None:
    knowledge = Knowledge()
    for row in range(MAX_RECTS + 1):
        knowledge.add(SHEET, Rect(0, 2 * row, 3, 1), row + 1)
    region = Region([Span(0, 0, 3), Span(2, 0, 3)])
    assert dict(knowledge.bases(SHEET, region)) == {
        Region([Span(0, 0, 3)]): 0,
        Region([Span(2, 0, 3)]): 2,
    }


def test_neighbouring_reads_of_one_age_become_one() -> None:
    knowledge = Knowledge()
    for column in range(3 * MAX_RECTS):
        knowledge.add(SHEET, Rect(column, 0, 1, 1), 7)
    assert list(knowledge.bases(SHEET, Region([Span(0, 0, 5)]))) == [(Region([Span(0, 0, 5)]), 7)]
