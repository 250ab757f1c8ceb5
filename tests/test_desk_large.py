"""Changes of many thousand cells: worked out beside the loop, and still right when others were faster."""

from __future__ import annotations

from typing import Any

import pytest
from playbook import Agent, Got, Playbook, contents_of, worked

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.history import restoring
from chardesk.broker.wire import messages as m
from chardesk.tools.operation import QUICK_CELLS

WIDTH, ROWS = 250, 100
FIELD = "\n".join(["x" * WIDTH] * ROWS)
assert WIDTH * ROWS > QUICK_CELLS


@pytest.fixture
def ada() -> Agent:
    """She has drawn a large field; threads answer when a test lets them."""
    agent = Playbook().agent("ada")
    assert agent.writes(0, 0, FIELD).code is None
    agent.play.are_threads_busy = True
    return agent


def asked(agent: Agent, tool: str, **arguments: Any) -> tuple[str, fx.Work]:
    """A call that goes on elsewhere: nothing of it is done yet."""
    before = agent.play.state.seq
    call = agent.asks(tool, **arguments)
    agent.play.turn()
    (work,) = works(agent.play)
    assert agent.answer(call) is None and agent.play.state.seq == before
    return call, work


def works(play: Playbook) -> list[fx.Work]:
    return [one for one in play.heard if isinstance(one, fx.Work)]


def done(agent: Agent, call: str, work: fx.Work) -> Got:
    agent.play.feed(e.Worked(work.job, worked(work), agent.play.at))
    got = agent.answer(call)
    assert got is not None
    return got


ROADS: dict[str, tuple[str, dict[str, Any]]] = {
    "write": ("canvas_write", {"at": [0, 0], "content": FIELD.replace("x", "y")}),
    "fill": ("canvas_fill", {"at": [0, 0], "size": [WIDTH, ROWS], "style": {"color": "#ff0000"}}),
    "erase": ("canvas_erase", {"at": [0, 0], "size": [WIDTH, ROWS]}),
    "render": ("canvas_render", {"at": [0, 0], "source": FIELD.replace("x", "z"), "format": "raw"}),
    "batch": (
        "canvas_batch",
        {"ops": [{"op": "erase", "args": {"at": [0, 0], "size": [WIDTH, ROWS]}}]},
    ),
    "restore": ("canvas_history", {"action": "restore", "to": 1}),
    "undo": ("canvas_history", {"action": "undo"}),
}


@pytest.mark.parametrize("road", ROADS)
def test_a_large_change_is_worked_out_elsewhere_and_undone_and_redone_there(ada: Agent, road: str) -> None:
    play = ada.play
    tool, arguments = ROADS[road]
    before = play.drawn()
    got = done(ada, *asked(ada, tool, **arguments, **({} if road == "undo" else {"mode": "apply"})))
    assert got["applied"], got
    after = play.drawn()
    assert after != before or road == "fill"
    for direction, drawn in (("redo", before),) if road == "undo" else (("undo", before), ("redo", after)):
        assert done(ada, *asked(ada, "canvas_history", action=direction)).code is None
        assert play.drawn() == drawn
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)


def test_what_others_drew_on_it_meanwhile_is_never_undone(ada: Agent) -> None:
    play, bob = ada.play, ada.play.agent("bob")
    call, work = asked(ada, "canvas_history", action="undo")
    assert bob.writes(3, 3, "BOB", expectedRevision="any").code is None
    assert done(ada, call, work).code == "operation_not_undoable"
    assert "BOB" in play.drawn()


def test_what_others_drew_beside_it_meanwhile_stays(ada: Agent) -> None:
    play, bob = ada.play, ada.play.agent("bob")
    call, work = asked(ada, "canvas_history", action="undo")
    assert bob.writes(0, ROWS + 5, "beside").code is None
    assert done(ada, call, work)["applied"]
    assert play.drawn() == "\nbeside"


def test_two_undos_at_once_take_back_two_operations() -> None:
    """Ctrl+Z pressed twice, the second time before the first is worked out."""
    play = Playbook()
    person = play.person()
    for row in (0, ROWS):
        person.calls("canvas_write", at=[0, row], content=FIELD, mode="apply")
    play.are_threads_busy = True
    found: list[fx.Work] = []
    for _ in range(2):
        person.edits(m.UndoOp())
        found += works(play)
    for work in found:
        play.feed(e.Worked(work.job, worked(work), play.at))
        for later in works(play):
            play.feed(e.Worked(later.job, worked(later), play.at))
    assert play.drawn() == ""


def test_a_restore_that_others_overtake_looks_again_and_at_last_does_it_at_once(ada: Agent) -> None:
    play, bob = ada.play, ada.play.agent("bob")
    call, work = asked(ada, "canvas_history", action="restore", to=2, mode="apply", expectedRevision="any")
    for number in range(restoring.TRIES):
        assert bob.writes(0, ROWS + 5 + number, "overtaken").code is None
        play.feed(e.Worked(work.job, worked(work), play.at))
        if number + 1 < restoring.TRIES:
            (work,) = works(play)
            assert ada.answer(call) is None
    got = ada.answer(call)
    assert got is not None and got["applied"]
    assert play.drawn() == f"\n{FIELD}"
