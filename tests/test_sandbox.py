"""Scripts run in children that can do nothing but compute, whatever the script or even the child is."""

from __future__ import annotations

import asyncio
import json
import mmap
import os
import re
import select
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import anyio
import pytest

from chardesk.broker.sandbox import child as children
from chardesk.broker.sandbox import confine, limits, seccomp
from chardesk.broker.sandbox.frames import Malformed, pack
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.levels import levels
from chardesk.broker.sandbox.messages import Call, Done, Said, TooDeep, parse
from chardesk.broker.sandbox.outcome import Failed, Finished, Outcome
from chardesk.broker.sandbox.pipe import Pipe

VECTORS = json.loads((Path(__file__).parent / "vectors" / "sandbox_attacks.json").read_text("utf-8"))
ATTACKS: dict[str, dict[str, Any]] = {attack["name"]: attack for attack in VECTORS["attacks"]}
SANDBOX = Path(children.__file__).parent
BOUND_S = 10


def echo(operation: str, args: Any) -> dict[str, Any]:
    return {"ok": True, "operation": operation, "args": args}


def promised(answer: Callable[[str, Any], Awaitable[dict[str, Any]]]) -> Any:
    """The same answerer, as one that is awaited for each answer."""
    return lambda operation, args: partial(answer, operation, args)


@asynccontextmanager
async def sandbox(**options: Any) -> AsyncIterator[Sandbox]:
    box = Sandbox(**options)
    async with anyio.create_task_group() as tasks:
        await box.start(tasks)
        try:
            yield box
        finally:
            await box.close()


async def run(script: str, *, timeout_ms: int = 2_000, seed: int = 7, answer: Any = echo) -> Outcome:
    async with sandbox(warm=0) as box:
        return await box.run(script, timeout_ms, seed, answer)


def script_processes() -> set[int]:
    """The children of this process that carry the sandbox's boot line or have become zombies."""
    tasks = Path("/proc/self/task")
    found = {int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()}
    return {pid for pid in found if is_script_process(pid)}


def is_script_process(pid: int) -> bool:
    try:
        line = Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return False
    return b"chardesk.broker.sandbox.worker" in line or line == b""


# The language and its world


async def test_a_script_returns_what_it_returns() -> None:
    match await run("return {sum: 1 + 1, list: [null, true, '世界']}"):
        case Finished(result, truncated, console, operations):
            assert result == {"sum": 2, "list": [None, True, "世界"]}
            assert (truncated, console, operations) == (False, "", 0)
        case failed:
            pytest.fail(str(failed))


async def returned(script: str, **options: Any) -> Any:
    outcome = await run(script, **options)
    assert isinstance(outcome, Finished), outcome
    return outcome.result


async def failure(script: str, **options: Any) -> Failed:
    outcome = await run(script, **options)
    assert isinstance(outcome, Failed), outcome
    return outcome


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


# Errors


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


# Attacks


async def attack(box: Sandbox, name: str) -> tuple[Outcome, Outcome]:
    """The outcome of the attack and that of a decent script just after it."""
    how = ATTACKS[name]
    script = how.get("script") or "".join(text * times for text, times in how["parts"])
    loops = how["ends"].get("fails") == "timeout"
    timeout_ms = VECTORS["limits"]["loopTimeoutMs" if loops else "timeoutMs"]
    decent = "return [1 + 1, JSON.stringify([1]), typeof pwn, ({}).value]"
    return await box.run(script, timeout_ms, 1, echo), await box.run(decent, 2_000, 1, echo)


@pytest.fixture(scope="module")
def aftermath() -> dict[str, tuple[Outcome, Outcome]]:
    """All attacks, four at a time."""

    async def all_of_them() -> dict[str, tuple[Outcome, Outcome]]:
        found: dict[str, tuple[Outcome, Outcome]] = {}
        room = asyncio.Semaphore(4)

        async def one(box: Sandbox, name: str) -> None:
            async with room:
                found[name] = await attack(box, name)

        async with sandbox(warm=2) as box, anyio.create_task_group() as tasks:
            for name in ATTACKS:
                tasks.start_soon(one, box, name)
        assert script_processes() == set()
        return found

    return asyncio.run(all_of_them())


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_as_it_must(name: str, aftermath: dict[str, tuple[Outcome, Outcome]]) -> None:
    match aftermath[name][0], ATTACKS[name]["ends"]:
        case Finished(result), {"returns": expected}:
            assert (result["args"] if isinstance(result, dict) else result) == expected
        case Failed(code), {"fails": expected}:
            assert code == expected
        case outcome, expected:
            pytest.fail(f"{outcome} instead of {expected}")


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_in_time(name: str, aftermath: dict[str, tuple[Outcome, Outcome]]) -> None:
    assert aftermath[name][0].duration_ms <= VECTORS["limits"]["timeoutMs"] + VECTORS["limits"]["overrunMs"]


@pytest.mark.parametrize("name", ATTACKS)
def test_the_run_after_an_attack_is_clean(name: str, aftermath: dict[str, tuple[Outcome, Outcome]]) -> None:
    after = aftermath[name][1]
    assert isinstance(after, Finished)
    assert after.result == [2, "[1]", "undefined", None]


def test_no_child_can_hold_more_memory_than_an_attack_may() -> None:
    assert limits.KERNEL_LIMITS["AS"] <= VECTORS["limits"]["rssBytes"]


# The child


async def ask_while_running(box: Sandbox, question: Callable[[int], Any]) -> Any:
    """What `question` finds out about the child's process while its script waits for an answer."""
    found: list[Any] = []

    def answer(operation: str, args: Any) -> dict[str, Any]:
        found.extend(question(pid) for pid in script_processes())
        return {}

    assert isinstance(await box.run("canvas.read({})", 2_000, 1, answer), Finished)
    return found


async def test_the_kernel_holds_the_limits_of_a_running_child() -> None:
    async with sandbox(warm=0) as box:
        (table,) = await ask_while_running(box, lambda pid: Path(f"/proc/{pid}/limits").read_text())
    held = {
        "Max address space": limits.KERNEL_LIMITS["AS"],
        "Max cpu time": limits.KERNEL_LIMITS["CPU"],
        "Max stack size": limits.KERNEL_LIMITS["STACK"],
        "Max open files": 0,
        "Max processes": 0,
        "Max file size": 0,
        "Max core file size": 0,
    }
    for name, most in held.items():
        assert re.search(rf"^{name} +{most} +{most} ", table, re.MULTILINE), name


async def test_a_child_has_no_environment_no_folder_and_one_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHARDESK_SECRET", "hunter2")

    def look(pid: int) -> tuple[bytes, str, list[str]]:
        place = Path("/proc", str(pid))
        numbers = sorted(int(file.name) for file in (place / "fd").iterdir())
        files = [os.readlink(place / "fd" / str(number)) for number in numbers]
        return (place / "environ").read_bytes(), os.readlink(place / "cwd"), files

    async with sandbox(warm=0) as box:
        ((environment, folder, files),) = await ask_while_running(box, look)
    assert (environment, folder) == (b"", "/")
    assert files[:3] == ["/dev/null"] * 3
    assert [file.partition(":")[0] for file in files[3:]] == ["socket"]


BOOT = f"""
import sys
for name in ("chardesk", "chardesk.broker", "chardesk.broker.sandbox"):
    sys.modules[name] = package = type(sys)(name)
    package.__path__ = [{str(SANDBOX)!r}]
from chardesk.broker.sandbox.confine import confine
import ctypes, mmap, os, socket, time
ours = socket.socketpair()[0]
"""
CONFINED = BOOT + "confine(os.getppid())\n"


def ended(code: str) -> int:
    command = [sys.executable, "-I", "-S", "-B", "-c", code]
    quiet = subprocess.DEVNULL
    return subprocess.run(command, timeout=BOUND_S, stdout=quiet, stderr=quiet, check=False).returncode


FORBIDDEN = {
    "read a file": "os.open('/etc/passwd', os.O_RDONLY)",
    "write a file": "os.open('/dev/null', os.O_WRONLY)",
    "list a folder": "os.listdir('/')",
    "look for a file": "os.stat('/')",
    "open a socket": "socket.socket()",
    "fork": "os.fork() or os._exit(0)",
    "start a program": "os.execv('/bin/true', ['true'])",
    "send a signal": "os.kill(os.getppid(), 0)",
    "use a socket for more than reading and writing": "ours.getsockname()",
    "make memory executable": "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    "read another process": "ctypes.CDLL(None).process_vm_readv(os.getppid(), 0, 0, 0, 0, 0)",
    "wait": "time.sleep(0.001)",
    "lift a limit": "import resource; resource.getrlimit(resource.RLIMIT_AS)",
}


@pytest.mark.parametrize("code", FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_confined_process_is_killed_when_it_tries_to(code: str) -> None:
    assert levels()["command"] == "enforce"
    setup = "import resource\n"
    assert ended(BOOT + setup + code) == 0
    assert ended(CONFINED.replace("import ctypes", "import resource, ctypes") + code) == -signal.SIGSYS


def test_a_confined_process_can_compute_and_use_its_memory() -> None:
    assert ended(CONFINED + "x = bytearray(10 ** 7); y = [str(i) for i in range(10 ** 5)]; os._exit(5)") == 5


def test_a_confined_process_cannot_grow_past_its_memory() -> None:
    assert ended(CONFINED + "try:\n bytearray(10 ** 8)\nexcept MemoryError:\n os._exit(6)") == 6


def test_a_process_whose_parent_is_not_the_expected_one_is_not_confined_but_refused() -> None:
    code = "try:\n confine(1)\nexcept OSError as refused:\n os._exit(7 if 'parent' in str(refused) else 8)"
    assert ended(BOOT + code) == 7


def verdict(code: bytes, machine: int, call: int, argument_2: int) -> str:
    """What the kernel would do with a call: the filter, interpreted."""
    data = struct.pack("=IIQ6Q", call, machine, 0, 0, 0, argument_2, 0, 0, 0)
    steps, at, word = list(struct.iter_unpack("=HBBI", code)), 0, 0
    while True:
        kind, if_so, if_not, value = steps[at]
        at += 1
        match kind:
            case 0x20:
                word = int.from_bytes(data[value : value + 4], "little")
            case 0x15:
                at += if_so if word == value else if_not
            case 0x45:
                at += if_so if word & value else if_not
            case _:
                return {0x8000_0000: "kill", 0x7FFF_0000: "allow"}[value]


def on(machine: str, table: tuple[tuple[str, int, int], ...]) -> set[int]:
    return {dict(zip(seccomp.MACHINES, numbers, strict=True))[machine] for _, *numbers in table}


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_filter_allows_exactly_the_calls_in_its_table(machine: str) -> None:
    code, audit = seccomp.program(machine), seccomp.MACHINES[machine]
    plain, memory = (on(machine, table) for table in (seccomp.PLAIN_CALLS, seccomp.MEMORY_CALLS))
    readable, executable = mmap.PROT_READ | mmap.PROT_WRITE, mmap.PROT_EXEC
    assert {call for call in range(600) if verdict(code, audit, call, readable) == "allow"} == plain | memory
    assert {call for call in range(600) if verdict(code, audit, call, executable) == "allow"} == plain
    x32 = 0x4000_0000
    assert {verdict(code, audit, call | x32, 0) for call in plain | memory} == {"kill"}
    assert {verdict(code, audit ^ 1, call, 0) for call in plain | memory} == {"kill"}


def test_without_a_filter_the_levels_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confine, "_ACTIONS", "/nonexistent")
    found = levels()
    assert {found[name] for name in ("read", "write", "command", "network")} == {"attest"}
    assert {found[name] for name in ("env", "cpu", "memory", "stack", "output")} == {"enforce"}


def test_every_dimension_has_a_level() -> None:
    names = {"read", "write", "command", "network", "env", "cpu", "memory", "stack", "output"}
    assert levels().keys() == names
    assert set(levels().values()) <= {"enforce", "attest", "unsupported"}


HOST = """
import asyncio, os, sys
import anyio
from chardesk.broker.sandbox.host import Sandbox

async def main():
    async with anyio.create_task_group() as tasks:
        box = Sandbox(warm=0)
        await box.start(tasks)
        def answer(operation, args):
            pid = next(iter(box._children)).process.pid
            os.write(1, f"{pid}\\n".encode())
            return {}
        await box.run("canvas.read({}); while (1) {}", 10_000, 1, answer)

asyncio.run(main())
"""


def test_a_child_dies_with_a_host_that_is_killed(tmp_path: Path) -> None:
    root = str(Path(__file__).parent / "importroot")
    host = subprocess.Popen(
        [sys.executable, "-c", HOST], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}
    )
    with host:
        assert host.stdout is not None
        orphan = os.pidfd_open(int(host.stdout.readline()))
        host.kill()
        try:
            gone, _, _ = select.select([orphan], [], [], BOUND_S)
        finally:
            os.close(orphan)
    assert gone


# Hostile children: an engine of our own makes, which does after confinement what a broken-out script would do


def evil_engine(folder: Path, deed: str) -> Callable[[], Path]:
    """An engine folder whose engine, once handed a script, does `deed` with the socket's number `fd`."""
    source = f"""
    import ctypes, os, sys
    class JSException(Exception): pass
    class Context:
        def set_memory_limit(self, size): pass
        def set_max_stack_size(self, size): pass
        def add_callable(self, name, function): pass
        def execute_pending_job(self): return False
        def eval(self, source): return lambda *limits: begin
    def frame(body): return len(body).to_bytes(4, "little") + body
    def begin(job):
        fd = int(sys.argv[1])
        {deed}
        return lambda: '["done",null,false]'
    """
    (folder / "_quickjs.py").write_text(dedent(source))
    return lambda: folder


HOSTILE = {
    "a giant frame": (r"os.write(fd, b'\xff\xff\xff\x7f{}')", "a frame of 2147483647 bytes"),
    "an empty frame": (r"os.write(fd, b'\0\0\0\0')", "a frame of 0 bytes"),
    "no JSON": ("os.write(fd, frame(b'[[[['))", "no JSON"),
    "bad UTF-8": (r"os.write(fd, frame(b'[\"say\",\"\xff\"]'))", "no JSON"),
    "an object": ("os.write(fd, frame(b'{}'))", "no message"),
    "a bare word": ("os.write(fd, frame(b'[1]'))", "no message"),
    "an unknown message": ("os.write(fd, frame(b'[\"root\"]'))", "no known kind"),
    "an unknown operation": ('os.write(fd, frame(b\'["call","__class__",{}]\'))', "no known operation"),
    "an operation that is no text": ("os.write(fd, frame(b'[\"call\",[],{}]'))", "another shape"),
    "a message too long": ("os.write(fd, frame(b'[\"done\",1,false,2]'))", "another shape"),
    "not a number": ("os.write(fd, frame(b'[\"done\",NaN,false]'))", "no JSON"),
    "an infinite number": ("os.write(fd, frame(b'[\"done\",1e999,false]'))", "not finite"),
    "an endless number": ("os.write(fd, frame(b'[\"done\",' + b'9' * 9999 + b',false]'))", "no JSON"),
    "ready again": ("os.write(fd, frame(b'[\"ready\"]'))", "ready twice"),
    "half a frame and the end": (r"os.write(fd, b'\x09\0\0\0[\"do'); os._exit(0)", "status 0"),
    "an early end": ("os._exit(3)", "status 3"),
    "lines for ever": ('[os.write(fd, frame(b\'["say",""]\')) for _ in iter(int, 1)]', "past the limit"),
    "a wild pointer": ("ctypes.string_at(0)", "SIGSEGV"),
    "a file": ("os.open('/etc/passwd', 0)", "SIGSYS"),
}


@pytest.mark.parametrize(("deed", "reason"), HOSTILE.values(), ids=HOSTILE)
async def test_a_child_that_does_what_no_honest_one_would_has_crashed(
    deed: str, reason: str, tmp_path: Path
) -> None:
    async with sandbox(warm=0, find_engine=evil_engine(tmp_path, deed)) as box:
        outcome = await box.run("1", 5_000, 1, echo)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.operations) == ("crashed", 0)
    assert reason in outcome.message
    assert script_processes() == set()


async def test_a_pipe_takes_only_so_much_that_nobody_asked_for() -> None:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    pipe = Pipe(ours)
    with theirs, closing(pipe):
        theirs.send(pack(b"first"))
        assert await pipe.receive() == b"first"
        sent = 0
        for _ in range(5_000):
            with suppress(BlockingIOError):
                sent += theirs.send(bytes(9_999))
            await asyncio.sleep(0)
    assert limits.FRAME_BYTES < sent < 2 * limits.FRAME_BYTES


async def test_a_child_that_never_reads_its_answers_ends_at_a_limit(tmp_path: Path) -> None:
    flood = '[os.write(fd, frame(b\'["call","read",{}]\')) for _ in range(100)]; [0 for _ in iter(int, 1)]'
    async with sandbox(warm=0, find_engine=evil_engine(tmp_path, flood)) as box:
        outcome = await box.run("1", 300, 1, lambda *_: {"content": "x" * 500_000})
    assert isinstance(outcome, Failed)
    assert outcome.code == "timeout", outcome
    assert outcome.operations < 5


def test_lone_surrogates_and_wide_numbers_are_made_safe() -> None:
    assert parse(rb'["say","a\ud800b\\ud800"]') == Said("a\ufffdb\\ud800")
    assert parse(rb'["call","read",{"\udc00":["\ud83d\ude00"]}]') == Call("read", {"\ufffd": ["😀"]})
    assert parse(b'["done",100000000000000000000,false]') == Done(1e20, False)
    assert isinstance(parse(b'["done",-1152921504606846976,false]').result, float)  # type: ignore[union-attr]
    assert parse(b'["done",[1,1.5,-0.25,true,null],false]') == Done([1, 1.5, -0.25, True, None], False)


@pytest.mark.parametrize("depth", [101, 2_000, 200_000])
def test_deep_json_is_refused_without_a_stack_overflow(depth: int) -> None:
    with pytest.raises(TooDeep):
        parse(b'["call","read",' + b"[" * depth + b"]" * depth + b"]")


def test_json_at_the_depth_limit_passes() -> None:
    depth = limits.JSON_DEPTH - 1
    assert isinstance(parse(b'["call","read",' + b"[" * depth + b"]" * depth + b"]"), Call)


def test_a_result_is_truncated_by_the_host_whatever_the_child_says() -> None:
    assert parse(b'["done","' + b"x" * limits.RESULT_BYTES + b'",false]') == Done(None, True)


def test_a_frame_that_is_not_utf8_is_refused() -> None:
    with pytest.raises(Malformed):
        parse(b'["say","\xff"]')


# The host


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

    async def slow(operation: str, args: Any) -> dict[str, Any]:
        await asyncio.sleep(0.05)
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

        async def count() -> None:
            nonlocal turns
            while True:
                await asyncio.sleep(0.001)
                turns += 1

        tasks.start_soon(count)
        outcome = await box.run("for (;;) await null", 300, 1, echo)
        tasks.cancel_scope.cancel()
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
