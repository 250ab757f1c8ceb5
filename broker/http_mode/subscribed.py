"""What clients over HTTP subscribed to. The relay has one subscription of each address for all of them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
from mcp import types
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated

log = logging.getLogger("chardesk.http")

Upstream = Callable[[types.SubscribeRequest | types.UnsubscribeRequest], Awaitable[Any]]

MAX_SESSIONS = 64
"""With subscriptions; beyond them the oldest is told nothing more: its client has most likely gone."""

MAX_ADDRESSES = 256
"""Of one session or stream; more than a desk has that is worth watching."""

TELL_S = 1.0
"""A client that doesn't read for so long misses an update."""


@dataclass(slots=True)
class _Session:
    session: ServerSession
    addresses: set[str] = field(default_factory=set)


class Subscribed:
    """Of both eras: sessions that subscribe to addresses one by one, and streams that listen."""

    def __init__(self) -> None:
        self._upstream: Upstream | None = None
        self._holders: Counter[str] = Counter()
        self._sessions: dict[str, _Session] = {}
        self._bus = InMemorySubscriptionBus()
        self._listen = ListenHandler(self._bus)

    def connect(self, upstream: Upstream) -> None:
        """Where the relay is asked; call it before any client comes."""
        self._upstream = upstream

    async def updated(self, message: Any) -> None:
        """What the relay says unasked: an update goes to all who want it, anything else to nobody."""
        if not isinstance(message, types.ResourceUpdatedNotification):
            return
        uri = str(message.params.uri)
        await self._bus.publish(ResourceUpdated(uri=uri))
        for name, one in list(self._sessions.items()):
            if uri in one.addresses:
                await self._tell(name, one.session, uri)

    async def _tell(self, name: str, session: ServerSession, uri: str) -> None:
        changed = types.ResourceUpdatedNotification(params=types.ResourceUpdatedNotificationParams(uri=uri))
        try:
            with anyio.move_on_after(TELL_S):
                await session.send_notification(changed)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            log.info("session %s is gone", name)
            self.forget(name)

    # -- the older era ---------------------------------------------------------------

    async def add(self, name: str, session: ServerSession, uri: str) -> None:
        """Subscribe a session. Again: nothing happens."""
        one = self._sessions.pop(name, None) or _Session(session)
        self._sessions[name] = one
        while len(self._sessions) > MAX_SESSIONS:
            self.forget(next(iter(self._sessions)))
        if uri not in one.addresses and len(one.addresses) < MAX_ADDRESSES:
            one.addresses.add(uri)
            await self._hold(uri)

    async def remove(self, name: str, uri: str) -> None:
        one = self._sessions.get(name)
        if one is not None and uri in one.addresses:
            one.addresses.remove(uri)
            await self._let_go(uri)

    def forget(self, name: str) -> None:
        """The session has ended. What only it wanted is let go with the next subscription of anybody."""
        one = self._sessions.pop(name, None)
        if one is not None:
            self._holders.subtract(one.addresses)

    # -- the newer era ---------------------------------------------------------------

    async def listen(
        self, context: Any, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Serve one stream until its client goes."""
        wanted = list(dict.fromkeys(params.notifications.resource_subscriptions or ()))[:MAX_ADDRESSES]
        async with self._held(wanted):
            return await self._listen(context, params)

    @asynccontextmanager
    async def _held(self, addresses: list[str]) -> AsyncIterator[None]:
        for uri in addresses:
            await self._hold(uri)
        try:
            yield
        finally:
            self._holders.subtract(addresses)

    # -- the relay -------------------------------------------------------------------

    async def _hold(self, uri: str) -> None:
        self._holders[uri] += 1
        if self._holders[uri] == 1:
            await self._ask(types.SubscribeRequest(params=types.SubscribeRequestParams(uri=uri)))
        await self._sweep()

    async def _let_go(self, uri: str) -> None:
        self._holders[uri] -= 1
        await self._sweep()

    async def _sweep(self) -> None:
        """Addresses that nobody wants any more."""
        for uri in [uri for uri, holders in self._holders.items() if holders <= 0]:
            del self._holders[uri]
            await self._ask(types.UnsubscribeRequest(params=types.UnsubscribeRequestParams(uri=uri)))

    async def _ask(self, request: types.SubscribeRequest | types.UnsubscribeRequest) -> None:
        assert self._upstream is not None, "no relay"
        await self._upstream(request)
