"""A hostile corpus, and children that were taken over: each ends in time, the next run is clean."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import anyio.to_thread
import pytest
from drawing import scene_of
from scripting import run_on, started, world_on

from chardesk.broker.desk.world import ScriptWorld
from chardesk.broker.sandbox import host, limits, payload, seccomp
from chardesk.broker.sandbox.backends import Backend
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.outcome import Failed, Finished, Outcome
from chardesk.broker.sandbox.talk import Answer
from chardesk.broker.service.scripts import halting

CORPUS = json.loads((Path(__file__).parent / "vectors" / "hostile.json").read_text("utf-8"))
ATTACKS: dict[str, dict[str, Any]] = {one["name"]: one for one in CORPUS["attacks"]}
LIMIT_MS, OVERRUN_MS = CORPUS["limits"]["timeoutMs"], CORPUS["limits"]["overrunMs"]

DECENT = """
    const box = canvas.box({at: [0, 3], size: [6, 3]});
    return [1 + 1, JSON.stringify([1]), typeof pwned, ({}).ok, box.ok, [3, 1].sort().join(), String(1)];
"""
CLEAN = [2, "[1]", "undefined", None, True, "1,3", "1"]


class Aftermath(NamedTuple):
    """How an attack ended, and a decent script on the same host just after it."""

    attack: Outcome
    after: Outcome
    late_ms: float


def off_the_loop(world: ScriptWorld) -> Answer:
    """As the broker answers: what may take long is done on a thread, and left there if the run is stopped."""

    def answer(verb: str, raw: Any) -> Any:
        prepared = world.call(verb, raw)

        async def later() -> dict[str, Any]:
            return await anyio.to_thread.run_sync(halting, prepared.give, abandon_on_cancel=True)

        return later if prepared.is_slow else halting(prepared.give)

    return answer


class Pulse:
    """How late the machine is: milliseconds by which this process came too late to its own beats, added up.

    A machine that is busy with other things ends everything later; what is asked for is added to that.
    """

    BEAT_S = 0.01

    def __init__(self) -> None:
        self.late_ms = 0.0

    async def beat(self) -> None:
        while True:
            begun = time.monotonic()
            await asyncio.sleep(self.BEAT_S)
            self.late_ms += (time.monotonic() - begun - self.BEAT_S) * 1000


@asynccontextmanager
async def pulse() -> AsyncIterator[Pulse]:
    found = Pulse()
    async with anyio.create_task_group() as beating:
        beating.start_soon(found.beat)
        yield found
        beating.cancel_scope.cancel()


async def _attack(backend: Backend, script: str) -> Aftermath:
    async with pulse() as machine:
        attack = await backend.run(script, LIMIT_MS, 1, off_the_loop(world_on(scene_of("abc"))))
    after = (await run_on(backend, DECENT, scene_of(""))).outcome
    return Aftermath(attack, after, machine.late_ms)


LOOP_S = 0.02
"""Processor time that one turn of the loop may take: a neighbour waits for the turn that is going on."""

_turns: list[tuple[float, str]] = []
"""Processor seconds of the longest turns while the attacks went on, and what was done in them."""


def _measured(turn: asyncio.Handle, run: Callable[[asyncio.Handle], None]) -> None:
    begun = time.thread_time()
    run(turn)
    if (took_s := time.thread_time() - begun) > LOOP_S:
        _turns.append((took_s, repr(turn)))


@contextmanager
def _frozen() -> Iterator[None]:
    """Collections leave alone what is there already, as in the broker: here that is all that pytest holds."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


async def _attack_all() -> dict[str, Aftermath]:
    found: dict[str, Aftermath] = {}
    room = asyncio.Semaphore(3)

    async def one(backend: Backend, name: str) -> None:
        async with room:
            found[name] = await _attack(backend, ATTACKS[name]["script"])

    async with started(Sandbox(warm=2)) as backend:
        await run_on(
            backend, DECENT, scene_of("")
        )  # what is loaded and compiled once is not the attacks' doing
        run = asyncio.Handle._run
        with pytest.MonkeyPatch.context() as patch, _frozen():
            patch.setattr(asyncio.Handle, "_run", lambda turn: _measured(turn, run))
            async with anyio.create_task_group() as tasks:
                for name in ATTACKS:
                    tasks.start_soon(one, backend, name)
    return found


@pytest.fixture(scope="module")
def aftermath() -> dict[str, Aftermath]:
    return asyncio.run(_attack_all())


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_as_it_must_and_in_time(name: str, aftermath: dict[str, Aftermath]) -> None:
    ends, outcome, late_ms = ATTACKS[name]["ends"], aftermath[name].attack, aftermath[name].late_ms
    match outcome:
        case Finished(result):
            assert "returns" in ends and result == ends["returns"], outcome
        case Failed(code):
            assert code in ends.get("fails", ()), outcome
    assert outcome.duration_ms <= LIMIT_MS + OVERRUN_MS + late_ms


@pytest.mark.parametrize("name", ATTACKS)
def test_the_run_after_an_attack_is_clean(name: str, aftermath: dict[str, Aftermath]) -> None:
    after = aftermath[name].after
    assert isinstance(after, Finished), after
    assert after.result == CLEAN


def test_no_attack_holds_the_event_loop(aftermath: dict[str, Aftermath]) -> None:
    """By the loop's own processor time: what else the machine does meanwhile is not the broker's doing."""
    assert len(aftermath) == len(ATTACKS)
    assert _turns == []


def test_the_corpus_is_large_and_of_every_kind() -> None:
    kinds = Counter(name.partition(":")[0] for name in ATTACKS)
    assert len(ATTACKS) == len(CORPUS["attacks"]) >= 60
    assert min(kinds.values()) >= 15
    assert kinds.keys() == {"escape", "pollution", "arguments", "exhaustion", "ending"}


# A child that was taken over: another payload in place of the worker, which does its deed once it is confined


EVIL = """
import ctypes, os, sys
from chardesk.broker.sandbox import frames
from chardesk.broker.sandbox.confine import confine

def tell(text):
    os.write(FD, frames.pack(text.encode()))

def for_ever():
    while True:
        pass

def fill_memory():
    keep = []
    try:
        while True:
            keep.append(bytearray(1 << 20))
    except MemoryError:
        for_ever()

FD = int(sys.argv[1])

def main(prelude):
    libc = ctypes.CDLL(None)
    here = bytes(4096)
    confine(int(sys.argv[3]))
    tell('["ready"]')
    frames.receive(FD)
    DEED
    tell('["done","survived",false]')
    os._exit(0)
"""

# Deeds by number, for each of `seccomp.MACHINES`: name, arguments.
CALLS = {
    "fork": ((56, 220), "17, 0, 0, 0, 0"),
    "start a program": ((59, 221), "b'/bin/sh', 0, 0"),
    "start a program by descriptor": ((322, 281), "FD, b'', 0, 0, 0x1000"),
    "open a file": ((257, 56), "-100, b'/etc/passwd', 0"),
    "open a file the new way": ((437, 437), "-100, b'/etc/passwd', here, 24"),
    "remove a file": ((263, 35), "-100, b'/tmp/x', 0"),
    "open a socket": ((41, 198), "2, 1, 0"),
    "make a pair of sockets": ((53, 199), "1, 1, 0, here"),
    "connect its socket": ((42, 203), "FD, here, 16"),
    "send a descriptor": ((46, 211), "FD, here, 0"),
    "receive a descriptor": ((47, 212), "FD, here, 0"),
    "duplicate its socket": ((32, 23), "FD"),
    "close its socket": ((3, 57), "FD"),
    "change its socket": ((72, 25), "FD, 4, 0"),
    "kill everybody": ((62, 129), "-1, 9"),
    "kill its parent": ((62, 129), "os.getppid(), 9"),
    "kill one thread": ((234, 131), "1, 1, 9"),
    "trace its parent": ((101, 117), "16, os.getppid(), 0, 0"),
    "read its parent's memory": ((310, 270), "os.getppid(), here, 1, here, 1, 0"),
    "write its parent's memory": ((311, 271), "os.getppid(), here, 1, here, 1, 0"),
    "take its parent's descriptor": ((438, 438), "3, 3, 0"),
    "lift its limits": ((302, 261), "0, 9, here, 0"),
    "lift its niceness": ((141, 140), "0, 0, -20"),
    "outlive its parent": ((157, 167), "1, 0, 0, 0, 0"),
    "put up another filter": ((317, 277), "1, 0, here"),
    "become somebody": ((105, 146), "0"),
    "make a namespace": ((272, 97), "0x10000000"),
    "mount": ((165, 40), "b'none', b'/', b'tmpfs', 0, 0"),
    "load a kernel program": ((321, 280), "0, here, 72"),
    "use a ring": ((425, 425), "1, here"),
    "make new memory executable": ((9, 222), "0, 4096, 7, 0x22, -1, 0"),
    "make its memory executable": ((10, 226), "0x10000, 4096, 5"),
    "make a file of memory": ((319, 279), "b'x', 0"),
    "sleep": ((35, 101), "here, 0"),
    "wait for its socket": ((271, 73), "here, 1, 0, 0, 8"),
    "set the clock": ((227, 112), "0, here"),
    "get out of its session": ((112, 157), ""),
    "fork the new way": ((435, 435), "here, 88"),
    "give up a page as broken": ((28, 233), "0x10000, 4096, 101"),
    "bind an abstract socket": ((49, 200), "FD, here, 16"),
    "send to an abstract socket": ((44, 206), "FD, here, 1, 0, here, 16"),
    "signal by a process's descriptor": ((424, 424), "FD, 9, 0, 0"),
    "open a file by its handle": ((304, 265), "FD, here, 0"),
    "handle its own page faults": ((323, 282), "0"),
    "share memory": ((29, 194), "1, 4096, 0o1666"),
    "keep a secret in the kernel": ((250, 219), "0, -3, 0"),
    "watch the processor": ((298, 241), "here, 0, -1, -1, 0"),
    "act on its terminal": ((16, 29), "0, 0x5412, here"),
    "look at a folder": ((217, 61), "0, here, 4096"),
}

IN_VAIN = {
    "blocks all signals": "libc.sigfillset(here); libc.sigprocmask(0, here, 0); for_ever()",
    "computes for ever": "for_ever()",
    "never says more": "frames.receive(FD)",
    "fills its memory": "fill_memory()",
    "stops half-way through a frame": "os.write(FD, b'\\x09\\0\\0\\0[\"do'); for_ever()",
}

LIES = {
    "says that a frame is giant": "os.write(FD, b'\\xff\\xff\\xff\\x7f')",
    "says that a frame is a byte too long": f"os.write(FD, ({limits.FRAME_BYTES + 1}).to_bytes(4, 'little'))",
    "says that a frame is short": "os.write(FD, b'\\x02\\0\\0\\0[\"done\",1,false]')",
    "floods with empty lines": '[tell(\'["say",""]\') for _ in range(20000)]',
    "floods with long lines": "[tell('[\"say\",\"' + 'x' * 60000 + '\"]') for _ in range(400)]",
    "floods with calls": '[tell(\'["call","measure",{"text":"x"}]\') for _ in range(5000)]; for_ever()',
    "calls what is not there": 'tell(\'["call","__init__",{}]\')',
    "floods with garbage": "[os.write(FD, bytes(range(256)) * 16) for _ in range(500)]",
    "is ready again and again": "[tell('[\"ready\"]') for _ in range(500)]",
    "returns a bomb": "tell('[\"done\",' + '[' * 100000 + ']' * 100000 + ',false]')",
}


async def taken_over(monkeypatch: pytest.MonkeyPatch, deed: str) -> tuple[Failed, Outcome]:
    """How a run on such a child fails, and an honest run on the same host after it."""
    evil = payload.packed(EVIL.replace("DEED", deed).encode())
    async with started() as backend:
        with monkeypatch.context() as patch:
            patch.setattr(host, "payload", lambda: evil)
            async with pulse() as machine:
                outcome = await backend.run("return 1", 400, 1, off_the_loop(world_on(scene_of(""))))
        after = (await run_on(backend, DECENT, scene_of(""))).outcome
    assert isinstance(outcome, Failed), outcome
    assert outcome.duration_ms <= 400 + OVERRUN_MS + machine.late_ms
    return outcome, after


def is_clean(after: Outcome) -> bool:
    return isinstance(after, Finished) and after.result == CLEAN


@pytest.mark.parametrize("name", CALLS)
async def test_the_kernel_kills_a_child_that_was_taken_over_when_it_tries_to(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, arguments = CALLS[name]
    number = dict(zip(seccomp.MACHINES, numbers, strict=True))[os.uname().machine]
    deed = f"libc.syscall({', '.join(filter(None, (str(number), arguments)))})"
    outcome, after = await taken_over(monkeypatch, deed)
    assert (outcome.code, "SIGSYS" in outcome.message) == ("crashed", True), outcome
    assert is_clean(after)


@pytest.mark.parametrize("deed", IN_VAIN.values(), ids=IN_VAIN)
async def test_the_deadline_ends_a_child_that_was_taken_over_and(
    deed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome, after = await taken_over(monkeypatch, deed)
    assert outcome.code == "timeout", outcome
    assert is_clean(after)


@pytest.mark.parametrize("deed", LIES.values(), ids=LIES)
async def test_the_host_believes_nothing_of_a_child_that(deed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome, after = await taken_over(monkeypatch, deed)
    assert outcome.code in {"crashed", "limit_exceeded"}, outcome
    assert is_clean(after)


def test_no_child_is_left_behind() -> None:
    """Whatever the tests above have let loose: this process has no child that runs or waits to be reaped."""
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
