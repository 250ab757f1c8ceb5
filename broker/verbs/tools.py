"""Every tool as a verb, made from the registry."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from chardesk.broker.door import files
from chardesk.broker.door.start import ensured
from chardesk.broker.link.client import Client
from chardesk.broker.verbs.exits import OK, REFUSED
from chardesk.broker.verbs.parser import Parser, place_of
from chardesk.broker.verbs.showing import show
from chardesk.tools.draw.sourced import MAX_SOURCE_BYTES, TEXT_OF
from chardesk.tools.operation import Operation
from chardesk.tools.registry import BY_VERB
from chardesk.tools.schema import json_schema

_NUMBERS = "numbers"


def run(verb: str, words: list[str]) -> int:
    """Call the tool and print what it says. Raises ConnectionError when no broker answers."""
    operation = BY_VERB[verb]
    parser = parser_of(operation)
    options = parser.read(words)
    try:
        given = with_text(operation, arguments(operation, options))
    except ValueError as mistake:
        parser.error(str(mistake))
    place = place_of(options)
    with Client(place, ensured(place)) as client:
        result = client.call(operation.name, given)
    show(result, options.json)
    return REFUSED if result.get("isError") else OK


def flag(name: str) -> str:
    """`canvasId` as `--canvas-id`."""
    return "--" + "".join(f"-{char.lower()}" if char.isupper() else char for char in name)


def parser_of(operation: Operation) -> Parser:
    """A flag for every argument, `--json` and `--desk`."""
    parser = Parser(operation.verb, operation.summary)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    schema = json_schema(operation.args)
    required = schema.get("required", [])
    for name, field in schema["properties"].items():
        kind = _kind(field)
        parser.add_argument(
            flag(name),
            dest=name,
            metavar=_METAVARS[kind],
            required=name in required,
            nargs="?" if kind == "boolean" else None,
            const="true" if kind == "boolean" else None,
            choices=field.get("enum"),
            help=field.get("description", "").replace("%", "%%"),
        )
    return parser


def _kind(field: dict[str, Any]) -> str:
    if field.get("type") == "array" and field.get("items", {}).get("type") == "integer":
        return _NUMBERS
    return str(field.get("type") or "word")


_METAVARS = {
    _NUMBERS: "N,N",
    "array": "JSON",
    "object": "JSON",
    "integer": "N",
    "number": "N",
    "boolean": "true|false",
    "string": "TEXT",
    "word": "VALUE",
}


def arguments(operation: Operation, options: Any) -> dict[str, Any]:
    """The flags as the tool's arguments. Raises ValueError naming the flag."""
    properties = json_schema(operation.args)["properties"]
    given = {name: getattr(options, name) for name in properties if getattr(options, name) is not None}
    return {name: _value(name, _kind(properties[name]), text) for name, text in given.items()}


def _value(name: str, kind: str, text: str) -> Any:
    try:
        match kind:
            case "numbers":
                return [int(part) for part in text.split(",")]
            case "integer":
                return int(text)
            case "boolean":
                return {"true": True, "false": False}[text]
            case "object" | "array":
                return json.loads(text)
            case "word":
                return int(text) if text.lstrip("-").isdigit() else text
            case _:
                return sys.stdin.read() if text == "-" else text
    except (ValueError, KeyError):
        raise ValueError(f"{flag(name)} {text[:40]}: not {_METAVARS[kind]}") from None


def with_text(operation: Operation, given: dict[str, Any]) -> dict[str, Any]:
    """`sourceRef` read here, relative to the working directory: the person's own files are the person's to
    send. Raises ValueError naming the flag when it can't be read, or when no text is given at all."""
    field = TEXT_OF.get(operation.verb)
    if field is None or field in given:
        return given
    if "sourceRef" not in given:
        raise ValueError(f"give {flag(field)} or {flag('sourceRef')}")
    rest = {name: value for name, value in given.items() if name != "sourceRef"}
    try:
        text = files.read_text(given["sourceRef"], (os.getcwd(), os.path.abspath(os.sep)), MAX_SOURCE_BYTES)
    except files.Unreadable as problem:
        raise ValueError(f"{flag('sourceRef')} {given['sourceRef'][:80]}: {problem}") from None
    return {**rest, field: text}
