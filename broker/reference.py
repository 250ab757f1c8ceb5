"""Writes the reference from what the code declares: tools, codes, command line.

    python -m chardesk.broker.reference docs/reference          # write
    python -m chardesk.broker.reference docs/reference --check  # fail if something is stale

The short reference for agents, `materials/tools.md`, is written with it. What is in neither the declarations
nor here is not in the reference.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from chardesk.broker import cli
from chardesk.broker.verbs import exits, parser, service
from chardesk.broker.verbs import tools as tool_verbs
from chardesk.materials import shelf
from chardesk.tools.arrange import forms
from chardesk.tools.errors import CODES
from chardesk.tools.operation import Changing, Operation, Target
from chardesk.tools.registry import BY_VERB, OPERATIONS
from chardesk.tools.schema import Fields, json_schema
from chardesk.tools.talk import history, inbox

HEADER = "<!-- Written by chardesk.broker.reference (make docs). Do not edit. -->"

ACTIONS: dict[str, Mapping[Any, Fields]] = {
    "canvas_manage": forms.FIELDS,
    "canvas_history": history.FIELDS,
    "canvas_inbox": inbox.FIELDS,
}
"""The tools whose fields depend on the action."""

_TOOLS = """Agents call them over MCP, people as [verbs](cli.md), scripts as `canvas.read({…})`.
Unknown fields and wrong values are refused with the nearest right one. Null is never a value: leave the
field out."""
_REPLIES = """`structuredContent` has these fields and the tool's own; `content` is what is to be looked at.
`chardesk_read_materials` works on no canvas and has its own fields only."""
_CODES = """Every refusal of a [tool](tools.md) has one of these codes. The next step goes with the code;
it is never made from what somebody wrote."""
_DESK = """The desk is the folder of `--desk`, else of `CHARDESK_DESK`, else `.chardesk/` of the nearest
parent folder that has one, else the platform's folder for your own data. `open` and the tools' verbs start
a broker if none runs; `status`, `stop`, `connect` and `log` never do."""
_TOOL_VERBS = """A tool's verb takes its arguments as options. Its author is `cli`, of whom no base is
asked. `--json` prints one object: the reply's fields, and its text as `content`. A text given as `-` is
read from stdin."""

REPLY = {
    "canvasId": "canvas the call worked on",
    "pageId": "sheet it worked on",
    "revision": "the sheet's revision after the call",
    "live": "a page holds the seat and shows the desk",
    "shownRevision": "what that page has painted of this sheet; null without a page",
}
CHANGE = {
    "applied": "true: committed; false: a preview, or nothing to change",
    "bounds": "rectangle of what changes; null if nothing does",
    "overwrittenCells": "columns that held another character before",
    "clearedCells": "columns that are empty now",
    "styledCells": "columns that keep their character and look different",
    "overwrittenBounds": "where; null at 0; likewise `clearedBounds`, `styledBounds`",
    "previewId": "preview: its id, for `canvas_history` `apply_preview` or to revise it",
    "expiresAt": "preview: when it ends, as an ISO time",
    "overwrites": "preview: what others committed there since your base: `rect`, `author`, `text`",
    "nextStep": "preview: how to apply it",
    "operationId": "applied: what it is called in the history; absent if nothing changed",
    "persisted": "applied: it is on the disk",
    "repeated": "the same `idempotencyKey` came again: this is the first result",
}
REFUSAL = {
    "ok": "false",
    "code": "what kind of refusal: `conflict`, `out_of_bounds`, … (a closed list)",
    "message": "what is wrong, with limit and actual value where there is a limit",
    "field": "the argument that is wrong, if it is one",
    "retryable": "the same call may succeed later",
    "retryAfterMs": "when, if known",
    "nextStep": "what to do, by code",
    "details": "more, by code: rectangles and authors of a conflict, limits, nearest words",
}


def pages(folder: Path) -> dict[Path, str]:
    """Every generated file and its whole text."""
    made = {folder / name: "\n".join([HEADER, "", *make()]) + "\n" for name, make in _PAGES.items()}
    return {**made, Path(shelf.__file__).with_name("tools.md"): "\n".join(for_agents()) + "\n"}


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the files, or with `--check` compares them and returns 1 naming each that is stale."""
    asking = argparse.ArgumentParser(description="Writes the reference.")
    asking.add_argument("folder", type=Path)
    asking.add_argument("--check", action="store_true")
    asked = asking.parse_args(argv)
    stale = {path: text for path, text in pages(asked.folder).items() if _read(path) != text}
    for path, text in stale.items():
        if asked.check:
            sys.stderr.write(f"{path.name} is out of date: run make docs\n")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return int(asked.check and bool(stale))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


# -- tools ---------------------------------------------------------------------


def tools_page() -> Iterator[str]:
    yield from (f"# Tools\n\n{len(OPERATIONS)} tools. {_TOOLS}", "")
    yield from _contents(operation.name for operation in OPERATIONS)
    yield from ("## What every reply has", "", _REPLIES, "", *defined("field", REPLY))
    yield from ("What changes cells also has:", "", *defined("field", CHANGE))
    yield from ("A refusal has `isError: true` and, instead of the tool's own fields:", "")
    yield from defined("field", REFUSAL)
    for operation in OPERATIONS:
        yield from _tool(operation)


def _tool(operation: Operation) -> Iterator[str]:
    hints = ", ".join(f"{name} {str(value).lower()}" for name, value in operation.hints.items())
    rows = ((f"`{name}`", *rest) for name, *rest in fields(operation.args))
    yield from (f"## {operation.name}", "", operation.summary, "")
    yield from (f"Effect: {operation.effect}. Hints: {hints}. Verb: `chardesk {operation.verb}`.", "")
    if operation.name in ACTIONS:
        yield from _actions(operation)
    yield from table(("field", "type", "", "means"), rows)
    yield from ("Result:", "", *table(("field", "type"), _result(operation)))
    if says := (operation.result.__doc__ or "").strip():
        yield from (" ".join(says.split()), "")
    yield from ("```json", *(json.dumps(one, ensure_ascii=False) for one in operation.examples), "```", "")


def _actions(operation: Operation) -> Iterator[str]:
    aliases = {name: str(info.alias) for name, info in operation.args.model_fields.items()}
    rows = (
        (f"`{action}`", *(" ".join(f"`{aliases[one]}`" for one in names) for names in each))
        for action, each in ACTIONS[operation.name].items()
    )
    yield from table(("action", "needs", "takes"), rows)


def _result(operation: Operation) -> Iterator[tuple[str, str]]:
    schema = json_schema(operation.result, described=False)
    return ((f"`{name}`", kind(node)) for name, node in schema["properties"].items())


def fields(model: type[BaseModel], path: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Name, type, `required` or the default, meaning; fields of an object follow it as `object.field`."""
    yield from _fields(json_schema(model), path)


def _fields(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, str, str]]:
    for name, node in schema["properties"].items():
        needed = "required" if name in schema.get("required", ()) else _default(node)
        yield path + name, kind(node), needed, node.get("description", "")
        if "properties" in node:
            yield from _fields(node, f"{path}{name}.")


def _default(node: Mapping[str, Any]) -> str:
    return f"default {json.dumps(node['default'], ensure_ascii=False)}" if "default" in node else ""


def kind(node: Mapping[str, Any]) -> str:
    """A schema in a few words: `2 integers`, `preview or apply`, `string (at most 280)`."""
    if "enum" in node or "const" in node:
        return " or ".join(f"`{value}`" for value in node.get("enum", [node.get("const")]))
    if "anyOf" in node:
        return " or ".join(kind(option) for option in node["anyOf"])
    if node.get("type") == "array":
        count, item = node.get("maxItems"), kind(node.get("items", {}))
        return f"{count} {item}s" if count else f"list of {item}"
    return str(node.get("type", "any value")) + _limits(node)


def _limits(node: Mapping[str, Any]) -> str:
    low = node.get("minimum", node.get("minLength"))
    high = node.get("maximum", node.get("maxLength"))
    if low is None and high is None:
        return ""
    return (
        f" (at least {low})"
        if high is None
        else f" (at most {high})"
        if low is None
        else f" ({low} to {high})"
    )


# -- codes and command line -----------------------------------------------


def codes_page() -> Iterator[str]:
    rows = (
        (f"`{name}`", code.trigger, code.next_step, "yes" if code.retryable else "")
        for name, code in CODES.items()
    )
    yield from ("# Codes", "", _CODES, "", *table(("code", "when", "next step", "may succeed later"), rows))


def cli_page() -> Iterator[str]:
    yield from (
        "# Command line",
        "",
        "`chardesk VERB [options]`. `chardesk VERB --help` prints the same.",
        "",
    )
    yield from _contents((*cli.SERVICE, *cli.TOOLS), "chardesk-")
    yield from ("## Exit codes", "", *defined("code", exits.EXITS))
    yield from ("## Environment", "", *defined("variable", parser.ENVIRONMENT), _DESK, "")
    for verb in cli.SERVICE:
        yield from _verb(verb, service.parser_of(verb))
    yield from (_TOOL_VERBS, "")
    for verb in cli.TOOLS:
        yield from _verb(verb, tool_verbs.parser_of(BY_VERB[verb]))


def _verb(verb: str, parser_of: parser.Parser) -> Iterator[str]:
    yield from (f"## chardesk {verb}", "", parser_of.description or "", "")
    rows = ((f"`{typed}`", says.replace("%%", "%")) for typed, says in parser_of.words())
    yield from table(("option", "means"), rows)


# -- for agents ----------------------------------------------------------------


def for_agents() -> Iterator[str]:
    """The same in short: fields that all tools take or give are said once."""
    common = {*Target.model_fields, *Changing.model_fields}
    yield from (
        "# Tools",
        "",
        "Every reply has " + ", ".join(f"`{name}`" for name in REPLY) + ". Of a change also:",
        "",
    )
    yield from (f"- `{name}`: {says}" for name, says in CHANGE.items())
    for operation in OPERATIONS:
        shared = {str(info.alias) for name, info in operation.args.model_fields.items() if name in common}
        yield from ("", f"## {operation.name}", "", operation.summary, "")
        for name, type_, needed, says in fields(operation.args):
            if name not in shared and "." not in name:
                yield f"- `{name}`: {', '.join(filter(None, (type_, needed)))}; {says}"
        yield "- result: " + ", ".join(name for name, _ in _result(operation))
        yield f"- for example `{json.dumps(operation.examples[0], ensure_ascii=False)}`"
    yield from ("", "## Refusals", "", "A refusal changes nothing. Do what its `nextStep` says. It has:", "")
    yield from (f"- `{name}`: {says}" for name, says in REFUSAL.items())


# -- Markdown ------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A Markdown table and the empty line under it. Bars in cells are escaped."""
    yield _row(head)
    yield "|" + "---|" * len(head)
    yield from map(_row, rows)
    yield ""


def defined(head: str, words: Mapping[Any, str]) -> Iterator[str]:
    return table((head, "means"), ((f"`{word}`", says) for word, says in words.items()))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _contents(names: Iterable[str], prefix: str = "") -> Iterator[str]:
    yield " · ".join(f"[{name}](#{prefix}{name})" for name in names)
    yield ""


_PAGES: dict[str, Callable[[], Iterator[str]]] = {
    "tools.md": tools_page,
    "codes.md": codes_page,
    "cli.md": cli_page,
}

if __name__ == "__main__":
    raise SystemExit(main())
