"""Scripts that never come to an end: stopped at their limit, without effect, and nobody else notices.

How the sandbox itself holds such scripts is in test_sandbox.py; here it is what an agent is told.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from brokers import RunningBroker
from parties import Caller, Fields, answer_of, faultless, sheet_of

LIMIT_MS = 300
GRACE_S = 1.0


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with faultless(tmp_path_factory.mktemp("scripts") / "desk") as running:
        yield running


@pytest.fixture
def agent(broker: RunningBroker) -> Iterator[Caller]:
    with Caller(broker.place.root) as found:
        yield found


@pytest.fixture
def where(agent: Caller) -> Fields:
    return sheet_of(agent)


WRITE_FIRST = "canvas.write({at: [0, 0], content: 'lost'});"


@pytest.mark.parametrize(
    "script",
    [
        "return new Promise(r => { (async () => { while (1) {} })() })",
        "(async () => { for (;;) await null })()",
        "while (true) { try { while (true) {} } catch (e) {} }",
        "try {} finally { while (1) {} }",
        "for (;;) await Promise.reject(1).catch(() => {})",
    ],
    ids=["loop in a promise", "awaits for ever", "caught loop", "finally", "catch in a loop"],
)
def test_a_script_without_end_is_stopped_at_its_limit_and_changes_nothing(
    agent: Caller, where: Fields, script: str
) -> None:
    """COD-01, COD-02"""
    start = time.monotonic()
    told = agent.tool("canvas_code", script=WRITE_FIRST + script, timeoutMs=LIMIT_MS, mode="apply", **where)
    assert time.monotonic() - start < LIMIT_MS / 1000 + GRACE_S
    assert told.code == "timeout" and "Time limit exceeded" in told.text
    assert agent.ok("canvas_code", script="return 1 + 1", **where)["result"] == 2
    assert agent.cells((0, 0, 10, 1), **where) == {}


@pytest.mark.parametrize(
    "script",
    ["await new Promise(() => {})", "return new Promise(() => {})", "await {then() {}}"],
    ids=["awaited", "returned", "thenable"],
)
def test_a_result_that_never_settles_is_told_and_the_place_is_free(
    agent: Caller, where: Fields, script: str
) -> None:
    """COD-03"""
    start = time.monotonic()
    told = agent.tool("canvas_code", script=WRITE_FIRST + script, timeoutMs=LIMIT_MS, mode="apply", **where)
    assert time.monotonic() - start < LIMIT_MS / 1000 + GRACE_S
    assert told.refused and "never settled" in told.text
    assert agent.ok("canvas_code", script="return 1 + 1", **where)["result"] == 2
    assert agent.cells((0, 0, 10, 1), **where) == {}


@pytest.mark.parametrize(
    "script",
    [
        "return new Array(1e9) + ''",
        "return 'x'.repeat(2 ** 29).split('')",
        "return [...Array(5e7).keys()].sort()",
        "return JSON.stringify('a'.repeat(1e8))",
    ],
    ids=["joined holes", "split", "sorted", "told as JSON"],
)
def test_a_script_without_measure_ends_at_a_limit_and_others_are_answered_meanwhile(
    broker: RunningBroker, agent: Caller, where: Fields, script: str
) -> None:
    """COD-04"""
    start = time.monotonic()
    asked = agent.send("canvas_code", script=WRITE_FIRST + script, timeoutMs=LIMIT_MS, mode="apply", **where)
    with Caller(broker.place.root, name="neighbour") as neighbour:
        assert neighbour.ok("canvas_code", script="return 1 + 1", **sheet_of(neighbour))["result"] == 2
    message = agent.hear()
    assert message["id"] == asked
    assert time.monotonic() - start < LIMIT_MS / 1000 + 2 * GRACE_S
    told = answer_of(message)
    assert told.code in {"timeout", "limit_exceeded", "execution_failed"}
    assert any(word in told.text for word in ("Time limit", "out of memory", "invalid")), told.text
    assert agent.cells((0, 0, 10, 1), **where) == {}


@pytest.mark.parametrize(
    ("script", "code", "text"),
    [
        ("throw null", "limit_exceeded", "threw null"),
        ("throw new Proxy({}, {get() { throw 1 }})", "execution_failed", "[unprintable]"),
        ("throw {get message() { while (1) {} }}", "timeout", "Time limit exceeded"),
        ("throw {toString() { throw 2 }}", "execution_failed", "{}"),
        ("\n throw new Error('m'.repeat(1e6))", "execution_failed", "Error: mmm"),
    ],
    ids=["null", "proxy", "loops when it is read", "throws when it is read", "a message of a megabyte"],
)
def test_whatever_is_thrown_is_told_in_safe_and_short_text(
    agent: Caller, where: Fields, script: str, code: str, text: str
) -> None:
    """COD-07"""
    told = agent.tool("canvas_code", script=WRITE_FIRST + script, timeoutMs=LIMIT_MS, mode="apply", **where)
    assert told.code == code and text in told.fields["message"]
    assert len(told.fields["message"]) < 3_000
    if "new Error" in script:
        details = told.fields["details"]
        assert (details["name"], details["line"], details["column"] > 1) == ("Error", 2, True)
    assert agent.cells((0, 0, 10, 1), **where) == {}
