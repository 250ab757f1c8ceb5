"""The page's socket: `/page`. A hello with a code or a token, then messages of `wire.messages`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import anyio
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from chardesk.broker.desk import events as e
from chardesk.broker.desk.effects import Reply, Whole
from chardesk.broker.desk.road import told
from chardesk.broker.faces.house import House
from chardesk.broker.faces.teller import Teller
from chardesk.broker.service.peer import Peer
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.codec import decode, encode
from chardesk.broker.wire.codes import AUTH, INCOMPATIBLE, PROTOCOL_ERROR
from chardesk.tools.errors import Refused

HELLO_S = 5.0

SNIPPETS = "chardesk_connect"
"""Asked like a tool, answered by the house: the desk does not know where it is installed."""


async def serve(socket: ServerConnection, house: House) -> None:
    """One page, from hello to the end."""
    peer = Peer(socket)
    try:
        with anyio.fail_after(HELLO_S):
            hello = decode(await socket.recv())
    except (TimeoutError, Refused):
        await socket.close(AUTH, "say hello first")
        return
    except ConnectionClosed:
        return
    if not isinstance(hello, m.Hello):
        await socket.close(AUTH, "say hello first")
        return
    new_token = house.passes.trade(hello.code) if hello.code else None
    if new_token is None and not (hello.token and house.passes.opens(hello.token)):
        await socket.close(AUTH, "this address opens nothing any more: run chardesk open")
        return
    if hello.protocol != m.PROTOCOL:
        peer.send(encode(m.Reload(version=house.version)))
        peer.close(INCOMPATIBLE, f"this broker speaks protocol {m.PROTOCOL}")
        await peer.run()
        return
    await _Conversation(socket, peer, house, hello, new_token).run()


class _Conversation:
    """One page on one socket. A sink for the runner."""

    def __init__(
        self, socket: ServerConnection, peer: Peer, house: House, hello: m.Hello, new_token: str | None
    ) -> None:
        self._socket, self._peer, self._house, self._hello = socket, peer, house, hello
        self._new_token = new_token
        self._link = house.mint("ln")
        self._teller = Teller(peer, house.runner.workshop)
        self._browser: _BrowserAgent | None = None

    async def run(self) -> None:
        runner, clock = self._house.runner, self._house.clock
        runner.attach(self._link, self, is_page=True)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._peer.run, name="page writer")
                tasks.start_soon(self._teller.run, name="page teller")
                runner.feed(
                    e.PageJoined(
                        self._link, self._hello.kind, self._hello.take_seat, self._new_token, clock()
                    )
                )
                await self._listen()
                tasks.cancel_scope.cancel()
        finally:
            runner.detach(self._link)
            runner.feed(e.PageLeft(self._link, clock()))
            if self._browser is not None:
                self._browser.leave()

    async def _listen(self) -> None:
        try:
            async for frame in self._socket:
                if len(frame) > m.MAX_FRAME_BYTES:
                    self._peer.close(1009, f"a message may have {m.MAX_FRAME_BYTES} bytes")
                    return
                self._take(decode(frame))
        except ConnectionClosed:
            return
        except Refused as refusal:
            self._peer.close(PROTOCOL_ERROR, refusal.message[:100])
            await self._peer.run()

    def _take(self, message: Any) -> None:
        if isinstance(message, m.WebMcpCall):
            if self._browser is None:
                door: e.Door = "browser" if self._hello.kind == "canvas" else "reader"
                self._browser = _BrowserAgent(self._house, self._peer, door)
            self._browser.call(message)
        elif isinstance(message, m.Ask) and message.tool == SNIPPETS:
            self._peer.send(encode(m.Done(id=message.id, result={"hosts": self._house.snippets()})))
        elif not isinstance(message, m.Hello):
            self._house.runner.feed(e.PageSaid(self._link, message, self._house.clock()))

    # -- sink --------------------------------------------------------------------

    def welcomed(self, author: str) -> None:
        """Pages are welcomed by a message of their own."""

    def answer(self, call: str, reply: Reply) -> None:
        """Answers to pages are messages."""

    def tell(self, message: m.Message | Whole) -> None:
        self._teller.tell(message)

    def close(self, code: int, reason: str) -> None:
        self._peer.close(code, reason)


class _BrowserAgent:
    """The agent in the person's browser: a tenant of its own behind the page's socket (WebMCP). Through the
    `reader` door it may only look."""

    def __init__(self, house: House, peer: Peer, door: e.Door) -> None:
        self._house, self._peer = house, peer
        self._tenant, self._token = house.mint("tn"), secrets.token_urlsafe(24)
        house.runner.attach(self._tenant, self)
        house.runner.feed(e.Joined(self._tenant, self._token, "browser", door, None, house.clock()))

    def call(self, message: m.WebMcpCall) -> None:
        arguments: Mapping[str, Any] = message.arguments
        at = self._house.clock()
        self._house.runner.feed(e.Called(self._tenant, message.id, message.tool, arguments, None, at))

    def leave(self) -> None:
        self._house.runner.detach(self._tenant)
        self._house.runner.feed(e.Left(self._tenant, self._token, self._house.clock()))

    def welcomed(self, author: str) -> None:
        """Nothing to say: the page knows."""

    def answer(self, call: str, reply: Reply) -> None:
        result = {**told.result(reply), "isError": reply.is_error}
        self._peer.send(encode(m.WebMcpResult(id=call, result=result)))

    def tell(self, message: m.Message | Whole) -> None:
        """The page is told itself."""

    def close(self, code: int, reason: str) -> None:
        """The page's socket stays; only this tenant is over."""
