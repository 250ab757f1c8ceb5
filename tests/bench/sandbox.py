"""What a script costs, against the least that its parts could cost, and what scripts cost everybody else.

The ratios are what to watch; each is of figures from this run.

    python tests/bench/sandbox.py
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "importroot"))

from pipes import Agent

from brokers import RunningBroker

from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.limits import NICENESS
from chardesk.broker.sandbox.outcome import Finished

VECTORS = Path(__file__).resolve().parents[1] / "vectors"
CALLS = 128
ROUNDS = 25
ONE = "return 1 + 1"
MANY = f"for (let i = 0; i < {CALLS}; i++) canvas.read({{at: [i, 0]}}); return 1"
READS = f"for (let i = 0; i < {CALLS}; i++) canvas.read({{viewport: [i, 0, 1, 1]}}); return 1"

# Long enough for the next child to be warm.
REST_S = 0.06


def bare_start() -> None:
    """The same interpreter with nothing to do, as a plain subprocess."""
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def _echo(theirs: socket.socket) -> None:
    while data := theirs.recv(64):
        theirs.send(data)


class Echo:
    """Another process that sends back whatever it gets, over a socket. A context manager."""

    def __enter__(self) -> socket.socket:
        self._ours, self._theirs = socket.socketpair()
        fork = multiprocessing.get_context("fork")
        self._peer = fork.Process(target=_echo, args=[self._theirs], daemon=True)
        self._peer.start()
        return self._ours

    def __exit__(self, *problem: object) -> None:
        self._peer.kill()
        self._peer.join()
        self._ours.close()
        self._theirs.close()


async def host_calls(box: Sandbox) -> tuple[list[float], list[float], list[float]]:
    """Milliseconds for a script of many calls; for as many small messages to another process and back, by a
    host that just blocks; and by one with an event loop whose reader answers at once, the least that a
    broker can do. In turns, so that all three meet the same machine."""
    many, blocking, looping = [], [], []
    loop = asyncio.get_running_loop()
    with Echo() as plain, Echo() as on_loop:
        on_loop.setblocking(False)
        for _ in range(ROUNDS):
            many.append(await span_of(run(box, MANY)))
            await asyncio.sleep(REST_S)
            blocking.append(_span(lambda: _blocking_trips(plain)))
            looping.append(await span_of(_trips(loop, on_loop)))
        loop.remove_reader(on_loop)
    return many, blocking, looping


def _blocking_trips(ours: socket.socket) -> None:
    for _ in range(CALLS):
        ours.send(b"x" * 30)
        ours.recv(64)


async def _trips(loop: asyncio.AbstractEventLoop, ours: socket.socket) -> None:
    done, left = loop.create_future(), CALLS

    def read() -> None:
        nonlocal left
        ours.recv(64)
        left -= 1
        if left:
            ours.send(b"x" * 30)
        else:
            done.set_result(None)

    loop.add_reader(ours, read)
    ours.send(b"x" * 30)
    await done


def _span(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


async def run(box: Sandbox, script: str) -> None:
    outcome = await box.run(script, 5_000, 1, lambda operation, args: {"ok": True})
    assert isinstance(outcome, Finished), outcome


async def span_of(work: Awaitable[None]) -> float:
    begun = time.perf_counter()
    await work
    return (time.perf_counter() - begun) * 1000


async def warm_runs(box: Sandbox) -> float:
    spans = []
    for _ in range(ROUNDS):
        spans.append(await span_of(run(box, ONE)))
        await asyncio.sleep(REST_S)
    return statistics.median(spans)


async def cold_starts(box: Sandbox) -> tuple[list[float], list[float]]:
    """Milliseconds for a script without a warm child, and for a bare start, in turns."""
    colds, starts = [], []
    for _ in range(ROUNDS):
        colds.append(await span_of(run(box, ONE)))
        starts.append(_span(bare_start))
    return colds, starts


async def alone() -> None:
    """The sandbox without a broker around it."""
    async with anyio.create_task_group() as tasks:
        warm, cold = Sandbox(warm=1), Sandbox(warm=0)
        await warm.start(tasks)
        await cold.start(tasks)
        await run(warm, ONE)
        one_ms = await warm_runs(warm)
        many, blocking, looping = await host_calls(warm)
        colds, starts = await cold_starts(cold)
        await warm.close()
        await cold.close()
    print(f"{ONE}, warm      {one_ms:7.2f} ms")
    for what, pick in (("", statistics.median), ("at best", min)):
        ratio = pick(colds) / pick(starts)
        print(f"{ONE}, cold      {pick(colds):7.2f} ms  {ratio:5.2f} × python -c pass (goal 1.5) {what}")
        print(f"{CALLS} host calls      {pick(many):7.2f} ms (goal 10) {what}")
        print(f"                  {pick(many) / pick(blocking):7.2f} × bare round trips, blocking (goal 3)")
        print(f"                  {pick(many) / pick(looping):7.2f} × bare round trips, on an event loop")


def through_mcp(broker: RunningBroker) -> None:
    """A warm script as an agent calls it, beside a read of one cell."""
    with Agent(broker.place.root) as agent:
        read: list[float] = []
        code: list[float] = []
        many: list[float] = []
        for _ in range(ROUNDS * 2):
            time.sleep(REST_S)
            read.append(_span(lambda: agent.call("canvas_read", viewport=[0, 0, 1, 1])))
            code.append(_span(lambda: agent.call("canvas_code", script=ONE)))
            time.sleep(REST_S)
            many.append(_span(lambda: agent.call("canvas_code", script=READS)))
    read_ms, code_ms, many_ms = map(statistics.median, (read, code, many))
    print(f"canvas_read       {read_ms:7.2f} ms through MCP")
    print(
        f"canvas_code       {code_ms:7.2f} ms through MCP, {ONE}: {code_ms / read_ms:.2f} × a read (goal 2)"
    )
    print(f"canvas_code       {many_ms:7.2f} ms through MCP, {CALLS} real reads")


def attacks() -> Iterator[str]:
    for name in ("hostile.json", "sandbox_attacks.json"):
        for attack in json.loads((VECTORS / name).read_text("utf-8"))["attacks"]:
            yield attack.get("script") or "".join(text * times for text, times in attack["parts"])


def _neighbour(root: str, wire: Connection) -> None:
    """Pings one after the other until it is told to stop, and tells how many milliseconds each took. In a
    process of its own: what the attackers compute in this one is no wait of the broker's."""
    spans = []
    with Agent(root) as agent:
        wire.send("ready")
        while not wire.poll(0.005):
            spans.append(_span(lambda: agent.request("ping", {})))
    wire.send(spans)


def _compute() -> None:
    """What a script costs the machine without being one: a niced process in a session of its own."""
    os.setsid()
    os.nice(NICENESS)
    while True:
        pass


def computing(count: int, for_s: float) -> None:
    """As many processes that only compute, as nice as scripts are: what no broker could prevent."""
    peers = [multiprocessing.Process(target=_compute, daemon=True) for _ in range(count)]
    for peer in peers:
        peer.start()
    time.sleep(for_s)
    for peer in peers:
        peer.kill()
        peer.join()


def p99(spans: list[float]) -> float:
    return sorted(spans)[int(len(spans) * 0.99)]


def during(broker: RunningBroker, work: Callable[[], None]) -> list[float]:
    """A neighbour's pings while `work` goes on."""
    ours, theirs = multiprocessing.Pipe()
    neighbour = multiprocessing.Process(target=_neighbour, args=(broker.place.root, theirs))
    neighbour.start()
    ours.recv()
    work()
    ours.send("stop")
    heard: list[float] = ours.recv()
    neighbour.join()
    return heard


def attacked(broker: RunningBroker, agents: int = 4) -> None:
    """The whole hostile corpus, by several agents at once, and what a neighbour's ping says to it."""
    quiet = during(broker, lambda: time.sleep(2.0))
    floor = during(broker, lambda: computing(agents, 4.0))
    scripts = list(attacks())

    def attack(number: int) -> None:
        with Agent(broker.place.root) as agent:
            for script in scripts[number::agents]:
                agent.refused("canvas_code", script=script, timeoutMs=300)

    loud = during(broker, lambda: together(attack, agents))
    print(f"a neighbour's ping, p99: quiet {p99(quiet):.2f} ms; under attack {p99(loud):.2f} ms (goal 20)")
    print(f"                  beside {agents} processes that only compute {p99(floor):.2f} ms (the floor)")
    middle, least = statistics.median(loud), statistics.median(floor)
    print(f"                  median {middle:.2f} ms (floor {least:.2f}), worst {max(loud):.1f} ms")


def together(work: Callable[[int], Any], count: int) -> None:
    threads = [threading.Thread(target=work, args=[number]) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def shared(broker: RunningBroker, agents: int = 16, each: int = 12) -> None:
    """As many agents, each with scripts one after the other: how fair, and how many a second."""
    finished: list[float] = []
    with ExitStack() as stack:
        callers = [stack.enter_context(Agent(broker.place.root)) for _ in range(agents)]
        begun = time.perf_counter()

        def scripts(number: int) -> None:
            for _ in range(each):
                callers[number].call("canvas_code", script=ONE)
            finished.append(time.perf_counter() - begun)

        together(scripts, agents)
    rate = agents * each / max(finished)
    print(
        f"{agents} agents at once {rate:6.0f} scripts/s; first done after {min(finished) / max(finished):.0%}"
    )


def main() -> None:
    print(f"{os.cpu_count()} processors")
    asyncio.run(alone())
    with tempfile.TemporaryDirectory() as folder, RunningBroker(Path(folder) / "desk") as broker:
        through_mcp(broker)
        shared(broker)
        attacked(broker)


if __name__ == "__main__":
    main()
