"""A child process as the host sees it: started, spoken to, killed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chardesk.broker.sandbox import frames

# The child must not import the real parent packages: what they load is not its business and would double its
# start.
_BOOT = """
import sys
for name in ("chardesk", "chardesk.broker", "chardesk.broker.sandbox"):
    sys.modules[name] = package = type(sys)(name)
    package.__path__ = [sys.argv[1]]
from chardesk.broker.sandbox.worker import main
main()
"""
_HERE = str(Path(__file__).parent)


@dataclass(frozen=True, slots=True, eq=False)
class Child:
    """One process, alone in its group, with one socket to us. It lives for at most one script."""

    process: asyncio.subprocess.Process
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter

    @property
    def is_alive(self) -> bool:
        """Whether its end has not been noticed yet."""
        return self.process.returncode is None

    async def send(self, body: bytes) -> None:
        """Hand over one frame; waits while the child does not read. A dead child is a `ConnectionError`."""
        self._writer.write(frames.pack(body))
        await self._writer.drain()

    async def receive(self) -> bytes:
        """The body of the next frame. `EOFError` or `ConnectionError` at the child's end, `Malformed` for a
        bad size.
        """
        header = await self._reader.readexactly(frames.HEADER_BYTES)
        return await self._reader.readexactly(frames.size_of(header))

    def kill(self) -> None:
        """End the whole process group at once. A second time, or after its end, nothing happens."""
        self._writer.close()
        if self.is_alive:
            # The group is gone if it died by itself a moment ago and the event loop has not heard of it.
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    async def gone(self) -> int:
        """Wait until the process has ended and is reaped: its exit status, or minus the signal."""
        return await self.process.wait()


async def start(engine: Path) -> Child:
    """Start a child; it still has to say that it is ready. Forking holds the loop for about a millisecond.

    Linux kills the child when the *thread* that started it ends, so call this in the one that runs the
    broker's loop.
    """
    ours, theirs = socket.socketpair()
    with theirs:
        reader, writer = await asyncio.open_connection(sock=ours)
        try:
            process = await _spawn(engine, theirs)
        except BaseException:
            writer.close()
            raise
    return Child(process, reader, writer)


async def _spawn(engine: Path, theirs: socket.socket) -> asyncio.subprocess.Process:
    # -I -S: no user site, no .pth files, no PYTHON* variables, nothing from the current folder. -B: it may
    # not write anyway.
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-B", "-c", _BOOT),
        *(_HERE, str(theirs.fileno()), str(engine), str(os.getpid())),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        pass_fds=(theirs.fileno(),),
        env={},
        cwd="/",
        start_new_session=True,
    )
