"""What one agent may use up within a minute: calls, changed cells, script seconds. Asked before the queue."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import Agent, Playbook

from chardesk.broker.desk import events as e
from chardesk.broker.desk.known.budget import WINDOW_S, Budget
from chardesk.broker.desk.rules.policy import Limits, Policy
from chardesk.broker.desk.world import ScriptRun
from chardesk.tools.errors import Refused


def desk(**limits: Any) -> tuple[Playbook, Agent]:
    play = Playbook()
    play.feed(e.PolicyRead(Policy(limits=Limits(**limits))))
    return play, play.agent("ada")


def ran(play: Playbook, agent: Agent, seconds: float) -> None:
    script = agent.starts_script()
    play.feed(e.Ran(script.run.job, ScriptRun(duration_ms=int(seconds * 1000)), play.at))


def code(agent: Agent) -> str | None:
    """Of a script that is turned away before anything starts; a script that starts is stopped again."""
    call = agent.asks("canvas_code", script="return 1")
    got = agent.answer(call)
    if got is None:
        agent.play.feed(e.Cancelled(agent.link, call, agent.play.at))
    return got.code if got else None


def test_over_the_limit_of_calls_an_agent_is_told_at_once_how_long_to_wait() -> None:
    play, ada = desk(calls=3)
    for number in range(3):
        assert ada.reads(0, 0, 5).code is None
        play.later(10 if number < 2 else 5)
    call = ada.asks("canvas_read")
    got = ada.answer(call)
    assert got is not None, "it is answered before it has a turn"
    assert (got.code, got["retryAfterMs"], got["details"]) == (
        "budget_exceeded",
        (WINDOW_S - 25) * 1000,
        {"limit": 3, "actual": 3.0},
    )
    play.later(WINDOW_S - 25)
    assert ada.reads(0, 0, 5).code is None
    assert ada.reads(0, 0, 5).code == "budget_exceeded"


def test_what_was_turned_away_does_not_count() -> None:
    play, ada = desk(calls=1)
    ada.reads(0, 0, 5)
    for _ in range(20):
        ada.reads(0, 0, 5)
    play.later(WINDOW_S)
    assert ada.reads(0, 0, 5).code is None


def test_the_change_that_goes_over_the_limit_of_cells_is_the_last_and_looking_goes_on() -> None:
    play, ada = desk(cells=10)
    assert ada.writes(0, 0, "12345").code is None
    assert ada.writes(0, 0, "12345").code is None, "nothing changed, nothing spent"
    assert ada.writes(0, 1, "1234567").code is None
    refused = ada.writes(0, 2, "1")
    assert (refused.code, refused["details"]) == ("budget_exceeded", {"limit": 10, "actual": 12.0})
    assert ada.reads(0, 0, 5).code is None
    assert ada.history("log").code is None
    play.later(WINDOW_S)
    assert ada.writes(0, 2, "1").code is None


def test_others_the_person_and_the_command_line_have_budgets_of_their_own_or_none() -> None:
    play, ada = desk(calls=1, cells=1)
    bob, shell, person = play.agent("bob"), play.tenant("cli", "cli"), play.person()
    ada.writes(0, 0, "xx")
    assert ada.writes(0, 1, "x").code == "budget_exceeded"
    assert bob.writes(0, 2, "x").code is None
    assert [shell.writes(0, y, "xx").code for y in (3, 4, 5)] == [None] * 3
    assert [person.types(0, y, "xx").acks for y in (6, 7)] == [1, 1]


def test_a_ghost_that_the_person_applies_is_not_the_agents_cost() -> None:
    play, ada = desk(cells=2)
    person = play.person()
    person.applies(ada.previews(0, 0, "12345").preview)
    assert ada.writes(0, 1, "x").code is None


def test_seconds_of_scripts_are_limited_by_default_to_a_minute_a_minute() -> None:
    assert Policy().limits == Limits(calls=None, cells=None, script_seconds=60)
    play = Playbook()
    ada = play.agent("ada")
    ran(play, ada, 59)
    assert code(ada) is None
    ran(play, ada, 2)
    assert code(ada) == "budget_exceeded"
    assert ada.writes(0, 0, "x").code is None
    play.later(WINDOW_S)
    assert code(ada) is None


def test_a_script_that_was_withdrawn_or_timed_out_costs_what_it_ran() -> None:
    play, ada = desk(script_seconds=10)
    script = ada.starts_script()
    play.later(6)
    play.feed(e.Cancelled(ada.link, script.call, play.at))
    play.feed(e.Ran(script.run.job, ScriptRun(refusal=Refused("cancelled", "stopped")), play.at))
    assert code(ada) is None
    late = ada.starts_script()
    play.later(20)
    run = ScriptRun(refusal=Refused("timeout", "too long", details={"durationMs": 5_000}))
    play.feed(e.Ran(late.run.job, run, play.at))
    assert code(ada) == "budget_exceeded"
    assert play.state.scripts == {}


def test_a_limit_that_is_lifted_counts_at_once() -> None:
    play, ada = desk(calls=1)
    ada.reads(0, 0, 5)
    assert ada.reads(0, 0, 5).code == "budget_exceeded"
    play.feed(e.PolicyRead(Policy()))
    assert [ada.reads(0, 0, 5).code for _ in range(5)] == [None] * 5


def test_of_what_has_no_limit_nothing_is_kept() -> None:
    budget = Budget()
    for number in range(100):
        budget.spend("ada", "calls", 1, Limits(), float(number))
    assert budget == Budget()


@pytest.mark.parametrize("back_s", [0.0, 3_600.0])
def test_a_clock_that_is_set_back_locks_nobody_out(back_s: float) -> None:
    budget, limits = Budget(), Limits(calls=1)
    budget.spend("ada", "calls", 1, limits, 10_000.0)
    later = 10_000.0 + WINDOW_S if not back_s else 10_000.0 - back_s
    budget.refuse_over("ada", "calls", limits, later)
