"""`chardesk-mcp` as a client sees it: a process with two pipes."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from typing import IO, Any

PATIENCE_S = 15.0
RELAY = [sys.executable, "-m", "chardesk.broker.relay"]
INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "ada", "version": "1"},
}

Message = dict[str, Any]


def line(message: Message) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"


class Agent:
    """A client and its relay; a context manager. Nobody reads stderr before `end`."""

    def __init__(
        self, desk: str, *extra: str, env: dict[str, str] | None = None, cwd: str | None = None
    ) -> None:
        self.process = subprocess.Popen(
            [*RELAY, "--desk", desk, *extra],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            cwd=cwd,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin: IO[bytes] = self.process.stdin
        self.lines: queue.Queue[bytes] = queue.Queue()
        self._stdout = self.process.stdout
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self._ids = 0

    def _read(self) -> None:
        for each in self._stdout:
            self.lines.put(each)

    def __enter__(self) -> Agent:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        for pipe in (self.stdin, self._stdout, self.process.stderr):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                continue

    def write(self, data: bytes) -> None:
        self.stdin.write(data)
        self.stdin.flush()

    def ask(self, method: str, **params: Any) -> int:
        """Send a request; its id."""
        self._ids += 1
        self.write(line({"id": self._ids, "method": method, "params": params}))
        return self._ids

    def call(self, text: str) -> int:
        return self.ask("tools/call", name="canvas_write", arguments={"text": text})

    def hear(self) -> Message:
        """The next line, which must be a JSON-RPC message."""
        message: Message = json.loads(self.lines.get(timeout=PATIENCE_S))
        assert message["jsonrpc"] == "2.0"
        return message

    def answer(self, method: str, **params: Any) -> Message:
        """Send a request and wait for its answer, which must be the next line."""
        asked = self.ask(method, **params)
        message = self.hear()
        assert message["id"] == asked
        return message

    def initialize(self) -> Message:
        message = self.answer("initialize", **INITIALIZE)
        self.write(line({"method": "notifications/initialized"}))
        return message

    def refusal(self, text: str = "") -> Message:
        """The refusal that a call gets."""
        message = self.answer("tools/call", name="canvas_write", arguments={"text": text})
        assert message["result"]["isError"]
        fields: Message = message["result"]["structuredContent"]
        return fields

    def end(self) -> tuple[int, float, bytes]:
        """Close stdin: the exit status, the seconds it took, and what was said on stderr."""
        start = time.monotonic()
        self.stdin.close()
        status = self.process.wait(PATIENCE_S)
        took_s = time.monotonic() - start
        assert self.process.stderr is not None
        return status, took_s, self.process.stderr.read()
