"""One run, from the hand-over of a script to its outcome."""

from __future__ import annotations

import asyncio
import hashlib
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, assert_never

import anyio
import orjson

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
from chardesk.broker.sandbox.outcome import Failed, FailureCode, Finished, Halt, Outcome
from chardesk.broker.sandbox.pipe import BadSize, Enough, Hangup

Answered = dict[str, Any] | Callable[[], Awaitable[dict[str, Any]]]
Answer = Callable[[str, Any], Answered]
"""Answers one call of a script: at once, or with what is to be awaited for it. `Halt` ends the run."""

_Step = bytes | Enough[Any] | None
"""What comes of a message: a frame to send, an outcome or something to await first, or nothing."""

_SIGNALS = {each.value: each.name for each in signal.Signals}

_BROKE = "the script's process broke the protocol"

# Reading a larger frame could hold the loop for over a millisecond; it is done in a thread.
_QUICK_BYTES = 32 * 1024


class Talk:
    """The host's side of a run with one ready child. Used once; its owner kills the child afterwards."""

    def __init__(self, child: Child, answer: Answer) -> None:
        self._child = child
        self._answer = answer
        self._console = Console()
        self._script = ""
        self._operations = 0
        self._bytes = 0
        self._inputs = hashlib.sha256()
        self._now = asyncio.get_running_loop().time
        self._started = self._now()

    async def run(self, script: str, timeout_ms: int, seed: int) -> Outcome:
        """Run the script until it ends, breaks a limit, or is out of wall time. Waiting for answers is time.

        An exception out of the answerer comes out of here, but for `Halt`, which is an outcome.
        """
        self._script = script
        self._inputs.update(b"%d" % seed)
        try:
            with anyio.move_on_after(timeout_ms / 1000):
                return await self._until_end(_packed({"script": script, "seed": seed}))
        except Halt as halt:
            return self._failed("limit_exceeded", str(halt), limit=halt.limit, actual=halt.actual)
        except BadSize as problem:
            return self._failed("crashed", f"{_BROKE}: {problem}")
        except Hangup:
            return self._failed("crashed", _epitaph(await self._child.gone()))
        spent = self._elapsed_ms()
        message = f"Time limit exceeded: the script took {spent} ms; it had {timeout_ms} (timeoutMs)"
        return self._failed("timeout", message, limit=timeout_ms, actual=spent)

    async def _until_end(self, step: _Step) -> Outcome:
        while True:
            match step:
                case Enough(Finished() | Failed() as outcome):
                    return outcome
                case Enough(later):
                    step = await later()
                case bytes():
                    await self._child.pipe.send(step)
                    step = Enough(await self._child.pipe.converse(self._hear))
                case None:
                    step = Enough(await self._child.pipe.converse(self._hear))
                case _:
                    assert_never(step)

    # Hot: from here to the next frame runs once for each call of a script, in the loop's reader callback.

    def _hear(self, body: bytes) -> _Step:
        self._bytes += len(body)
        if self._bytes > limits.TRAFFIC_BYTES:
            return self._over("bytes of arguments and console", limits.TRAFFIC_BYTES, self._bytes)
        if len(body) > _QUICK_BYTES:
            return Enough(partial(self._hear_elsewhere, body))
        return self._understood(_read(body))

    async def _hear_elsewhere(self, body: bytes) -> _Step:
        return self._understood(await asyncio.to_thread(_read, body))

    def _understood(self, message: Message | TooDeep | Malformed) -> _Step:
        match message:
            case Call():
                return self._call(message) if self._operations < limits.OPERATIONS else self._too_many()
            case Said(line):
                return self._say(line)
            case Done(result, truncated):
                return self._done(result, truncated)
            case Threw():
                return self._threw(message)
            case Unsettled():
                return self._end("execution_failed", "result never settled: a promise stayed open")
            case Ready():
                return self._misdeed("ready twice")
            case TooDeep():
                return self._end("limit_exceeded", f"JSON nested deeper than {limits.JSON_DEPTH} levels")
            case Malformed():
                return self._misdeed(str(message))
            case _:
                assert_never(message)

    def _call(self, call: Call) -> _Step:
        self._operations += 1
        answer = self._answer(call.operation, call.args)
        return Enough(partial(self._wait, answer)) if callable(answer) else self._give(answer)

    async def _wait(self, answer: Callable[[], Awaitable[dict[str, Any]]]) -> _Step:
        return self._give(await answer())

    def _give(self, answer: dict[str, Any]) -> bytes:
        frame = _packed(answer)
        self._inputs.update(frame)
        return frame

    # How a run ends.

    def _say(self, line: str) -> _Step:
        try:
            self._console.add(line)
        except Malformed as problem:
            return self._misdeed(str(problem))
        return None

    def _done(self, result: Any, truncated: bool) -> _Step:
        spent, inputs = self._elapsed_ms(), self._inputs.hexdigest()
        return Enough(Finished(result, truncated, self._console.text(), self._operations, spent, inputs))

    def _too_many(self) -> _Step:
        return self._over("operations", limits.OPERATIONS, self._operations + 1)

    def _threw(self, threw: Threw) -> _Step:
        cause = blame(threw, self._script)
        return self._end(cause.code, cause.message, name=cause.name, line=cause.line, column=cause.column)

    def _misdeed(self, what: str) -> _Step:
        return self._end("crashed", f"{_BROKE}: {what}")

    def _over(self, what: str, limit: int, actual: int) -> _Step:
        message = f"{actual} {what}; a script may have {limit}"
        return self._end("limit_exceeded", message, limit=limit, actual=actual)

    def _end(self, code: FailureCode, message: str, **more: Any) -> _Step:
        return Enough(self._failed(code, message, **more))

    def _failed(self, code: FailureCode, message: str, **more: Any) -> Failed:
        spent, console = self._elapsed_ms(), self._console.text()
        return Failed(code, message, console=console, operations=self._operations, duration_ms=spent, **more)

    def _elapsed_ms(self) -> int:
        return round((self._now() - self._started) * 1000)


def _read(body: bytes) -> Message | TooDeep | Malformed:
    """The message, or what is wrong with it. As a value: an answerer's exception must not pass for one."""
    try:
        return parse(body)
    except (TooDeep, Malformed) as problem:
        return problem


def _packed(value: dict[str, Any]) -> bytes:
    """A job or an answer as a frame. A value that JSON does not have is a `TypeError`."""
    body = orjson.dumps(value)
    return pack(body if len(body) <= limits.FRAME_BYTES else limits.TOO_LARGE.encode())


def _epitaph(status: int) -> str:
    if status >= 0:
        return f"the script's process ended with status {status}"
    return f"the script's process was ended by {_SIGNALS.get(-status, f'signal {-status}')}"
