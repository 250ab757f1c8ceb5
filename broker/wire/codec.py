"""Messages to text and back. The only place that knows they are JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import orjson
from pydantic import ConfigDict, TypeAdapter, ValidationError

from chardesk.broker.wire.messages import FromPage, Message
from chardesk.tools.errors import Refused

_FROM_PAGE: TypeAdapter[Any] = TypeAdapter(FromPage, config=ConfigDict(defer_build=True))


def compilers() -> list[Callable[[], object]]:
    """Each compiles a part of what `decode` needs, which does it itself at its first use otherwise."""
    return [*(message.model_rebuild for message in get_args(get_args(FromPage)[0])), _FROM_PAGE.rebuild]


def encode(message: Message) -> str:
    """One frame of text. What is None is left out."""
    return message.model_dump_json(by_alias=True, exclude_none=True)


def decode(text: str | bytes) -> Any:
    """One of the messages a page may send. Raises Refused `invalid_input` for anything else."""
    try:
        return _FROM_PAGE.validate_python(orjson.loads(text))
    except orjson.JSONDecodeError as error:
        raise Refused("invalid_input", f"not JSON: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise Refused("invalid_input", f"{where or 'message'}: {first['msg']}", field=where) from None
    except RecursionError:
        raise Refused("invalid_input", "nested too deeply") from None
