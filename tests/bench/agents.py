"""Sixteen agents at once: is anybody refused, are shares fair, and what is left of the wire's own speed?

Each agent is a real `chardesk-mcp` process that reads one cell again and again. The floor of the same run:
the same sixteen relays against a stub that answers every call with one fixed line.

    python tests/bench/agents.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipes import Agent

from brokers import RunningBroker

from chardesk.broker.door import discovery
from chardesk.broker.door.lock import pause
from chardesk.broker.door.place import Place

AGENTS = 16
SECONDS = 5.0


def calls_of_each(desk: str, once: Callable[[Agent], object]) -> list[int]:
    """How often each agent got its answer within the time. Any refusal ends the run."""
    counts = [0] * AGENTS
    with ExitStack() as stack:
        agents = [stack.enter_context(Agent(desk, f"agent-{number}")) for number in range(AGENTS)]
        begin = threading.Barrier(AGENTS)

        def work(number: int) -> None:
            once(agents[number])
            begin.wait()
            until = time.perf_counter() + SECONDS
            while time.perf_counter() < until:
                once(agents[number])
                counts[number] += 1

        threads = [threading.Thread(target=work, args=[number]) for number in range(AGENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return counts


def stub_counts(folder: str) -> list[int]:
    place = Place(f"{folder}/stub")
    script = Path(__file__).resolve().parents[1] / "fake_broker.py"
    stub = subprocess.Popen([sys.executable, str(script), "serve", "--desk", place.root])
    try:
        while discovery.running(place) is None:
            pause(0.01)
        return calls_of_each(place.root, lambda agent: agent.call("canvas_read", text="x"))
    finally:
        stub.kill()
        stub.wait()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        stub = stub_counts(folder)
        with RunningBroker(Path(folder) / "desk") as broker:
            ours = calls_of_each(
                broker.place.root, lambda agent: agent.call("canvas_read", viewport=[0, 0, 1, 1])
            )
    print(f"broker {sum(ours) / SECONDS:.0f} calls/s, stub {sum(stub) / SECONDS:.0f} calls/s")
    print(f"ratio {sum(ours) / sum(stub):.2f}; slowest/fastest agent {min(ours) / max(ours):.2f} (goal 0.6)")


if __name__ == "__main__":
    main()
