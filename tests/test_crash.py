"""The broker is killed while agents write as fast as they can: what was acknowledged is there, and whole."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from brokers import cli
from measured import figure
from parties import PATIENCE_S, Caller, Fields, eventually, swept

from chardesk.broker.door import discovery
from chardesk.broker.door.place import Place

KILLS = int(os.environ.get("CRASH_KILLS") or 30)
FEWEST_KILLS = 5
"""A machine so slow that not even these fit into the budget fails the test: it has shown nothing."""
BUDGET_S = 1.4 * KILLS
"""A restart takes about a second, most of it Python's own start."""
WRITTEN_BETWEEN_KILLS = range(-10, 25)
"""So many writes are acknowledged before the next kill; without any, it comes while the broker starts."""
WIDTH = 5
STRIDE = 7
"""Columns from one agent's stripe to the next: nobody's neighbour is touched, so nobody is refused."""


@dataclass
class Writer:
    """One agent in a thread of its own. Row `n` of its stripe holds its letter five times, or nothing."""

    agent: Caller
    letter: str
    left: int
    rows: dict[int, str] = field(default_factory=dict)
    """The operation id of every row whose write was acknowledged."""
    faults: list[str] = field(default_factory=list)
    tried: int = 0

    def run(self, enough: threading.Event) -> None:
        """Write row after row. A refusal is no acknowledgement; the row after it is tried next."""
        while not enough.is_set():
            row, self.tried = self.tried, self.tried + 1
            told = self.agent.tool(
                "canvas_write", at=[self.left, row], content=self.letter * WIDTH, mode="apply"
            )
            if not told.refused:
                self.rows[row] = told.fields["operationId"]
            elif told.code not in ("broker_unavailable", "timeout"):
                self.faults.append(told.text)


@dataclass
class Aftermath:
    """The desk after the last crash: what its history and its sheet said, and the agents, still there."""

    place: Place
    writers: list[Writer]
    chance: random.Random
    kills: int
    history: list[Fields]
    """Oldest first."""
    cells: dict[tuple[int, int], str]


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory, clean_machine: None) -> Iterator[Aftermath]:
    """`CRASH_SEED` repeats the draws of a run; when the kills hit is also up to the machine."""
    seed = int(os.environ.get("CRASH_SEED") or random.SystemRandom().randrange(2**32))
    sys.stdout.write(f"CRASH_SEED={seed}\n")
    chance = random.Random(seed)
    with ExitStack() as stack:
        # As on a user's machine: a restart does not compile everything again.
        stack.enter_context(pytest.MonkeyPatch.context()).delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        place = stack.enter_context(swept(Place(str(tmp_path_factory.mktemp("crash") / "desk"))))
        writers = [
            Writer(stack.enter_context(Caller(place.root, letter)), letter, number * STRIDE)
            for number, letter in enumerate("abc")
        ]
        kills = _write_and_kill(place, writers, chance)
        figure("kills of the broker under load, all survived", kills, f"of {KILLS}", at_least=KILLS)
        reader = writers[0].agent
        yield Aftermath(place, writers, chance, kills, _history(reader), _cells(reader, writers))


def _write_and_kill(place: Place, writers: list[Writer], chance: random.Random) -> int:
    """The number of kills. At the end every call has been answered."""
    enough = threading.Event()
    threads = [threading.Thread(target=writer.run, args=[enough]) for writer in writers]
    for thread in threads:
        thread.start()
    try:
        return _kill_again_and_again(place, writers, chance)
    finally:
        enough.set()
        for thread in threads:
            thread.join(PATIENCE_S)
        assert not any(thread.is_alive() for thread in threads), "a call hangs"


def _kill_again_and_again(place: Place, writers: list[Writer], chance: random.Random) -> int:
    end = time.monotonic() + BUDGET_S
    killed: set[int] = set()
    while len(killed) < KILLS and time.monotonic() < end:
        wanted = _acknowledged(writers) + chance.choice(WRITTEN_BETWEEN_KILLS)
        victim = _next_broker(place, killed)
        eventually(partial(_has, writers, wanted))
        os.kill(victim, signal.SIGKILL)
        killed.add(victim)
    return len(killed)


def _next_broker(place: Place, killed: set[int]) -> int:
    """The pid of the broker that the relays have started by themselves."""
    found: list[int] = []

    def is_up() -> bool:
        running = discovery.running(place)
        if running is not None and running.pid not in killed:
            found.append(running.pid)
        return bool(found)

    eventually(is_up)
    return found[0]


def _has(writers: list[Writer], acknowledged: int) -> bool:
    return _acknowledged(writers) >= acknowledged


def _acknowledged(writers: list[Writer]) -> int:
    return sum(len(writer.rows) for writer in writers)


def _history(agent: Caller) -> list[Fields]:
    newest_first: list[Fields] = []
    before: Fields = {}
    while True:
        told = agent.ok("canvas_history", action="log", limit=100, **before)
        newest_first += told["entries"]
        if told["next"] is None:
            return newest_first[::-1]
        before = {"before": told["next"]}


def _cells(agent: Caller, writers: list[Writer]) -> dict[tuple[int, int], str]:
    """Every stored cell of the sheet, read exactly in windows of forty rows."""
    width, height = len(writers) * STRIDE, max(writer.tried for writer in writers)
    found: dict[tuple[int, int], str] = {}
    for top in range(0, height, 40):
        found |= agent.cells((0, top, width, 40))
    return found


def _row(aftermath: Aftermath, writer: Writer, row: int) -> str:
    columns = range(writer.left, writer.left + STRIDE)
    return "".join(aftermath.cells.get((x, row), " ") for x in columns).rstrip()


def test_agents_went_on_through_every_crash_without_anybodys_help(aftermath: Aftermath) -> None:
    assert aftermath.kills >= FEWEST_KILLS
    assert [writer.faults for writer in aftermath.writers] == [[], [], []]
    assert all(writer.rows for writer in aftermath.writers)


def test_every_acknowledged_operation_is_in_the_history(aftermath: Aftermath) -> None:
    known = {entry["operationId"] for entry in aftermath.history}
    assert {op for writer in aftermath.writers for op in writer.rows.values()} <= known


def test_the_history_has_no_gap_and_nothing_twice(aftermath: Aftermath) -> None:
    assert [entry["seq"] for entry in aftermath.history] == list(range(1, len(aftermath.history) + 1))
    places = [(entry["author"], *entry["bounds"]) for entry in aftermath.history if entry["bounds"]]
    assert len(places) == len(set(places)), "a call that was sent again was carried out again"


def test_every_acknowledged_row_is_whole_and_no_row_is_half(aftermath: Aftermath) -> None:
    for writer in aftermath.writers:
        whole = writer.letter * WIDTH
        found = {row: _row(aftermath, writer, row) for row in range(writer.tried)}
        assert set(found.values()) <= {whole, ""}
        assert all(found[row] == whole for row in writer.rows)
        assert sum(text == whole for text in found.values()) == _commits_of(aftermath, writer)


def _commits_of(aftermath: Aftermath, writer: Writer) -> int:
    return sum(entry["author"] == writer.letter for entry in aftermath.history)


def test_the_journal_is_sound(aftermath: Aftermath) -> None:
    done = cli("log", "verify", "--desk", aftermath.place.root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("sound\n")


def test_an_operation_from_before_the_crashes_can_be_undone(aftermath: Aftermath) -> None:
    writer = aftermath.chance.choice(aftermath.writers)
    row, operation = aftermath.chance.choice(sorted(writer.rows.items()))
    undone = writer.agent.ok("canvas_history", action="undo", operationId=operation)
    assert undone["undone"] == operation
    assert writer.agent.cells((writer.left, row, STRIDE, 1)) == {}


def test_every_broker_ended_without_a_fault_of_its_own(aftermath: Aftermath) -> None:
    said = Path(aftermath.place.log, "broker.err").read_text(encoding="utf-8")
    assert "Traceback" not in said and "fault" not in said, said
