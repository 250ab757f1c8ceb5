"""Tenants: who is who, whose turn it is, and what is left when a connection goes."""

from __future__ import annotations

from playbook import CANVAS, Agent, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.known.tenants import MAX_PENDING, MAX_TENANTS, RESUME_S, Tenants, seal
from chardesk.broker.desk.world import ScriptRun
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.codes import REPLACED, REVOKED, TRY_LATER


def three() -> tuple[Playbook, Agent, Agent]:
    play = Playbook()
    return play, play.agent("ada"), play.agent("bob")


# -- names ------------------------------------------------------------------------------


def test_two_live_agents_of_one_name_are_two_authors() -> None:
    """QUE-06."""
    play = Playbook()
    first, second, third = (play.agent("Claude Code") for _ in range(3))
    assert [first.name, second.name, third.name] == ["claude-code", "claude-code-2", "claude-code-3"]
    second.leaves()
    assert play.agent("Claude Code").name == "claude-code-2"


def test_no_wish_makes_an_agent_the_person_or_the_command_line() -> None:
    """R68."""
    play = Playbook()
    wishes = ("person", "CLI", "desk", "browser-agent", "  ", "Ünïcode")
    assert [play.agent(wish).name for wish in wishes] == [
        "agent-person",
        "agent-cli",
        "agent-desk",
        "agent-browser-agent",
        "agent",
        "n-code",
    ]


def test_an_author_that_comes_back_has_its_colour_grant_and_undo() -> None:
    play, ada, _ = three()
    color = play.state.color("ada")
    ada.writes(0, 0, "x")
    ada.leaves()
    again = play.agent("ada")
    assert (again.name, play.state.color("ada")) == ("ada", color)
    assert again.undoes().code is None


def test_a_revoked_author_is_turned_away() -> None:
    play, ada, _ = three()
    ada.leaves()
    play.state.authors.get("ada").is_revoked = True
    play.agent("ada")
    assert play.words == [f"disconnect tn-3 {REVOKED}"]
    play.agent("ada", resume=ada.token)
    assert play.words == [f"disconnect tn-4 {REVOKED}"]


def test_a_new_agent_is_kept_welcomed_and_shown() -> None:
    play = Playbook()
    person = play.person()
    play.agent("ada")
    play << "persist author ada tenant " + seal("token of tn-1")
    play << "welcome tn-1 as ada" << "tell all presence"
    assert [agent.name for message in person.told(m.Presence) for agent in message.agents] == ["ada"]


def test_the_desk_has_room_for_sixty_four() -> None:
    play = Playbook()
    agents = [play.agent(f"a{number}") for number in range(MAX_TENANTS)]
    play.agent("late")
    assert play.words == [f"disconnect tn-{MAX_TENANTS + 1} {TRY_LATER}"]
    agents[0].leaves()
    assert play.agent("late").name == "late"
    play.agent("a0", resume=agents[0].token)
    assert play.words == [f"disconnect tn-{MAX_TENANTS + 3} {TRY_LATER}"]
    agents[1].leaves()
    assert play.agent("a0", resume=agents[0].token).name == "a0"


# -- whose turn -----------------------------------------------------------------------------


def test_calls_of_one_tenant_are_served_in_their_order() -> None:
    """R85, QUE-01."""
    play, ada, _ = three()
    calls = [
        ada.asks("canvas_write", at=[at, 0], content=letter, mode="apply")
        for at, letter in enumerate("abcdefghijklmnopqrst")
    ]
    assert [one.call for one in play.turns()] == calls
    assert play.drawn() == "\nabcdefghijklmnopqrst"


def test_tenants_take_turns() -> None:
    play, ada, bob = three()
    cleo = play.agent("cleo")
    for _ in range(3):
        ada.asks("canvas_read")
    for agent in (bob, cleo, bob):
        agent.asks("canvas_read")
    served = [one.call for one in play.turns()]
    assert served == ["ada-1", "bob-1", "cleo-1", "ada-2", "bob-2", "ada-3"]


def test_a_turn_with_nobody_waiting_is_no_harm() -> None:
    play, _, _ = three()
    assert play.turn() == []


def test_the_queue_has_a_limit_and_refuses_at_once() -> None:
    """QUE-04."""
    play, ada, bob = three()
    for _ in range(MAX_PENDING):
        ada.asks("canvas_read")
    call = ada.asks("canvas_read")
    got = ada.answer(call)
    assert got is not None and got.code == "budget_exceeded"
    assert (got["retryable"], got["retryAfterMs"]) == (True, 250)
    assert got["details"] == {"limit": MAX_PENDING, "actual": MAX_PENDING}
    bob.asks("canvas_read")
    assert "bob-1" in {one.call for _ in range(2) for one in play.turn() if isinstance(one, fx.Answer)}
    assert len(play.turns()) == MAX_PENDING - 1


def test_a_running_script_holds_up_only_its_own_tenant() -> None:
    play, ada, bob = three()
    script = ada.starts_script()
    waiting = ada.asks("canvas_read")
    assert bob.writes(0, 0, "x").code is None
    assert ada.answer(waiting) is None and not play.desk.has_turn
    assert script.ends().code is None
    assert [one.call for one in play.turns()] == [waiting]


def test_pages_see_what_runs_and_how_much_waits_behind_it() -> None:
    play, ada, _ = three()
    person = play.person()
    script = ada.starts_script()
    ada.asks("canvas_read")
    (presence,) = person.told(m.Presence)
    assert [(one.name, one.doing, one.waiting) for one in presence.agents] == [
        ("ada", "canvas_code", 1),
        ("bob", None, 0),
    ]
    script.ends()
    (presence,) = person.told(m.Presence)
    assert [(one.doing, one.waiting) for one in presence.agents] == [(None, 1), (None, 0)]


def test_the_person_goes_before_all_queues() -> None:
    play, ada, _ = three()
    person = play.person()
    ada.asks("canvas_write", at=[0, 0], content="ada", mode="apply")
    person.types(0, 0, "me")
    assert play.drawn() == "\nme"
    (answer,) = play.turns()
    assert answer.reply.fields["code"] == "conflict"


# -- where a call works -------------------------------------------------------------------------


def test_a_call_works_where_the_person_was_when_it_arrived() -> None:
    """CON-13."""
    play, ada, _ = three()
    person = play.person()
    other = ada.manages("create", kind="freeform")
    call = ada.asks("canvas_write", at=[0, 0], content="x", mode="apply")
    person.turns_to(other["canvasId"])
    play.turn()
    got = ada.answer(call)
    assert got is not None and got["canvasId"] == CANVAS
    assert ada.writes(0, 0, "y")["canvasId"] == other["canvasId"]
    assert (play.drawn(), play.drawn(other["pageId"])) == ("\nx", "\ny")


def test_calls_never_change_what_the_person_looks_at() -> None:
    play, ada, _ = three()
    before = play.state.active
    other = ada.manages("create", kind="freeform")
    ada.writes(0, 0, "x", canvasId=other["canvasId"])
    assert play.state.active == before
    ada.manages("create", kind="freeform", activate=True)
    assert play.state.active != before


def test_a_sheet_that_went_while_a_call_waited_is_not_replaced_by_another() -> None:
    play, ada, bob = three()
    deck = ada.manages("create", kind="slides", activate=True)
    page = ada.manages("create_page", canvasId=deck["canvasId"])["pageId"]
    play.person().turns_to(deck["canvasId"], page)
    call = ada.asks("canvas_write", at=[0, 0], content="x", mode="apply")
    bob.asks("canvas_manage", action="delete_page", pageId=page, mode="apply")
    play.turn()
    if ada.answer(call) is None:
        play.turn()
    assert play.state.contents.sheet(page) is None
    assert play.drawn(deck["pageId"]) == ""


# -- going and coming back ------------------------------------------------------------------------


def test_a_cancelled_call_is_withdrawn() -> None:
    play, ada, _ = three()
    ada.asks("canvas_read")
    gone = ada.asks("canvas_write", at=[0, 0], content="x", mode="apply")
    kept = ada.asks("canvas_read")
    assert play.feed(e.Cancelled(ada.link, gone, play.at)) == []
    assert [one.call for one in play.turns()] == ["ada-1", kept]
    assert play.drawn() == ""


def test_a_cancelled_script_is_stopped_and_what_it_wrote_is_dropped() -> None:
    play, ada, _ = three()
    script = ada.starts_script()
    play >> e.Cancelled(ada.link, script.call, play.at) << f"stop {script.run.job}" << "tell all presence"
    script.does("write", at=[0, 0], content="x")
    assert play.feed(e.Ran(script.run.job, ScriptRun(), play.at)) == []
    assert play.feed(e.Cancelled(ada.link, script.call, play.at)) == []
    assert play.drawn() == ""


def test_leaving_drops_the_queue_and_stops_what_runs() -> None:
    """MCP-04."""
    play, ada, _ = three()
    script = ada.starts_script()
    ada.asks("canvas_write", at=[0, 0], content="x", mode="apply")
    ada.leaves()
    play << f"stop {script.run.job}" << "tell all presence"
    assert not play.desk.has_turn
    assert play.feed(e.Ran(script.run.job, ScriptRun(), play.at)) == []
    assert play.drawn() == ""


def test_a_token_resumes_its_tenant_with_what_it_has_read() -> None:
    play, ada, bob = three()
    bob.writes(0, 0, "theirs")
    ada.reads(0, 0, 9)
    ada.leaves()
    back = play.agent("whatever it says", resume=ada.token)
    assert back.name == "ada"
    assert back.writes(0, 0, "mine").code is None


def test_a_newer_connection_with_the_token_replaces_the_older() -> None:
    """QUE-06: the older is told and stops trying."""
    play, ada, _ = three()
    ada.asks("canvas_write", at=[0, 0], content="x", mode="apply")
    newer = play.agent("ada", resume=ada.token)
    assert play.words[0] == f"disconnect {ada.link} {REPLACED}"
    assert play.words[-2] == f"welcome {newer.link} as ada"
    assert not play.desk.has_turn
    assert ada.leaves() == []
    assert newer.writes(0, 0, "y").code is None


def test_what_ran_for_the_older_connection_is_stopped() -> None:
    play, ada, _ = three()
    script = ada.starts_script(key="nonce-1")
    newer = play.agent("ada", resume=ada.token)
    assert f"stop {script.run.job}" in play.words
    assert newer.starts_script(key="nonce-1").ends().code is None


def test_a_token_is_good_until_the_one_that_followed_it_is_used() -> None:
    """The connection may be lost before the welcome with the new one is read."""
    play, ada, _ = three()
    newer = play.agent("ada", resume=ada.token)
    assert play.agent("ada", resume=ada.token).name == "ada"
    newest = play.agent("ada", resume=ada.token)
    assert play.agent("ada", resume=newest.token).name == "ada"
    assert play.agent("ada", resume=ada.token).name == "ada-2"
    assert play.agent("ada", resume=newer.token).name == "ada-3"


def test_a_token_never_makes_two_agents_act_as_one() -> None:
    """Its author's name went to another agent while it was away."""
    play, ada, bob = three()
    bob.writes(0, 0, "theirs")
    ada.reads(0, 0, 9)
    ada.leaves()
    assert play.agent("ada").name == "ada"
    back = play.agent("ada", resume=ada.token)
    assert back.name == "ada-2"
    assert back.writes(0, 0, "mine").code == "conflict"


def test_a_token_is_good_for_ten_minutes() -> None:
    play, ada, bob = three()
    ada.leaves()
    play.ticks(RESUME_S)
    assert ada.link in play.state.tenants.all
    play.ticks(0.1)
    assert play.words == [f"persist tenant {seal(ada.token)}"]
    assert list(play.state.tenants.all) == [bob.link]


def test_tokens_outlive_the_broker_and_are_not_written_down() -> None:
    play, ada, _ = three()
    kept = {key: value for (kind, key), value in play.records.items() if kind == "tenant"}
    assert ada.token not in str(kept)
    play.state.tenants = Tenants.load(kept, play.state.seq, play.at)
    assert play.agent("someone", resume=ada.token).name == "ada"
    assert play.agent("bob").name == "bob"


def test_the_list_of_agents_keeps_its_order_when_one_comes_back() -> None:
    play, ada, _ = three()
    person = play.person()
    assert [one.name for one in next(person.told(m.Welcome)).agents] == ["ada", "bob"]
    ada.leaves()
    play.agent("ada", resume=ada.token)
    assert [one.name for one in next(person.told(m.Presence)).agents] == ["ada", "bob"]


def restarted(play: Playbook) -> None:
    """The tenants as another broker finds them."""
    kept = {key: value for (kind, key), value in play.records.items() if kind == "tenant"}
    play.state.tenants = Tenants.load(kept, play.state.seq, play.at)


def test_what_an_agent_has_read_outlives_the_broker() -> None:
    play, ada, bob = three()
    bob.writes(0, 0, "theirs")
    bob.writes(0, 5, "unread")
    ada.reads(0, 0, 9)
    play.ticks(1)
    assert (
        play.words == [f"persist tenant {seal(bob.token)} tenant {seal(ada.token)}"] or len(play.words) == 1
    )
    restarted(play)
    back = play.agent("ada", resume=ada.token)
    assert back.writes(0, 0, "mine").code is None, "it has read what it writes over"
    assert back.writes(0, 5, "mine").code == "conflict"


def test_a_broker_that_ends_in_order_keeps_the_last_read_too() -> None:
    play, ada, bob = three()
    bob.writes(0, 0, "theirs")
    ada.reads(0, 0, 9)
    play >> e.Stopping(play.at)
    restarted(play)
    assert play.agent("ada", resume=ada.token).writes(0, 0, "mine").code is None


def test_who_has_read_nothing_new_is_not_written_again() -> None:
    play, ada, _ = three()
    ada.reads(0, 0, 9)
    play.ticks(1)
    assert any(one.startswith("persist tenant") for one in play.words)
    assert play.ticks(1) == []


def test_nobody_has_read_a_commit_that_the_disk_lost() -> None:
    """Its number goes to another one."""
    play = Playbook(is_disk_slow=True)
    ada, bob = play.agent("ada"), play.agent("bob")
    bob.writes(0, 0, "lost")
    ada.reads(0, 0, 9)
    play.ticks(1)
    play.disk_refuses()
    play.disk_heals()
    bob.writes(0, 0, "again")
    restarted(play)
    assert play.agent("ada", resume=ada.token).writes(0, 0, "mine").code == "conflict"


def test_others_are_never_resumed() -> None:
    play = Playbook()
    for door in ("cli", "browser"):
        tenant = play.tenant(door, "")
        tenant.leaves()
        assert play.state.tenants.all == {}


def test_a_foreign_token_takes_nobody_away() -> None:
    play, ada, bob = three()
    assert play.feed(e.Left(ada.link, bob.token, play.at)) == []
    assert ada.writes(0, 0, "x").code is None


def test_a_call_of_nobody_is_nothing() -> None:
    play, _, _ = three()
    assert play.feed(e.Called("tn-99", "1", "canvas_read", {}, None, play.at)) == []
    assert play.feed(e.Cancelled("tn-99", "1", play.at)) == []
