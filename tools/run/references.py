"""References in a batch: `$n.field` in the arguments of a step stands for what step n gave."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from chardesk.tools.errors import Refused

_REFERENCE = re.compile(r"\$([0-9]{1,2})\.([A-Za-z]\w*(?:\.\w+)*)")
"""Fields begin with a letter, so that a price (`$1.50`) is none."""

_LOOKS_LIKE_ONE = re.compile(r"\$+[0-9]{1,2}\.[A-Za-z]\w*(?:\.\w+)*")


def resolved(node: Any, results: Sequence[Mapping[str, Any]], path: str = "args") -> Any:
    """The arguments with every text that is wholly a reference replaced by its value, of whatever type.

    `$2.matches.0.origin` goes on into lists and objects. A text that only looks like a reference is written
    with one more `$`, which goes. Raises Refused `invalid_input` for a step that has not run, or a field
    that it did not give.
    """
    match node:
        case str() if node.startswith("$$") and _LOOKS_LIKE_ONE.fullmatch(node):
            return node[1:]
        case str() if found := _REFERENCE.fullmatch(node):
            return _value(results, int(found[1]), found[2].split("."), path)
        case list():
            return [resolved(item, results, f"{path}.{at}") for at, item in enumerate(node)]
        case dict():
            return {name: resolved(item, results, f"{path}.{name}") for name, item in node.items()}
        case _:
            return node


def literal(text: str) -> str:
    """The text as it must be written to be no reference."""
    return f"${text}" if _LOOKS_LIKE_ONE.fullmatch(text) else text


def _value(results: Sequence[Mapping[str, Any]], step: int, fields: list[str], path: str) -> Any:
    if step >= len(results):
        raise Refused("invalid_input", f"${step} is not an earlier step; steps count from 0", field=path)
    value: Any = results[step]
    for at, name in enumerate(fields):
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            seen = ".".join(fields[:at])
            has = ", ".join(value) if isinstance(value, dict) else _count(value)
            where = f"${step}.{seen}" if seen else f"${step}"
            raise Refused("invalid_input", f"{where} has no {name[:40]}; it has {has}", field=path)
    return value


def _count(value: Any) -> str:
    return f"{len(value)} items" if isinstance(value, list) else "no fields"
