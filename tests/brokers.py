"""A real broker in a process of its own, on a desk and a port that belong to the test."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from chardesk.broker.door import discovery
from chardesk.broker.door.lock import POLL_S, is_held, pause
from chardesk.broker.door.place import Place

PATIENCE_S = 30.0
"""A cold start takes 2 s on a busy machine; beyond this something hangs."""

CLI = [sys.executable, "-m", "chardesk.broker.cli"]
READY = re.compile(r"Chardesk is ready: (http://([^/]+)/\S*)")


class RunningBroker:
    """A context manager: inside it a broker runs for `place`, and none is left behind.

    `address` is `127.0.0.1:PORT`; `way_in` is the page's address with a code that works once. Both are those
    of the latest start. `log` is everything the brokers of this desk said on stderr.
    """

    def __init__(self, desk: Path, **env: str) -> None:
        self.place = Place(str(desk))
        self.address = ""
        self.way_in = ""
        self._env = {**os.environ, **env}
        self._process: subprocess.Popen[str] | None = None
        self._stderr = desk.with_name(f"{desk.name}.stderr")

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self.kill()
        self._end_heir()

    def _end_heir(self) -> None:
        """Of one that an agent has started after a kill, and that may not have said its pid yet."""
        end = time.monotonic() + PATIENCE_S
        while is_held(self.place.broker_lock) and time.monotonic() < end:
            if (heir := discovery.running(self.place)) is not None:
                with suppress(ProcessLookupError):
                    os.kill(heir.pid, signal.SIGKILL)
            pause(POLL_S)

    @property
    def pid(self) -> int:
        assert self._process is not None, "no broker runs"
        return self._process.pid

    @property
    def log(self) -> str:
        return self._stderr.read_text(encoding="utf-8")

    def start(self) -> None:
        """Returns once the broker has printed its ready line; fails with its log if it doesn't."""
        command = [*CLI, "serve", "--desk", self.place.root, "--port", "0", "--no-open"]
        with self._stderr.open("a") as stderr:
            self._process = subprocess.Popen(
                command, env=self._env, stdout=subprocess.PIPE, stderr=stderr, text=True, encoding="utf-8"
            )
        found = READY.match(self._first_line(self._process))
        if found is None:
            self.kill()
            raise AssertionError(f"the broker did not get ready:\n{self.log}")
        self.way_in, self.address = found[1], found[2]

    def stop(self) -> int:
        """End it as an operator would, by SIGTERM; the exit code."""
        return self._end(signal.SIGTERM)

    def ended(self) -> int:
        """It was told to stop already: its exit code."""
        return self._end(None)

    def kill(self) -> None:
        """End it as a crash would."""
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """Stop it if it runs, then start it again; the port may be another one."""
        if self._process is not None:
            self.stop()
        self.start()

    def cli(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a verb of the command line for this desk."""
        return cli(words[0], "--desk", self.place.root, *words[1:], stdin=stdin)

    def call(self, verb: str, *words: str) -> dict[str, Any]:
        """A tool's verb that must succeed; what `--json` prints."""
        done = self.cli(verb, *words, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    def _end(self, how: signal.Signals | None) -> int:
        process, self._process = self._process, None
        assert process is not None and process.stdout is not None, "no broker runs"
        if how is not None:
            process.send_signal(how)
        try:
            return process.wait(PATIENCE_S)
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    @staticmethod
    def _first_line(process: subprocess.Popen[str]) -> str:
        """The first line of stdout; "" if it ended without one, or within the patience."""
        assert process.stdout is not None
        lines: queue.Queue[str] = queue.Queue()
        threading.Thread(
            target=lambda out: lines.put(out.readline()), args=[process.stdout], daemon=True
        ).start()
        try:
            return lines.get(timeout=PATIENCE_S)
        except queue.Empty:
            return ""


def cli(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """`chardesk …` in a process of its own, as a shell would run it."""
    return subprocess.run(
        [*CLI, *words], input=stdin, capture_output=True, text=True, encoding="utf-8", timeout=PATIENCE_S
    )
