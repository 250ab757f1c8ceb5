"""The parties of a desk in tests: agents behind real relays, and the person's page as a bare socket."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import relay_process
from brokers import RunningBroker
from websockets.sync.client import connect
from websockets.typing import Origin

from chardesk.broker.door import discovery
from chardesk.broker.door.key import read_key
from chardesk.broker.door.lock import POLL_S, pause
from chardesk.broker.door.place import Place

PATIENCE_S = 20.0
"""A broker that a relay starts needs 2 s on a busy machine; what takes longer than this hangs."""

Fields = dict[str, Any]
Rect = tuple[int, int, int, int]

_names = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool said: its fields, its text blocks joined, and whether it refused."""

    fields: Fields
    text: str
    refused: bool

    @property
    def code(self) -> str | None:
        return str(self.fields["code"]) if self.refused else None


def answer_of(message: Fields) -> Answer:
    """The answer in a JSON-RPC response to `tools/call`."""
    result = message["result"]
    text = "\n".join(block["text"] for block in result["content"])
    return Answer(result.get("structuredContent", {}), text, bool(result.get("isError")))


class Caller(relay_process.Agent):
    """An agent: `chardesk-mcp` over stdio, initialized. A broker that it starts takes any free port."""

    def __init__(self, desk: str, name: str = "ada", env: dict[str, str] | None = None) -> None:
        super().__init__(desk, env={"CHARDESK_AGENT": name, "CHARDESK_PORT": "0", **(env or {})})

    def __enter__(self) -> Self:
        try:
            assert "result" in self.initialize()
        except BaseException:
            self.__exit__()
            raise
        return self

    def send(self, tool: str, /, **arguments: Any) -> int:
        """Ask without waiting; the request's id."""
        return self.ask("tools/call", name=tool, arguments=arguments)

    def tool(self, name: str, /, **arguments: Any) -> Answer:
        return answer_of(self.answer("tools/call", name=name, arguments=arguments))

    def ok(self, name: str, /, **arguments: Any) -> Fields:
        """The fields of a call that must not be refused."""
        told = self.tool(name, **arguments)
        assert not told.refused, told.text
        return told.fields

    def put(self, x: int, y: int, content: str, **more: Any) -> Fields:
        return self.ok("canvas_write", at=[x, y], content=content, mode="apply", **more)

    def cells(self, rect: Rect, **where: Any) -> dict[tuple[int, int], str]:
        """Every stored cell of an exact read, by its left column and row."""
        found = self.ok("canvas_read", viewport=list(rect), representation="cells", **where)["cells"]
        return {(cell["x"], cell["y"]): cell["char"] for cell in found}

    def rows(self, rect: Rect, **where: Any) -> list[str]:
        """An exact read as text: columns without a cell are spaces, trailing ones are cut."""
        told = self.tool("canvas_read", viewport=list(rect), **where)
        assert told.fields["mode"] == "text", told.text
        body = [re.split("[│┤]", line, maxsplit=1)[1] for line in told.text.split("\n")[3:] if _is_row(line)]
        assert len(body) == rect[3], told.text
        return body


def _is_row(line: str) -> bool:
    return re.match(r" *-?\d* [│┤]", line) is not None


class Person:
    """The page as a program: it says what a page says and keeps what it is told. A context manager.

    With `token` it is the same browser again; else it trades a code of the broker's ready line or of
    `chardesk open`.
    """

    def __init__(self, broker: RunningBroker, token: str | None = None, **hello: Any) -> None:
        self.heard: list[Fields] = []
        self._edits = itertools.count(1)
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(
            connect(
                f"ws://{broker.address}/page",
                origin=Origin(f"http://{broker.address}"),
                compression=None,
                proxy=None,
                max_size=None,
                max_queue=None,  # a closing that waits for what nobody reads any more would take ten seconds
            )
        )
        code = None if token else way_in(broker)
        self.say("hello", protocol=1, token=token, code=code, **hello)
        self.welcome = self.until(lambda message: message["type"] == "welcome")
        self.token: str = token or self.welcome["token"]
        self.epoch: int = self.welcome["epoch"]
        self.until(_is_whole)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def say(self, kind: str, /, **fields: Any) -> None:
        self._socket.send(json.dumps({"type": kind, **fields}))

    def until(self, wanted: Callable[[Fields], bool]) -> Fields:
        """The next message like that; those before it are in `heard` as well."""
        end = time.monotonic() + PATIENCE_S
        while True:
            message: Fields = json.loads(self._socket.recv(timeout=max(0.0, end - time.monotonic())))
            self.heard.append(message)
            if wanted(message):
                return message

    def edit(self, kind: str, /, sheet: str | None = None, base: int | None = None, **op: Any) -> Fields:
        """One gesture, and what the broker made of it: a change with its ack, done, or refused."""
        identity = f"{id(self)}-{next(self._edits)}"
        where = sheet or self.welcome["sheet"]
        self.say("edit", id=identity, epoch=self.epoch, sheet=where, op={"kind": kind, **op}, base=base)
        return self.until(lambda told: identity in (told.get("ack"), told.get("id")))

    def type(self, x: int, y: int, text: str) -> Fields:
        return self.edit("text", at=[x, y], text=text)

    def decide(self, preview: str, verdict: str, version: int = 1) -> Fields:
        """Apply or veto a ghost; waits until it is gone."""
        self.say("decide", epoch=self.epoch, preview=preview, version=version, verdict=verdict)
        return self.until(lambda told: told["type"] == "preview_gone" and told["id"] == preview)


def _is_whole(told: Fields) -> bool:
    """Is it the last part of a snapshot?"""
    return bool(told["type"] == "snapshot" and told["part"] + 1 == told["parts"])


class RawAgent:
    """A tenant on a bare socket, so that every frame that reaches it can be looked at. A context manager."""

    def __init__(self, broker: RunningBroker, name: str) -> None:
        self.frames: list[Fields] = []
        self._ids = itertools.count(1)
        self._stack = ExitStack()
        self._socket = self._stack.enter_context(
            connect(f"ws://{broker.address}/agent", compression=None, proxy=None, max_size=None)
        )
        key = read_key(broker.place)
        self._send({"chardesk": "hello", "protocol": 1, "key": key, "name": name, "cwd": "/", "resume": None})
        self.welcome: Fields = json.loads(self._socket.recv(timeout=PATIENCE_S))
        self.ask("initialize", **relay_process.INITIALIZE)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _send(self, message: Fields) -> None:
        self._socket.send(json.dumps(message, separators=(",", ":")))

    def ask(self, method: str, **params: Any) -> Fields:
        """Put a request; the first frame that comes is kept and returned, whatever it is."""
        message = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": params}
        return self.say(json.dumps(message))

    def say(self, frame: str) -> Fields:
        """Send a frame as it is; like `ask`, it keeps and returns what comes next."""
        self._socket.send(frame)
        self.frames.append(json.loads(self._socket.recv(timeout=PATIENCE_S)))
        return self.frames[-1]


def unpacked(cells: Fields) -> dict[tuple[int, int], str]:
    """The characters of packed cells as a page gets them, by left column and row."""
    found: dict[tuple[int, int], str] = {}
    for y, pieces in cells["rows"]:
        for x, columns, _ in pieces:
            chars = [] if isinstance(columns, int) else list(columns)
            found |= {(x + offset, y): char for offset, char in enumerate(chars) if char}
    return found


def way_in(broker: RunningBroker) -> str:
    """A fresh one-time code."""
    done = broker.cli("open", "--print")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().partition("#code=")[2]


@contextmanager
def faultless(desk: Path, **env: str) -> Iterator[RunningBroker]:
    """A running broker that must not have complained of itself by the end."""
    with RunningBroker(desk, **env) as running:
        yield running
    assert "Traceback" not in running.log and " ERROR " not in running.log, running.log


def sheet_of(agent: Caller, **more: Any) -> Fields:
    """A new canvas, so that tests that share a broker don't meet: its `canvasId` and `pageId`."""
    made = agent.ok("canvas_manage", action="create", kind="freeform", name=f"sheet {next(_names)}", **more)
    return {"canvasId": made["canvasId"], "pageId": made["pageId"]}


def eventually(condition: Callable[[], object], patience_s: float = PATIENCE_S) -> float:
    """Wait until it holds; the seconds it took. Fails after the patience."""
    start = time.monotonic()
    while not condition():
        assert time.monotonic() < start + patience_s, "it did not come to pass"
        pause(POLL_S)
    return time.monotonic() - start


@contextmanager
def swept(place: Place) -> Iterator[Place]:
    """Whatever broker the test's agents have started for this desk is ended with the test."""
    try:
        yield place
    finally:
        place.make()
        place.mark_stopped()
        if found := discovery.running(place):
            os.kill(found.pid, signal.SIGKILL)
