"""Whose turn it is to be undone, and what stands in the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pencil import put

from chardesk.tools.errors import Refused
from chardesk.tools.history import (
    lost_cells,
    next_redo,
    next_undo,
    refuse_if_built_upon,
    standing,
)
from chardesk.tools.model import steps as s
from chardesk.tools.model.change import Change
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.schema import parse
from chardesk.tools.talk.history import FIELDS, HistoryArgs


@dataclass
class Desk:
    """Commits one after the other on one endless sheet; undo and redo as the rules say."""

    contents: Contents = field(default_factory=Contents)
    commits: list[Commit] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.contents.apply(s.CanvasAdded("cv", "Canvas 1", "freeform"))
        self.contents.apply(s.SheetAdded("cv", 0, "pg", "Page 1", None))

    @property
    def scene(self) -> Any:
        sheet = self.contents.sheet("pg")
        assert sheet is not None
        return sheet.scene

    def text(self, columns: int = 12) -> str:
        return "".join(char or " " for char in self.scene.strip(0, 0, columns).chars).rstrip()

    def write(self, author: str, text: str, x: int = 0, applied_by: str | None = None) -> Commit:
        after = put(self.scene.fork(), x, 0, text)
        draft = Draft(self.scene)
        strip = after.strip(0, x, x + len(text))
        draft.put(x, 0, strip.chars, strip.styles)
        return self._commit(author, applied_by or author, draft.change())

    def erase(self, author: str, rect: Rect) -> Commit:
        draft = Draft(self.scene)
        draft.erase(rect)
        return self._commit(author, author, draft.change())

    def undo(self, who: str) -> str | None:
        return self._back(who, next_undo(self.commits, who))

    def redo(self, who: str) -> str | None:
        return self._back(who, next_redo(self.commits, who))

    def take_back(self, who: str, target: Commit) -> Commit:
        by_seq = {commit.seq: commit for commit in self.commits}
        refuse_if_built_upon(target, self.contents, who, by_seq)
        (step,) = target.steps
        assert isinstance(step, s.CellsChanged)
        back = step.change.essence().inverse()
        assert self.scene.fits(back)
        return self._commit(who, who, back, target.operation_id)

    def _back(self, who: str, target: Commit | None) -> str | None:
        return None if target is None else self.take_back(who, target).undoes

    def _commit(self, author: str, applied_by: str, change: Change, undoes: str | None = None) -> Commit:
        seq = len(self.commits) + 1
        step = s.CellsChanged("pg", change)
        commit = Commit(seq, f"op-{seq}", author, applied_by, "canvas_write", 0.0, (step,), undoes=undoes)
        sheet = self.contents.sheet("pg")
        assert sheet is not None
        self.contents.apply(step)
        sheet.trace.mark(change.footprint(), author, seq)
        self.commits.append(commit)
        return commit


@pytest.fixture
def desk() -> Desk:
    return Desk()


# -- the walk ------------------------------------------------------------------


def test_undo_walks_only_what_one_applied(desk: Desk) -> None:
    desk.write("person", "box", 0)
    desk.write("ada", "T", 6)
    desk.write("bob", "U", 8)
    assert [desk.undo("person") for _ in range(3)] == ["op-1", None, None]
    assert desk.undo("ada") == "op-2"
    assert desk.text() == "        U"


def test_undo_and_redo_walk_the_same_road_both_ways(desk: Desk) -> None:
    for n in range(3):
        desk.write("person", "abc"[n], n)
    assert [desk.undo("person") for _ in range(3)] == ["op-3", "op-2", "op-1"]
    assert desk.text() == ""
    for expected in ("a", "ab", "abc"):
        desk.redo("person")
        assert desk.text() == expected
    assert desk.redo("person") is None
    for expected in ("ab", "a", ""):
        desk.undo("person")
        assert desk.text() == expected
    assert desk.undo("person") is None


def test_an_accepted_preview_is_undone_by_whoever_accepted_it(desk: Desk) -> None:
    desk.write("person", "E", 0)
    desk.write("ada", "P", 4, applied_by="person")
    assert desk.undo("ada") is None
    seen = []
    for step in (desk.undo, desk.redo, desk.undo, desk.undo):
        step("person")
        seen.append(desk.text())
    assert seen == ["E", "E   P", "E", ""]


def test_an_agent_may_still_name_what_it_authored(desk: Desk) -> None:
    ghost = desk.write("ada", "P", 4, applied_by="person")
    assert standing(desk.commits, ghost.operation_id) is ghost
    undone = desk.take_back("ada", ghost)
    assert undone.undoes == ghost.operation_id
    assert desk.text() == ""


def test_something_new_of_ones_own_drops_the_redo(desk: Desk) -> None:
    desk.write("person", "a", 0)
    desk.undo("person")
    desk.write("person", "b", 0)
    assert desk.redo("person") is None
    assert desk.undo("person") == "op-3"


def test_what_others_do_does_not_drop_the_redo(desk: Desk) -> None:
    desk.write("person", "a", 0)
    desk.undo("person")
    desk.write("ada", "z", 9)
    desk.redo("person")
    assert desk.text() == "a        z"


def test_what_another_took_back_is_not_undone_again(desk: Desk) -> None:
    first = desk.write("ada", "a", 0)
    second = desk.write("ada", "b", 3)
    desk.take_back("person", second)
    assert desk.undo("ada") == first.operation_id
    assert next_redo(desk.commits, "ada") is desk.commits[-1]
    desk.redo("person")
    assert desk.text() == "   b"


def test_what_stands_for_an_operation_moves_with_undo_and_redo(desk: Desk) -> None:
    first = desk.write("ada", "a", 0)
    desk.undo("ada")
    assert standing(desk.commits, first.operation_id) is None
    desk.redo("ada")
    assert standing(desk.commits, first.operation_id) is desk.commits[-1]
    assert standing(desk.commits, "op-99") is None


def test_naming_an_undo_means_its_redo(desk: Desk) -> None:
    desk.write("ada", "a", 0)
    desk.undo("ada")
    assert standing(desk.commits, "op-2") is desk.commits[1]


def test_commits_older_than_the_headers_count_as_ordinary(desk: Desk) -> None:
    desk.write("person", "a", 0)
    desk.undo("person")
    kept = desk.commits[1:]
    assert next_undo(kept, "person") is None
    assert next_redo(kept, "person") is kept[0]


@given(st.lists(st.tuples(st.sampled_from(["write", "undo", "redo"]), st.sampled_from(["person", "ada"]))))
def test_each_one_has_a_stack_of_its_own(moves: list[tuple[str, str]]) -> None:
    """Against two plain stacks a head; everybody writes in a row of columns of their own."""
    desk = Desk()
    done: dict[str, list[int]] = {"person": [], "ada": []}
    undone: dict[str, list[int]] = {"person": [], "ada": []}
    for n, (move, who) in enumerate(moves):
        if move == "write":
            desk.write(who, "x", n)
            done[who].append(n)
            undone[who].clear()
        elif move == "undo":
            desk.undo(who)
            if done[who]:
                undone[who].append(done[who].pop())
        else:
            desk.redo(who)
            if undone[who]:
                done[who].append(undone[who].pop())
    written = {x for x, char in enumerate(desk.scene.strip(0, 0, len(moves) + 1).chars) if char}
    assert written == {x for stack in done.values() for x in stack}


# -- what stands in the way ----------------------------------------------------


def refused(desk: Desk, who: str, target: Commit) -> list[str]:
    with pytest.raises(Refused) as caught:
        desk.take_back(who, target)
    assert caught.value.code == "operation_not_undoable"
    return [one["operationId"] for one in caught.value.details["later"]]


def test_a_later_edit_by_another_on_the_same_cells_blocks_and_is_listed(desk: Desk) -> None:
    first = desk.write("ada", "hello", 0)
    desk.write("bob", "XY", 1)
    desk.write("person", "far", 9)
    assert refused(desk, "ada", first) == ["op-2"]
    assert desk.text(9) == "hXYlo"


def test_an_edit_beside_it_does_not_block(desk: Desk) -> None:
    first = desk.write("ada", "hi", 0)
    desk.write("bob", "x", 2)
    desk.take_back("ada", first)
    assert desk.text() == "  x"


def test_another_who_wrote_the_same_again_blocks_too(desk: Desk) -> None:
    first = desk.write("ada", "hi", 0)
    desk.write("bob", "hi", 0)
    assert refused(desk, "ada", first) == ["op-2"]


def test_an_edit_that_was_taken_back_no_longer_blocks(desk: Desk) -> None:
    first = desk.write("ada", "hi", 0)
    desk.write("bob", "yo", 0)
    desk.undo("bob")
    desk.take_back("ada", first)
    assert desk.text() == ""


def test_ones_own_later_edit_on_top_blocks_until_it_is_undone(desk: Desk) -> None:
    first = desk.write("ada", "hi", 0)
    desk.write("ada", "yo", 0)
    assert refused(desk, "ada", first) == ["op-2"]
    desk.undo("ada")
    desk.take_back("ada", first)
    assert desk.text() == ""


def test_an_accepted_ghost_that_its_agent_drew_on_again_blocks_the_person(desk: Desk) -> None:
    ghost = desk.write("ada", "hi", 0, applied_by="person")
    desk.write("ada", "yo", 0)
    assert refused(desk, "person", ghost) == ["op-2"]


def test_cells_that_the_operation_left_as_they_were_do_not_matter(desk: Desk) -> None:
    desk.write("person", "a", 0)
    first = desk.write("ada", "ab", 0)
    desk.write("person", "z", 0)
    desk.take_back("ada", first)
    assert desk.text() == "z"


def test_erasing_what_was_written_blocks(desk: Desk) -> None:
    first = desk.write("ada", "hi", 0)
    desk.erase("bob", Rect(0, 0, 1, 1))
    assert refused(desk, "ada", first) == ["op-2"]


def test_a_loss_whose_commit_is_out_of_reach_still_blocks(desk: Desk) -> None:
    first = desk.write("ada", "hi", 0)
    desk.write("bob", "yo", 0)
    with pytest.raises(Refused) as caught:
        refuse_if_built_upon(first, desk.contents, "ada", {})
    assert caught.value.details == {"later": []}
    assert "later operations" in caught.value.message


def test_a_sheet_that_is_gone_blocks(desk: Desk) -> None:
    first = desk.write("ada", "hi", 0)
    with pytest.raises(Refused):
        refuse_if_built_upon(first, Contents(), "ada", {1: first})


def test_lost_cells_are_the_altered_ones_that_changed_again(desk: Desk) -> None:
    first = desk.write("ada", "abc", 0)
    desk.write("bob", "X", 1)
    (step,) = first.steps
    assert isinstance(step, s.CellsChanged)
    assert lost_cells(step.change, desk.scene).bounds() == Rect(1, 0, 1, 1)


# -- the form ------------------------------------------------------------------


@pytest.mark.parametrize("action", ["apply_preview", "discard_preview"])
def test_previews_are_named(action: str) -> None:
    with pytest.raises(Refused) as caught:
        parse(HistoryArgs, {"action": action})
    assert (caught.value.code, caught.value.field) == ("invalid_input", "previewId")


def test_fields_of_another_action_are_refused_by_name() -> None:
    with pytest.raises(Refused) as caught:
        parse(HistoryArgs, {"action": "log", "operationId": "op-1"})
    assert caught.value.field == "operationId"
    with pytest.raises(Refused) as caught:
        parse(HistoryArgs, {"action": "undo", "limit": 3})
    assert caught.value.field == "limit"


def test_every_action_takes_a_reason_and_a_key() -> None:
    for action, fields in FIELDS.items():
        values = {"preview_id": "pv-1", "operation_id": "op-1", "from_": 0, "to": 0, "name": "x"}
        aliases = {name: str(info.alias) for name, info in HistoryArgs.model_fields.items()}
        needed = {aliases[name]: values[name] for name in fields.needs}
        parse(HistoryArgs, {"action": action, "why": "w", "idempotencyKey": "k", **needed})


@pytest.mark.parametrize("limit", [0, 101, 1.5])
def test_a_log_has_a_bounded_length(limit: float) -> None:
    with pytest.raises(Refused) as caught:
        parse(HistoryArgs, {"action": "log", "limit": limit})
    assert caught.value.field == "limit"
