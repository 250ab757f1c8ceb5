"""Laws of history: a long day of eight authors loses nothing; a rebased change is what serial order gives."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playbook import SHEET, Agent, Playbook, contents_of

from chardesk.broker.desk import effects as fx
from chardesk.tools.model.steps import CellsChanged

STEPS = 10_000
COLUMNS, ROWS = 40, 20
TEXTS = ("a", "bcd", "世界", "e\nf", "  g", "é")


class Day:
    """Authors who do whatever the dice say. `held` is what accepted commits say every cell holds."""

    def __init__(self, authors: int, seed: int) -> None:
        self.dice = random.Random(seed)
        self.play = Playbook()
        self.agents = [self.play.agent(f"a{number}") for number in range(authors)]
        self.ghosts: list[str] = []
        self.done: list[str] = []
        self.held: dict[tuple[int, int], str | None] = {}
        self.seen = len(self.play.journal)

    def step(self) -> None:
        agent = self.dice.choice(self.agents)
        deed = self.dice.choices([deed for deed, _ in DEEDS], [weight for _, weight in DEEDS])[0]
        deed(self, agent)
        self.note()

    def at(self) -> tuple[int, int]:
        return self.dice.randrange(COLUMNS), self.dice.randrange(ROWS)

    def note(self) -> None:
        """Every new commit: the next number, and cells that were there as it says."""
        for commit in self.play.journal[self.seen :]:
            self.seen += 1
            assert commit.seq == self.seen
            self.done.append(commit.operation_id)
            for step in commit.steps:
                assert isinstance(step, CellsChanged)
                for run in step.change.runs:
                    places = [(run.x + at, run.y) for at in range(len(run.before.chars))]
                    assert [self.held.get(at) for at in places] == list(run.before.chars), commit
                    self.held |= dict(zip(places, run.after.chars, strict=True))


def write(day: Day, agent: Agent) -> None:
    agent.writes(*day.at(), day.dice.choice(TEXTS))


def read(day: Day, agent: Agent) -> None:
    agent.reads(*day.at(), 12, 6)


def erase(day: Day, agent: Agent) -> None:
    agent.erases(*day.at(), 3, 2)


def preview(day: Day, agent: Agent) -> None:
    got = agent.previews(*day.at(), day.dice.choice(TEXTS))
    if "previewId" in got.fields:
        day.ghosts.append(got.preview)


def apply(day: Day, agent: Agent) -> None:
    if day.ghosts:
        agent.applies(day.ghosts.pop(day.dice.randrange(len(day.ghosts))))


def batch(day: Day, agent: Agent) -> None:
    ops = [{"op": "write", "args": {"at": list(day.at()), "content": day.dice.choice(TEXTS)}} for _ in "abc"]
    move = {"from": list(day.at()), "size": [3, 2], "to": list(day.at())}
    agent.calls("canvas_batch", ops=[*ops, {"op": "move", "args": move}], mode="apply")


def undo(day: Day, agent: Agent) -> None:
    agent.undoes()


def redo(day: Day, agent: Agent) -> None:
    agent.redoes()


def partial(day: Day, agent: Agent) -> None:
    if day.done:
        agent.history("undo", partial=True, operationId=day.dice.choice(day.done[-30:]))


def restore(day: Day, agent: Agent) -> None:
    agent.reads(0, 0, COLUMNS + 4, ROWS + 4)
    agent.history("restore", to=max(1, day.play.state.seq - day.dice.randrange(6)), mode="apply")


DEEDS: tuple[tuple[Callable[[Day, Agent], None], int], ...] = (
    (write, 40),
    (read, 22),
    (erase, 8),
    (preview, 8),
    (apply, 6),
    (batch, 6),
    (undo, 3),
    (redo, 2),
    (partial, 3),
    (restore, 2),
)


@pytest.mark.parametrize("authors", [2, 8])
def test_a_long_day_of_many_authors_loses_nothing(authors: int) -> None:
    """Half of the steps each, so that few who meet often and many who meet seldom have their day."""
    day = Day(authors, seed=authors)
    for _ in range(STEPS // 2):
        day.step()
    play = day.play
    assert play.state.seq == len(play.journal) > STEPS // 8
    assert contents_of(play.from_the_journal()) == contents_of(play.state.contents)
    scene = play.sheet().scene
    assert {at: scene.char(*at) for at in day.held} == day.held
    kinds = {commit.tool for commit in play.journal}
    assert kinds >= {"canvas_batch", "canvas_history undo", "canvas_history redo", "canvas_history restore"}


# -- rebasing --------------------------------------------------------------------------------

places = st.tuples(st.integers(0, 8), st.integers(0, 1))
edits = st.tuples(places, st.sampled_from([*TEXTS, ""]))


def carries_out(agent: Agent, edit: Any, **more: Any) -> Any:
    (x, y), text = edit
    if text:
        return agent.calls("canvas_write", at=[x, y], content=text, **more)
    return agent.calls("canvas_erase", at=[x, y], size=[3, 1], **more)


@settings(max_examples=150, deadline=None)
@given(st.lists(edits, max_size=4), edits, edits)
def test_a_change_that_rebases_silently_gives_what_serial_order_gives(
    before: list[Any], mine: Any, theirs: Any
) -> None:
    """Planned, overtaken by another author elsewhere, then applied: as if it had come first."""
    ends = []
    for overtaken in (True, False):
        play = Playbook()
        ada, bob = play.agent("ada"), play.agent("bob")
        for edit in before:
            carries_out(ada, edit, mode="apply")
        bob.reads(0, 0, 20, 4)
        ghost = carries_out(ada, mine)
        if "previewId" not in ghost.fields:
            return
        if overtaken:
            carries_out(bob, theirs, mode="apply")
        told = ada.applies(ghost.preview)
        if told.code is not None:
            assert told.code in ("stale_preview", "conflict") and overtaken
            return
        if not overtaken and carries_out(bob, theirs, mode="apply").code is not None:
            return
        ends.append(play.sheet(SHEET).scene)
    assert ends[0] == ends[1]


def test_a_refused_change_leaves_no_effect_but_its_answer() -> None:
    play = Playbook()
    ada, bob = play.agent("ada"), play.agent("bob")
    bob.writes(0, 0, "x")
    got = ada.writes(0, 0, "y")
    assert got.code == "conflict"
    assert [type(one) for one in got.effects] == [fx.Answer]
