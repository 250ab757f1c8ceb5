"""The door for agents and the CLI: `/agent`. A hello with the desk's key, then MCP messages untouched."""

from __future__ import annotations

import hmac
import itertools
import secrets
from collections.abc import Mapping
from typing import Any

import anyio
import anyio.lowlevel
import orjson
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.effects import Reply
from chardesk.broker.faces import builds, mcp, resources
from chardesk.broker.faces.amiss import size_of, too_large
from chardesk.broker.faces.house import House
from chardesk.broker.service.peer import Peer
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.codes import AUTH, INCOMPATIBLE, RESTARTING
from chardesk.broker.wire.to_agent import ReadFile

HELLO_S = 5.0
"""A peer that says nothing is closed after this; until its hello it is told nothing either."""

HEARTBEAT_S = 15


class Refusal(Exception):
    """This peer does not get in."""

    def __init__(self, code: int, reason: str, last: dict[str, Any] | None = None) -> None:
        super().__init__(reason)
        self.code, self.reason, self.last = code, reason, last


async def serve(socket: ServerConnection, house: House) -> None:
    """One connection, from hello to the end."""
    try:
        said = await _hello(socket, house)
    except Refusal as refusal:
        if refusal.last is not None:
            await socket.send(orjson.dumps(refusal.last).decode())
        await socket.close(refusal.code, refusal.reason)
        return
    except ConnectionClosed:
        return
    await house.mcp_loaded.wait()
    await _Conversation(socket, house, said).run()


async def _hello(socket: ServerConnection, house: House) -> dict[str, Any]:
    try:
        with anyio.fail_after(HELLO_S):
            frame = await socket.recv()
        said = orjson.loads(frame)
    except (TimeoutError, orjson.JSONDecodeError):
        raise Refusal(AUTH, "say hello first") from None
    if not isinstance(said, dict) or said.get("chardesk") != "hello":
        raise Refusal(AUTH, "say hello first")
    if not hmac.compare_digest(str(said.get("key", "")).encode(), house.desk_key.encode()):
        raise Refusal(AUTH, "this is not the desk's key")
    protocol = said.get("protocol")
    if isinstance(protocol, int) and protocol > m.PROTOCOL and builds.make_way(house, None):
        raise Refusal(RESTARTING, "a newer build takes over")
    if protocol != m.PROTOCOL:
        known = {"chardesk": "incompatible", "protocols": [m.PROTOCOL], "version": house.version}
        raise Refusal(INCOMPATIBLE, f"this broker speaks protocol {m.PROTOCOL}", known)
    return said


class _Conversation:
    """One tenant on one socket. A sink for the runner."""

    def __init__(self, socket: ServerConnection, house: House, said: Mapping[str, Any]) -> None:
        self._socket, self._house, self._said = socket, house, said
        self._peer = Peer(socket)
        self._tenant = house.mint("tn")
        self._token = secrets.token_urlsafe(24)
        self._session = mcp.Session(house.version, self._ask, self._peer.send)
        self._answers: dict[str, tuple[anyio.Event, list[Reply]]] = {}
        self._calls = itertools.count(1)
        self._author = ""
        self._is_cli = said.get("kind") == "cli"

    async def run(self) -> None:
        runner, clock = self._house.runner, self._house.clock
        runner.attach(self._tenant, self)
        runner.watchers[self._tenant] = self._watch
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._peer.run, name="agent writer")
                tasks.start_soon(self._session.run, name="mcp session")
                runner.feed(self._joined(clock()))
                if not self._is_cli and self._said.get("resume") is None:
                    tasks.start_soon(self._compare_builds, name="compare builds")
                try:
                    await self._listen()
                finally:
                    # Before what it waits for is cancelled call by call: nothing more of its queue is served.
                    runner.feed(e.Left(self._tenant, self._token, clock()))
                tasks.cancel_scope.cancel()
        finally:
            runner.detach(self._tenant)

    async def _compare_builds(self) -> None:
        """After the welcome: a new agent does not wait for it."""
        package = self._said.get("package")
        if not isinstance(package, str) or not await builds.is_unlike(self._house, package):
            return
        if not builds.make_way(self._house, self._tenant):
            self._peer.send(orjson.dumps(builds.in_use(self._house)).decode())

    def _joined(self, at: float) -> e.Joined:
        resume = self._said.get("resume")
        return e.Joined(
            tenant=self._tenant,
            token=self._token,
            name=str(self._said.get("name") or "agent"),
            door="cli" if self._is_cli else "agent",
            resume=resume if isinstance(resume, str) else None,
            at=at,
        )

    async def _listen(self) -> None:
        try:
            async for frame in self._socket:
                text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
                if text.startswith('{"chardesk":'):
                    self._control(text)
                elif size_of(text) > m.MAX_FRAME_BYTES:
                    self._peer.send(too_large(text))
                else:
                    await self._session.take(text)
                    await anyio.lowlevel.checkpoint()  # a flood's frames in one go would hold up everybody
        except ConnectionClosed:
            return
        finally:
            self._session.close()

    def _control(self, text: str) -> None:
        """What only the holder of the desk key's own tools ask (the state, a way in, the end), and files."""
        try:
            said = orjson.loads(text)
        except orjson.JSONDecodeError:
            return
        if self._is_cli and said.get("chardesk") == "ask":
            answer = self._house.asked(str(said.get("what")))
            self._peer.send(orjson.dumps({"chardesk": "told", "id": said.get("id"), **answer}).decode())
        elif said.get("chardesk") == "file":
            self._house.runner.feed(self._file(said))

    def _file(self, said: Mapping[str, Any]) -> e.SourceRead:
        text = said.get("text")
        return e.SourceRead(
            tenant=self._tenant,
            job=str(said.get("id")),
            text=text if isinstance(text, str) else None,
            error=str(said.get("error") or "the file was not handed out"),
            code=str(said.get("code")),
            at=self._house.clock(),
        )

    async def _ask(self, tool: str, arguments: Mapping[str, Any], key: str | None) -> Reply:
        call = str(next(self._calls))
        event: anyio.Event = anyio.Event()
        replies: list[Reply] = []
        self._answers[call] = (event, replies)
        try:
            at = self._house.clock()
            self._house.runner.feed(e.Called(self._tenant, call, tool, arguments, key, at))
            if not replies:
                await event.wait()
            return replies[0]
        except anyio.get_cancelled_exc_class():
            self._house.runner.feed(e.Cancelled(self._tenant, call, self._house.clock()))
            raise
        finally:
            del self._answers[call]

    # -- sink --------------------------------------------------------------------

    def _watch(self, effect: fx.Effect) -> None:
        """Tell the client of the resources that it subscribed to."""
        if self._session.updates.is_wanted:
            contents = self._house.runner.desk.state.contents
            for uri in resources.touched(effect, self._author, contents):
                self._session.updates.changed(uri)

    def welcomed(self, author: str) -> None:
        self._author = author
        welcome = {
            "chardesk": "welcome",
            "tenant": self._tenant,
            "token": self._token,
            "name": author,
            "heartbeatS": HEARTBEAT_S,
            "maxBytes": m.MAX_FRAME_BYTES,
        }
        self._peer.send(orjson.dumps(welcome).decode())

    def answer(self, call: str, reply: Reply) -> None:
        waiting = self._answers.get(call)
        if waiting is not None:
            waiting[1].append(reply)
            waiting[0].set()

    def tell(self, message: m.Message | fx.Whole) -> None:
        """Pages are told things; agents ask, and are asked for files."""
        if isinstance(message, ReadFile):
            self._peer.send(message.model_dump_json(by_alias=True))

    def close(self, code: int, reason: str) -> None:
        self._peer.close(code, reason)
