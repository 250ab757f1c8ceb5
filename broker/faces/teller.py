"""What one page is told, in order, although a large sheet takes its time to be spelled."""

from __future__ import annotations

from collections import deque

import anyio

from chardesk.broker.desk.effects import Whole
from chardesk.broker.desk.road import told
from chardesk.broker.service.peer import Peer
from chardesk.broker.service.workshop import Workshop
from chardesk.broker.wire.codec import encode
from chardesk.broker.wire.messages import Message


class Teller:
    """Sends at once, as long as no large sheet is on its way to this page; then in its turn."""

    def __init__(self, peer: Peer, workshop: Workshop) -> None:
        self._peer, self._workshop = peer, workshop
        self._waiting: deque[Message | Whole] = deque()
        self._has_some = anyio.Event()

    def tell(self, message: Message | Whole) -> None:
        if self._waiting or isinstance(message, Whole):
            self._waiting.append(message)
            self._has_some.set()
        else:
            self._peer.send(encode(message))

    async def run(self) -> None:
        """Until it is cancelled. What is being spelled stays first in the queue: all else comes after it."""
        while True:
            await self._has_some.wait()
            while self._waiting:
                await self._say(self._waiting[0])
                self._waiting.popleft()
            self._has_some = anyio.Event()

    async def _say(self, message: Message | Whole) -> None:
        if isinstance(message, Whole):
            frames = await self._workshop.have(lambda: [encode(part) for part in told.parts(message)])
            for number, frame in enumerate(frames):
                self._peer.send_part(frame, is_first=number == 0)
        else:
            self._peer.send(encode(message))
