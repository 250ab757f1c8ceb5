"""What a quiet agent notices of one that floods, and what a tenant costs in memory.

The quiet one writes a cell now and then on a bare socket. The other, in a process of its own, keeps two
hundred calls waiting all the time. The floor of the quiet one's p99 is its p99 alone in the same run.

    python tests/bench/flood.py
"""

from __future__ import annotations

import itertools
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from brokers import RunningBroker
from measured import figure, share
from parties import Caller, RawAgent

CALLS = 500
EVERY_S = 0.004
OUTSTANDING = 200
TENANTS = 60
"""Beside the few that measure: a desk takes 64."""


def quiet(agent: RawAgent, row: int) -> list[float]:
    """Milliseconds of each of a quiet agent's writes."""
    times = []
    for number in range(CALLS):
        arguments = {"at": [number % 100, row], "content": "ab"[number // 100 % 2], "mode": "apply"}
        begun = time.perf_counter()
        agent.ask("tools/call", name="canvas_write", arguments=arguments)
        times.append((time.perf_counter() - begun) * 1e3)
        agent.frames.clear()
        time.sleep(EVERY_S)
    return times


@contextmanager
def flood(desk: str) -> Iterator[None]:
    """Inside it somebody floods; it has begun when the first answers have come."""
    command = [sys.executable, __file__, desk]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "flooding\n"
        try:
            yield
        finally:
            process.kill()


def flooding(desk: str) -> None:
    """Never ends: as many calls as are answered are asked anew."""
    letters = itertools.cycle("xy")

    def ask(agent: Caller) -> None:
        agent.send("canvas_write", at=[0, 200], content=next(letters) * 50, mode="apply")

    with Caller(desk, "flood") as agent:
        for _ in range(OUTSTANDING):
            ask(agent)
        for count in itertools.count():
            agent.hear()
            ask(agent)
            if count == OUTSTANDING:
                sys.stdout.write("flooding\n")
                sys.stdout.flush()


def resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def memory(broker: RunningBroker) -> None:
    before = resident_kib(broker.pid)
    with ExitStack() as stack:
        for number in range(TENANTS):
            agent = stack.enter_context(RawAgent(broker, f"guest-{number}"))
            agent.ask("tools/call", name="canvas_read", arguments={"viewport": [0, 0, 10, 10]})
        grown = resident_kib(broker.pid) - before
    figure("a broker's memory with nobody there", before / 1024, "MiB")
    figure("a broker's memory for each tenant", grown / TENANTS, "KiB")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, RunningBroker(Path(folder) / "desk") as broker:
        broker.call("write", "--at", "0,0", "--content", "warm", "--mode", "apply")
        memory(broker)
        with RawAgent(broker, "quiet") as agent:
            quiet(agent, 0)
            alone = share(quiet(agent, 1), 0.99)
            with flood(broker.place.root):
                beside = share(quiet(agent, 2), 0.99)
    figure("a quiet agent's p99 beside a flood", beside, "ms", floor=alone, at_most=3, goal_of="ratio")


if __name__ == "__main__":
    flooding(sys.argv[1]) if len(sys.argv) > 1 else main()
