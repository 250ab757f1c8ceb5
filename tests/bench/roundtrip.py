"""What a call costs: one cell read and one cell written, through stdio, relay and broker.

Floors of the same run: an echo of one frame between two `websockets` processes, and one fsynced commit of
SQLite. Prints both, and the ratios.

    python tests/bench/roundtrip.py
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pipes import Agent

from brokers import RunningBroker
from measured import figure

ROUNDS = 400

ECHO = """
import asyncio
from websockets.asyncio.server import serve
async def echo(socket):
    async for frame in socket:
        await socket.send(frame)
async def main():
    async with serve(echo, "127.0.0.1", 0, compression=None) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()
asyncio.run(main())
"""


def p50(once: Callable[[], object]) -> float:
    """Median seconds of a call, warm."""
    for _ in range(ROUNDS // 5):
        once()
    return statistics.median(timed(once) for _ in range(ROUNDS))


def timed(once: Callable[[], object]) -> float:
    begun = time.perf_counter()
    once()
    return time.perf_counter() - begun


async def _echo_times(port: int, frame: str) -> list[float]:
    from websockets.asyncio.client import connect

    times = []
    async with connect(f"ws://127.0.0.1:{port}", compression=None, proxy=None) as socket:
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            await socket.send(frame)
            await socket.recv()
            times.append(time.perf_counter() - begun)
    return times


def echo_floor() -> float:
    """A frame of 250 bytes there and back between two processes."""
    with subprocess.Popen([sys.executable, "-c", ECHO], stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            return statistics.median(asyncio.run(_echo_times(port, "x" * 250))[ROUNDS // 5 :])
        finally:
            server.kill()


def commit_floor(folder: str) -> float:
    """One small row, committed and synced, in the mode that the journal uses."""
    db = sqlite3.connect(f"{folder}/floor.sqlite", isolation_level=None)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.execute("create table row (n integer primary key, body blob)")
    numbers = iter(range(10**6))
    body = b"x" * 400
    try:
        return p50(lambda: db.execute("insert into row values (?, ?)", (next(numbers), body)))
    finally:
        db.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, RunningBroker(Path(folder) / "desk") as broker:
        echo, commit = echo_floor(), commit_floor(folder)
        letters = iter("ab" * ROUNDS * 2)
        with Agent(broker.place.root) as agent:
            read = p50(lambda: agent.call("canvas_read", viewport=[0, 0, 1, 1]))
            write = p50(lambda: agent.call("canvas_write", at=[0, 0], content=next(letters), mode="apply"))
    print(f"floors: an echo {echo * 1e3:.2f} ms, a commit {commit * 1e3:.2f} ms")
    figure("a read of one cell, p50", read * 1e3, "ms", floor=echo * 1e3, at_most=3.5, goal_of="ratio")
    beyond = (write - commit) * 1e3
    figure(
        "a write of one cell beyond its commit, p50",
        beyond,
        "ms",
        floor=echo * 1e3,
        at_most=4,
        goal_of="ratio",
    )


if __name__ == "__main__":
    main()
