"""One connection to a broker, from the handshake over the welcome to its end.

Moved by its owner: `pump` when `due_at` has come, or the socket is readable, or writable while it
`wants_write`.
"""

from __future__ import annotations

from chardesk.broker.door import discovery, frames, lean
from chardesk.broker.door.socket import Opened, Socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

JOIN_S = 10.0
"""From hello to the welcome. A broker that is still importing may take seconds."""
HEARTBEAT_S = 15.0
SILENCE_S = 30.0
NEVER = float("inf")
CONTROL = b'{"chardesk":'


class Welcomed:
    """We are in. `token` lets a later connection resume this tenant; `name` is the author we are."""

    __slots__ = ("max_bytes", "name", "tenant", "token")

    def __init__(self, said: dict[str, Any]) -> None:
        self.tenant = str(said.get("tenant", ""))
        self.token = str(said.get("token", ""))
        self.name = str(said.get("name", ""))
        self.max_bytes = int(said.get("maxBytes", 0))


class Message:
    """A frame of the conversation, as it came."""

    __slots__ = ("frame",)

    def __init__(self, frame: bytes) -> None:
        self.frame = frame


class Control:
    """A control message of the broker's; `kind` is its `chardesk` field."""

    __slots__ = ("kind", "said")

    def __init__(self, said: dict[str, Any]) -> None:
        self.kind = str(said.get("chardesk", ""))
        self.said = said


class Ended:
    """It is over, whether or not there was a welcome. The code is the broker's, or 1006 without one."""

    __slots__ = ("code", "reason")

    def __init__(self, code: int, reason: str) -> None:
        self.code = code
        self.reason = reason


Event = Welcomed | Message | Control | Ended


def hello(key: str, name: str, is_fixed: bool, cwd: str, resume: str | None) -> bytes:
    """The first frame. `is_fixed`: the name was chosen by a person (`CHARDESK_AGENT`), not by the client.

    Bytes of a name or folder that aren't UTF-8 (lone surrogates in Python) become `?`: the broker would
    refuse them.
    """
    said = {"chardesk": "hello", "protocol": discovery.PROTOCOL, "key": key, "name": _clean(name)}
    said |= {"cwd": _clean(cwd), "resume": resume}
    if is_fixed:
        said["fixed"] = True
    return lean.dumps(said)


def _clean(text: str) -> str:
    return text.encode(errors="replace").decode()


class _Alone:
    """Connecting, or connected with nothing said. `hello` is sent once the handshake is through."""

    __slots__ = ("hello", "is_open")

    def __init__(self) -> None:
        self.hello: bytes | None = None
        self.is_open = False


class _Greeted:
    __slots__ = ("until",)

    def __init__(self, until: float) -> None:
        self.until = until


class _Member:
    __slots__ = ("pinged_at", "since")

    def __init__(self, since: float) -> None:
        self.since = since
        self.pinged_at = since


class Join:
    """`socket` is for waiting on it, and is gone after `Ended`."""

    __slots__ = ("_state", "socket")

    def __init__(self, address: str, now: float) -> None:
        self.socket = Socket(address, "/agent", now)
        self._state: _Alone | _Greeted | _Member = _Alone()

    def greet(self, hello: bytes, now: float) -> None:
        """Say hello, now or when the handshake is through. A second hello is not said."""
        if isinstance(self._state, _Alone):
            self._state.hello = self._state.hello or hello
            self._greet_if_open(self._state, now)

    def _greet_if_open(self, state: _Alone, now: float) -> None:
        if state.is_open and state.hello is not None:
            self.socket.send(state.hello)
            self._state = _Greeted(now + JOIN_S)

    def send(self, frame: bytes) -> None:
        """To the broker, if it has taken us in; else nothing happens."""
        if isinstance(self._state, _Member):
            self.socket.send(frame)

    def life_s(self, now: float) -> float:
        """How long we have been a member."""
        return now - self._state.since if isinstance(self._state, _Member) else 0.0

    def due_at(self) -> float:
        """When `pump` has something to do though the socket is quiet."""
        match self._state:
            case _Alone():
                return NEVER
            case _Greeted(until=until):
                return until
            case _Member(pinged_at=pinged_at):
                return min(
                    self.socket.heard_at + SILENCE_S, max(self.socket.heard_at, pinged_at) + HEARTBEAT_S
                )
            case never:
                lean.unreachable(never)

    def pump(self, now: float) -> Iterator[Event]:
        """What came, in order; `Ended` last and once, also for a broker that is silent for 30 s."""
        for event in self.socket.pump(now):
            yield from self._heard(event, now)
        if not self.socket.is_gone:
            yield from self._check_life(now)

    def _heard(self, event: Opened | frames.Text | frames.Closed, now: float) -> Iterator[Event]:
        match event:
            case Opened():
                if isinstance(self._state, _Alone):
                    self._state.is_open = True
                    self._greet_if_open(self._state, now)
            case frames.Text(payload=payload) if payload.startswith(CONTROL):
                yield from self._controlled(payload, now)
            case frames.Text(payload=payload):
                yield Message(payload)
            case frames.Closed(code=code, reason=reason):
                yield Ended(code, reason)
            case never:
                lean.unreachable(never)

    def _controlled(self, payload: bytes, now: float) -> Iterator[Event]:
        try:
            said = lean.loads(payload)
        except lean.NotJson:
            return
        if said["chardesk"] != "welcome":
            yield Control(said)
        elif isinstance(self._state, _Greeted):
            self._state = _Member(now)
            yield Welcomed(said)

    def _check_life(self, now: float) -> Iterator[Event]:
        match self._state:
            case _Alone():
                return
            case _Greeted(until=until):
                if now >= until:
                    yield from self._give_up("no welcome")
            case _Member() as member:
                if now >= self.socket.heard_at + SILENCE_S:
                    yield from self._give_up("silent")
                elif now >= max(self.socket.heard_at, member.pinged_at) + HEARTBEAT_S:
                    member.pinged_at = now
                    self.socket.ping()
            case never:
                lean.unreachable(never)

    def _give_up(self, why: str) -> Iterator[Event]:
        self.socket.close(frames.GOING_AWAY, why)
        yield Ended(frames.LOST, why)
