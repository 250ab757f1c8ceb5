"""What the broker says to an agent's process beside MCP: control messages, known by `chardesk`."""

from __future__ import annotations

from typing import Literal

from chardesk.broker.wire.parts import Message


class ReadFile(Message):
    """Read a text file within your folders; the answer is `file {id, text | error, code}`."""

    chardesk: Literal["readFile"] = "readFile"
    id: str
    path: str
    max_bytes: int
