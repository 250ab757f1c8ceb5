"""The broker as an agent sees it: an MCP client with a `chardesk-mcp` of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from types import TracebackType
from typing import Any, Self

from chardesk.broker.door.place import Place

MCP_VERSION = "2025-11-25"


class RelayEnded(ConnectionError):
    """`chardesk-mcp` ended before it answered. What it had to say is on stderr."""


class Agent:
    """A context manager; the relay ends with it. Calls wait for their answers, one after the other."""

    def __init__(self, place: Place, name: str) -> None:
        self._relay = subprocess.Popen(
            [sys.executable, "-m", "chardesk.broker.relay", "--desk", place.root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,  # Ctrl+C is its owner's; the relay is told by the end of its stdin
        )
        self._asked = 0
        client = {"name": name, "version": "1"}
        self._ask("initialize", protocolVersion=MCP_VERSION, capabilities={}, clientInfo=client)
        self._say({"method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._relay.communicate()

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """A tool call; the result as MCP gives it (content, structuredContent, isError)."""
        return self._ask("tools/call", name=tool, arguments=arguments)

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        self._say({"id": self._asked, "method": method, "params": params})
        assert self._relay.stdout is not None
        for line in self._relay.stdout:
            said = json.loads(line)
            if said.get("id") == self._asked:
                result: dict[str, Any] = said["result"]
                return result
        raise RelayEnded("chardesk-mcp ended")

    def _say(self, message: dict[str, Any]) -> None:
        assert self._relay.stdin is not None
        try:
            self._relay.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            self._relay.stdin.flush()
        except BrokenPipeError:
            raise RelayEnded("chardesk-mcp ended") from None
