"""A stand-in for the broker that speaks wire.md to `/agent` and does as the test says.

In a thread (`FakeBroker`), so that a test can watch and steer it; or as a process of its own
(`python fake_broker.py serve --desk DIR`, as a relay starts a broker), so that a test can kill it.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import Server, ServerConnection, serve

from chardesk.broker.door import discovery, key, lock
from chardesk.broker.door.place import Place

PATIENCE_S = 10.0
QUIET = logging.getLogger("fake_broker")
QUIET.addHandler(logging.NullHandler())
QUIET.propagate = False

Answer = Callable[[dict[str, Any]], dict[str, Any] | None]


def _compact(message: dict[str, Any]) -> str:
    return json.dumps(message, separators=(",", ":"), ensure_ascii=False)


def echo(message: dict[str, Any]) -> dict[str, Any] | None:
    """What a broker would answer to `message`, as far as a relay can tell; None for a notification."""
    if "id" not in message or "method" not in message:
        return None
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
    params = message.get("params", {})
    match message["method"]:
        case "initialize":
            server = {"name": "fake", "version": "1"}
            answer["result"] = {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": server,
            }
        case "tools/call":
            answer["result"] = {"content": [{"type": "text", "text": params["arguments"].get("text", "")}]}
        case _:
            answer["result"] = {}
    return answer


class Peer:
    """One relay that was welcomed."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket
        self.heard: queue.Queue[dict[str, Any]] = queue.Queue()

    def next(self, method: str | None = None) -> dict[str, Any]:
        """The next message from the relay, of that method if one is named (those before it are dropped)."""
        while True:
            message = self.heard.get(timeout=PATIENCE_S)
            if method is None or message.get("method") == method:
                return message

    def send(self, message: dict[str, Any]) -> None:
        self.socket.send(_compact(message))

    def close(self, code: int = 1012, reason: str = "") -> None:
        """Start closing. The relay may not be moving yet, so its answer is not waited for here."""
        threading.Thread(target=self.socket.close, args=(code, reason), daemon=True).start()


class FakeBroker:
    """A running broker as far as lock, discovery file and socket are concerned; a context manager.

    `answer` makes the reply to each message (None: none is sent). `turn_away`: a close code that each
    hello gets instead of a welcome (1011: not even a hello is waited for).
    """

    def __init__(
        self, place: Place, answer: Answer = echo, turn_away: int | None = None, port: int = 0
    ) -> None:
        self.place = place
        self.answer = answer
        self.turn_away = turn_away
        self.hellos: queue.Queue[dict[str, Any]] = queue.Queue()
        self.peers: queue.Queue[Peer] = queue.Queue()
        self.attempts = 0
        self.on_hello: Callable[[], object] = lambda: None
        self.protocols: list[int] | None = None
        place.make()
        self.key = key.desk_key(place)
        held = lock.hold(place.broker_lock, wait_s=PATIENCE_S)
        assert held is not None
        self._lock = held
        self._server: Server = serve(
            self._meet,
            "127.0.0.1",
            port,
            compression=None,
            max_size=4 * 1024 * 1024,
            close_timeout=0.5,
            logger=QUIET,
        )
        self._thread = threading.Thread(target=self._server.serve_forever, name="fake broker")
        self._thread.start()
        self.port: int = self._server.socket.getsockname()[1]
        self.publish()

    def publish(self, protocol: int = discovery.PROTOCOL) -> None:
        said = discovery.Discovery(
            f"127.0.0.1:{self.port}", os.getpid(), "2026-01-01T00:00:00Z", protocol, "0", "fake"
        )
        discovery.write(self.place, said)

    def __enter__(self) -> FakeBroker:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self, code: int = 1012) -> None:
        """An orderly end: peers are closed with `code`, the discovery file goes, the lock is free."""
        discovery.remove(self.place)
        self._server.shutdown(code=code)
        self._thread.join(PATIENCE_S)
        self._lock.release()

    def peer(self) -> Peer:
        """The next relay that was welcomed."""
        return self.peers.get(timeout=PATIENCE_S)

    def hello(self) -> dict[str, Any]:
        """The next hello, welcomed or not."""
        return self.hellos.get(timeout=PATIENCE_S)

    def _meet(self, socket: ServerConnection) -> None:
        self.attempts += 1
        try:
            if self.turn_away == 1011:
                socket.close(1011)
                return
            said = json.loads(socket.recv())
            self.hellos.put(said)
            self.on_hello()
            if self.protocols is not None:
                socket.send(
                    json.dumps(
                        {"chardesk": "incompatible", "protocols": self.protocols}, separators=(",", ":")
                    )
                )
            if self.turn_away is not None or said["key"] != self.key:
                socket.close(self.turn_away or 4401)
                return
            self._welcome(socket, said)
        except ConnectionClosed:
            return

    def _welcome(self, socket: ServerConnection, said: dict[str, Any]) -> None:
        welcome = {
            "chardesk": "welcome",
            "tenant": "tn-0",
            "token": said["resume"] or f"token-{self.attempts}",
        }
        welcome |= {"name": said["name"], "heartbeatS": 15, "maxBytes": 1048576}
        socket.send(_compact(welcome))
        peer = Peer(socket)
        self.peers.put(peer)
        for frame in socket:
            message = json.loads(frame)
            peer.heard.put(message)
            answer = self.answer(message)
            if answer is not None:
                socket.send(_compact(answer))


def main() -> None:
    """As a process: serve until killed. Takes the arguments of `chardesk serve`; any free port."""
    place = Place(sys.argv[sys.argv.index("--desk") + 1])
    with FakeBroker(place):
        threading.Event().wait()


if __name__ == "__main__":
    main()
