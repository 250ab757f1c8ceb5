"""What is answered on this side of the wire, when the broker can't be asked or needn't be.

`code` and the shape of a refusal are the contract's; the next step is chosen by code, never by the text of
an error.
"""

from __future__ import annotations

from chardesk.broker.door import lean
from chardesk.broker.door.discovery import PROTOCOL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PARSE_ERROR, INVALID_REQUEST, SERVER_ERROR = -32700, -32600, -32000


class Refusal:
    """One refusal, in the contract's words. `retry_after_ms` only where repeating the same call can help."""

    __slots__ = ("code", "message", "next_step", "retry_after_ms")

    def __init__(self, code: str, message: str, next_step: str, retry_after_ms: int | None = None) -> None:
        self.code = code
        self.message = message
        self.next_step = next_step
        self.retry_after_ms = retry_after_ms

    def fields(self, outcome_unknown: bool) -> dict[str, Any]:
        said: dict[str, Any] = {"ok": False, "code": self.code, "message": self.message}
        said["retryable"] = self.retry_after_ms is not None
        if self.retry_after_ms is not None:
            said["retryAfterMs"] = self.retry_after_ms
        if outcome_unknown:
            said["outcomeUnknown"] = True
        said["nextStep"] = self.next_step
        return said


UNREACHABLE = Refusal(
    "broker_unavailable",
    "No Chardesk broker answers for this desk.",
    "Repeat the call. If it is refused again, run `chardesk serve` in a terminal and read what it says.",
    retry_after_ms=1000,
)
STOPPED = Refusal(
    "broker_unavailable",
    "The Chardesk broker of this desk was stopped by a person.",
    "Ask the person to run `chardesk serve`, then repeat the call; this process reconnects by itself.",
    retry_after_ms=5000,
)
WRONG_KEY = Refusal(
    "permission_denied",
    "Token rejected: the broker does not accept the desk key this process has.",
    "Restart this MCP server so that it reads the key again. "
    "If it is still refused, run `chardesk stop`, then `chardesk serve`.",
)
REVOKED = Refusal(
    "revoked",
    "This agent's access to the desk was revoked by a person.",
    "Ask the person to lift the revocation at the desk page, then restart this MCP server.",
)
REPLACED = Refusal(
    "replaced",
    "Another connection took this agent's place at the desk.",
    "Restart this MCP server to join the desk as an agent of its own.",
)
TOO_MUCH_UNANSWERED = Refusal(
    "budget_exceeded",
    "More than 16 MiB of calls are waiting for an answer.",
    "Wait for answers to earlier calls, then repeat this one.",
    retry_after_ms=1000,
)


def incompatible(theirs: str) -> Refusal:
    """Both versions are named, so that the reader knows which side to update."""
    return Refusal(
        "incompatible_broker",
        f"This chardesk-mcp speaks protocol {PROTOCOL}; the running broker speaks {theirs}.",
        "Run `chardesk stop`, then restart this MCP server; if it persists, update the older installation.",
    )


def failed_start(reason: str) -> Refusal:
    return Refusal(
        "broker_unavailable", f"No broker could be started: {reason}.", UNREACHABLE.next_step, 1000
    )


def too_large(limit: int, actual: int) -> Refusal:
    return Refusal(
        "too_large",
        f"The message has {actual} bytes; the limit is {limit}.",
        "Split the content into several calls, each well under the limit.",
    )


def error(request_id: object, number: int, message: str, data: object = None) -> bytes:
    """A JSON-RPC error line (without the line's end)."""
    said: dict[str, Any] = {"code": number, "message": message}
    if data is not None:
        said["data"] = data
    return lean.dumps({"jsonrpc": "2.0", "id": request_id, "error": said})


def tool_result(request_id: object, refusal: Refusal, is_modern: bool, outcome_unknown: bool) -> bytes:
    """A refusal as a `tools/call` result. `is_modern`: the era 2026-07-28, whose results carry a type."""
    text = f"{refusal.code}: {refusal.message}\nNext: {refusal.next_step}"
    result: dict[str, Any] = {
        "isError": True,
        "content": [{"type": "text", "text": text}],
        "structuredContent": refusal.fields(outcome_unknown),
    }
    if is_modern:
        result["resultType"] = "complete"
    return lean.dumps({"jsonrpc": "2.0", "id": request_id, "result": result})
