"""The child: one engine, one script, one socket.

It is told the socket's number, the engine's folder and the host's process id. It says `["ready"]` once it is
confined, takes one job (`{"script", "seed"}`), tells what came of it, and ends. It holds nothing that a
script could steal, and the host takes all it sends for hostile.
"""

from __future__ import annotations

import os
import sys

from chardesk.broker.sandbox import frames, limits
from chardesk.broker.sandbox.confine import NotConfined, confine

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` is not loaded in the child: it takes as long as the engine
    from collections.abc import Callable
    from typing import Any

# The prelude starts below the last line a script can have, so that a line number tells whose code it is.
_PRELUDE_LINES_DOWN = limits.SCRIPT_CHARS.stop + 8

_OUT_OF_MEMORY = b'["threw","InternalError","out of memory",null]'


class Door:
    """The two functions through which a script's calls leave the engine.

    Neither ever raises: an exception in a callable leaves the engine in an undefined state, so the process
    ends instead.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def ask(self, operation: str, arguments: str) -> str:
        """The host's answer, as JSON text, to one call; a refusal without asking if the arguments are too
        large.
        """
        try:
            body = f'["call","{operation}",{arguments}]'.encode()
            if len(body) > limits.FRAME_BYTES:
                return limits.TOO_LARGE
            frames.send(self._fd, body)
            return frames.receive(self._fd)
        except BaseException:
            os._exit(limits.EXIT_BROKEN)

    def tell(self, line: str) -> None:
        """Pass on one console line, already JSON text."""
        try:
            frames.send(self._fd, f'["say",{line}]'.encode())
        except BaseException:
            os._exit(limits.EXIT_BROKEN)


def main(prelude: str) -> None:
    """Live the child's whole life. Never returns: every way out is an exit status."""
    fd, engine_folder, host = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    sys.path.append(engine_folder)
    try:
        import _quickjs  # type: ignore[import-not-found]
    except ImportError:
        os._exit(limits.EXIT_ENGINE_MISSING)
    try:
        context = _quickjs.Context()
        begin = _furnished(context, Door(fd), prelude)
        confine(host)
        frames.send(fd, b'["ready"]')
        frames.send(fd, _outcome(context, begin, frames.receive(fd), _quickjs.JSException))
    except NotConfined:
        os._exit(limits.EXIT_NOT_CONFINED)
    except BaseException:
        os._exit(limits.EXIT_BROKEN)
    os._exit(0)


def _furnished(context: Any, door: Door, prelude: str) -> Callable[[str], Callable[[], str]]:
    """Bound the engine, put the prelude's world into it, and give the function that begins a script."""
    context.set_memory_limit(limits.HEAP_BYTES)
    context.set_max_stack_size(limits.STACK_BYTES)
    context.add_callable("__ask", door.ask)
    context.add_callable("__tell", door.tell)
    furnish = context.eval("\n" * _PRELUDE_LINES_DOWN + prelude)
    operations = '["' + '","'.join(limits.PLAIN_OPERATIONS) + '"]'
    begin: Callable[[str], Callable[[], str]] = furnish(
        operations, limits.CONSOLE_BYTES, limits.FRAME_BYTES, limits.RESULT_BYTES, limits.ERROR_CHARS
    )
    return begin


def _outcome(
    context: Any, begin: Callable[[str], Callable[[], str]], job: str, js_exception: type[Exception]
) -> bytes:
    """Run the job until no promise has anything left to do: a script is over when nothing of it can act any
    more.
    """
    try:
        finish = begin(job)
        while context.execute_pending_job():
            pass
        return finish().encode()
    except js_exception:
        # The prelude lets no error of a script through; what comes here is the engine without memory to
        # report one.
        return _OUT_OF_MEMORY
