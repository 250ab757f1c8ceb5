"""1, 4, 16 and 64 agents at once: how many calls a second, how long each takes, and are shares fair?

Each agent is a real `chardesk-mcp` process that reads one cell again and again. The floor of the same run:
as many relays against a stub that answers every call with one fixed line.

    python tests/bench/agents.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipes import Agent

from brokers import RunningBroker
from measured import figure, share

from chardesk.broker.door import discovery
from chardesk.broker.door.lock import pause
from chardesk.broker.door.place import Place

CROWDS = (1, 4, 16, 64)
SECONDS = 3.0

Once = Callable[[Agent], object]


def times_of_each(desk: str, count: int, once: Once) -> list[list[float]]:
    """For each agent the seconds of every call within the time. Any refusal ends the run."""
    times: list[list[float]] = [[] for _ in range(count)]
    with ExitStack() as stack:
        agents = [stack.enter_context(Agent(desk, f"agent-{number}")) for number in range(count)]
        begin = threading.Barrier(count)

        def work(number: int) -> None:
            once(agents[number])
            begin.wait()
            until = time.perf_counter() + SECONDS
            while (begun := time.perf_counter()) < until:
                once(agents[number])
                times[number].append(time.perf_counter() - begun)

        threads = [threading.Thread(target=work, args=[number]) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return times


@contextmanager
def stub(folder: str) -> Iterator[str]:
    """The desk of a broker that only answers."""
    place = Place(f"{folder}/stub")
    script = Path(__file__).resolve().parents[1] / "fake_broker.py"
    process = subprocess.Popen([sys.executable, str(script), "serve", "--desk", place.root])
    try:
        while discovery.running(place) is None:
            pause(0.01)
        yield place.root
    finally:
        process.kill()
        process.wait()


def told(count: int, ours: list[list[float]], floor: list[list[float]]) -> None:
    every, at_best = list(chain(*ours)), list(chain(*floor))
    who = f"{count} agent{'s' * (count > 1)}"
    figure(f"calls a second, {who}", len(every) / SECONDS, "calls/s", floor=len(at_best) / SECONDS)
    for name, part in (("p50", 0.5), ("p99", 0.99)):
        figure(f"a call's {name}, {who}", share(every, part) * 1e3, "ms", floor=share(at_best, part) * 1e3)
    if count > 1:
        counts = [len(one) for one in ours]
        figure(f"slowest agent's share of the fastest's, {who}", min(counts) / max(counts), "", at_least=0.6)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        stub(folder) as empty,
        RunningBroker(Path(folder) / "desk") as broker,
    ):
        for count in CROWDS:
            floor = times_of_each(empty, count, lambda agent: agent.call("canvas_read", text="x"))
            ours = times_of_each(
                broker.place.root, count, lambda agent: agent.call("canvas_read", viewport=[0, 0, 1, 1])
            )
            told(count, ours, floor)


if __name__ == "__main__":
    main()
