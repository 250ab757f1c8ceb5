"""Undo with a person and agents on one sheet, and how a viewer catches up. The person is a bare page socket;
the same with real keys is in test_cases_page.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, Person, faultless, unpacked


@pytest.fixture
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("undo") / "desk") as running:
        yield running


@pytest.fixture
def person(broker: RunningBroker) -> Iterator[Person]:
    with Person(broker) as page:
        yield page


@pytest.fixture
def ada(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root, "ada") as agent:
        yield agent


@pytest.fixture
def bob(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root, "bob") as agent:
        yield agent


BOX = "┌──┐\n│  │\n└──┘"


def sheet(agent: Caller) -> dict[tuple[int, int], str]:
    return agent.cells((0, 0, 60, 20))


def at(x: int, y: int, text: str) -> dict[tuple[int, int], str]:
    return {(x + n, y): char for n, char in enumerate(text)}


def test_the_persons_undo_takes_back_the_persons_edits_only(person: Person, ada: Caller, bob: Caller) -> None:
    """UND-02"""
    person.edit("paste", at=[0, 0], material=BOX)
    ada.put(20, 0, "T")
    bob.put(40, 0, "U")
    assert person.edit("undo")["type"] == "change"
    assert sheet(ada) == at(20, 0, "T") | at(40, 0, "U")
    assert [person.edit("undo")["type"] for _ in range(2)] == ["done", "done"]
    ada.ok("canvas_history", action="undo")
    assert sheet(ada) == at(40, 0, "U")


def test_a_script_that_throws_after_its_writes_is_no_step_of_anybody(person: Person, ada: Caller) -> None:
    """UND-05"""
    for row, word in enumerate(("one", "two", "three")):
        person.edit("text", at=[0, row], text=word)
    before = sheet(ada)
    script = """
        for (const [y, content] of ["over", "two", "four", "three", "five"].entries())
            canvas.write({at: [y % 2 ? 0 : 20, y], content});
        throw new Error("no");
    """
    told = ada.tool("canvas_code", script=script, mode="apply", expectedRevision="any")
    assert told.code == "execution_failed"
    assert sheet(ada) == before == at(0, 0, "one") | at(0, 1, "two") | at(0, 2, "three")
    left = [at(0, 0, "one") | at(0, 1, "two"), at(0, 0, "one"), {}]
    for cells in left:
        person.edit("undo")
        assert sheet(ada) == cells


def test_a_dismissed_preview_leaves_no_trace_in_the_history(person: Person, ada: Caller) -> None:
    """UND-03"""
    person.type(0, 0, "X")
    ada.cells((0, 0, 4, 1))
    ghost = ada.ok("canvas_write", at=[0, 0], content="ghost")["previewId"]
    assert person.decide(ghost, "veto")["reason"] == "vetoed"
    ada.cells((50, 10, 4, 4))
    person.edit("undo")
    assert sheet(ada) == {}
    person.edit("redo")
    assert sheet(ada) == at(0, 0, "X")
    assert ada.tool("canvas_history", action="apply_preview", previewId=ghost).code == "vetoed"
    assert [entry["author"] for entry in log(ada)] == ["person"] * 3 + ["desk"]


def log(agent: Caller) -> list[Fields]:
    """Newest first."""
    entries: list[Fields] = agent.ok("canvas_history", action="log")["entries"]
    return entries


def test_no_step_ever_holds_letters_of_two_authors(person: Person, ada: Caller) -> None:
    """UND-04"""
    for x, letter in enumerate("h1h2h3"):
        person.type(x, 0, letter)
        ada.put(2 * x, 5, "abcdef"[x])
    typed, drawn = at(0, 0, "h1h2h3"), {(2 * x, 5): "abcdef"[x] for x in range(6)}
    assert sheet(ada) == typed | drawn
    while (told := person.edit("undo"))["type"] == "change":
        assert told["author"] == told["appliedBy"] == "person"
        left = sheet(ada)
        assert drawn.items() <= left.items(), "the person's undo took a letter of the agent"
    assert left == drawn
    for number in range(6):
        entry = ada.ok("canvas_history", action="undo")
        assert entry["bounds"] == [2 * (5 - number), 5, 1, 1]
    assert sheet(ada) == {}
    assert {entry["author"] for entry in log(ada)} == {"person", "ada", "desk"}


def test_typing_in_one_go_is_one_step_though_an_agent_writes_elsewhere(person: Person, ada: Caller) -> None:
    """UND-04; model, section Commits."""
    for x, letter in enumerate("hello"):
        person.type(x, 0, letter)
    ada.put(30, 5, "a")
    person.edit("undo")
    assert sheet(ada) == at(30, 5, "a")


def test_what_an_agent_undoes_is_blank_for_everybody_and_stays_so(
    broker: RunningBroker, person: Person, ada: Caller, bob: Caller
) -> None:
    """UND-08"""
    written = ada.put(0, 0, "here")
    assert bob.rows((0, 0, 5, 1)) == ["here"]
    ada.ok("canvas_history", action="undo", operationId=written["operationId"])
    assert bob.rows((0, 0, 5, 1)) == [""]
    told = person.until(lambda told: told["type"] == "change" and told["tool"] == "canvas_history undo")
    assert unpacked(told["cells"]) == {}
    with Person(broker, token=person.token) as reloaded:
        assert seen(reloaded) == {}


def seen(person: Person) -> dict[tuple[int, int], str]:
    """What a fresh page was shown of its sheet."""
    parts = [told for told in person.heard if told["type"] == "snapshot"]
    return {place: char for part in parts for place, char in unpacked(part["cells"]).items()}


def test_an_accepted_ghost_is_one_step_of_the_person_who_accepted_it(person: Person, ada: Caller) -> None:
    """UND-09"""
    person.type(0, 0, "E1")
    ghost = ada.ok("canvas_write", at=[10, 0], content="P\nP\nP")["previewId"]
    rejected = ada.ok("canvas_write", at=[20, 0], content="no")["previewId"]
    person.decide(rejected, "veto")
    assert person.decide(ghost, "apply")["reason"] == "applied"
    before, proposal = at(0, 0, "E1"), {(10, y): "P" for y in range(3)}
    assert sheet(ada) == before | proposal
    for gesture, then in (("undo", before), ("redo", before | proposal), ("undo", before), ("undo", {})):
        person.edit(gesture)
        assert sheet(ada) == then
    assert person.edit("undo")["type"] == "done", "a rejected ghost is no step"


def test_an_agent_can_take_its_accepted_ghost_back_by_its_id_as_long_as_it_stands(
    person: Person, ada: Caller
) -> None:
    """UND-09"""
    ghost = ada.ok("canvas_write", at=[10, 0], content="P")["previewId"]
    person.decide(ghost, "apply")
    operation = next(entry for entry in log(ada) if entry["author"] == "ada")["operationId"]
    assert ada.tool("canvas_history", action="undo").code == "not_found", "it did not apply it"
    ada.ok("canvas_history", action="undo", operationId=operation)
    assert sheet(ada) == {}
    assert ada.tool("canvas_history", action="undo", operationId=operation).refused


# -- catching up


def test_a_viewer_that_was_away_sees_the_sheet_as_it_is(
    broker: RunningBroker, person: Person, ada: Caller
) -> None:
    """SYN-01"""
    with Person(broker, token=person.token, kind="reader") as viewer:
        seq = viewer.welcome["seq"]
        assert viewer.welcome["seat"] is False
    for y in range(10):
        ada.put(y, y, f"edit{y}")
    with Person(broker, token=person.token, kind="reader", resumeSeq=seq) as viewer:
        assert viewer.welcome["seq"] == seq + 10
        assert seen(viewer) == sheet(ada)


def test_an_agent_that_was_away_is_told_of_what_it_has_not_seen_before_it_writes_over_it(
    person: Person, ada: Caller, bob: Caller
) -> None:
    """SYN-01"""
    ada.cells((0, 0, 40, 12))
    for y in range(10):
        bob.put(y, y, f"edit{y}")
    told = ada.tool("canvas_erase", at=[0, 0], size=[40, 10], mode="apply")
    assert told.code == "conflict"
    assert {tuple(one["rect"]) for one in told.fields["details"]["conflicts"]} >= {(0, 0, 5, 1)}
    assert {one["author"] for one in told.fields["details"]["conflicts"]} == {"bob"}
    assert "revision" not in str(told.fields)
    ada.cells((0, 0, 40, 12))
    ada.ok("canvas_erase", at=[0, 0], size=[40, 10], mode="apply")
    assert sheet(bob) == {}
