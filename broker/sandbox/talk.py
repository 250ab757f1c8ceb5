"""One run, from the hand-over of a script to its outcome."""

from __future__ import annotations

import asyncio
import inspect
import json
import signal
from collections.abc import Awaitable, Callable
from typing import Any, assert_never

import anyio

from chardesk.broker.sandbox import limits
from chardesk.broker.sandbox.blame import blame
from chardesk.broker.sandbox.child import Child
from chardesk.broker.sandbox.console import Console
from chardesk.broker.sandbox.frames import Malformed, pack
from chardesk.broker.sandbox.messages import (
    Call,
    Done,
    Message,
    Ready,
    Said,
    Threw,
    TooDeep,
    Unsettled,
    parse,
)
from chardesk.broker.sandbox.outcome import Failed, FailureCode, Finished, Outcome

Answer = Callable[[str, Any], Awaitable[dict[str, Any]] | dict[str, Any]]

_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))

_SIGNALS = {each.value: each.name for each in signal.Signals}

# Reading a larger frame could hold the loop for over a millisecond; it is done in a thread.
_QUICK_BYTES = 32 * 1024


class Talk:
    """The host's side of a run with one ready child. Used once; its owner kills the child afterwards."""

    def __init__(self, child: Child, answer: Answer) -> None:
        self._child = child
        self._answer = answer
        self._console = Console()
        self._operations = 0
        self._bytes = 0
        self._now = asyncio.get_running_loop().time
        self._started = self._now()

    async def run(self, script: str, timeout_ms: int, seed: int) -> Outcome:
        """Run the script until it ends, breaks a limit, or is out of wall time. Waiting for answers is time.

        An exception out of the answerer comes out of here.
        """
        with anyio.move_on_after(timeout_ms / 1000):
            return await self._until_end({"script": script, "seed": seed})
        return self._failed("timeout", f"Time limit exceeded: the script took over {timeout_ms} ms")

    async def _until_end(self, job: dict[str, Any]) -> Outcome:
        turn = await self._turn(_packed(job))
        while isinstance(turn, Call):
            turn = await self._turn(_packed(await self._answered(turn)))
        return turn

    async def _answered(self, call: Call) -> dict[str, Any]:
        self._operations += 1
        answer = self._answer(call.operation, call.args)
        return await answer if inspect.isawaitable(answer) else answer

    async def _turn(self, frame: bytes) -> Call | Outcome:
        """Give the child what it waits for and hear it until it calls or ends. Its misdeeds are outcomes."""
        try:
            await self._child.pipe.send(frame)
            while True:
                turn = self._heard(await self._receive())
                if turn is not None:
                    return turn
        except TooDeep:
            return self._failed("limit_exceeded", f"JSON nested deeper than {limits.JSON_DEPTH} levels")
        except Malformed as problem:
            return self._failed("crashed", f"the script's process broke the protocol: {problem}")
        except (EOFError, ConnectionError):
            return self._failed("crashed", _epitaph(await self._child.gone()))

    async def _receive(self) -> Message:
        body = await self._child.pipe.receive()
        self._bytes += len(body)
        return parse(body) if len(body) <= _QUICK_BYTES else await asyncio.to_thread(parse, body)

    def _heard(self, message: Message) -> Call | Outcome | None:
        """What a message comes to; None if the child goes on by itself."""
        if self._bytes > limits.TRAFFIC_BYTES:
            return self._over("bytes of arguments and console", limits.TRAFFIC_BYTES, self._bytes)
        match message:
            case Call():
                return message if self._operations < limits.OPERATIONS else self._too_many()
            case Said(line):
                self._console.add(line)
                return None
            case Done(result, truncated):
                return Finished(result, truncated, self._console.text(), self._operations, self._elapsed_ms())
            case Threw():
                return self._threw(message)
            case Unsettled():
                return self._failed("execution_failed", "result never settled: a promise stayed open")
            case Ready():
                raise Malformed("ready twice")
            case _:
                assert_never(message)

    def _too_many(self) -> Failed:
        return self._over("operations", limits.OPERATIONS, self._operations + 1)

    def _threw(self, threw: Threw) -> Failed:
        cause = blame(threw)
        return self._failed(cause.code, cause.message, cause.name, cause.line, cause.column)

    def _over(self, what: str, limit: int, actual: int) -> Failed:
        return self._failed("limit_exceeded", f"{actual} {what}; a script may have {limit}")

    def _failed(
        self,
        code: FailureCode,
        message: str,
        name: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> Failed:
        console, spent = self._console.text(), self._elapsed_ms()
        return Failed(code, message, name, line, column, console, self._operations, spent)

    def _elapsed_ms(self) -> int:
        return round((self._now() - self._started) * 1000)


def _packed(value: dict[str, Any]) -> bytes:
    """A job or an answer as a frame. A value that JSON does not have is a `ValueError` or `TypeError`."""
    body = _ENCODER.encode(value).encode()
    return pack(body if len(body) <= limits.FRAME_BYTES else limits.TOO_LARGE.encode())


def _epitaph(status: int) -> str:
    if status >= 0:
        return f"the script's process ended with status {status}"
    return f"the script's process was ended by {_SIGNALS.get(-status, f'signal {-status}')}"
