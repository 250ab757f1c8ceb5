"""What one agent's conversation needs to be remembered so that it survives its broker: decides, does no
I/O.

Lines from the client and frames from the broker come in; what is to be sent to either comes out, in order.
A request is remembered until it is answered, so that it can be sent again after a reconnect under the same
call key (the desk answers a repeated call from its first run). Two eras are served: 2025-11-25, whose
handshake is replayed to a new broker session, and 2026-07-28, which has none.
"""

from __future__ import annotations

import os

from chardesk.broker.door import lean, refusals
from chardesk.broker.door.granted import CHANGED, Granted
from chardesk.broker.door.request import NEVER, Answer, Noise, Other, Request, is_id, kind_of, stamped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from chardesk.broker.door.refusals import Refusal

FRAME_LIMIT = 1024 * 1024
UNANSWERED_LIMIT = 16 * 1024 * 1024
"""Bytes of requests kept for sending again. A full queue of 256 ordinary calls is a few percent of it."""


class ToBroker:
    __slots__ = ("frame",)

    def __init__(self, frame: bytes) -> None:
        self.frame = frame


class ToClient:
    __slots__ = ("line",)

    def __init__(self, line: bytes) -> None:
        self.line = line


Out = ToBroker | ToClient


class Session:
    """The memory of one conversation. `client` is the client's name once its first request has told it."""

    def __init__(self, nonce: str = "") -> None:
        """`nonce`: 96 bits in hex that no other process has; random if not given."""
        self.client: str | None = None
        self.limit = FRAME_LIMIT
        self._nonce = nonce or os.urandom(12).hex()
        self._calls = 0
        self._waiting: dict[bytes, Request] = {}
        self._waiting_bytes = 0
        self._initialize: Request | None = None
        self._initialized: bytes | None = None
        self._subscribed: dict[str, bytes] = {}
        self._swallowed: set[bytes] = set()
        self.granted = Granted()
        self._is_joined = False
        self._link = 0
        self._opening: bytes | None = (
            None  # the id of the `initialize` whose answer everything else waits for
        )
        self._dark_since = 0.0

    # -- from the client

    def from_client(self, line: bytes, now: float) -> Iterator[Out]:
        """One line. Blank: nothing. Not JSON: −32700. A batch, or no JSON-RPC message: −32600."""
        if not line.strip():
            return
        try:
            message = lean.loads(line)
        except lean.NotJson:
            yield ToClient(
                refusals.error(None, refusals.PARSE_ERROR, "Parse error: the line is not one JSON value")
            )
            return
        if not isinstance(message, dict):
            what = (
                "batches are not supported; send one message a line"
                if isinstance(message, list)
                else "not an object"
            )
            yield ToClient(refusals.error(None, refusals.INVALID_REQUEST, f"Invalid request: {what}"))
        elif not isinstance(message.get("method"), str):
            yield from self._response(message, line)
        elif "id" in message:
            yield from self._request(message, line, now)
        else:
            yield from self._notification(message, line)

    def _response(self, message: dict[str, Any], line: bytes) -> Iterator[Out]:
        """An answer to the broker. In the dark it is dropped: the session that asked is gone."""
        if "result" not in message and "error" not in message:
            yield ToClient(
                refusals.error(None, refusals.INVALID_REQUEST, "Invalid request: no method, result or error")
            )
        elif not self.granted.takes(message) and self._is_ready and len(line) <= self.limit:
            yield ToBroker(line)

    def _request(self, message: dict[str, Any], line: bytes, now: float) -> Iterator[Out]:
        if not is_id(message["id"]):
            yield ToClient(
                refusals.error(None, refusals.INVALID_REQUEST, "Invalid request: id is no string or integer")
            )
            return
        if message["method"] == "ping" and not self._is_ready:
            yield ToClient(lean.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}))
            return
        request = Request(message, self._stamped(message, line), now)
        if self.client is None:
            self.client = request.client
        if len(request.frame) > self.limit:
            yield ToClient(request.refused(refusals.too_large(self.limit, len(request.frame))))
        elif self._waiting_bytes + len(request.frame) > UNANSWERED_LIMIT:
            yield ToClient(request.refused(refusals.TOO_MUCH_UNANSWERED))
        else:
            yield from self._accept(request)

    def _accept(self, request: Request) -> Iterator[Out]:
        key = lean.dumps(request.request_id)
        self._forget(key)
        self._waiting[key] = request
        self._waiting_bytes += len(request.frame)
        if request.method == "initialize":
            self._initialize, self._initialized = request, None
            self.granted.promised(request.params)
            if self._is_joined:
                yield self._open(key, request)
        elif self._is_ready:
            yield self._sent(request)

    def _notification(self, message: dict[str, Any], line: bytes) -> Iterator[Out]:
        """Passed on in a session. In the dark `initialized` is kept and a cancelled call dropped."""
        if message["method"] == "notifications/initialized":
            self._initialized = line
            yield from self._ask_for_roots()
        elif message["method"] == CHANGED:
            yield from self._ask_for_roots()
        elif message["method"] == "notifications/cancelled" and not self._cancel(message.get("params")):
            return
        if self._is_ready and len(line) <= self.limit:
            yield ToBroker(line)

    def _ask_for_roots(self) -> Iterator[Out]:
        if (asked := self.granted.asks()) is not None:
            yield ToClient(asked)

    def _cancel(self, params: object) -> bool:
        """Whether the broker has to hear of it: not if it never got the request. It isn't sent again."""
        request_id = params.get("requestId") if isinstance(params, dict) else None
        if not is_id(request_id):
            return True
        request = self._forget(lean.dumps(request_id))
        return request is None or request.sent_on > 0

    def _stamped(self, message: dict[str, Any], line: bytes) -> bytes:
        """The counter is in the key because some clients use one id for everything."""
        if message["method"] != "tools/call":
            return line
        self._calls += 1
        return stamped(message, line, f"{self._nonce}:{message['id']}#{self._calls}")

    # -- from the broker

    def from_broker(self, frame: bytes) -> Iterator[Out]:
        """One JSON-RPC message. An answer nobody waits for is dropped, so nothing is answered twice."""
        match kind_of(frame):
            case Answer() as answer:
                yield from self._answer(answer, frame)
            case Other():
                yield ToClient(frame)
            case Noise():
                return
            case never:
                lean.unreachable(never)

    def _answer(self, answer: Answer, frame: bytes) -> Iterator[Out]:
        request = self._forget(answer.key)
        if request is not None and answer.is_result:
            self._remember(request)
        if answer.key in self._swallowed:
            self._swallowed.discard(answer.key)
        elif request is not None:
            yield ToClient(frame)
        if answer.key == self._opening:
            if request is not None and not answer.is_result:
                self._initialize = None
            yield from self._opened()

    def _remember(self, request: Request) -> None:
        uri = request.params.get("uri")
        if request.method == "resources/subscribe" and isinstance(uri, str):
            self._subscribed[uri] = request.frame
        elif request.method == "resources/unsubscribe" and isinstance(uri, str):
            self._subscribed.pop(uri, None)

    # -- the link

    @property
    def _is_ready(self) -> bool:
        """A session at the broker takes messages: joined, and its handshake done if this era has one."""
        return self._is_joined and self._opening is None

    def joined(self) -> Iterator[Out]:
        """A broker took us in: open as the client did, then ask all that is unanswered, in order."""
        self._is_joined = True
        self._link += 1
        self._swallowed.clear()
        if self._initialize is None:
            yield from self._opened()
            return
        key = lean.dumps(self._initialize.request_id)
        if key not in self._waiting:
            self._swallowed.add(key)
        yield self._open(key, self._initialize)

    def _open(self, key: bytes, initialize: Request) -> Out:
        self._opening = key
        return self._sent(initialize)

    def _opened(self) -> Iterator[Out]:
        self._opening = None
        if self._initialized is not None and self._initialize is not None:
            yield ToBroker(self._initialized)
        for number, frame in enumerate(self._subscribed.values()):
            again = f"chardesk/{number}"
            self._swallowed.add(lean.dumps(again))
            yield ToBroker(lean.dumps({**lean.loads(frame), "id": again}))
        for request in self._waiting.values():
            if request.sent_on != self._link:
                yield self._sent(request)

    def _sent(self, request: Request) -> ToBroker:
        request.sent_on = self._link
        return ToBroker(request.frame)

    def lost(self, since: float) -> None:
        """The link is gone since then: unanswered calls wait for the next, a bounded time. Again: nothing."""
        if self._is_joined:
            self._is_joined = False
            self._opening = None
            self._dark_since = since

    def overdue(self, now: float, refusal: Refusal) -> Iterator[Out]:
        """Refusals for what has waited long enough in the dark. With a link the broker keeps time."""
        if self._is_joined:
            return
        for key, request in list(self._waiting.items()):
            if self._due_at(request) <= now:
                yield from self._refuse(key, refusal)

    def refuse_all(self, refusal: Refusal) -> Iterator[Out]:
        """No broker will answer: who waits is told so. `initialize` is granted, so that a call can be."""
        for key, request in list(self._waiting.items()):
            if request.method == "initialize":
                self._forget(key)
                yield ToClient(request.opened_without_broker())
            else:
                yield from self._refuse(key, refusal)

    def _refuse(self, key: bytes, refusal: Refusal) -> Iterator[Out]:
        request = self._forget(key)
        if request is not None:
            if request is self._initialize:
                self._initialize = None
            yield ToClient(request.refused(refusal))

    def _due_at(self, request: Request) -> float:
        return max(request.arrived_at, self._dark_since) + request.patience_s

    @property
    def next_due(self) -> float:
        """When `overdue` has something to say next; infinity if not."""
        if self._is_joined:
            return NEVER
        return min(map(self._due_at, self._waiting.values()), default=NEVER)

    @property
    def unanswered(self) -> int:
        return len(self._waiting)

    @property
    def is_owed(self) -> bool:
        """Is there a request that is to be answered soon? Not one that listens."""
        return any(request.patience_s != NEVER for request in self._waiting.values())

    def _forget(self, key: bytes) -> Request | None:
        request = self._waiting.pop(key, None)
        if request is not None:
            self._waiting_bytes -= len(request.frame)
        return request
