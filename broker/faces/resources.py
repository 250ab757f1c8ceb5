"""MCP resources: what can be read without a tool, and which of it a change touches.

Each is the answer of a tool that only looks, so the same gates and the same words hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk.effects import Reply
from chardesk.broker.wire import messages as m
from chardesk.materials import shelf
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.steps import CellsChanged
from chardesk.tools.operation import Text

if TYPE_CHECKING:
    from mcp import types

DESK, CONTEXT, INBOX, LOG = "chardesk://desk", "chardesk://context", "chardesk://inbox", "chardesk://log"
_CANVAS, _MATERIALS = "chardesk://canvas/", "chardesk://materials/"

Ask = Callable[[str, Mapping[str, Any]], Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class _Fixed:
    """A resource of one address: what it is, and the call that reads it."""

    name: str
    about: str
    tool: str
    arguments: Mapping[str, Any]


_FIXED: Mapping[str, _Fixed] = {
    DESK: _Fixed("desk", "All canvases, and which one is active.", "canvas_manage", {"action": "list"}),
    CONTEXT: _Fixed(
        "context",
        "What the person pinned, selected and looks at; previews; who is here.",
        "canvas_read",
        {"view": "context"},
    ),
    INBOX: _Fixed(
        "inbox", "How many messages wait for you.", "canvas_inbox", {"action": "receive", "limit": 0}
    ),
    LOG: _Fixed("log", "What was done last, and by whom.", "canvas_history", {"action": "log", "limit": 50}),
}

_TEMPLATES = (
    ("canvas", _CANVAS + "{canvasId}/{pageId}", "One sheet as text with rulers.", "text/plain"),
    ("materials", _MATERIALS + "{topic}", "How to draw well here, by topic.", "text/markdown"),
)


def canvas(canvas_id: str, page_id: str) -> str:
    """The address of a sheet."""
    return f"{_CANVAS}{canvas_id}/{page_id}"


def listed() -> types.ListResourcesResult:
    """Those with an address of their own. Sheets have a template: there may be thousands."""
    from mcp import types

    fixed = [
        types.Resource(name=one.name, uri=uri, description=one.about, mime_type="application/json")
        for uri, one in _FIXED.items()
    ]
    texts = [
        types.Resource(
            name=f"materials/{topic.name}",
            uri=_MATERIALS + topic.name,
            description=topic.title,
            mime_type="text/markdown",
        )
        for topic in shelf.topics()
    ]
    return types.ListResourcesResult(resources=[*fixed, *texts])


def templates() -> types.ListResourceTemplatesResult:
    from mcp import types

    found = [
        types.ResourceTemplate(name=name, uri_template=uri, description=about, mime_type=mime)
        for name, uri, about, mime in _TEMPLATES
    ]
    return types.ListResourceTemplatesResult(resource_templates=found)


async def read(uri: str, ask: Ask) -> types.ReadResourceResult:
    """The resource of this address. Raises MCPError for one that is none, or that the desk refuses."""
    from mcp import types
    from mcp.shared.exceptions import MCPError

    call = _call(uri)
    if call is None:
        raise MCPError(types.INVALID_PARAMS, f"there is no resource {uri[:80]}", {"uri": uri[:200]})
    tool, arguments, mime = call
    reply = await ask(tool, arguments)
    if reply.is_error:
        raise MCPError(types.INVALID_PARAMS, str(reply.fields["message"]), reply.fields)
    contents = types.TextResourceContents(uri=uri, mime_type=mime, text=_text(reply, mime))
    return types.ReadResourceResult(contents=[contents])


def _call(uri: str) -> tuple[str, Mapping[str, Any], str] | None:
    if (fixed := _FIXED.get(uri)) is not None:
        return fixed.tool, fixed.arguments, "application/json"
    if found := re.fullmatch(_CANVAS + r"([^/?#]{1,64})/([^/?#]{1,64})", uri):
        return "canvas_read", {"canvasId": found[1], "pageId": found[2]}, "text/plain"
    if found := re.fullmatch(_MATERIALS + r"([\w.-]{1,64})", uri):
        return "chardesk_read_materials", {"topic": found[1]}, "text/markdown"
    return None


def _text(reply: Reply, mime: str) -> str:
    match mime:
        case "application/json":
            return json.dumps(reply.fields, ensure_ascii=False)
        case _:
            return "\n".join(block.text for block in reply.blocks if isinstance(block, Text))


# -- what a change touches -------------------------------------------------------------


def touched(effect: fx.Effect, author: str, contents: Contents) -> set[str]:
    """The addresses whose contents are others after this effect, as `author` reads them."""
    match effect:
        case fx.Persist(commits, records):
            return {*_by_commits(commits, contents), *_by_records(records, author)}
        case fx.TellPage(m.Governed() | m.Presence() | m.Preview() | m.PreviewGone(), None):
            return {CONTEXT}
        case _:
            return set()


def _by_commits(commits: tuple[Commit, ...], contents: Contents) -> Iterator[str]:
    for commit in commits:
        yield from (LOG, DESK, canvas(commit.canvas, commit.sheet))
        for step in commit.steps:
            owner = contents.canvas_of(step.sheet) if isinstance(step, CellsChanged) else None
            if owner is not None and isinstance(step, CellsChanged):
                yield canvas(owner.id, step.sheet)


def _by_records(records: tuple[fx.Record, ...], author: str) -> Iterator[str]:
    for record in records:
        if record.kind == "letter" and (record.value is None or record.value.get("to") == author):
            yield INBOX
