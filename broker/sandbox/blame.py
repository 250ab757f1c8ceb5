"""From what a script threw to the failure its author reads."""

from __future__ import annotations

import re
from dataclasses import dataclass

from chardesk.broker.sandbox.legible import legible
from chardesk.broker.sandbox.limits import HEAP_BYTES, SCRIPT_CHARS, STACK_BYTES
from chardesk.broker.sandbox.messages import Threw
from chardesk.broker.sandbox.outcome import FailureCode

# An async function made from a text gets two lines of head: `async function anonymous(` and `) {`.
_HEAD_LINES = 2
# `at f (<input>:12:7)`; a syntax error is `at <input>:12:7`; code in `eval` is named so; the older engine
# tells no column.
_FRAME = re.compile(r"(?<!<eval> \()<input>:([0-9]{1,6})(?::([0-9]{1,6}))?")

# What the engine takes for the end of a line, so that places agree with it.
_LINE_END = re.compile("\r\n?|[\n\u2028\u2029]")
_AT_END = " (at the end of the script)"

_HEAP = f"out of memory: a script has a heap of {HEAP_BYTES} bytes"
_STACK = f"nested too deeply: a script has a stack of {STACK_BYTES} bytes"
# What the engines throw at their limits. A script can throw the same, and is then told the same.
_LIMITS = {
    ("InternalError", "out of memory"): _HEAP,
    ("RangeError", "Maximum call stack size exceeded"): _STACK,
    ("InternalError", "stack overflow"): _STACK,
    # The engine throws a bare null when it has no memory left even for an error.
    (None, "null"): f"{_HEAP} (or the script threw null)",
}


@dataclass(frozen=True, slots=True)
class Blame:
    """The part of a failure that the thrown value decides."""

    code: FailureCode
    message: str
    name: str | None
    line: int | None
    column: int | None


def blame(threw: Threw, script: str) -> Blame:
    """Whose doing an uncaught error is, and where in the caller's script.

    The place is that of the innermost stack frame in the script. Code that the script itself made from text
    (`eval`, `Function`) has lines of its own, which cannot always be told apart. What the engine misses only
    after the last line, in what closes the function, is missing at the end of the script.
    """
    line, column = _place(threw.stack or "")
    message, name = legible(threw.message), None if threw.name is None else legible(threw.name)
    lines = _LINE_END.split(script)
    if line is not None and line > len(lines):
        line, column, message = len(lines), _units(lines[-1]) + 1, message + _AT_END
    limit = _LIMITS.get((threw.name, threw.message))
    if limit is not None:
        return Blame("limit_exceeded", limit, threw.name, line, column)
    return Blame("execution_failed", message, name, line, column)


def _units(text: str) -> int:
    """Its length as the engine counts columns: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _place(stack: str) -> tuple[int | None, int | None]:
    for found in _FRAME.finditer(stack):
        line = int(found[1]) - _HEAD_LINES
        if 0 < line <= SCRIPT_CHARS.stop:
            return line, int(found[2]) if found[2] else None
    return None, None
