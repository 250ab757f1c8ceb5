"""Writes what a script finds as TypeScript declarations, from the same models that check its calls.

python -m chardesk.broker.sandbox.typings materials/canvas.d.ts.md          # write
python -m chardesk.broker.sandbox.typings materials/canvas.d.ts.md --check  # fail if it is stale
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from pydantic import BaseModel

from chardesk.broker.sandbox import limits, promised
from chardesk.broker.sandbox.promised import words
from chardesk.tools.operation import Changing, Operation, Target
from chardesk.tools.registry import BY_VERB, SCRIPT_ONLY
from chardesk.tools.run import measure
from chardesk.tools.schema import json_schema
from chardesk.tools.text.shapes import spec

_HEAD = """# canvas.d.ts: what a script finds

<!-- Written by chardesk.broker.sandbox.typings (make docs). Do not edit. -->

Calls answer at once; `await` does no harm. A refusal is a value: look at `ok` first. `mode`, `canvasId` and
the like belong to the call of `canvas_code`. Each call is one of the script's {operations} operations;
`shapes` draws many things in one.

```ts"""

_COMMON = """type Point = [x: number, y: number];
type Size = [columns: number, rows: number];
type Rect = [x: number, y: number, width: number, height: number];
interface Refusal { ok: false; code: string; message: string; nextStep: string; field?: string }
/** `content` is the text map of a look. */
type Reply<T> = ({ ok: true; content?: string } & T) | Refusal;
interface Style { color?: string; bgColor?: string; attrs?: Attrs; href?: string }
interface Attrs { bold?: boolean; italic?: boolean; underline?: boolean; strike?: boolean; inverse?: boolean }
interface Cell extends Style { x: number; y: number; char: string; color: string }
/** What an outline finds: `content` of a text, `label` of a box, `ends` of a connector. */
interface Part {
  kind: "box" | "text" | "connector" | "line"; bounds: Rect; content?: string; label?: string;
  ends?: { at: Point; arrow: boolean; touches: string | null }[];
}
"""

_BORDER = "Border"

_PLAIN = tuple({**BY_VERB, **SCRIPT_ONLY}[verb] for verb in limits.PLAIN_OPERATIONS)

_CONSOLE = """declare const console: {
  log(...values: unknown[]): void; info(...values: unknown[]): void; warn(...values: unknown[]): void;
  error(...values: unknown[]): void; debug(...values: unknown[]): void;
};"""


class Helper(NamedTuple):
    """A function of the prelude. `takes` and `also` are TypeScript; `shape` adds that shape's fields."""

    name: str
    says: str
    takes: str
    gives: str = "render"


HELPERS = (
    Helper(
        "measure",
        "Columns and rows of a text; `widths` has the columns of each row.",
        "text: string",
        "measure",
    ),
    Helper(
        "shapes", "Any number of shapes in one call; arrows find their way between ids.", "shapes: Shape[]"
    ),
    Helper(
        "box",
        "`size`, or else as large as its words. Lines join what they meet.",
        'box: Omit<Box, "type" | "rect"> & { at: Point; size?: Size }',
    ),
    Helper("line", "Through points, each in the row or column of the last.", 'line: Omit<Connector, "type">'),
    Helper("arrow", "A line with a head.", 'arrow: Omit<Connector, "type">'),
    Helper("text", "Words as they are; their spaces cover what is there.", 'text: Omit<Text, "type">'),
    Helper("table", "Columns as wide as they need be.", 'table: Omit<Table, "type">'),
)

# Fields whose model says less than there is to say, by operation and field.
_BETTER: Mapping[tuple[str, str], str] = {
    ("canvas_read", "cells"): "Cell[]",
    ("canvas_read", "parts"): "Part[] | null",
}
_NAMED = {"at": "Point", "from": "Point", "to": "Point", "near": "Point", "after": "Point", "origin": "Point"}
_NAMED |= {
    "size": "Size",
    "empty": "Size",
    "viewport": "Rect",
    "bounds": "Rect",
    "rect": "Rect",
    "style": "Style",
}
_SHARED = frozenset(str(info.alias) for info in (Changing.model_fields | Target.model_fields).values())


def declarations() -> str:
    """The whole material."""
    lines = [_HEAD.format(operations=limits.OPERATIONS), _COMMON, *_shapes(), *_results(), *_canvas()]
    lines += ["", _CONSOLE, "```"]
    return "\n".join(lines) + "\n"


def _canvas() -> Iterator[str]:
    yield "declare const canvas: {"
    for operation in _PLAIN:
        yield from _function(operation)
    for helper in HELPERS:
        yield f"  /** {helper.says} */"
        yield f"  readonly {helper.name}: ({helper.takes}) => Reply<{_result(helper.gives)}>;"
    yield "};"


def _function(operation: Operation) -> Iterator[str]:
    schema = json_schema(operation.args)
    omitted = _SHARED | promised.OMITTED.get(operation.name, frozenset())
    own = {name: node for name, node in schema["properties"].items() if name not in omitted}
    required = {*schema.get("required", []), promised.TEXT_OF.get(operation.name)} & own.keys()
    yield f"  /** {promised.SUMMARIES.get(operation.name, operation.summary)} */"
    yield f"  readonly {operation.verb}: (args{'' if required else '?'}: {{"
    for name, node in own.items():
        says = promised.SAYS.get((operation.name, name), node.get("description"))
        kind = promised.KINDS.get((operation.name, name)) or _kind(node, name)
        field = f"{name}{'' if name in required else '?'}: {kind};"
        yield f"    {field}{f' // {says}' if says else ''}"
    yield f"  }}) => Reply<{_result(operation.verb)}>;"


def _result(verb: str) -> str:
    return f"{verb.capitalize()}Result"


def _results() -> Iterator[str]:
    """An interface for what each operation gives."""
    for operation in (*_PLAIN, measure.OPERATION):
        fields = _model(
            operation.result, operation.name, promised.RESULTS.get(operation.name), described=False
        )
        yield f"interface {_result(operation.verb)} {{ {' '.join(fields)} }}"
    yield ""


def _shapes() -> Iterator[str]:
    """An interface for each kind of shape."""
    yield f"type Border = {words(get_args(spec.Border))};"
    for model in dict.fromkeys(spec.KINDS.values()):
        yield f"interface {model.__name__} {{ {' '.join(_model(model))} }}"
    yield f"type Shape = {' | '.join(model.__name__ for model in dict.fromkeys(spec.KINDS.values()))};"
    yield ""


def _model(
    model: type[BaseModel], owner: str = "", only: Sequence[str] | None = None, *, described: bool = True
) -> Iterator[str]:
    schema = json_schema(model, described=described)
    for name in only or schema["properties"]:
        node = schema["properties"][name]
        yield _field(owner, name, node, name in schema.get("required", ()))


def _field(owner: str, name: str, node: Mapping[str, Any], is_required: bool) -> str:
    kind = _BETTER.get((owner, name)) or _kind(node, name)
    return f"{name}{'' if is_required else '?'}: {kind};"


def _kind(node: Mapping[str, Any], name: str = "") -> str:
    """A schema as a type. A known name stands for its shape where the shape fits."""
    if "anyOf" in node:
        return " | ".join(dict.fromkeys(_kind(option, name) for option in node["anyOf"]))
    if "enum" in node:
        return _BORDER if node["enum"] == list(get_args(spec.Border)) else words(node["enum"])
    if "const" in node:
        return f'"{node["const"]}"'
    match node.get("type"):
        case "array":
            return _list(node, name)
        case "object" if "properties" in node:
            return _NAMED.get(name) or _object(node)
        case "object":
            return "Record<string, any>"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
        case _:
            return "any"


def _list(node: Mapping[str, Any], name: str) -> str:
    sides = node.get("maxItems")
    if sides in (2, 4) and node.get("minItems") == sides:
        return _NAMED.get(name) or ("Rect" if sides == 4 else "Point")
    item = _kind(node.get("items", {}))
    return f"({item})[]" if "|" in item else f"{item}[]"


def _object(node: Mapping[str, Any]) -> str:
    required = node.get("required", ())
    fields = (_field("", key, value, key in required) for key, value in node["properties"].items())
    return f"{{ {' '.join(fields)} }}"


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the file, or with `--check` compares it and returns 1 if it is stale."""
    asking = argparse.ArgumentParser(description="Writes canvas.d.ts.")
    asking.add_argument("file", type=Path)
    asking.add_argument("--check", action="store_true")
    asked = asking.parse_args(argv)
    text = declarations()
    if not asked.check:
        asked.file.write_text(text, encoding="utf-8")
    elif not asked.file.is_file() or asked.file.read_text(encoding="utf-8") != text:
        sys.stderr.write(f"{asked.file.name} is out of date: run make docs\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
