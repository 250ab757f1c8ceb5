"""Approvals: what the person is asked, when nobody asks, and that an answer is about what was shown."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import SHEET, Agent, Person, Playbook

from chardesk.broker.desk import events as e
from chardesk.broker.desk.known import previews
from chardesk.broker.desk.known.authors import Authors
from chardesk.broker.wire import messages as m


@pytest.fixture
def play() -> Playbook:
    return Playbook()


def asked(agent: Agent, x: int = 0, y: int = 0, content: str = "hi", **more: Any) -> dict[str, Any]:
    """The ids of an apply that waits for the person."""
    got = agent.writes(x, y, content, **more)
    assert got.code == "approval_required"
    return dict(got["details"])


def governs(person: Person, author: str, **what: Any) -> None:
    person.says(m.Govern(epoch=person.epoch, author=author, **what))


def letters(agent: Agent) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = agent.calls("canvas_inbox", action="receive")["messages"]
    return found


# -- the request ---------------------------------------------------------------------


def test_a_request_has_an_id_that_card_letter_and_context_name(play: Playbook) -> None:
    ada, person = play.agent("ada", "propose"), play.person()
    ids = asked(ada)
    assert ids["requestId"].startswith("rq-")
    again = play.person(take_seat=True)
    assert [(one.id, one.request) for one in again.told(m.Preview)] == [(ids["previewId"], ids["requestId"])]
    shown = ada.calls("canvas_read", view="context")["context"]["previews"]
    assert [one["requestId"] for one in shown] == [ids["requestId"]]
    again.applies(ids["previewId"])
    assert [(one["requestId"], one["fate"]) for one in letters(ada)] == [(ids["requestId"], "applied")]
    assert list(person.told(m.Preview)) == []


def test_a_plain_preview_becomes_a_request_when_its_agent_wants_to_apply_it(play: Playbook) -> None:
    ada, person = play.agent("ada", "propose"), play.person()
    ghost = ada.previews(0, 0, "hi").preview
    assert [one.request for one in person.told(m.Preview)] == [None]
    first = ada.applies(ghost)["details"]
    assert [one.request for one in person.told(m.Preview)] == [first["requestId"]]
    assert ada.applies(ghost)["details"] == first, "asking again is the same request"


def test_a_request_is_the_persons_to_decide_though_the_grant_grows(play: Playbook) -> None:
    ada, person = play.agent("ada", "propose"), play.person()
    ids = asked(ada)
    governs(person, "ada", grant="apply")
    assert ada.applies(ids["previewId"]).code == "approval_required"
    assert play.drawn() == ""
    assert ada.writes(0, 5, "unasked")["applied"]
    person.applies(ids["previewId"])
    assert "hi" in play.drawn()


def test_a_revised_proposal_is_a_new_request(play: Playbook) -> None:
    ada, person = play.agent("ada", "propose"), play.person()
    first = asked(ada)
    second = asked(ada, content="other", previewId=first["previewId"])
    assert second["previewId"] == first["previewId"] and second["requestId"] != first["requestId"]
    assert [(one.request, one.version) for one in person.told(m.Preview)] == [(second["requestId"], 2)]


def test_a_decision_about_what_was_revised_meanwhile_decides_nothing(play: Playbook) -> None:
    ada, person = play.agent("ada", "propose"), play.person()
    ids = asked(ada)
    asked(ada, content="trick", previewId=ids["previewId"])
    assert person.applies(ids["previewId"], version=1).refusal == "stale_preview"
    assert play.drawn() == ""
    person.applies(ids["previewId"], version=2)
    assert play.drawn() == "\ntrick"


def test_a_decision_that_comes_twice_or_late_has_one_effect_and_leaves_no_card(play: Playbook) -> None:
    """APR-06"""
    ada, person = play.agent("ada", "propose"), play.person()
    ghost = asked(ada)["previewId"]
    person.applies(ghost)
    person.applies(ghost)
    assert [one.reason for one in person.told(m.PreviewGone)] == ["applied"]
    person.vetoes(ghost)
    assert [one.reason for one in person.told(m.PreviewGone)] == ["applied"]
    assert play.undo_depth() == 1 and len(letters(ada)) == 1


def test_an_approval_is_there_again_after_a_restart(play: Playbook) -> None:
    """APR-03"""
    ids = asked(play.agent("ada", "propose"))
    kept = previews.from_record(ids["previewId"], play.records["preview", ids["previewId"]])
    assert (kept.request, kept.version) == (ids["requestId"], 1)


# -- what a card says ------------------------------------------------------------------


def card(play: Playbook) -> m.Preview:
    """The newest."""
    found = list(play.person(take_seat=True).told(m.Preview))[-1]
    assert isinstance(found, m.Preview)
    return found


def test_a_card_says_who_where_and_how_much(play: Playbook) -> None:
    """APR-02"""
    ada, person = play.agent("ada"), play.person()
    ada.writes(0, 0, "\n".join(["x" * 40] * 60))
    governs(person, "ada", grant="propose")
    asked(ada, content="\n".join(["y" * 30] * 5))
    shown = card(play)
    assert (shown.author, shown.canvas_name, shown.sheet_name) == ("ada", "Canvas 1", "Page 1")
    assert (tuple(shown.bounds), shown.overwritten, shown.cleared) == ((0, 0, 30, 5), 150, 0)
    assert ada.erases(0, 0, 40, 50).code == "approval_required"
    assert (card(play).cleared, card(play).overwritten) == (2_000, 0)


def test_a_card_names_what_becomes_of_canvases_and_sheets(play: Playbook) -> None:
    """APR-02"""
    ada = play.agent("ada", "propose")
    assert ada.manages("rename", name="Plan").code == "approval_required"
    (step,) = card(play).arranges
    assert (step.kind, step.before, step.after) == ("canvas_renamed", "Canvas 1", "Plan")


def test_a_card_counts_the_cells_that_go_with_a_sheet(play: Playbook) -> None:
    """APR-02"""
    ada = play.agent("ada")
    made = ada.manages("create", kind="slides", name="Deck")
    second = ada.manages("create_page", canvasId=made["canvasId"], name="Two")["pageId"]
    ada.writes(0, 0, "four", pageId=second)
    play.state.authors.get("ada").grant = "propose"
    assert ada.manages("delete_page", pageId=second, mode="apply").code == "approval_required"
    (step,) = card(play).arranges
    assert (step.kind, step.name, step.cells) == ("sheet_removed", "Two", 4)


# -- who is asked ----------------------------------------------------------------------


def newcomers(person: Person, grant: Any) -> None:
    person.says(m.Newcomers(epoch=person.epoch, grant=grant))


def test_new_agents_get_what_the_person_chose_and_known_ones_keep_theirs(play: Playbook) -> None:
    """APR-04"""
    ada, person = play.tenant("agent", "ada"), play.person()
    newcomers(person, "propose")
    assert next(person.told(m.Governed)).newcomers == "propose"
    link = play.mint("tn")
    play >> e.Joined(link, f"token of {link}", "carl", "agent", None, play.at)
    carl = Agent(play, link, "carl")
    assert carl.writes(0, 0, "x").code == "approval_required"
    assert ada.writes(0, 5, "y")["applied"]
    assert play.tenant("cli", "cli").writes(0, 6, "shell")["applied"]


def test_the_choice_for_new_agents_and_a_leave_outlive_a_restart(play: Playbook) -> None:
    """APR-04"""
    play.agent("ada", "propose")
    person = play.person()
    newcomers(person, "observe")
    governs(person, "ada", apply_minutes=10)
    kept = {name: value for (kind, name), value in play.records.items() if kind == "author"}
    loaded = Authors.load(kept, play.records["desk", "newcomers"]["grant"])
    assert loaded.get("somebody").grant == "observe"
    assert [loaded.get("ada").allowed(play.at + later) for later in (0, 600)] == ["apply", "propose"]


def test_a_leave_is_for_one_agent_for_a_while_and_what_waits_goes_on_waiting(play: Playbook) -> None:
    """APR-07"""
    ada, bob, person = play.agent("ada", "propose"), play.agent("bob", "propose"), play.person()
    waiting = [asked(ada, y=row)["previewId"] for row in range(3)]
    given = play.at
    governs(person, "ada", apply_minutes=10)
    assert [one.apply_until for one in next(person.told(m.Presence)).agents] == [given + 600, None]
    assert sorted(one.id for one in play.state.previews.live()) == sorted(waiting)
    done = ada.writes(0, 9, "unasked")
    assert done["autoApproved"] == {
        "by": "person",
        "since": "1970-01-01T00:16:40.000Z",
        "until": "1970-01-01T00:26:40.000Z",
    }
    assert [one.is_auto for one in person.told(m.Activity)] == [True]
    assert ada.history("log", limit=1)["entries"][0]["autoApproved"] == done["autoApproved"]
    asked(bob, y=20)
    play.ticks(600)
    assert [one.apply_until for one in next(person.told(m.Presence)).agents] == [None, None]
    asked(ada, y=12)
    assert play.records["author", "ada"]["leave"] is None


def test_another_grant_ends_a_leave_at_once(play: Playbook) -> None:
    ada, person = play.agent("ada", "propose"), play.person()
    governs(person, "ada", apply_minutes=10)
    governs(person, "ada", grant="propose")
    asked(ada)


def test_what_an_agent_with_the_grant_applies_is_not_called_auto_approved(play: Playbook) -> None:
    ada, person = play.agent("ada"), play.person()
    governs(person, "ada", apply_minutes=10)
    assert "autoApproved" not in ada.writes(0, 0, "hi").fields
    assert play.sheet(SHEET).revision == 2
