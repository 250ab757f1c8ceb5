"""JSON at a tenth of its start: the compiled halves of `json`, without the module around them.

`chardesk-mcp` is started by every agent, so its imports are its start. `import json` costs 9 ms and 1.2 MB
on a bare interpreter of 12 ms, nearly all of it for `re`; the scanner and the encoder are C and cost
nothing. Where an interpreter has no `_json`, the public module does the same work more slowly.

The same thrift explains two habits of this room: `TYPE_CHECKING = False` instead of importing `typing` (11
ms), and plain classes with `__slots__` instead of dataclasses (15 ms).
"""

from __future__ import annotations

try:
    from _json import encode_basestring, encode_basestring_ascii, make_encoder, make_scanner
except ImportError:  # another interpreter than CPython
    from json.encoder import JSONEncoder, encode_basestring, encode_basestring_ascii
    from json.scanner import make_scanner

    make_encoder = None  # type: ignore[assignment, misc]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Never

JSON_SPACE = " \t\r\n"


class NotJson(ValueError):
    """The text is not one JSON value (or is nested deeper than the interpreter's stack)."""


def unreachable(value: Never) -> Never:
    """End of a match: a shape nobody handles is a mistake of ours, and is named."""
    raise AssertionError(f"no case for {type(value).__name__}")


def _no_constant(name: str) -> None:
    """`NaN` and `Infinity` are Python's invention, not JSON."""
    raise NotJson(name)


class _Strict:
    """What the compiled scanner asks its context: plain types, no hooks, no control characters in strings."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_no_constant)
    memo: dict[str, str] = {}  # noqa: RUF012  read by the Python scanner only, which empties it after each call


_scan: Callable[[str, int], tuple[Any, int]] = make_scanner(_Strict())  # type: ignore[arg-type]


def scan(text: str, at: int) -> tuple[Any, int]:
    """The JSON value that starts exactly at `at`, and where it ends. `NotJson` if none starts there.

    CPython 3.11 and 3.12 raise SystemError for malformed JSON while `json.decoder` is not imported: the
    scanner wants its JSONDecodeError from there.
    """
    try:
        return _scan(text, at)
    except (ValueError, StopIteration, RecursionError, SystemError) as problem:
        raise NotJson("not JSON") from problem


def loads(data: bytes) -> Any:
    """The one JSON value in `data`. `NotJson` for bad UTF-8, a second value, NaN, a nesting bomb."""
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        raise NotJson("not UTF-8") from problem
    value, end = scan(text, len(text) - len(text.lstrip(JSON_SPACE)))
    if text[end:].strip(JSON_SPACE):
        raise NotJson("text after the value")
    return value


def _encoder(quote: Callable[[str], str]) -> Callable[[Any], str]:
    if make_encoder is None:
        escaped = quote is encode_basestring_ascii
        return JSONEncoder(ensure_ascii=escaped, allow_nan=False, separators=(",", ":")).encode
    encode = make_encoder(None, None, quote, None, ":", ",", False, False, False)  # type: ignore[arg-type]
    return lambda value: "".join(encode(value, 0))


_encode = _encoder(encode_basestring)
_encode_escaped = _encoder(encode_basestring_ascii)


def dumps(value: Any) -> bytes:
    """`value` as compact JSON in UTF-8, keys in their order. `ValueError` for infinities, which JSON has no
    word for.

    Text stays as it is, so that CJK doesn't double in size; only a lone surrogate, which UTF-8 can't carry,
    makes the whole message fall back to escapes.
    """
    try:
        return _encode(value).encode()
    except UnicodeEncodeError:
        return _encode_escaped(value).encode()
