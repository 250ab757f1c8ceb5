"""Two to five authors in any order: no accepted write is lost, and the journal alone is the desk."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playbook import SHEET, Agent, Playbook, contents_of

from chardesk.broker.desk import effects as fx
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.replay import take
from chardesk.tools.model.steps import CellsChanged

COLUMNS, ROWS = 8, 3
TEXTS = ("a", "bc", "世", "d\ne", "  f", "é界")

places = st.tuples(st.integers(0, COLUMNS - 1), st.integers(0, ROWS - 1))
moves = st.one_of(
    st.tuples(st.just("write"), places, st.sampled_from(TEXTS)),
    st.tuples(st.just("blind write"), places, st.sampled_from(TEXTS)),
    st.tuples(st.just("erase"), places, st.just("")),
    st.tuples(st.just("preview"), places, st.sampled_from(TEXTS)),
    st.tuples(st.just("apply"), places, st.just("")),
    st.tuples(st.just("read"), places, st.just("")),
    st.tuples(st.just("undo"), places, st.just("")),
    st.tuples(st.just("redo"), places, st.just("")),
)
scripts = st.integers(2, 5).flatmap(
    lambda authors: st.lists(
        st.tuples(st.integers(0, authors - 1), moves, st.booleans()), min_size=5, max_size=40
    )
)


def call(agent: Agent, move: Any, ghosts: list[str]) -> None:
    """Queue what the move means."""
    kind, (x, y), text = move
    at = [x, y]
    match kind:
        case "write":
            agent.asks("canvas_write", at=at, content=text, mode="apply")
        case "blind write":
            agent.asks("canvas_write", at=at, content=text, mode="apply", expectedRevision="any")
        case "erase":
            agent.asks("canvas_erase", at=at, size=[2, 2], mode="apply")
        case "preview":
            agent.asks("canvas_write", at=at, content=text)
        case "apply":
            agent.asks("canvas_history", action="apply_preview", previewId=ghosts[-1] if ghosts else "pv-0")
        case "read":
            agent.asks("canvas_read", viewport=[x, y, 4, 2])
        case _:
            agent.asks("canvas_history", action=kind)


def held(commits: list[Commit]) -> dict[tuple[int, int], str | None]:
    """What each cell holds after the commits, told from their after sides alone."""
    cells: dict[tuple[int, int], str | None] = {}
    for commit in commits:
        for step in commit.steps:
            if isinstance(step, CellsChanged):
                for run in step.change.runs:
                    cells |= {(run.x + at, run.y): char for at, char in enumerate(run.after.chars)}
    return cells


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scripts)
def test_no_order_of_calls_loses_a_write(script: list[Any]) -> None:
    play = Playbook()
    agents = [play.agent(f"a{number}") for number in range(5)]
    person = play.person()
    asked: dict[str, list[str]] = defaultdict(list)
    answered: dict[str, list[fx.Answer]] = defaultdict(list)
    ghosts: dict[str, list[str]] = defaultdict(list)

    def serve() -> None:
        for effect in play.turn():
            if isinstance(effect, fx.Answer):
                answered[effect.tenant].append(effect)
                if effect.reply.fields.get("applied") is False and "previewId" in effect.reply.fields:
                    ghosts[effect.tenant].append(effect.reply.fields["previewId"])

    for number, move, is_served in script:
        agent = agents[number]
        if number == 0 and move[0] in ("write", "erase"):
            (x, y), text = move[1:]
            person.types(x, y, text.strip() or "p")
        else:
            call(agent, move, ghosts[agent.link])
            asked[agent.link].append(f"{agent.name}-{agent._calls}")
        if is_served:
            serve()
    while play.desk.has_turn:
        serve()

    assert {link: [one.call for one in answers] for link, answers in answered.items()} == dict(asked)
    assert [commit.seq for commit in play.journal] == list(range(1, play.state.seq + 1))

    alone = Contents()
    for commit in play.journal:
        take(alone, commit)
    assert contents_of(alone) == contents_of(play.state.contents)

    scene = play.sheet().scene
    assert {at: scene.char(*at) for at in held(play.journal)} == held(play.journal)

    accepted = {
        one.reply.fields["operationId"]
        for answers in answered.values()
        for one in answers
        if one.reply.fields.get("operationId")
    }
    assert accepted <= {commit.operation_id for commit in play.journal}
    assert play.sheet(SHEET).revision == max(commit.seq for commit in play.journal if commit.sheet == SHEET)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scripts, st.lists(st.integers(0, 40), max_size=3, unique=True))
def test_a_disk_that_refuses_at_any_moment_leaves_what_the_journal_holds(
    script: list[Any], refusals: list[int]
) -> None:
    play = Playbook(is_disk_slow=True)
    agents = [play.agent(f"a{number}") for number in range(5)]
    for step, (number, move, is_durable) in enumerate(script):
        call(agents[number], move, [])
        play.turns()
        if is_durable:
            play.is_durable()
        if step in refusals:
            play.disk_refuses()
            assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)
            assert play.state.seq == len(play.journal) == len(play.state.timeline.headers)
            play.disk_heals()
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)
