"""A `chardesk-mcp` process as tests and benchmarks see it: JSON lines in and out, nothing in between."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

RELAY = Path(sys.executable).parent / "chardesk-mcp"


class Agent:
    """One agent over stdio. A context manager; `call` blocks for the answer."""

    def __init__(self, desk: str, name: str = "bench") -> None:
        self._process = subprocess.Popen(
            [str(RELAY), "--desk", desk], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._numbers = itertools.count(1)
        client = {"name": name, "version": "1"}
        self.request(
            "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
        )
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.say({"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params})
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())["result"]
        return answer

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            raise RuntimeError(result["structuredContent"]["message"])
        return result

    def refused(self, tool: str, **arguments: Any) -> dict[str, Any] | None:
        """The refusal of a call, or None if it was not refused."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        refusal: dict[str, Any] | None = result["structuredContent"] if result.get("isError") else None
        return refusal

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(5)
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
