"""Does the loop ever block? A ping's p50 and p99 while others do the heaviest things there are.

One agent pings on a bare socket. Beside it, one after the other: nothing; four agents with scripts that fill
their time; four that have images painted; four that render 50,000 characters of Markdown; one that applies,
undoes and redoes 100,000 cells at once; and somebody who holds the database's lock for a second. The aim:
p99 under 20 ms on an otherwise idle machine.

    python tests/bench/ping.py
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from brokers import RunningBroker
from measured import figure, share
from parties import Caller, RawAgent

SECONDS = 3.0
EVERY_S = 0.002
HEAVY = 4
AIM_MS = 20.0

Call = tuple[str, dict[str, Any]]

MARKDOWN = "\n\n".join(
    f"## Part {n}\n\n- one `code` and **bold** [link](http://x)\n- two" for n in range(900)
)
COLUMNS, ROWS = 500, 200
FIELDS = ["\n".join([letter * COLUMNS] * ROWS) for letter in "ab"]
AREA = {"at": [0, 0], "size": [COLUMNS, ROWS]}
NOW = {"mode": "apply", "expectedRevision": "any"}
APPLIES: tuple[Call, ...] = (
    ("canvas_write", {"at": [0, 0], "content": FIELDS[0], **NOW}),
    ("canvas_write", {"at": [0, 0], "content": FIELDS[1], **NOW}),
    ("canvas_history", {"action": "undo"}),
    ("canvas_history", {"action": "redo"}),
    ("canvas_fill", {**AREA, "style": {"color": "#ff0000"}, **NOW}),
    ("canvas_batch", {"ops": [{"op": "fill", "args": {**AREA, "style": {"color": "#0000ff"}}}], **NOW}),
    ("canvas_erase", {**AREA, **NOW}),
)
"""A hundred thousand cells each."""

CALLS: dict[str, Call] = {
    "scripts": ("canvas_code", {"script": "const end = Date.now() + 300; while (Date.now() < end);"}),
    "images": ("canvas_read", {"representation": "image", "viewport": [0, 0, 100, 40]}),
    "renders of 50,000 characters": ("canvas_render", {"at": [0, 0], "source": MARKDOWN}),
}


def pings(agent: RawAgent) -> list[float]:
    """Milliseconds of each ping within the time."""
    times, until = [], time.perf_counter() + SECONDS
    while (begun := time.perf_counter()) < until:
        agent.ask("ping")
        times.append((time.perf_counter() - begun) * 1000)
        agent.frames.clear()
        time.sleep(EVERY_S)
    return times


@contextmanager
def busy(broker: RunningBroker, calls: Sequence[Call], count: int = HEAVY) -> Iterator[None]:
    """Agents that do nothing else, over and over."""
    over = threading.Event()

    def work(agent: Caller) -> None:
        for tool, arguments in cycle(calls):
            if over.is_set():
                return
            agent.answer("tools/call", name=tool, arguments=arguments)

    with ExitStack() as stack:
        agents = [stack.enter_context(Caller(broker.place.root, f"busy-{n}")) for n in range(count)]
        threads = [threading.Thread(target=work, args=[agent]) for agent in agents]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            over.set()
            for thread in threads:
                thread.join()


@contextmanager
def locked(broker: RunningBroker) -> Iterator[None]:
    """Somebody else has the database."""
    with closing(sqlite3.connect(broker.place.database, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")


def told(beside: str, times: list[float]) -> None:
    figure(f"a ping's p50, {beside}", share(times, 0.5), "ms")
    figure(f"a ping's p99, {beside}", share(times, 0.99), "ms", at_most=AIM_MS)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        RunningBroker(Path(folder) / "desk") as broker,
        RawAgent(broker, "pinger") as pinger,
    ):
        broker.call("render", "--at", "0,0", "--source", MARKDOWN[:4000], "--mode", "apply")
        told("alone", pings(pinger))
        for what, call in CALLS.items():
            with busy(broker, [call]):
                told(f"beside four agents with {what}", pings(pinger))
        with busy(broker, APPLIES, count=1):
            told("beside one that applies 100,000 cells at once", pings(pinger))
        with locked(broker):
            told("while somebody holds the database", pings(pinger))


if __name__ == "__main__":
    main()
