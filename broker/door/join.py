"""One connection to a broker, from the handshake over the welcome to its end.

Moved by its owner: `pump` when `due_at` has come, or the socket is readable, or writable while it
`wants_write`.
"""

from __future__ import annotations

from chardesk.broker.door import discovery, frames, lean
from chardesk.broker.door.build import PACKAGE
from chardesk.broker.door.socket import Opened, Socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

JOIN_S = 5.0
"""From when there is a hello to say to the welcome. A broker that is still importing may take a second or
two.
"""
HEARTBEAT_S = 15.0
SILENCE_S = 30.0
OWED_HEARTBEAT_S = 3.0
OWED_SILENCE_S = 7.0
"""While an answer is owed. On a line that went dead without a word the call is still refused within its ten
seconds, or answered over a fresh line."""
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
    """It is over, whether or not there was a welcome. The code is the broker's, or 1006 without one. `since`:
    when it was last alive, if that was earlier than now."""

    __slots__ = ("code", "reason", "since")

    def __init__(self, code: int, reason: str, since: float | None = None) -> None:
        self.code = code
        self.reason = reason
        self.since = since


Event = Welcomed | Message | Control | Ended


def hello(key: str, name: str, is_fixed: bool, cwd: str, resume: str | None) -> bytes:
    """The first frame. `is_fixed`: the name was chosen by a person (`CHARDESK_AGENT`), not by the client.
    Where our files are is told, so that a broker of another build can make way.

    Bytes of a name or folder that aren't UTF-8 (lone surrogates in Python) become `?`: the broker would
    refuse them.
    """
    said = {"chardesk": "hello", "protocol": discovery.PROTOCOL, "key": key, "name": _clean(name)}
    said |= {"cwd": _clean(cwd), "resume": resume, "package": _clean(PACKAGE)}
    if is_fixed:
        said["fixed"] = True
    return lean.dumps(said)


def _clean(text: str) -> str:
    return text.encode(errors="replace").decode()


class _Connecting:
    """The handshake isn't through; `hello` is what to say when it is."""

    __slots__ = ("hello",)

    def __init__(self) -> None:
        self.hello: bytes | None = None


class _Open:
    """Connected, with nothing to say yet."""

    __slots__ = ()


class _Greeted:
    """Waiting for the welcome."""

    __slots__ = ()


class _Member:
    """`owed_since`: from when on an answer is owed to us, None while none is."""

    __slots__ = ("owed_since", "pinged_at", "since")

    def __init__(self, since: float) -> None:
        self.since = since
        self.pinged_at = since
        self.owed_since: float | None = None

    def times(self, heard_at: float) -> tuple[float, float]:
        """When to ping, and when to give up, if nothing more is heard."""
        if self.owed_since is None:
            return max(heard_at, self.pinged_at) + HEARTBEAT_S, heard_at + SILENCE_S
        quiet_since = max(heard_at, self.owed_since)
        return max(quiet_since, self.pinged_at) + OWED_HEARTBEAT_S, quiet_since + OWED_SILENCE_S


class Join:
    """`socket` is for waiting on it, and is gone after `Ended`."""

    __slots__ = ("_state", "_until", "socket")

    def __init__(self, address: str, now: float) -> None:
        self.socket = Socket(address, "/agent", now)
        self._state: _Connecting | _Open | _Greeted | _Member = _Connecting()
        self._until = NEVER  # when a join that isn't through is given up

    def greet(self, hello: bytes, now: float) -> None:
        """Say hello, now or when the handshake is through. A second hello is not said."""
        match self._state:
            case _Connecting() as connecting if connecting.hello is None:
                connecting.hello = hello
                self._until = now + JOIN_S
            case _Open():
                self._until = now + JOIN_S
                self._say(hello)
            case _Connecting() | _Greeted() | _Member():
                return
            case never:
                lean.unreachable(never)

    def _say(self, hello: bytes) -> None:
        self.socket.send(hello)
        self._state = _Greeted()

    def send(self, frame: bytes) -> None:
        """To the broker, if it has taken us in; else nothing happens."""
        if isinstance(self._state, _Member):
            self.socket.send(frame)

    def life_s(self, now: float) -> float:
        """How long we have been a member."""
        return now - self._state.since if isinstance(self._state, _Member) else 0.0

    def due_at(self) -> float:
        """When `pump` has something to do though the socket is quiet."""
        if not isinstance(self._state, _Member):
            return self._until
        return min(self._state.times(self.socket.heard_at))

    def owe(self, is_owed: bool, now: float) -> None:
        """Say whether an answer is owed to us: then life is looked for more often."""
        if isinstance(self._state, _Member) and is_owed is (self._state.owed_since is None):
            self._state.owed_since = now if is_owed else None

    def pump(self, now: float) -> Iterator[Event]:
        """What came, in order; `Ended` last and once, also for a broker that is silent for too long."""
        for event in self.socket.pump(now):
            yield from self._heard(event, now)
        if not self.socket.is_gone:
            yield from self._check_life(now)

    def _heard(self, event: Opened | frames.Text | frames.Closed, now: float) -> Iterator[Event]:
        match event:
            case Opened():
                self._opened()
            case frames.Text(payload=payload) if payload.startswith(CONTROL):
                yield from self._controlled(payload, now)
            case frames.Text(payload=payload):
                yield Message(payload)
            case frames.Closed(code=code, reason=reason):
                yield Ended(code, reason)
            case never:
                lean.unreachable(never)

    def _opened(self) -> None:
        hello = self._state.hello if isinstance(self._state, _Connecting) else None
        self._state = _Open()
        if hello is not None:
            self._say(hello)

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
        if not isinstance(self._state, _Member):
            if now >= self._until:
                yield from self._give_up("no welcome", now)
            return
        ping_at, end_at = self._state.times(self.socket.heard_at)
        if now >= end_at:
            yield from self._give_up("silent", self.socket.heard_at)
        elif now >= ping_at:
            self._state.pinged_at = now
            self.socket.ping()

    def _give_up(self, why: str, since: float) -> Iterator[Event]:
        self.socket.close(frames.GOING_AWAY, why)
        yield Ended(frames.LOST, why, since)
