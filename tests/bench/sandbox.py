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
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "importroot"))

from pipes import Agent

from brokers import RunningBroker

from chardesk.broker.sandbox.host import Sandbox
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


def bare_round_trips() -> float:
    """Milliseconds for as many small messages to another process and back, by a host that just blocks."""
    ours, theirs = socket.socketpair()
    peer = multiprocessing.get_context("fork").Process(target=_echo, args=[theirs], daemon=True)
    with ours, theirs:
        peer.start()
        spans = [_span(lambda: _blocking_trips(ours)) for _ in range(ROUNDS)]
        peer.kill()
        peer.join()
    return statistics.median(spans)


def _blocking_trips(ours: socket.socket) -> None:
    for _ in range(CALLS):
        ours.send(b"x" * 30)
        ours.recv(64)


async def loop_round_trips() -> float:
    """The same by a host with an event loop, whose reader answers at once: the least a broker can do."""
    ours, theirs = socket.socketpair()
    peer = multiprocessing.get_context("fork").Process(target=_echo, args=[theirs], daemon=True)
    peer.start()
    ours.setblocking(False)
    loop = asyncio.get_running_loop()
    spans = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        await _trips(loop, ours)
        spans.append((time.perf_counter() - begun) * 1000)
    loop.remove_reader(ours)
    peer.kill()
    peer.join()
    ours.close()
    theirs.close()
    return statistics.median(spans)


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


async def median_ms(work: Callable[[], Awaitable[None]]) -> float:
    spans = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        await work()
        spans.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(REST_S)
    return statistics.median(spans)


async def alone() -> None:
    """The sandbox without a broker around it."""
    async with anyio.create_task_group() as tasks:
        warm, cold = Sandbox(warm=1), Sandbox(warm=0)
        await warm.start(tasks)
        await cold.start(tasks)
        await run(warm, ONE)
        one_ms = await median_ms(lambda: run(warm, ONE))
        many_ms = await median_ms(lambda: run(warm, MANY))
        cold_ms = await median_ms(lambda: run(cold, ONE))
        await warm.close()
        await cold.close()
        start_ms = statistics.median(_span(bare_start) for _ in range(ROUNDS))
        blocking_ms, looping_ms = bare_round_trips(), await loop_round_trips()
    print(f"{ONE}, warm      {one_ms:7.2f} ms")
    print(f"{ONE}, cold      {cold_ms:7.2f} ms  {cold_ms / start_ms:5.2f} × python -c pass (goal 1.5)")
    print(f"{CALLS} host calls      {many_ms:7.2f} ms (goal 10)")
    print(f"                  {many_ms / blocking_ms:7.2f} × bare round trips, blocking (goal 3)")
    print(f"                  {many_ms / looping_ms:7.2f} × bare round trips, on an event loop")


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


def pings(broker: RunningBroker, is_over: threading.Event) -> list[float]:
    """Milliseconds of a neighbour's pings, one after the other, until it is over."""
    spans = []
    with Agent(broker.place.root) as agent:
        while not is_over.is_set():
            spans.append(_span(lambda: agent.request("ping", {})))
            is_over.wait(0.005)
    return spans


def p99(spans: list[float]) -> float:
    return sorted(spans)[int(len(spans) * 0.99)]


def during(broker: RunningBroker, work: Callable[[], None]) -> list[float]:
    """A neighbour's pings while `work` goes on."""
    is_over, heard = threading.Event(), []
    listener = threading.Thread(target=lambda: heard.extend(pings(broker, is_over)))
    listener.start()
    work()
    is_over.set()
    listener.join()
    return heard


def attacked(broker: RunningBroker, agents: int = 4) -> None:
    """The whole hostile corpus, by several agents at once, and what a neighbour's ping says to it."""
    quiet = during(broker, lambda: time.sleep(2.0))
    scripts = list(attacks())

    def attack(number: int) -> None:
        with Agent(broker.place.root) as agent:
            for script in scripts[number::agents]:
                agent.refused("canvas_code", script=script, timeoutMs=300)

    loud = during(broker, lambda: together(attack, agents))
    print(f"a neighbour's ping, p99: quiet {p99(quiet):.2f} ms; under attack {p99(loud):.2f} ms (goal 20)")
    print(
        f"                  median {statistics.median(loud):.2f} ms, worst {max(loud):.1f} ms of {len(loud)}"
    )


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
