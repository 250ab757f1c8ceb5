"""`chardesk-mcp --http` in a process of its own."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brokers import PATIENCE_S, RunningBroker
from relay_process import RELAY

READY = re.compile(r"Chardesk over HTTP: (http://127\.0\.0\.1:\d+/mcp) ")


@contextmanager
def serving(broker: RunningBroker) -> Iterator[str]:
    """The address; ended by a signal, as an operator would."""
    command = [*RELAY, "--http", "--desk", broker.place.root]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            ready = READY.match(process.stdout.readline())
            assert ready is not None
            yield ready[1]
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) in (0, -signal.SIGTERM)
        finally:
            process.kill()


def token(broker: RunningBroker) -> str:
    file = Path(broker.place.root) / "http-token"
    assert file.stat().st_mode & 0o077 == 0
    return file.read_text()
