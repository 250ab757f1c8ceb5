"""The broker as the command line sees it: one connection, calls in turn."""

from __future__ import annotations

import itertools
import json
from types import TracebackType
from typing import Any, Self

from chardesk.broker.door.dialogue import Dialogue, LinkClosed, connect
from chardesk.broker.door.discovery import PROTOCOL, Discovery
from chardesk.broker.door.key import read_key
from chardesk.broker.door.place import Place

ANSWER_S = 30.0
"""A call takes 10 s at most, a script 15 s; beyond this the broker is taken for gone."""

MCP_VERSION = "2025-11-25"


class Unanswered(ConnectionError):
    """The broker did not answer, or did not let us in. The text is for a person."""


class Client:
    """Joined as the author `cli`. A context manager."""

    def __init__(self, place: Place, found: Discovery) -> None:
        """Raises Unanswered when the broker is not there or refuses the key."""
        self._numbers = itertools.count(1)
        self._is_greeted = False
        try:
            self._dialogue: Dialogue = connect(found.address)
            self._say(
                {
                    "chardesk": "hello",
                    "protocol": PROTOCOL,
                    "key": read_key(place),
                    "kind": "cli",
                    "name": "cli",
                }
            )
            self._hear("welcome")
        except LinkClosed as closed:
            raise Unanswered(closed.reason or "the broker closed the connection") from None

    def ask(self, what: str) -> dict[str, Any]:
        """One of the broker's own questions: status, open, stop."""
        try:
            self._say({"chardesk": "ask", "what": what, "id": 1})
            told = self._hear("told")
        except LinkClosed as closed:
            raise Unanswered(closed.reason or "the broker went away") from None
        return {name: value for name, value in told.items() if name not in ("chardesk", "id")}

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """A tool call; the result as MCP gives it (content, structuredContent, isError)."""
        try:
            self._greet()
            return self._request("tools/call", {"name": tool, "arguments": arguments})
        except LinkClosed as closed:
            raise Unanswered(closed.reason or "the broker went away") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._dialogue.close()

    def _greet(self) -> None:
        if not self._is_greeted:
            client = {"name": "chardesk-cli", "version": "1"}
            self._request(
                "initialize", {"protocolVersion": MCP_VERSION, "capabilities": {}, "clientInfo": client}
            )
            self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})
            self._is_greeted = True

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._say({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            said = self._next()
            if said.get("id") == number and "result" in said:
                result: dict[str, Any] = said["result"]
                return result
            if said.get("id") == number:
                raise Unanswered(str(said.get("error", {}).get("message", "no answer")))

    def _hear(self, kind: str) -> dict[str, Any]:
        while True:
            said = self._next()
            if said.get("chardesk") == kind:
                return said

    def _say(self, message: dict[str, Any]) -> None:
        self._dialogue.send(json.dumps(message, separators=(",", ":")))

    def _next(self) -> dict[str, Any]:
        text = self._dialogue.receive(ANSWER_S)
        if text is None:
            raise Unanswered(f"no answer within {ANSWER_S:.0f} s")
        said: dict[str, Any] = json.loads(text)
        return said
