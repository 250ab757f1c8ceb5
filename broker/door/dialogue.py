"""A WebSocket for those who block: the command line, tests, a script."""

from __future__ import annotations

import select
import time

from chardesk.broker.door import frames
from chardesk.broker.door.socket import Opened, Socket

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import deque


class LinkClosed(Exception):
    """The other side is gone. `code` is its close code (1006: none was sent)."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(f"{code} {reason}".strip())
        self.code = code
        self.reason = reason


class Dialogue:
    """One open connection; a context manager. Not for several threads at once."""

    def __init__(self, socket: Socket, heard: deque[bytes]) -> None:
        self._socket = socket
        self._heard = heard
        self._closed: frames.Closed | None = None

    def send(self, text: str) -> None:
        """Send one text message. `LinkClosed` if the other side is known to be gone."""
        if self._closed:
            raise LinkClosed(self._closed.code, self._closed.reason)
        self._socket.send(text.encode())
        while self._socket.wants_write and not self._closed:
            self._turn(None)

    def receive(self, timeout_s: float | None = None) -> str | None:
        """The next text message; None after `timeout_s`; `LinkClosed` once everything that came was read."""
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._heard:
            if self._closed:
                raise LinkClosed(self._closed.code, self._closed.reason)
            if until is not None and time.monotonic() >= until:
                return None
            self._turn(until)
        return self._heard.popleft().decode()

    def close(self, code: int = frames.NORMAL) -> None:
        self._socket.close(code)

    def __enter__(self) -> Dialogue:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _turn(self, until: float | None) -> bool:
        """Wait until something moves (or `until`) and move it. True if that ended the handshake."""
        left_s = None if until is None else max(0.0, until - time.monotonic())
        select.select([self._socket], [self._socket] if self._socket.wants_write else [], [], left_s)
        opened = False
        for event in self._socket.pump(time.monotonic()):
            if isinstance(event, frames.Text):
                self._heard.append(event.payload)
            elif isinstance(event, frames.Closed):
                self._closed = event
            else:
                opened = isinstance(event, Opened)
        return opened


def connect(address: str, path: str = "/agent", timeout_s: float = 5.0) -> Dialogue:
    """An open connection to `127.0.0.1:PORT`. `LinkClosed` if refused or not answered in time."""
    from collections import deque

    dialogue = Dialogue(Socket(address, path, time.monotonic()), deque())
    until = time.monotonic() + timeout_s
    while not dialogue._turn(until):
        if dialogue._closed or time.monotonic() >= until:
            dialogue.close()
            end = dialogue._closed or frames.Closed(frames.LOST, "no answer in time")
            raise LinkClosed(end.code, end.reason)
    return dialogue
