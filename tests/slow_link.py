"""A link between a browser and the desk that is slow, narrow or cut: a SOCKS proxy, since Chromium's own
throttling neither delays nor ends a WebSocket that is open."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

CHUNK = 4096

NO_LOGIN = b"\x05\x00"
CONNECTED = b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"
"""What a SOCKS 5 server says to a greeting, and to a wish that it has fulfilled."""


class SlowLink:
    """As fast as the machine until it is told otherwise; order is kept, as on every stream.

    `latency_s` delays each way; `bytes_per_s` bounds each way of each connection.
    """

    def __init__(self) -> None:
        self.latency_s = 0.0
        self.bytes_per_s = float("inf")
        self.port = 0
        self._is_cut = False
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="slow link", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._server.close()
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def proxy(self) -> dict[str, str]:
        """For a browser profile: loopback goes this way too."""
        return {"server": f"socks5://127.0.0.1:{self.port}", "bypass": "<-loopback>"}

    def cut(self) -> None:
        """Every connection ends, and no new one comes about before `mend`."""
        self._is_cut = True
        self._do(self._abort())

    def mend(self) -> None:
        self._is_cut = False

    def _do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)

    async def _abort(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _end(self) -> None:
        """Also waits a turn for the sockets: what was aborted is closed in the next one."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = {writer}
        self._writers.add(writer)
        try:
            host, port = await _wanted(reader, writer)
            if self._is_cut:
                return
            there, back = await asyncio.open_connection(host, port)
            ends.add(back)
            self._writers.add(back)
            writer.write(CONNECTED)
            await asyncio.gather(self._carry(reader, back), self._carry(there, writer))
        except (OSError, asyncio.IncompleteReadError):
            pass  # either end may go at any time
        finally:
            self._writers -= ends
            for end in ends:
                end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One way: every piece arrives its latency after it was said, and behind those before it."""
        line: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        await asyncio.gather(self._take(reader, line), self._deliver(line, writer))

    async def _take(self, reader: asyncio.StreamReader, line: asyncio.Queue[tuple[float, bytes]]) -> None:
        with suppress(OSError):
            while piece := await reader.read(CHUNK):
                line.put_nowait((self._loop.time() + self.latency_s, piece))
        line.put_nowait((self._loop.time(), b""))

    async def _deliver(self, line: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        free = 0.0
        with suppress(OSError):
            while True:
                due, piece = await line.get()
                await asyncio.sleep(max(due, free) - self._loop.time())
                if not piece:
                    return writer.close()
                free = self._loop.time() + len(piece) / self.bytes_per_s
                writer.write(piece)
                await writer.drain()


async def _wanted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    """The greeting of SOCKS 5, and where the browser wants to go."""
    _, methods = await reader.readexactly(2)
    await reader.readexactly(methods)
    writer.write(NO_LOGIN)
    *_, kind = await reader.readexactly(4)
    length = 4 if kind == 1 else (await reader.readexactly(1))[0]
    address = await reader.readexactly(length)
    host = ".".join(map(str, address)) if kind == 1 else address.decode("ascii")
    return host, int.from_bytes(await reader.readexactly(2), "big")
