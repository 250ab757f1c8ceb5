"""What a script finds in the sandbox, and where its limits are."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from sandboxes import (
    echo,
    failure,
    promised,
    returned,
    run,
    sandbox,
)

from chardesk.broker.sandbox import limits
from chardesk.broker.sandbox.outcome import Finished


async def test_a_script_returns_what_it_returns() -> None:
    match await run("return {sum: 1 + 1, list: [null, true, '世界']}"):
        case Finished(result, truncated, console, operations):
            assert result == {"sum": 2, "list": [None, True, "世界"]}
            assert (truncated, console, operations) == (False, "", 0)
        case failed:
            pytest.fail(str(failed))


async def test_a_call_gives_an_ordinary_object_plainly_or_with_await() -> None:
    script = """
        const plain = canvas.write({at: [1, 2], content: "hi"});
        const awaited = await canvas.read();
        return [plain, awaited, plain instanceof Promise];
    """
    assert await returned(script) == [
        {"ok": True, "operation": "write", "args": {"at": [1, 2], "content": "hi"}},
        {"ok": True, "operation": "read", "args": {}},
        False,
    ]


async def test_an_answer_may_be_awaited() -> None:
    async def later(operation: str, args: Any) -> dict[str, Any]:
        await asyncio.sleep(0)
        return echo(operation, args)

    result = await returned("return canvas.search({query: 'x'})", answer=promised(later))
    assert result["operation"] == "search"


async def test_a_refusal_is_a_value() -> None:
    refusal = {"ok": False, "code": "conflict", "message": "no"}
    assert await returned("return canvas.write({})", answer=lambda *_: refusal) == refusal


@pytest.mark.parametrize("args", ["null", "1", "'text'", "[1]", "true"])
async def test_arguments_of_any_json_shape_reach_the_answerer(args: str) -> None:
    assert (await returned(f"return canvas.fill({args})"))["args"] == json.loads(args.replace("'", '"'))


async def test_a_script_finds_nothing_but_the_language_canvas_and_console() -> None:
    absent = ["process", "require", "fetch", "setTimeout", "window", "std", "os", "print", "__ask", "__tell"]
    assert await returned(f"return {absent}.filter(name => name in globalThis)") == []
    known = [*limits.PLAIN_OPERATIONS, *limits.HELPERS]
    assert await returned("return Object.keys(canvas)") == known


async def test_canvas_and_console_are_frozen() -> None:
    script = """
        "use strict";
        const tries = [
            () => { canvas.read = 1 }, () => { canvas.more = 1 }, () => { console.log = 1 },
            () => { canvas.read.x = 1 }, () => { canvas = 1 }, () => { delete globalThis.canvas },
        ];
        return tries.filter(attempt => { try { attempt(); return true } catch { return false } }).length;
    """
    assert await returned(script) == 0


async def test_chance_is_decided_by_the_seed() -> None:
    draw = "return Array.from({length: 4}, Math.random)"
    first, again, other = [await returned(draw, seed=seed) for seed in (11, 11, 12)]
    assert first == again != other
    assert all(0 <= number < 1 for number in first + other)


async def test_console_lines_come_in_order_and_survive_a_failure() -> None:
    failed = await failure("console.log('a', 1, {b: [2]}); console.error(new TypeError('c')); throw 1")
    assert failed.console == 'a 1 {"b":[2]}\nTypeError: c'


async def test_a_console_over_its_limit_is_cut_and_says_so() -> None:
    outcome = await run("for (let i = 0; i < 50; i++) console.log('世'.repeat(1000)); return 1")
    assert isinstance(outcome, Finished)
    assert outcome.console.endswith(f"\n[console cut at {limits.CONSOLE_BYTES} bytes]")
    assert limits.CONSOLE_BYTES - 4 < len(outcome.console.encode()) <= limits.CONSOLE_BYTES


async def test_a_console_of_exactly_its_limit_is_whole() -> None:
    outcome = await run(f"console.log('x'.repeat({limits.CONSOLE_BYTES - 1}))")
    assert outcome.console == "x" * (limits.CONSOLE_BYTES - 1)


# Limits


async def test_the_last_allowed_operation_passes_and_the_next_one_ends_the_run() -> None:
    count = limits.OPERATIONS
    assert await returned(f"for (let i = 0; i < {count}; i++) canvas.read({{}}); return 'done'") == "done"
    failed = await failure(f"for (let i = 0; i <= {count}; i++) try {{ canvas.read({{}}) }} catch {{}}")
    assert (failed.code, failed.operations) == ("limit_exceeded", count)
    assert failed.message == f"{count + 1} operations; a script may have {count}"


@pytest.mark.parametrize(("chars", "truncated"), [(-2, False), (-1, True)])
async def test_a_result_over_its_bytes_is_null_and_says_so(chars: int, truncated: bool) -> None:
    outcome = await run(f"return 'x'.repeat({limits.RESULT_BYTES + chars})")
    assert isinstance(outcome, Finished)
    assert (outcome.truncated, outcome.result is None) == (truncated, truncated)


async def test_a_result_is_measured_in_bytes_not_in_characters() -> None:
    outcome = await run(f"return '世'.repeat({limits.RESULT_BYTES // 2})")
    assert isinstance(outcome, Finished)
    assert (outcome.truncated, outcome.result) == (True, None)


async def test_a_call_over_the_frame_is_refused_and_the_script_goes_on() -> None:
    script = f"const r = canvas.write({{content: 'x'.repeat({limits.FRAME_BYTES})}}); return [r.ok, r.code]"
    assert await returned(script) == [False, "too_large"]


async def test_an_answer_over_the_frame_is_refused_and_the_script_goes_on() -> None:
    def huge(operation: str, args: Any) -> dict[str, Any]:
        return {"content": "x" * limits.FRAME_BYTES}

    assert await returned("return canvas.read({}).code", answer=huge) == "too_large"


async def test_much_traffic_ends_the_run() -> None:
    failed = await failure("for (;;) canvas.write({content: 'x'.repeat(5e5)})", timeout_ms=5_000)
    assert (failed.code, failed.operations) == ("limit_exceeded", limits.TRAFFIC_BYTES // 500_000)


async def test_a_result_nested_too_deeply_is_refused() -> None:
    failed = await failure("let a = 1; for (let i = 0; i < 300; i++) a = {a}; return a")
    assert (failed.code, failed.message) == ("limit_exceeded", "JSON nested deeper than 100 levels")


async def test_waiting_for_an_answer_counts_as_time() -> None:
    async def never(operation: str, args: Any) -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    failed = await failure("canvas.read({})", timeout_ms=100, answer=promised(never))
    assert (failed.code, failed.operations) == ("timeout", 1)


@pytest.mark.parametrize(("script", "timeout_ms"), [("", 100), ("x" * 32_769, 100), ("1", 49), ("1", 10_001)])
async def test_a_run_outside_the_contract_is_the_callers_error(script: str, timeout_ms: int) -> None:
    async with sandbox(warm=0) as box:
        with pytest.raises(ValueError, match="contract"):
            await box.run(script, timeout_ms, 1, echo)
