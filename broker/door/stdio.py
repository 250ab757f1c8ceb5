"""The relay's ends: lines from stdin, lines to stdout, notes on stderr. Nothing here waits, except `wait`."""

from __future__ import annotations

import os
import select
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from chardesk.broker.door.socket import Socket

CHUNK = 64 * 1024
LINE_LIMIT = 16 * 1024 * 1024
"""More than this without a line's end is not kept: the rest of the line is skipped."""
NOTE_LIMIT = 400
"""Under any platform's `PIPE_BUF`, so that a note is written whole or not at all."""
SLICE = getattr(select, "PIPE_BUF", CHUNK)
"""What a pipe that was reported writable takes without blocking, whoever reads it and however slowly."""


class Overlong:
    """A line of more than `LINE_LIMIT` bytes was skipped."""

    __slots__ = ()


class Lines:
    """Cuts a stream into lines; holds at most one unfinished line."""

    __slots__ = ("_is_skipping", "_limit", "_parts", "_size")

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._is_skipping = False

    def feed(self, data: bytes) -> Iterator[bytes | Overlong]:
        """The lines that `data` ends, without their ends."""
        *ended, rest = data.split(b"\n")
        for piece in ended:
            self._keep(piece)
            yield self._taken()
        self._keep(rest)

    def rest(self) -> Iterator[bytes | Overlong]:
        """At the end of the stream: a last line without its end, if there is one."""
        if self._parts or self._is_skipping:
            yield self._taken()

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            self._is_skipping = True
            self._parts.clear()
        elif piece:
            self._parts.append(piece)

    def _taken(self) -> bytes | Overlong:
        line = Overlong() if self._is_skipping else b"".join(self._parts).strip()
        self._parts.clear()
        self._size = 0
        self._is_skipping = False
        return line


class Out:
    """Lines on their way to the client. A client that reads slowly delays nothing but its own answers."""

    __slots__ = ("_buffer", "fd")

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._buffer = bytearray()

    @property
    def waiting(self) -> int:
        """Bytes not taken yet."""
        return len(self._buffer)

    def put(self, line: bytes) -> None:
        """Queue one message. A line break in it can only be space between tokens: it becomes a blank."""
        self._buffer += line.replace(b"\n", b" ") if b"\n" in line else line
        self._buffer += b"\n"

    def write_some(self) -> None:
        """Write once; only to be called when `fd` is writable. `OSError` when nobody reads any more."""
        del self._buffer[: os.write(self.fd, self._buffer[:SLICE])]


class In:
    """What the client says, as bytes."""

    __slots__ = ("_fd",)

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        """For waiting on it."""
        return self._fd

    def read(self) -> bytes:
        """What is there (only to be called when something is); `b""` at the end, however it came."""
        try:
            return os.read(self._fd, CHUNK)
        except OSError:  # a pipe that broke: the client is gone
            return b""


class PumpedIn(In):
    """The same through a socket, where only sockets can be waited for (Windows). One daemon thread moves
    it.
    """

    __slots__ = ("_socket",)

    def __init__(self, fd: int) -> None:
        import socket
        import threading

        self._socket, theirs = socket.socketpair()
        source = In(fd)

        def pump() -> None:
            with theirs:
                while data := source.read():
                    theirs.sendall(data)

        super().__init__(self._socket.fileno())
        threading.Thread(target=pump, name="stdin", daemon=True).start()

    def read(self) -> bytes:
        return self._socket.recv(CHUNK)


def take() -> tuple[In, int]:
    """Stdin, and a private duplicate of stdout; what else this process prints goes to stderr from now on.

    Of the three, those that were closed before the start are opened on nothing, so that no file takes their
    numbers.
    """
    while (fd := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(fd, True)
    os.close(fd)
    protocol = os.dup(1)
    os.dup2(2, 1)
    return (PumpedIn(0) if sys.platform == "win32" else In(0)), protocol


def note(text: str) -> None:
    """One short line for a person, on stderr. Dropped rather than waited for: nobody may be reading."""
    line = f"chardesk-mcp: {text}".replace("\n", " ").encode(errors="replace")[:NOTE_LIMIT] + b"\n"
    try:
        if sys.platform == "win32" or select.select([], [2], [], 0)[1]:
            os.write(2, line)
    except (OSError, ValueError):
        return


class Ready:
    """What can be done without waiting. `is_deaf`: the client's end of stdout is closed."""

    __slots__ = ("is_deaf", "stdin", "stdout")

    def __init__(self, stdin: bool, stdout: bool, is_deaf: bool) -> None:
        self.stdin = stdin
        self.stdout = stdout
        self.is_deaf = is_deaf


def wait(stdin: In | None, out: Out, socket: Socket | None, timeout_s: float | None) -> Ready:
    """Until stdin (None: unwanted) speaks, stdout takes what waits, the socket moves, or time is over."""
    if not hasattr(select, "poll"):
        return _wait_by_select(stdin, out, socket, timeout_s)
    poll = select.poll()
    poll.register(out.fd, select.POLLOUT if out.waiting else 0)  # with 0, only its end is reported
    if stdin is not None:
        poll.register(stdin, select.POLLIN)
    if socket is not None:
        poll.register(socket, select.POLLIN | (select.POLLOUT if socket.wants_write else 0))
    # Rounded up: a wait that ends a fraction early would be repeated without need.
    happened = dict(poll.poll(None if timeout_s is None else int(timeout_s * 1000) + 1))
    deaf = happened.get(out.fd, 0) & (select.POLLERR | select.POLLHUP | select.POLLNVAL)
    is_asked = stdin is not None and stdin.fileno() in happened
    return Ready(is_asked, bool(happened.get(out.fd, 0) & select.POLLOUT), bool(deaf))


def _wait_by_select(stdin: In | None, out: Out, socket: Socket | None, timeout_s: float | None) -> Ready:
    """Windows waits on sockets only: stdin is one there (`PumpedIn`), and stdout is simply written to."""
    reads: list[In | Socket] = [end for end in (stdin, socket) if end is not None]
    writes = [socket] if socket is not None and socket.wants_write else []
    happened, _, _ = select.select(reads, writes, [], 0 if out.waiting else timeout_s)
    return Ready(stdin in happened, bool(out.waiting), False)
