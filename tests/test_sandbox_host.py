"""The host: warm children, clocks of their own, no process left, and engines that do not load."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from sandboxes import (
    BOUND_S,
    ask_while_running,
    echo,
    failure,
    promised,
    sandbox,
    script_processes,
)

from chardesk.broker.sandbox.frames import Malformed
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.levels import levels
from chardesk.broker.sandbox.outcome import Failed, Finished, Outcome


async def test_a_warm_child_is_taken_and_replaced() -> None:
    async with sandbox(warm=1) as box:
        seen = [await ask_while_running(box, lambda pid: pid) for _ in range(3)]
    assert all(seen)
    assert script_processes() == set()


async def test_a_warm_child_that_died_is_not_used() -> None:
    async with sandbox(warm=1) as box:
        assert isinstance(await box.run("return 1", 2_000, 1, echo), Finished)
        for child in tuple(box._children):
            child.kill()
            await child.gone()
        assert isinstance(await box.run("return 1", 2_000, 1, echo), Finished)


async def test_twenty_runs_side_by_side_have_each_their_own_clock_and_heap() -> None:
    big = "const a = new Uint8Array(2e7); canvas.read({}); return a.length"
    together = asyncio.Barrier(19)

    async def slow(operation: str, args: Any) -> dict[str, Any]:
        await together.wait()
        return {}

    outcomes: list[Outcome] = []
    async with sandbox(warm=1) as box, anyio.create_task_group() as tasks:

        async def one(script: str, timeout_ms: int) -> None:
            outcomes.append(await box.run(script, timeout_ms, 1, promised(slow)))

        tasks.start_soon(one, "while (1) {}", 300)
        for _ in range(19):
            tasks.start_soon(one, big, 9_000)
    codes = [outcome.code if isinstance(outcome, Failed) else outcome.result for outcome in outcomes]
    assert sorted(map(str, codes)) == ["20000000"] * 19 + ["timeout"]


async def test_the_loop_goes_on_while_a_script_loops() -> None:
    async with sandbox(warm=0) as box, anyio.create_task_group() as tasks:
        turns = 0
        ended = asyncio.Event()

        async def count() -> None:
            nonlocal turns
            while not ended.is_set():
                await anyio.lowlevel.checkpoint()
                turns += 1

        tasks.start_soon(count)
        outcome = await box.run("for (;;) await null", 300, 1, echo)
        ended.set()
    assert isinstance(outcome, Failed)
    assert turns > 50


async def test_a_cancelled_run_leaves_no_child() -> None:
    asked = asyncio.Event()

    def answer(operation: str, args: Any) -> dict[str, Any]:
        asked.set()
        return {}

    async with sandbox(warm=0) as box:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(box.run, "canvas.read({}); while (1) {}", 10_000, 1, answer)
            await asyncio.wait_for(asked.wait(), BOUND_S)
            tasks.cancel_scope.cancel()
        assert isinstance(await box.run("return 1", 2_000, 1, echo), Finished)
    assert script_processes() == set()


async def test_a_run_that_is_going_on_when_the_sandbox_closes_is_cancelled() -> None:
    asked = asyncio.Event()
    outcomes: list[Outcome] = []

    async with sandbox(warm=1) as box:

        def answer(operation: str, args: Any) -> dict[str, Any]:
            asked.set()
            return {}

        async def one() -> None:
            outcomes.append(await box.run("canvas.read({}); while (1) {}", 10_000, 1, answer))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(one)
            await asyncio.wait_for(asked.wait(), BOUND_S)
            await box.close()
        late = await box.run("return 1", 2_000, 1, echo)
    assert [outcome.code for outcome in outcomes if isinstance(outcome, Failed)] == ["cancelled"]
    assert isinstance(late, Failed)
    assert (late.code, late.phase) == ("cancelled", "load")
    assert script_processes() == set()


async def test_an_answerer_that_raises_ends_the_run_with_its_exception() -> None:
    def broken(operation: str, args: Any) -> dict[str, Any]:
        raise LookupError("ours")

    async with sandbox(warm=0) as box:
        with pytest.raises(LookupError, match="ours"):
            await box.run("canvas.read({})", 2_000, 1, broken)
    assert script_processes() == set()


@pytest.mark.parametrize("problem", [EOFError("ours"), ConnectionError("ours"), Malformed("ours")])
async def test_an_answerers_exception_is_never_taken_for_the_childs(problem: Exception) -> None:
    def broken(operation: str, args: Any) -> dict[str, Any]:
        raise problem

    async with sandbox(warm=0) as box:
        with pytest.raises(type(problem), match="ours"):
            await box.run("canvas.read({})", 2_000, 1, broken)


async def test_a_missing_engine_is_told_before_anything_starts() -> None:
    async with sandbox(find_engine=lambda: None) as box:
        assert box.descriptor().problem is not None
        outcome = await box.run("return 1", 2_000, 1, echo)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.phase) == ("runtime_unavailable", "load")
    assert "quickjs-ng" in outcome.message


BROKEN_ENGINES = {
    "raise ImportError": "cannot be loaded",
    "import os; os._exit(0)": "ended while starting",
    "raise RuntimeError": "ended while starting",
}


@pytest.mark.parametrize(("source", "message"), BROKEN_ENGINES.items())
async def test_an_engine_that_does_not_load_is_told_and_not_called_available(
    source: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "_quickjs.py").write_text(source)
    async with sandbox(warm=1, find_engine=lambda: tmp_path) as box:
        outcome = await box.run("return 1", 2_000, 1, echo)
        problem = box.descriptor().problem
    assert isinstance(outcome, Failed)
    assert problem == outcome.message
    assert (outcome.code, outcome.phase) == ("runtime_unavailable", "load")
    assert message in outcome.message


async def test_a_process_that_cannot_be_started_is_no_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    failed = await failure("return 1")
    assert (failed.code, failed.phase) == ("runtime_unavailable", "load")


def test_the_descriptor_names_backend_engine_and_levels() -> None:
    descriptor = Sandbox().descriptor()
    assert descriptor.name == "quickjs-process"
    assert re.fullmatch(r"quickjs(-ng)? [0-9.]+", descriptor.version)
    assert descriptor.levels == levels()


async def test_a_sandbox_is_available_before_it_is_warm() -> None:
    async with sandbox(warm=1) as box:
        assert box.descriptor().problem is None
