"""What is told of a script that fails: its own error, with its place, in safe text; or that it never ends."""

from __future__ import annotations

from typing import Any

import pytest
from sandboxes import (
    failure,
    returned,
)

from chardesk.broker.sandbox import limits


@pytest.mark.parametrize(
    ("script", "name", "place"),
    [
        ("throw new Error('x')", "Error", (1, 11)),
        ("\n\n   null.x", "TypeError", (3, 4)),
        ("let a = 1;\nlet b = ;", "SyntaxError", (2, 9)),
        ("await 0;\n throw new RangeError('x')", "RangeError", (2, 12)),
        ("function f() {\n  throw new TypeError('x') }\n\nf()", "TypeError", (2, 13)),
        ("const a = {};\na.a = a;\n  canvas.write(a)", "TypeError", (3, 16)),
        ("return eval('\\n\\n\\nnull.x')", "TypeError", (1, 8)),
        ("[1].map(x => {\n undefined_name })", "ReferenceError", (2, 2)),
    ],
)
async def test_an_error_names_the_line_and_column_of_the_callers_script(
    script: str, name: str, place: tuple[int, int]
) -> None:
    failed = await failure(script)
    assert (failed.code, failed.name, (failed.line, failed.column)) == ("execution_failed", name, place)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("throw 'plain'", "plain"),
        ("throw {code: 1}", '{"code":1}'),
        ("throw undefined", "undefined"),
        ("throw new Proxy({}, {get() { throw 1 }})", "[unprintable]"),
        ("throw {toString() { throw 2 }, toJSON() { throw 3 }}", "[unprintable]"),
        ("throw Object.assign(new Error('x'), {name: 5, message: 6})", "5: 6"),
        ("throw new Error('\\ud800')", "\ufffd"),
    ],
)
async def test_whatever_is_thrown_gives_some_safe_text(script: str, message: str) -> None:
    failed = await failure(script)
    assert (failed.code, failed.message) == ("execution_failed", message)


@pytest.mark.parametrize(
    ("script", "place"),
    [
        ("foo(", (1, 5)),
        ("if (1) {", (1, 9)),
        ("return 1}", (1, 10)),
        ("let a = 1\nlet b = ['😀',", (2, 15)),
        ("one(\r\ntwo(", (2, 5)),
        ("one(\u2028two(\rthree(\n", (4, 1)),
        ("let a; let a", (1, 13)),
    ],
)
async def test_what_is_missed_at_the_end_of_a_script_is_placed_there_and_no_line_below(
    script: str, place: tuple[int, int]
) -> None:
    failed = await failure(script)
    assert (failed.code, failed.name, (failed.line, failed.column)) == (
        "execution_failed",
        "SyntaxError",
        place,
    )
    assert failed.message.endswith("(at the end of the script)")


async def test_what_a_terminal_would_obey_is_spelled_out_in_errors_and_console() -> None:
    say = "const say = '\\x1b[2J\\u202e\\x9b1m\\r a\\tb\\n';"
    script = say + "console.log(say); throw Object.assign(Error(say), {name: say})"
    failed = await failure(script)
    spelled = "\\x1b[2J\\u202e\\x9b1m\\r a\tb\n"
    assert (failed.name, failed.message, failed.console) == (spelled,) * 3


async def test_the_text_of_a_long_error_is_cut() -> None:
    failed = await failure("throw new Error('x'.repeat(1e6))")
    assert failed.message == "x" * limits.ERROR_CHARS + "…"
    assert (failed.name, failed.line) == ("Error", 1)


async def test_a_thousand_bad_calls_in_every_kind_of_place_do_no_harm() -> None:
    script = """
        const bad = () => canvas.write(1n);
        const places = [
            bad, async () => { await bad() }, () => Promise.resolve().then(bad),
            () => ({get x() { return bad() }}).x, () => `${{toString: bad}}`,
        ];
        let caught = 0;
        for (let i = 0; i < 1000; i++) try { await places[i % places.length]() } catch (e) { caught++ }
        return [caught, canvas.read({}).ok];
    """
    assert await returned(script, timeout_ms=9_000) == [1_000, True]


async def test_a_thrown_value_that_loops_ends_at_the_limit() -> None:
    assert (await failure("throw {get message() { while (1) {} }}", timeout_ms=150)).code == "timeout"


@pytest.mark.parametrize(
    "script",
    [
        "await new Promise(() => {})",
        "return new Promise(() => {})",
        "await {then() {}}",
        "return {then() {}}",
    ],
)
async def test_a_promise_that_stays_open_is_told_at_once(script: str) -> None:
    failed = await failure(script)
    assert (failed.code, failed.message[:20]) == ("execution_failed", "result never settled")
    assert failed.duration_ms < 1_000


@pytest.mark.parametrize(
    "script",
    [
        "return new Promise(r => { (async () => { while (1) {} })() })",
        "(async () => { for (;;) await null })()",
        "while (true) { try { while (true) {} } catch (e) {} }",
        "try { while (1) {} } finally { while (1) {} }",
        "for (;;) await Promise.reject(1).catch(() => {})",
        "new RegExp('(?:a+)+b').test('a'.repeat(40))",
        "return {get x() { while (1) {} }}",
    ],
)
async def test_a_script_without_end_ends_at_the_limit(script: str) -> None:
    failed = await failure(script, timeout_ms=200)
    assert failed.code == "timeout"
    assert failed.message.startswith("Time limit exceeded")
    assert 200 <= failed.duration_ms < 1_200


@pytest.mark.parametrize(
    "script",
    [
        "return new Array(1e9) + ''",
        "return 'x'.repeat(2 ** 29).split('')",
        "return [...Array(5e7).keys()].sort()",
        "return JSON.stringify('a'.repeat(1e8))",
        "return new SharedArrayBuffer(1e9).byteLength",
        "const keep = []; for (;;) keep.push(new SharedArrayBuffer(1e6))",
    ],
)
async def test_a_script_without_measure_ends_at_a_limit(script: str) -> None:
    assert (await failure(script, timeout_ms=400)).code in {"limit_exceeded", "timeout", "execution_failed"}


async def test_effects_happen_before_the_end_is_told_or_not_at_all() -> None:
    calls: list[str] = []

    def note(operation: str, args: Any) -> dict[str, Any]:
        calls.append(args["content"])
        return {}

    late = """return {
        get early() { canvas.write({content: "in time"}); return 1 },
        toJSON() {
            Promise.resolve().then(() => canvas.write({content: "LATE"}));
            return {early: this.early};
        },
    }"""
    assert await returned(late, answer=note) == {"early": 1}
    assert calls == ["in time"]
