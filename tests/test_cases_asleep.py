"""Sleep, and lines that go dead without a word: processes that stand still, and a proxy that swallows."""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from brokers import RunningBroker
from parties import Caller, eventually, faultless, sheet_of

from chardesk.broker.door import discovery

NOTICED_S = 45.0
"""A silent link is dropped after 30 s by either side (contract, section 5); on a busy machine a bit later."""

ANSWERED_S = 10.0
"""A call is answered within this, one way or the other."""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    with faultless(tmp_path / "desk") as running:
        yield running


@contextmanager
def asleep(pid: int) -> Iterator[None]:
    """As a machine's sleep is to a process: no turn, no signal, no goodbye."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_an_agent_that_slept_until_it_was_dropped_goes_on_as_the_same(broker: RunningBroker) -> None:
    """CON-06; another agent notices nothing, and what the sleeper had read counts still."""
    with Caller(broker.place.root, "sleeper") as sleeper, Caller(broker.place.root, "awake") as awake:
        where = sheet_of(sleeper)
        sleeper.put(0, 0, "mine", **where)
        with asleep(sleeper.process.pid):
            asked = sleeper.send("canvas_write", at=[0, 0], content="MINE", mode="apply", **where)
            awake.put(0, 5, "meanwhile", **where)
            eventually(lambda: _names(broker) == ["awake"], NOTICED_S)
        begun = time.monotonic()
        answer = sleeper.hear()
        assert time.monotonic() - begun < ANSWERED_S
        assert answer["id"] == asked and not answer["result"].get("isError"), answer
        assert sorted(_names(broker)) == ["awake", "sleeper"]
        assert sleeper.rows((0, 0, 9, 6), **where) == ["MINE", "", "", "", "", "meanwhile"]


def test_a_call_to_a_broker_that_sleeps_is_refused_in_time_and_done_once_when_it_wakes(
    broker: RunningBroker,
) -> None:
    """CON-06"""
    with Caller(broker.place.root, "ada") as ada:
        where = sheet_of(ada)
        keyed = {"at": [0, 0], "content": "once", "mode": "apply", "idempotencyKey": "k", **where}
        with asleep(broker.pid):
            begun = time.monotonic()
            told = ada.tool("canvas_write", **keyed)
            assert time.monotonic() - begun < ANSWERED_S + 1
            assert (told.code, told.fields["retryable"]) == ("broker_unavailable", True), told.text
        ada.ok("canvas_write", **keyed)
        assert ada.rows((0, 0, 4, 1), **where) == ["once"]
        log = ada.ok("canvas_history", action="log", tool="canvas_write", **where)["entries"]
        assert len(log) == 1
        assert ada.lines.empty()


def _names(broker: RunningBroker) -> list[str]:
    return [one["name"] for one in broker.call("status")["tenants"]]


# -- a line that goes dead -----------------------------------------------------------


class Proxy:
    """Passes bytes to a port, each connection on a thread; those that are there at a `hush` pass no more, and
    neither end is told."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.taken = 0
        self._is_over = False
        self._is_hushed = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def hush(self) -> None:
        self._is_hushed.set()
        self._is_hushed = threading.Event()

    def __enter__(self) -> Proxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        self._listening.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                theirs, _ = self._listening.accept()
                self.taken += 1
                self._threads.append(threading.Thread(target=self._pass, args=[theirs, self._is_hushed]))
                self._threads[-1].start()

    def _pass(self, theirs: socket.socket, is_hushed: threading.Event) -> None:
        ours = socket.create_connection(("127.0.0.1", self._target))
        with theirs, ours:
            other = {theirs: ours, ours: theirs}
            while not self._is_over:
                for sock in select.select([] if is_hushed.is_set() else [theirs, ours], [], [], 0.05)[0]:
                    data = sock.recv(65536)
                    if not data:
                        return
                    if not is_hushed.is_set():
                        other[sock].sendall(self._as_theirs(data))

    def _as_theirs(self, data: bytes) -> bytes:
        """The broker answers to its own address only."""
        return data.replace(b"Host: 127.0.0.1:%d" % self.port, b"Host: 127.0.0.1:%d" % self._target)


def test_a_line_that_goes_dead_is_noticed_and_a_fresh_one_taken(broker: RunningBroker) -> None:
    """CON-06"""
    found = discovery.running(broker.place)
    assert found is not None
    with Proxy(found.port) as proxy:
        found.address = f"127.0.0.1:{proxy.port}"
        discovery.write(broker.place, found)
        with Caller(broker.place.root, "ada") as ada:
            where = sheet_of(ada)
            ada.put(0, 0, "before", **where)
            lines = proxy.taken
            proxy.hush()
            begun = time.monotonic()
            told = ada.tool("canvas_read", viewport=[0, 0, 6, 1], **where)
            assert time.monotonic() - begun < ANSWERED_S + 1
            assert not told.refused or told.code == "broker_unavailable", told.text
            eventually(lambda: proxy.taken > lines, NOTICED_S)
            assert ada.rows((0, 0, 6, 1), **where) == ["before"]
