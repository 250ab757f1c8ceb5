"""A script that is stopped while it runs, by its agent or by the person: no effect, and its place is free."""

from __future__ import annotations

from playbook import Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.world import ScriptRun
from chardesk.broker.wire import messages as m


def test_the_person_stops_a_script_and_its_agent_is_told() -> None:
    play = Playbook()
    person, ada = play.person(), play.agent("ada")
    script = ada.starts_script()
    script.does("write", at=[0, 0], content="lost")
    waiting = ada.asks("canvas_read")
    heard = person.says(m.Stop(epoch=person.epoch, tenant=ada.link))
    assert fx.StopScript(script.run.job) in heard
    stopped = ada.answer(script.call)
    assert stopped is not None and stopped.code == "cancelled"
    play.turn()
    read = ada.answer(waiting)
    assert read is not None and read.code is None
    assert play.drawn() == ""


def test_what_a_stopped_script_still_says_has_no_effect() -> None:
    play = Playbook()
    person, ada = play.person(), play.agent("ada")
    script = ada.starts_script()
    script.does("write", at=[0, 0], content="late")
    person.says(m.Stop(epoch=person.epoch, tenant=ada.link))
    assert play.feed(e.Ran(script.run.job, ScriptRun(result=1), play.at)) == []
    assert play.drawn() == "" and play.state.seq == 1


def test_stopping_what_does_not_run_is_refused_to_the_person_only() -> None:
    play = Playbook()
    person, ada = play.person(), play.agent("ada")
    for tenant in (ada.link, "tn-nobody"):
        person.says(m.Stop(epoch=person.epoch, tenant=tenant))
        assert next(person.told(m.RefusedEdit)).code == "not_found"


def test_only_the_page_with_the_seat_stops_anything() -> None:
    play = Playbook()
    first, ada = play.person(), play.agent("ada")
    play.person(take_seat=True)
    script = ada.starts_script()
    first.says(m.Stop(epoch=first.epoch, tenant=ada.link))
    assert next(first.told(m.RefusedEdit)).code == "replaced"
    assert script.ends(result=1).code is None


def test_an_agent_that_cancels_its_call_hears_no_more_of_it() -> None:
    play = Playbook()
    ada = play.agent("ada")
    script = ada.starts_script()
    heard = play.feed(e.Cancelled(ada.link, script.call, play.at))
    assert fx.StopScript(script.run.job) in heard
    assert play.feed(e.Ran(script.run.job, ScriptRun(result=1), play.at)) == []
    assert ada.answer(script.call) is None
