"""What a child may say, read as if an attacker had written it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import UnionType
from typing import Any, NoReturn

import orjson

from chardesk.broker.sandbox.frames import Malformed
from chardesk.broker.sandbox.limits import CANVAS_OPERATIONS, JSON_DEPTH, RESULT_BYTES


class TooDeep(ValueError):
    """JSON nested deeper than `JSON_DEPTH`. An honest script can do this."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Confined and waiting for a job."""


@dataclass(frozen=True, slots=True)
class Call:
    """`canvas.<operation>(args)`. `args` is whatever JSON the script gave."""

    operation: str
    args: Any


@dataclass(frozen=True, slots=True)
class Said:
    """One line for the console."""

    line: str


@dataclass(frozen=True, slots=True)
class Done:
    """What the script returned; None and truncated if that is over `RESULT_BYTES`."""

    result: Any
    truncated: bool


@dataclass(frozen=True, slots=True)
class Threw:
    """An uncaught error, as far as the thrown value let itself be read."""

    name: str | None
    message: str
    stack: str | None


@dataclass(frozen=True, slots=True)
class Unsettled:
    """Nothing is left to run and the script's promise is still open."""


Message = Ready | Call | Said | Done | Threw | Unsettled

_SHAPES: dict[str, tuple[Callable[..., Message], tuple[type | UnionType, ...]]] = {
    "ready": (Ready, ()),
    "call": (Call, (str, object)),
    "say": (Said, (str,)),
    "done": (Done, (object, bool)),
    "threw": (Threw, (str | None, str, str | None)),
    "unsettled": (Unsettled, ()),
}
_DONE_BYTES = len('["done",,false]')

# Text that json.loads takes but later readers choke on: a lone surrogate, an integer beyond 64 bits, a number
# that becomes infinite. Also hits some that are harmless; it only decides who is walked.
_ODD = re.compile(rb"[\\0-9eE](?:(?<=\\)u[dD][89a-fA-F]|(?<=[0-9])[0-9]{18}|(?<=[eE])\+?[0-9]{3})")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_SAFE_INTEGER = 2**53


def parse(body: bytes) -> Message:
    """The message in a frame. `Malformed` if no honest child sends such, `TooDeep` if over `JSON_DEPTH`.

    Strings come out without lone surrogates (each is U+FFFD), integers over 2^53 as floats, and no number is
    infinite or NaN.
    """
    fields = _loads(body)
    if not isinstance(fields, list) or not fields or not isinstance(fields[0], str):
        raise Malformed("a frame that is no message")
    tag, *values = fields
    if tag == "call" and len(values) == 2 and values[0] in CANVAS_OPERATIONS:  # hot: before all others
        return Call(*values)
    make, types = _SHAPES.get(tag) or _refuse("a message of no known kind")
    if len(values) != len(types) or not all(map(isinstance, values, types)):
        raise Malformed(f"a message '{tag}' of another shape")
    return _checked(make(*values), len(body))


def _checked(message: Message, size: int) -> Message:
    match message:
        case Call():
            raise Malformed("a call of no known operation")
        case Done() if size > RESULT_BYTES + _DONE_BYTES:
            return Done(None, truncated=True)
        case _:
            return message


def _loads(body: bytes) -> Any:
    # Cheap and never wrong in the dangerous direction: nesting needs that many brackets.
    is_plain = body.count(b"[") + body.count(b"{") <= JSON_DEPTH and not _ODD.search(body)
    try:
        return orjson.loads(body) if is_plain else _sound(_DECODER.decode(body.decode()), JSON_DEPTH)
    except RecursionError:
        raise TooDeep from None
    except (ValueError, OverflowError) as problem:
        if isinstance(problem, TooDeep | Malformed):
            raise
        raise Malformed("a frame that is no JSON") from None


def _sound(value: Any, levels: int) -> Any:
    if levels < 0:
        raise TooDeep
    match value:
        case str():
            return _LONE_SURROGATE.sub("\ufffd", value)
        case list():
            return [_sound(item, levels - 1) for item in value]
        case dict():
            return {_sound(key, 0): _sound(item, levels - 1) for key, item in value.items()}
        case bool() | None:
            return value
        case int() | float():
            return _finite(value)
        case _:
            raise Malformed("a value that JSON does not have")


def _finite(number: int | float) -> int | float:
    if isinstance(number, int) and abs(number) <= _SAFE_INTEGER:
        return number
    if not math.isfinite(number):
        raise Malformed("a number that is not finite")
    return float(number)


def _refuse(what: str) -> NoReturn:
    raise Malformed(what)


_DECODER = json.JSONDecoder(parse_constant=_refuse)
