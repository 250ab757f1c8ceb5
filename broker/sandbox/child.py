"""A child process as the host sees it: started, spoken to, killed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

from chardesk.broker.sandbox.payload import BOOT
from chardesk.broker.sandbox.pipe import Pipe


class Child:
    """One process, alone in its group, with one socket to us. It lives for at most one script."""

    def __init__(self, process: asyncio.subprocess.Process, pipe: Pipe) -> None:
        self.process = process
        self.pipe = pipe

    @property
    def is_alive(self) -> bool:
        """Whether its end has not been noticed yet."""
        return self.process.returncode is None

    def kill(self) -> None:
        """End the whole process group at once. A second time, or after its end, nothing happens."""
        if self.is_alive:
            # The group is gone if it died by itself a moment ago and the event loop has not heard of it.
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    async def gone(self) -> int:
        """Wait until the process has ended and is reaped: its exit status, or minus the signal."""
        return await self.process.wait()


async def start(engine: Path) -> Child:
    """Start a child, which waits for its code. `OSError` if the system has no process or socket for it.

    Forking holds the loop for about a millisecond. Linux kills the child when the *thread* that started it
    ends, so call this in the one that runs the broker's loop.
    """
    ours, theirs = socket.socketpair()
    pipe = Pipe(ours)
    try:
        with theirs:
            return Child(await _spawn(engine, theirs), pipe)
    except BaseException:
        pipe.close()
        raise


async def _spawn(engine: Path, theirs: socket.socket) -> asyncio.subprocess.Process:
    # -I -S: no user site, no .pth files, no PYTHON* variables, nothing from the current folder. -B: it may
    # not write anyway.
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-B", "-c", BOOT),
        *(str(theirs.fileno()), str(engine), str(os.getpid())),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        pass_fds=(theirs.fileno(),),
        env={},
        cwd="/",
        start_new_session=True,
    )
