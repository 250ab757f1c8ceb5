"""Starting a broker when none runs: detached, once, however many ask at the same time.

Everything here is what a process does at most once in a while, so it may import what it needs.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from chardesk.broker.door import discovery, lean
from chardesk.broker.door.lock import POLL_S, Lock, hold, is_held, pause

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from chardesk.broker.door.discovery import Discovery
    from chardesk.broker.door.place import Place

ERROR_LOG_LIMIT = 1024 * 1024
PATIENCE_S = 20.0
"""A broker that isn't there by then won't be: a cold start on a busy machine takes 2 s."""


class Up:
    """A broker runs, started by us or by someone else."""

    __slots__ = ("found",)

    def __init__(self, found: Discovery) -> None:
        self.found = found


class Stopped:
    """A person stopped the desk, and this start does not overrule that."""

    __slots__ = ()


class Failed:
    """No broker came up; `reason` is for a person. The broker's own words are in `log/broker.err`."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


Outcome = Up | Stopped | Failed


SECRETS = ("KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL")
"""Words in the names of variables that hold secrets of other programs."""


def _for_broker(env: Mapping[str, str]) -> dict[str, str]:
    """What a broker gets of an agent's environment: not its name, and not what it was trusted with. The
    broker serves others too, and may go on for days after the agent is gone."""
    return {
        name: value
        for name, value in env.items()
        if name != "CHARDESK_AGENT" and not any(word in name.upper() for word in SECRETS)
    }


def launch(place: Place, port: int | None = None) -> subprocess.Popen[bytes]:
    """A broker process for this desk, in a session of its own, with no hold on our stdio, folder or name."""
    command = [sys.executable, "-m", "chardesk.broker.cli", "serve", "--desk", place.root, "--no-open"]
    if port is not None:
        command += ["--port", str(port)]
    place.make()
    errors = _error_log(place)
    try:
        return subprocess.Popen(
            command,
            cwd=place.root,
            env=_for_broker(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
    finally:
        os.close(errors)


def _error_log(place: Place) -> int:
    """Opened to append; begun anew when it is too long. A broker that can't log elsewhere says here why it
    died.
    """
    fd = os.open(os.path.join(place.log, "broker.err"), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    if os.fstat(fd).st_size > ERROR_LOG_LIMIT:
        os.ftruncate(fd, 0)
    return fd


class Start:
    """One attempt to have a broker. Ask `step` every few milliseconds until it says how it ended; then drop
    it.

    Only the holder of the start lock launches, and looks again once it holds it; all others wait for what
    comes of it.
    """

    def __init__(self, place: Place, now: float, despite_stop: bool, port: int | None = None) -> None:
        """`despite_stop`: a person and a new agent overrule the stop mark, a running relay doesn't."""
        self._place = place
        self._until = now + PATIENCE_S
        self._despite_stop = despite_stop
        self._port = port
        self._lock: Lock | None = None
        self._child: subprocess.Popen[bytes] | None = None

    def step(self, now: float) -> Outcome | None:
        """How it ended, or None while it goes on. At its end the start lock is free again."""
        try:
            outcome = self._look(now)
        except OSError as problem:
            outcome = Failed(self._place.unwritable(problem))
        if outcome is not None:
            self.give_up()
        return outcome

    def give_up(self) -> None:
        """Let others try. A broker that was launched goes on starting."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _look(self, now: float) -> Outcome | None:
        if found := discovery.running(self._place):
            return Up(found)
        if now >= self._until:
            return Failed(f"no broker was ready after {PATIENCE_S:.0f} s")
        if self._child is not None:
            return self._watch(self._child)
        if self._lock is None:
            self._place.make()
            self._lock = hold(self._place.start_lock)
        if self._lock is None or is_held(self._place.broker_lock):
            return None
        return self._launch()

    def _launch(self) -> Outcome | None:
        if self._place.is_stopped() and not self._despite_stop:
            return Stopped()
        if found := discovery.running(self._place):
            return Up(found)
        self._place.clear_stop()
        self._child = launch(self._place, self._port)
        return None

    def _watch(self, child: subprocess.Popen[bytes]) -> Outcome | None:
        """A child may end because another broker was faster: then that one is found in a moment."""
        status = child.poll()
        if status is None or is_held(self._place.broker_lock):
            return None
        return Failed(last_words(self._place) or f"the broker ended at once (exit status {status})")


def last_words(place: Place) -> str:
    """The last line that a broker of this desk left on stderr for people; "" if it left another one last."""
    try:
        with open(os.path.join(place.log, "broker.err"), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 2048))
            lines = file.read().decode("utf-8", "replace").strip().splitlines()
    except OSError:
        return ""
    who, _, words = (lines[-1] if lines else "").partition(": ")
    return words if who.split(" ")[0] == "chardesk" else ""


def ensure(place: Place, port: int | None = None, despite_stop: bool = True) -> Outcome:
    """Block until a broker runs for this desk or it is clear that none will."""
    start = Start(place, time.monotonic(), despite_stop, port)
    while (outcome := start.step(time.monotonic())) is None:
        pause(POLL_S)
    return outcome


def ensured(place: Place, port: int | None = None) -> Discovery:
    """The running broker, started if need be. `ConnectionError` with the reason if that fails."""
    match ensure(place, port):
        case Up(found=found):
            return found
        case Failed(reason=reason):
            raise ConnectionError(reason)
        case Stopped():
            raise ConnectionError("the desk was stopped")
        case never:
            lean.unreachable(never)
