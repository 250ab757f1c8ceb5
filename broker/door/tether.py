"""A relay's hold on a broker: find it, start it, join it, keep it, and know when to stop trying.

Moved by its owner: `step` when `due_at` has come, or the `socket` is readable, or writable while it
`wants_write`.
"""

from __future__ import annotations

from chardesk.broker.door import discovery, lean, refusals
from chardesk.broker.door.backoff import STEADY_S, Backoff
from chardesk.broker.door.join import Control, Ended, Join, Message, Welcomed, hello
from chardesk.broker.door.key import read_key
from chardesk.broker.door.lock import is_held

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from chardesk.broker.door.join import Event
    from chardesk.broker.door.place import Place
    from chardesk.broker.door.refusals import Refusal
    from chardesk.broker.door.socket import Socket
    from chardesk.broker.door.start import Start

NEVER = float("inf")
WATCH_S = 0.1
"""How often the discovery file is looked at while there is no link."""
START_WATCH_S = 0.005
SLOW_S = 15.0
"""Before asking an incompatible broker again: it may have been replaced meanwhile."""

WRONG_KEY, REVOKED, REPLACED, INCOMPATIBLE = 4401, 4403, 4409, 4426
FINAL = {REVOKED: refusals.REVOKED, REPLACED: refusals.REPLACED}
"""Close codes after which nothing is tried again."""
KEYS_TRIED = 2
"""A rejected key is followed by another only if the key file holds another, and only once."""


class _Waiting:
    """Until a time, or until the discovery file is replaced."""

    __slots__ = ("until",)

    def __init__(self, until: float) -> None:
        self.until = until


class _Starting:
    __slots__ = ("start",)

    def __init__(self, start: Start) -> None:
        self.start = start


class _Tied:
    __slots__ = ("join",)

    def __init__(self, join: Join) -> None:
        self.join = join


class _Barred:
    """Nothing is tried again; every call gets this refusal."""

    __slots__ = ("refusal",)

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal


class Tether:
    """It connects to a running broker at once, but starts one, says hello and tries again only when `want`ed.

    `trouble` is why there is no link, as far as known: what to tell a call that has waited long enough.
    """

    def __init__(self, place: Place, cwd: str, now: float, backoff: Backoff | None = None) -> None:
        self.trouble: Refusal = refusals.UNREACHABLE
        self._place = place
        self._cwd = cwd
        self._name: str | None = None
        self._is_name_fixed = False
        self._token: str | None = None
        self._may_overrule_stop = True  # until this process has joined or started a broker, it counts as new
        self._key = ""
        self._rejected_keys: set[str] = set()
        self._seen: discovery.Signature | None = None
        self._backoff = backoff or Backoff()
        self._phase: _Waiting | _Starting | _Tied | _Barred = _Waiting(now)
        self._attempt(now)

    @property
    def verdict(self) -> Refusal | None:
        """What to answer every call at once: a broker won't have us. None where waiting may help."""
        if isinstance(self._phase, _Barred):
            return self._phase.refusal
        is_refused = isinstance(self._phase, _Waiting) and self.trouble.code == "incompatible_broker"
        return self.trouble if is_refused else None

    @property
    def socket(self) -> Socket | None:
        """To be watched, if there is one."""
        return self._phase.join.socket if isinstance(self._phase, _Tied) else None

    def due_at(self, now: float) -> float:
        """When `step` has something to do though the socket is quiet."""
        match self._phase:
            case _Waiting(until=until):
                return NEVER if self._name is None else min(until, now + WATCH_S)
            case _Starting():
                return now + START_WATCH_S
            case _Tied(join=join):
                return join.due_at()
            case _Barred():
                return NEVER
            case never:
                lean.unreachable(never)

    def want(self, name: str, is_fixed: bool, now: float) -> None:
        """The first request is here: join, under `name` (`is_fixed`: chosen by a person)."""
        self._name = name
        self._is_name_fixed = is_fixed
        if isinstance(self._phase, _Tied):
            self._greet(self._phase.join, now)

    def send(self, frame: bytes) -> None:
        """To the broker if joined; else nothing: the session sends what is unanswered at the next join."""
        if isinstance(self._phase, _Tied):
            self._phase.join.send(frame)

    def owe(self, is_owed: bool, now: float) -> None:
        """Say whether an answer is owed to us: a broker that is silent then is given up sooner."""
        if isinstance(self._phase, _Tied):
            self._phase.join.owe(is_owed, now)

    def close(self) -> None:
        """Leave, so that the broker withdraws what is queued. A broker being started goes on starting."""
        if isinstance(self._phase, _Tied):
            self._phase.join.socket.close()
        elif isinstance(self._phase, _Starting):
            self._phase.start.give_up()

    def step(self, now: float) -> Iterator[Event]:
        """Do what is due and read what is there. After `Ended`, `verdict` tells whether waiting may help."""
        match self._phase:
            case _Waiting(until=until):
                self._wait(until, now)
            case _Starting(start=start):
                self._watch(start, now)
            case _Tied(join=join):
                for event in join.pump(now):
                    self._note(join, event, now)
                    yield event
            case _Barred():
                return
            case never:
                lean.unreachable(never)

    def _wait(self, until: float, now: float) -> None:
        seen = discovery.signature(self._place)
        if seen is not None and seen != self._seen:
            self._backoff.reset()
        elif now < until:
            return
        self._attempt(now)

    def _attempt(self, now: float) -> None:
        """The address is read afresh each time; only the holder of the broker's lock is told the key."""
        self._seen = discovery.signature(self._place)
        if not is_held(self._place.broker_lock):
            self._start(now)
        elif (found := discovery.read(self._place)) is None:
            self._retry(now)
        elif found.protocol > discovery.PROTOCOL:
            self.trouble = refusals.incompatible(str(found.protocol))
            self._phase = _Waiting(now + SLOW_S)
        else:
            join = Join(found.address, now)
            self._phase = _Tied(join)
            self._greet(join, now)

    def _retry(self, now: float) -> None:
        self._phase = _Waiting(now + self._backoff.next_s())

    def _start(self, now: float) -> None:
        if self._name is None:
            self._phase = _Waiting(now)
        elif self._place.is_stopped() and not self._may_overrule_stop:
            self._stopped(now)
        else:
            from chardesk.broker.door.start import (
                Start,
            )  # `subprocess` costs 13 ms, and this is seldom needed

            self._phase = _Starting(Start(self._place, now, despite_stop=self._may_overrule_stop))
            self._may_overrule_stop = False

    def _watch(self, start: Start, now: float) -> None:
        from chardesk.broker.door.start import Failed, Stopped, Up

        match start.step(now):
            case None:
                return
            case Up():
                self._attempt(now)
            case Stopped():
                self._stopped(now)
            case Failed(reason=reason):
                self.trouble = refusals.failed_start(reason.replace(f" {self._place.root}", ""))
                self._retry(now)
            case never:
                lean.unreachable(never)

    def _stopped(self, now: float) -> None:
        self.trouble = refusals.STOPPED
        self._retry(now)

    def _greet(self, join: Join, now: float) -> None:
        if self._name is not None:
            self._key = read_key(self._place)
            join.greet(hello(self._key, self._name, self._is_name_fixed, self._cwd, self._token), now)

    def _note(self, join: Join, event: Event, now: float) -> None:
        """What an event means for this link and the next."""
        match event:
            case Welcomed(token=token):
                self._token = token
                self._rejected_keys.clear()
                self._may_overrule_stop = False
                self.trouble = refusals.UNREACHABLE
            case Control(kind="incompatible", said=said):
                self.trouble = refusals.incompatible(_listed(said.get("protocols")))
            case Message() | Control():
                return
            case Ended(code=code):
                is_steady = join.life_s(now) >= STEADY_S
                if is_steady:
                    self._backoff.reset()
                self._ended(code, is_steady, now)
            case never:
                lean.unreachable(never)

    def _ended(self, code: int, is_steady: bool, now: float) -> None:
        """A broker that served long and is gone is not waited for: there is nobody to knock at."""
        if code in FINAL:
            self._phase = _Barred(FINAL[code])
        elif code == WRONG_KEY and not self._has_another_key():
            self._phase = _Barred(refusals.WRONG_KEY)
        elif code == INCOMPATIBLE:
            if self.trouble.code != "incompatible_broker":
                self.trouble = refusals.incompatible("another")
            self._phase = _Waiting(now + SLOW_S)
        elif is_steady and not is_held(self._place.broker_lock):
            self._attempt(now)
        else:
            self._retry(now)

    def _has_another_key(self) -> bool:
        self._rejected_keys.add(self._key)
        return len(self._rejected_keys) < KEYS_TRIED and read_key(self._place) not in self._rejected_keys


def _listed(protocols: object) -> str:
    return ", ".join(map(str, protocols)) if isinstance(protocols, list) and protocols else "another"
