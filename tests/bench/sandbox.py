"""What a script costs, against the least that its parts could cost. The ratios are what to watch.

Run: python tests/bench/sandbox.py
"""

from __future__ import annotations

import asyncio
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1] / "importroot"))

from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.outcome import Finished

CALLS = 128
ROUNDS = 25
ONE = "return 1 + 1"
MANY = f"for (let i = 0; i < {CALLS}; i++) canvas.read({{at: [i, 0]}}); return 1"


def bare_start() -> None:
    """The same interpreter with nothing to do, as a plain subprocess."""
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def bare_round_trips() -> None:
    """As many small messages there and back over a socketpair, between two threads that block."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        peer = threading.Thread(target=lambda: [theirs.send(theirs.recv(64)) for _ in range(CALLS)])
        peer.start()
        for _ in range(CALLS):
            ours.send(b"x" * 30)
            ours.recv(64)
        peer.join()


async def run(box: Sandbox, script: str) -> None:
    outcome = await box.run(script, 5_000, 1, lambda operation, args: {"ok": True})
    assert isinstance(outcome, Finished), outcome


async def median_ms(work: Callable[[], Awaitable[None] | None]) -> float:
    spans = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        if (rest := work()) is not None:
            await rest
        spans.append((time.perf_counter() - started) * 1000)
        # Long enough for the next child to be warm.
        await asyncio.sleep(0.04)
    return statistics.median(spans)


async def main() -> None:
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
    start_ms, trips_ms = await median_ms(bare_start), await median_ms(bare_round_trips)
    print(f"{ONE}, warm  {one_ms:7.2f} ms")
    print(f"{ONE}, cold  {cold_ms:7.2f} ms  {cold_ms / start_ms:5.2f} × python -c pass")
    print(f"{CALLS} calls, warm     {many_ms:7.2f} ms  {many_ms / trips_ms:5.2f} × {CALLS} bare round trips")


asyncio.run(main())
