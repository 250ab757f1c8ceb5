"""Writes page/wire/messages.d.ts from messages.py, so the wire is spelled once.

    python -m chardesk.broker.wire.typescript page/wire/messages.d.ts          # write
    python -m chardesk.broker.wire.typescript page/wire/messages.d.ts --check  # fail if stale

A model becomes a readonly interface, an alias a type, a number that both sides must know a literal type. A
field is optional when it may be left out: it has a default, or it may be None (None is never sent).
"""

from __future__ import annotations

import argparse
import sys
import types
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from chardesk.broker.wire import messages

HEADER = "// Written by chardesk.broker.wire.typescript from messages.py. Do not edit."

_NAMES: dict[object, str] = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    typing.Any: "unknown",
    types.NoneType: "null",
}
_UNIONS = (types.UnionType, typing.Union)


def source() -> str:
    """The whole file, ending in a newline."""
    public = {name: value for name, value in vars(messages).items() if not name.startswith("_")}
    return "\n\n".join([HEADER, *_declarations(public)]) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Writes `target`, or with `--check` compares and returns 1 if it is stale or missing, saying so."""
    parser = argparse.ArgumentParser(description="Writes the page's message types.")
    parser.add_argument("target", type=Path)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args(argv)
    if not asked.check:
        asked.target.write_text(source(), encoding="utf-8")
        return 0
    if asked.target.is_file() and asked.target.read_text(encoding="utf-8") == source():
        return 0
    sys.stderr.write(f"{asked.target.name} is out of date: run chardesk.broker.wire.typescript\n")
    return 1


def _declarations(public: dict[str, object]) -> Iterator[str]:
    aliases = {_bare(value): name for name, value in public.items() if _is_alias(value)}
    for name, value in public.items():
        if isinstance(value, type) and issubclass(value, BaseModel):
            if value is not messages.Message:
                yield _interface(value, aliases)
        elif _is_alias(value):
            others = {hint: alias for hint, alias in aliases.items() if alias != name}
            yield f"export type {name} = {_spell(_bare(value), others)};"
        elif isinstance(value, int) and name.isupper():
            yield f"export type {name} = {value};"


def _interface(model: type[BaseModel], aliases: dict[object, str]) -> str:
    lines = [f"/** {' '.join(model.__doc__.split())} */"] if model.__doc__ else []
    lines.append(f"export interface {model.__name__} {{")
    for name, field in model.model_fields.items():
        hint, mark = _required(field.annotation), "?" if _is_optional(field) else ""
        lines.append(f"  readonly {field.alias or name}{mark}: {_spell(hint, aliases)};")
    return "\n".join([*lines, "}"])


def _is_optional(field: FieldInfo) -> bool:
    """The word that tells messages apart is always there, though the model has it as a default."""
    is_tag = (
        typing.get_origin(field.annotation) is typing.Literal and len(typing.get_args(field.annotation)) == 1
    )
    may_be_none = types.NoneType in typing.get_args(field.annotation)
    return may_be_none or (not is_tag and not field.is_required())


def _required(hint: object) -> object:
    """The hint without None."""
    if typing.get_origin(hint) not in _UNIONS:
        return hint
    rest = tuple(each for each in typing.get_args(hint) if each is not types.NoneType)
    return typing.Union[rest]  # noqa: UP007  (built at run time)


def _is_alias(value: object) -> bool:
    return typing.get_origin(_bare(value)) in (*_UNIONS, tuple)


def _bare(value: object) -> object:
    """An alias without its annotations."""
    return typing.get_args(value)[0] if hasattr(value, "__metadata__") else value


def _spell(hint: object, aliases: dict[object, str]) -> str:
    if hint in aliases:
        return aliases[hint]
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    inner = [_spell(each, aliases) for each in args] if origin is not typing.Literal else []
    if origin is typing.Literal:
        return " | ".join(f'"{each}"' for each in args)
    if origin in _UNIONS:
        return " | ".join(inner)
    if origin is list:
        return f"readonly {inner[0]}[]" if inner[0].isidentifier() else f"readonly ({inner[0]})[]"
    if origin is tuple:
        return f"readonly [{', '.join(inner)}]"
    if origin is dict:
        return f"Readonly<Record<{', '.join(inner)}>>"
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return hint.__name__
    return _NAMES[hint]


if __name__ == "__main__":
    raise SystemExit(main())
