"""Frames that can't be served. Each is answered under its own id if one can be made out, so that no client
waits for ever."""

from __future__ import annotations

import json
from typing import Any

from chardesk.broker.wire.messages import MAX_FRAME_BYTES
from chardesk.tools.errors import Refused

PARSE_ERROR, INVALID_REQUEST = -32700, -32600


def size_of(frame: str) -> int:
    """Bytes of UTF-8; of a frame that can't be over the limit, an upper bound that costs nothing."""
    at_most = len(frame) * 4
    return at_most if at_most <= MAX_FRAME_BYTES else len(frame.encode("utf-8", "surrogatepass"))


def not_a_message(frame: str) -> str:
    """The answer to what the SDK does not take for JSON-RPC."""
    found = _loosely(frame)
    if found is None:
        return _error(None, PARSE_ERROR, "Parse error")
    why = "Invalid Request"
    if _is_torn(found):
        why = "a text holds half of a surrogate pair, which is no character; send the whole character"
        if found.get("method") == "tools/call":
            return _refusal(_identity(found), Refused("invalid_input", why))
    return _error(_identity(found), INVALID_REQUEST, why)


def too_large(frame: str) -> str:
    """The answer to a frame over the limit. The one call fails; the link stays."""
    found = _loosely(frame) or {}
    refusal = _over("message", size_of(frame), "split the content")
    if found.get("method") == "tools/call":
        return _refusal(_identity(found), refusal)
    return _error(_identity(found), INVALID_REQUEST, refusal.message)


def bounded(frame: str) -> str:
    """A reply, or a refusal in its place when it is over the limit."""
    size = size_of(frame)
    if size <= MAX_FRAME_BYTES:
        return frame
    found = _loosely(frame) or {}
    return _refusal(_identity(found), _over("reply", size, "ask for a smaller viewport"))


def _over(what: str, size: int, instead: str) -> Refused:
    return Refused(
        "too_large",
        f"the {what} has {size} bytes, the limit is {MAX_FRAME_BYTES}; {instead}",
        details={"limit": MAX_FRAME_BYTES, "actual": size},
    )


def _loosely(frame: str) -> dict[str, Any] | None:
    """The object in a frame, read as forgivingly as Python can; an empty one for another value, None for what
    is no JSON."""
    try:
        found = json.loads(frame)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else {}


def _identity(found: dict[str, Any]) -> str | int | None:
    """Its id, if that is one."""
    identity = found.get("id")
    return identity if isinstance(identity, str | int) and not isinstance(identity, bool) else None


def _is_torn(found: dict[str, Any]) -> bool:
    """Does a text in it hold a code unit that UTF-8 can't carry?"""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _refusal(identity: str | int | None, refusal: Refused) -> str:
    """A tool's refusal in both eras: the older one ignores the result's type."""
    body = {
        "content": [{"type": "text", "text": refusal.message}],
        "structuredContent": refusal.fields(),
        "isError": True,
        "resultType": "complete",
    }
    return json.dumps({"jsonrpc": "2.0", "id": identity, "result": body})


def _error(identity: str | int | None, code: int, message: str) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": identity, "error": {"code": code, "message": message}})
