"""canvas_code as an agent meets it, by a real broker: replay, limits, progress, cancelling, fairness."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, answer_of, sheet_of
from relay_process import line

from chardesk.broker.desk.world import MAX_CHANGED_CELLS
from chardesk.broker.sandbox import limits


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("code") / "desk") as running:
        yield running


@pytest.fixture
def agent(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root) as found:
        yield found


@pytest.fixture
def where(agent: Caller) -> Fields:
    return sheet_of(agent)


STARS = """
    for (let i = 0; i < 9; i++) canvas.write({at: [Math.floor(Math.random() * 20), i], content: "*"});
    return canvas.read({viewport: [0, 0, 20, 9]}).content;
"""


# One change


def test_a_preview_shows_the_whole_script_and_is_applied_as_it_was_shown(
    agent: Caller, where: Fields
) -> None:
    shown = agent.ok("canvas_code", script=STARS, **where)
    assert (shown["applied"], shown["writes"], shown["operations"]) == (False, 9, 10)
    assert agent.cells((0, 0, 20, 9), **where) == {}
    done = agent.ok("canvas_history", action="apply_preview", previewId=shown["previewId"], **where)
    assert done["operationId"].startswith("op-")
    drawn = agent.tool("canvas_read", viewport=[0, 0, 20, 9], **where).text
    assert drawn == shown["result"]
    agent.ok("canvas_history", action="undo", **where)
    assert agent.cells((0, 0, 20, 9), **where) == {}


def test_a_run_can_be_replayed(agent: Caller, where: Fields) -> None:
    runs = [agent.ok("canvas_code", script=STARS, **where) for _ in range(2)]
    runs.append(agent.ok("canvas_code", script=STARS, mode="apply", **where))
    assert len({run["seed"] for run in runs}) == 1
    assert len({json.dumps(run["evidence"], sort_keys=True) for run in runs}) == 1
    assert len({run["result"] for run in runs}) == 1


def test_evidence_stands_apart_from_provenance_and_both_are_kept_with_the_operation(
    agent: Caller, where: Fields
) -> None:
    call = {"script": "canvas.write({at: [0, 0], content: 'x'})", "mode": "apply", "idempotencyKey": "once"}
    done = agent.ok("canvas_code", **call, **where)
    assert done["evidence"].keys() == {"codeSha256", "inputsSha256", "changeSha256", "operations"}
    assert done["backend"].keys() == {"name", "version", "levels"}
    again = agent.ok("canvas_code", **call, **where)
    assert again["repeated"] is True
    kept = ("evidence", "backend", "operationId", "seed", "durationMs")
    assert [again[name] for name in kept] == [done[name] for name in kept]


def test_the_history_shows_how_a_script_was_run_also_when_it_was_a_preview_first(
    agent: Caller, where: Fields
) -> None:
    script = "canvas.write({at: [0, 0], content: 'x'})"
    shown = agent.ok("canvas_code", script=script, **where)
    applied = agent.ok("canvas_history", action="apply_preview", previewId=shown["previewId"], **where)
    told = agent.tool(
        "canvas_history", action="show", operationId=applied["operationId"], canvasId=where["canvasId"]
    )
    run = told.fields["run"]
    assert run == {name: shown[name] for name in ("backend", "evidence", "seed", "durationMs")}
    assert "run by quickjs-process (quickjs-ng" in told.text and "network enforce" in told.text


def test_the_history_tells_of_no_run_where_there_was_none(agent: Caller, where: Fields) -> None:
    done = agent.put(0, 0, "x", **where)
    told = agent.ok(
        "canvas_history", action="show", operationId=done["operationId"], canvasId=where["canvasId"]
    )
    assert "run" not in told


def test_the_same_script_on_other_cells_has_other_inputs(agent: Caller, where: Fields) -> None:
    script = "return canvas.read({viewport: [0, 0, 3, 1]}).content"
    first = agent.ok("canvas_code", script=script, **where)["evidence"]
    agent.put(0, 0, "new", **where)
    then = agent.ok("canvas_code", script=script, **where)["evidence"]
    assert first["codeSha256"] == then["codeSha256"]
    assert first["inputsSha256"] != then["inputsSha256"]


def test_move_and_the_helpers_are_there(agent: Caller, where: Fields) -> None:
    script = """
        const box = canvas.box({at: [0, 0], size: [8, 3], title: "a"});
        const moved = canvas.move({from: [0, 0], size: [8, 3], to: [10, 0]});
        return [box.ok, moved.ok, canvas.measure("世界").columns];
    """
    assert agent.ok("canvas_code", script=script, mode="apply", **where)["result"] == [True, True, 4]
    assert agent.rows((0, 0, 18, 1), **where) == ["          ┌─ a ──┐"]


# Limits


@pytest.mark.parametrize(
    ("script", "limit", "actual"),
    [
        ("for (let i = 0; i < 200; i++) canvas.measure('x')", limits.OPERATIONS, limits.OPERATIONS + 1),
        (
            "const content = 'x'.repeat(1e3);"
            "for (let y = 0; y < 30; y++) try { canvas.write({at: [0, y], content}) } catch {}",
            MAX_CHANGED_CELLS,
            21_000,
        ),
        ("for (;;) canvas.write({at: [0, 0], content: 'x'.repeat(9e5)})", limits.TRAFFIC_BYTES, None),
    ],
    ids=["operations", "changed cells", "traffic"],
)
def test_a_limit_ends_the_script_and_names_itself_and_what_was_asked(
    agent: Caller, where: Fields, script: str, limit: int, actual: int | None
) -> None:
    told = agent.tool("canvas_code", script=script, mode="apply", timeoutMs=9_000, **where)
    assert told.code == "limit_exceeded"
    details = told.fields["details"]
    assert details["limit"] == limit and details["actual"] == (actual or details["actual"]) > limit
    assert str(limit) in told.fields["message"] and str(details["actual"]) in told.fields["message"]
    assert agent.cells((0, 0, 50, 9), **where) == {}


def test_a_script_of_exactly_the_limit_of_cells_is_applied(agent: Caller, where: Fields) -> None:
    script = "for (let y = 0; y < 20; y++) canvas.write({at: [0, y], content: 'x'.repeat(1000)})"
    assert agent.ok("canvas_code", script=script, mode="apply", timeoutMs=9_000, **where)["writes"] == 20


@pytest.mark.parametrize(
    ("script", "name", "place"),
    [
        ("\n  null.x", "TypeError", (2, 3)),
        ("await 1;\nthrow new RangeError('mine')", "RangeError", (2, 7)),
        ("let a = ;", "SyntaxError", (1, 9)),
    ],
)
def test_an_error_has_its_name_message_line_and_column(
    agent: Caller, where: Fields, script: str, name: str, place: tuple[int, int]
) -> None:
    told = agent.tool("canvas_code", script=script, mode="apply", **where)
    details = told.fields["details"]
    assert told.code == "execution_failed"
    assert details["name"] == name and details["line"] == place[0]
    assert abs(details["column"] - place[1]) <= len("throw new RangeError")
    assert told.fields["message"].startswith(f"{name}: ")


# COD-05 to COD-08


def test_patterns_that_explode_end_in_scripts_and_do_nothing_in_a_search(
    agent: Caller, where: Fields
) -> None:
    """COD-05"""
    start = time.monotonic()
    slow = agent.tool(
        "canvas_code", script="return /^(a+)+$/.test('a'.repeat(40) + '!')", timeoutMs=300, **where
    )
    assert slow.code == "timeout"
    empty = agent.tool("canvas_code", script="return new RegExp('()*?a').exec(',')", timeoutMs=300, **where)
    assert empty.code == "timeout" or empty.fields["result"] is None
    agent.put(0, 0, "a" * 40 + "!\n,", **where)
    for pattern in ("^(a+)+$", "()*?b"):
        found = agent.ok("canvas_search", query=pattern, regex=True, **where)
        assert found["matches"] == []
    assert time.monotonic() - start < 5


def test_a_wrong_call_anywhere_is_a_value_a_thousand_times(agent: Caller, where: Fields) -> None:
    """COD-06"""
    script = """
        const bad = () => canvas.write("wrong arguments");
        const places = [async () => (await bad()).code, async () => (await Promise.resolve().then(bad)).code,
            async () => ({get x() { return bad().code }}).x, async () => `${{toString: () => bad().code}}`];
        const codes = new Set();
        for (let i = 0; i < 100; i++) codes.add(await places[i % 4]());
        return [...codes];
    """
    for _ in range(10):
        assert agent.ok("canvas_code", script=script, **where)["result"] == ["invalid_input"]


def test_a_getter_of_the_result_writes_in_time_or_not_at_all(agent: Caller, where: Fields) -> None:
    """COD-08"""
    script = "return {get x() { canvas.write({at: [0, 0], content: 'LATE'}); return 1 }}"
    done = agent.ok("canvas_code", script=script, mode="apply", **where)
    assert (done["result"], done["writes"]) == ({"x": 1}, 1)
    assert agent.rows((0, 0, 4, 1), **where) == ["LATE"]


def test_a_result_that_spells_itself_is_spelled_before_the_end_and_one_that_loops_is_stopped(
    agent: Caller, where: Fields
) -> None:
    """COD-08"""
    script = "return {toJSON() { canvas.write({at: [0, 0], content: 'TOLD'}); return 'spelled' }}"
    done = agent.ok("canvas_code", script=script, mode="apply", **where)
    assert (done["result"], done["writes"]) == ("spelled", 1)
    loops = "canvas.write({at: [0, 1], content: 'lost'}); return {get x() { for (;;); }}"
    assert agent.tool("canvas_code", script=loops, mode="apply", timeoutMs=200, **where).code == "timeout"
    assert agent.rows((0, 0, 4, 2), **where) == ["TOLD", ""]


# Progress, cancelling, fairness


def test_a_long_run_reports_progress_to_who_asked_for_it(agent: Caller, where: Fields) -> None:
    asked = agent.ask(
        "tools/call",
        name="canvas_code",
        arguments={"script": "for (;;);", "timeoutMs": 1_400, **where},
        _meta={"progressToken": "mine"},
    )
    heard: list[dict[str, Any]] = []
    while (message := agent.hear()).get("id") != asked:
        heard.append(message)
    assert answer_of(message).code == "timeout"
    assert len(heard) >= 2
    assert {one["method"] for one in heard} == {"notifications/progress"}
    assert {one["params"]["progressToken"] for one in heard} == {"mine"}
    steps = [one["params"]["progress"] for one in heard]
    assert steps == sorted(set(steps))


def test_a_run_that_its_agent_cancels_ends_at_once_and_changes_nothing(agent: Caller, where: Fields) -> None:
    script = "canvas.write({at: [0, 0], content: 'lost'}); for (;;);"
    asked = agent.send("canvas_code", script=script, mode="apply", timeoutMs=10_000, **where)
    waiting = agent.send("canvas_code", script="return 'next'", **where)
    start = time.monotonic()
    agent.write(line({"method": "notifications/cancelled", "params": {"requestId": asked}}))
    while (message := agent.hear())["id"] != waiting:
        assert message["id"] == asked
    assert answer_of(message).fields["result"] == "next"
    assert time.monotonic() - start < 5
    assert agent.cells((0, 0, 9, 1), **where) == {}


def test_sixteen_agents_run_scripts_at_once_and_none_fails(broker: RunningBroker) -> None:
    """COD-09: each has its own clock, and a neighbour that loops to its limit costs nobody anything."""
    script = "let n = 0; for (let i = 0; i < 1e4; i++) n += i; return canvas.measure('x').columns + n"

    def one(number: int) -> list[Any]:
        with Caller(broker.place.root, name=f"agent-{number}") as caller:
            where = sheet_of(caller)
            looping = caller.tool("canvas_code", script="for (;;);", timeoutMs=200, **where)
            return [
                looping.code,
                *(caller.ok("canvas_code", script=script, **where)["result"] for _ in range(4)),
            ]

    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(one, range(16)))
    assert results == [["timeout", *[49995001] * 4]] * 16
