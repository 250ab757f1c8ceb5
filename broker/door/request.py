"""One request of a client that has no answer yet, and how an answer is matched to it."""

from __future__ import annotations

from chardesk.broker.door import lean, refusals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from chardesk.broker.door.refusals import Refusal

CALL_KEY = "chardesk/call"
MODERN_META = "io.modelcontextprotocol/protocolVersion"
"""In the `_meta` of every request of the era 2026-07-28."""
MODERN_CLIENT = "io.modelcontextprotocol/clientInfo"
HANDSHAKE_ERA = "2025-11-25"
"""The last version with an `initialize`."""

PATIENCE_S = 8.0
"""How long a call waits for a broker that can't be reached: under the 10 s a client may give a call."""
OPENING_PATIENCE_S = 20.0
"""`initialize` waits for a broker's cold start on a busy machine; clients give it 30 s or more."""
NEVER = float("inf")
PATIENCE = {"initialize": OPENING_PATIENCE_S, "subscriptions/listen": NEVER}

ANSWER_HEAD = b'{"jsonrpc":"2.0","id":'
HEAD_SIZE = 512
"""An answer's id is looked for in this much of it, so that a large answer needs no parsing."""


class Request:
    """`sent_on`: the number of the link it was last sent over; 0 while no broker can have acted on it."""

    __slots__ = ("arrived_at", "frame", "is_modern", "method", "params", "request_id", "sent_on")

    def __init__(self, message: dict[str, Any], frame: bytes, now: float) -> None:
        params = message.get("params")
        self.request_id = message["id"]
        self.method: str = message["method"]
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        self.frame = frame
        self.is_modern = MODERN_META in meta_of(self.params)
        self.sent_on = 0
        self.arrived_at = now

    @property
    def patience_s(self) -> float:
        """How long it may wait in the dark. A subscription has no answer to wait for: it is opened again."""
        return PATIENCE.get(self.method, PATIENCE_S)

    @property
    def client(self) -> str:
        """The client's name (`clientInfo.name`, either era), else `agent`. The broker makes it a slug."""
        info = self.params.get("clientInfo") or meta_of(self.params).get(MODERN_CLIENT)
        name = info.get("name") if isinstance(info, dict) else None
        return name[:200] if isinstance(name, str) and name.strip() else "agent"

    def opened_without_broker(self) -> bytes:
        """An `initialize` answered here, so that the client gets to a tool call that says what is wrong."""
        version = self.params.get("protocolVersion")
        result = {
            "protocolVersion": version if isinstance(version, str) else HANDSHAKE_ERA,
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "chardesk", "version": "0"},
        }
        return lean.dumps({"jsonrpc": "2.0", "id": self.request_id, "result": result})

    def refused(self, refusal: Refusal) -> bytes:
        """The refusal as this method's answer: a tool's result, else an error with the same fields."""
        if self.method == "tools/call":
            return refusals.tool_result(
                self.request_id, refusal, self.is_modern, outcome_unknown=self.sent_on > 0
            )
        number = refusals.INVALID_REQUEST if refusal.code == "too_large" else refusals.SERVER_ERROR
        return refusals.error(self.request_id, number, refusal.message, refusal.fields(outcome_unknown=False))


def stamped(message: dict[str, Any], line: bytes, key: str) -> bytes:
    """`line`, which says `message`, with `key` as its call key; untouched if it brought its own."""
    params = message.get("params", {})
    meta = params.get("_meta", {}) if isinstance(params, dict) else None
    if not isinstance(meta, dict) or CALL_KEY in meta:
        return line
    try:
        return lean.dumps({**message, "params": {**params, "_meta": {**meta, CALL_KEY: key}}})
    except (
        ValueError,
        RecursionError,
    ):  # 1e999, or nested to the brim: the broker will say what is wrong with it
        return line


def meta_of(params: dict[str, Any]) -> dict[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def is_id(value: object) -> bool:
    """MCP's ids are strings and integers."""
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))


class Answer:
    """To the request whose id is `key` (as JSON)."""

    __slots__ = ("is_result", "key")

    def __init__(self, key: bytes, is_result: bool) -> None:
        self.key = key
        self.is_result = is_result


class Other:
    """A notification, a request of the broker's, or an error that answers no id: passed on as it is."""

    __slots__ = ()


class Noise:
    """Not JSON. It must not reach the client."""

    __slots__ = ()


def kind_of(frame: bytes) -> Answer | Other | Noise:
    """What a frame from the broker is. The usual layout is told from its head; any other is parsed."""
    if frame.startswith(b'{"jsonrpc":"2.0","method":'):
        return Other()
    if frame.startswith(ANSWER_HEAD):
        head = frame[:HEAD_SIZE].decode(errors="replace")
        try:
            request_id, end = lean.scan(head, len(ANSWER_HEAD))
        except lean.NotJson:
            return _parsed_kind(frame)
        for field, is_result in ((',"result":', True), (',"error":', False)):
            if request_id is not None and head.startswith(field, end):
                return Answer(lean.dumps(request_id), is_result)
    return _parsed_kind(frame)


def _parsed_kind(frame: bytes) -> Answer | Other | Noise:
    try:
        message = lean.loads(frame)
    except lean.NotJson:
        return Noise()
    if not isinstance(message, dict) or "method" in message or message.get("id") is None:
        return Other()
    return Answer(lean.dumps(message["id"]), "result" in message)
