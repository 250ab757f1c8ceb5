"""A child process as the host sees it: started, spoken to, killed."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import anyio

from chardesk.broker.sandbox.payload import BOOT
from chardesk.broker.sandbox.pipe import Pipe


class Child:
    """One process, alone in its group, with one socket to us. It lives for at most one script."""

    def __init__(self, process: subprocess.Popen[bytes], pipe: Pipe, end: asyncio.Future[int]) -> None:
        self.process = process
        self.pipe = pipe
        self._end = end

    @property
    def is_alive(self) -> bool:
        """Whether its end has not been noticed yet."""
        return self.process.returncode is None

    def kill(self) -> None:
        """End the whole process group at once. A second time, or after its end, nothing happens."""
        if self.is_alive:
            # The group is gone if it died by itself a moment ago and nobody has heard of it.
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    async def gone(self) -> int:
        """Wait until the process has ended and is reaped: its exit status, or minus the signal."""
        return await asyncio.shield(self._end)


def starter() -> ThreadPoolExecutor:
    """The one thread that starts children for an owner, who shuts it down after the last of them.

    Starting one waits until the child, and the thread that will reap it, have been given a processor: on a
    busy machine that is no time for an event loop. It is one thread, and stays, because Linux kills a child
    when the thread that started it ends.
    """
    return ThreadPoolExecutor(1, thread_name_prefix="start script processes")


async def start(engine: Path, by: Executor) -> Child:
    """Start a child, which waits for its code. `OSError` if the system has no process or socket for it. Not
    to be cancelled half-way: it takes some milliseconds."""
    ours, theirs = socket.socketpair()
    pipe, loop = Pipe(ours), asyncio.get_running_loop()
    end: asyncio.Future[int] = loop.create_future()
    try:
        with theirs, anyio.CancelScope(shield=True):
            process = await loop.run_in_executor(by, _started, engine, theirs, end)
    except BaseException:
        pipe.close()
        raise
    return Child(process, pipe, end)


def _started(engine: Path, theirs: socket.socket, end: asyncio.Future[int]) -> subprocess.Popen[bytes]:
    process = _spawn(engine, theirs)
    reaper = threading.Thread(target=_reap, args=(process, end), name="reap a script process", daemon=True)
    reaper.start()
    return process


def _reap(process: subprocess.Popen[bytes], end: asyncio.Future[int]) -> None:
    status = process.wait()
    with suppress(RuntimeError):  # the loop has ended, and with it whoever would have liked to know
        end.get_loop().call_soon_threadsafe(end.set_result, status)


def _spawn(engine: Path, theirs: socket.socket) -> subprocess.Popen[bytes]:
    # -I -S: no user site, no .pth files, no PYTHON* variables, nothing from the current folder. -B: it may
    # not write anyway. To name the user who runs us changes nobody, but keeps Python from `vfork`, in which
    # every thread of ours would stand still until the child has begun.
    return subprocess.Popen(
        (
            *(sys.executable, "-I", "-S", "-B", "-c", BOOT),
            *(str(theirs.fileno()), str(engine), str(os.getpid())),
        ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(theirs.fileno(),),
        env={},
        cwd="/",
        user=os.getuid(),
        start_new_session=True,
    )
