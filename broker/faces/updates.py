"""Telling a client that a resource it subscribed to has changed: at most four times a second each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.subscriptions import ServerEvent

GAP_S = 0.25

Listener = Callable[["ServerEvent"], None]


class Updates:
    """One session's. It is the SDK's subscription bus for clients of the newer era; for the older one, `add`
    and `remove` say which addresses `notify` is called for. Without either nothing is said."""

    def __init__(self, notify: Callable[[str], None]) -> None:
        self._notify = notify
        self._subscribed: set[str] = set()
        self._listeners: dict[object, Listener] = {}
        self._resting: dict[str, bool] = {}
        """Addresses that were told within the last gap; true: they changed since."""
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def is_wanted(self) -> bool:
        return bool(self._subscribed or self._listeners)

    def add(self, uri: str) -> None:
        self._subscribed.add(uri)

    def remove(self, uri: str) -> None:
        self._subscribed.discard(uri)

    def changed(self, uri: str) -> None:
        """Say so now, or when the gap is over."""
        if not self.is_wanted:
            return
        if uri in self._resting:
            self._resting[uri] = True
        else:
            self._tell(uri)

    def close(self) -> None:
        """Nothing more is said."""
        for timer in self._timers.values():
            timer.cancel()
        self._subscribed.clear()
        self._listeners.clear()

    # -- the SDK's bus -------------------------------------------------------------

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        token = object()
        self._listeners[token] = listener
        return lambda: self._forget(token)

    async def publish(self, event: Any) -> None:
        """Events come from the desk, by `changed`."""
        self.changed(event.uri)

    def _forget(self, token: object) -> None:
        self._listeners.pop(token, None)

    # -- the gap -------------------------------------------------------------------

    def _tell(self, uri: str) -> None:
        from mcp.server.subscriptions import ResourceUpdated

        self._resting[uri] = False
        self._timers[uri] = asyncio.get_running_loop().call_later(GAP_S, self._rested, uri)
        if uri in self._subscribed:
            self._notify(uri)
        for listener in list(self._listeners.values()):
            listener(ResourceUpdated(uri=uri))

    def _rested(self, uri: str) -> None:
        has_changed = self._resting.pop(uri)
        del self._timers[uri]
        if has_changed:
            self.changed(uri)
