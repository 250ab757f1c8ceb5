"""An MCP session per tenant: the SDK speaks all of the protocol, the desk answers the calls.

Importing the SDK costs half a second, so nothing but `load` does it, and the broker calls that after it
listens.
"""

from __future__ import annotations

import base64
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Self, assert_never

import anyio

from chardesk.broker.desk.effects import Reply
from chardesk.broker.faces import prompts, resources
from chardesk.broker.faces.amiss import bounded, not_a_message
from chardesk.broker.faces.progress import reporting
from chardesk.broker.faces.updates import Updates
from chardesk.tools.operation import Block, Image, Note, Operation, Text
from chardesk.tools.registry import OPERATIONS
from chardesk.tools.schema import json_schema

if TYPE_CHECKING:
    from mcp import types
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server

    Context = ServerRequestContext[Any]
    Page = types.PaginatedRequestParams | None

log = logging.getLogger("chardesk.mcp")

CALL_KEY = "chardesk/call"

INSTRUCTIONS = (
    "Chardesk is a shared canvas of character cells that a person watches and edits live. Read before you "
    "write: canvas_read gives exact text with coordinates. Changing tools show a preview unless mode is "
    "apply. Start with chardesk_read_materials."
)

Ask = Callable[[str, Mapping[str, Any], str | None], Awaitable[Reply]]
"""Put a call to the desk: tool, arguments, call key. Cancelled when the client cancels the request."""


def server(version: str, ask: Ask, updates: Updates) -> Server[Any]:
    """One session's server. Its tools are the registry's."""
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.server.subscriptions import ListenHandler

    async def list_tools(
        context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return tool_list()

    async def call_tool(
        context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        answer = ask(params.name, params.arguments or {}, _key(context))
        return result(await reporting(context, params.name, answer))

    async def list_resources(context: Context, params: Page) -> types.ListResourcesResult:
        return resources.listed()

    async def list_templates(context: Context, params: Page) -> types.ListResourceTemplatesResult:
        return resources.templates()

    async def read_resource(
        context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await resources.read(str(params.uri), lambda tool, arguments: ask(tool, arguments, None))

    async def subscribe(context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        updates.add(str(params.uri))
        return types.EmptyResult()

    async def unsubscribe(context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        updates.remove(str(params.uri))
        return types.EmptyResult()

    async def list_prompts(context: Context, params: Page) -> types.ListPromptsResult:
        return prompts.listed()

    async def get_prompt(context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return prompts.get(params.name, params.arguments or {})

    made: Server[Any] = Server(
        "chardesk",
        version=version,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_subscribe_resource=subscribe,
        on_unsubscribe_resource=unsubscribe,
        on_subscriptions_listen=ListenHandler(updates),
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    made.middleware.clear()  # the SDK's own traces every call; nothing here leaves the machine
    return made


def _key(context: ServerRequestContext[Any]) -> str | None:
    meta: Mapping[str, Any] = context.meta or {}
    key = meta.get(CALL_KEY)
    return key if isinstance(key, str) and 0 < len(key) <= 128 else None


@cache
def tool_list() -> types.ListToolsResult:
    """The registry as MCP tools, made once."""
    from mcp import types

    return types.ListToolsResult(tools=[_tool(operation) for operation in OPERATIONS])


def _tool(operation: Operation) -> types.Tool:
    from mcp import types

    return types.Tool(
        name=operation.name,
        description=operation.summary,
        input_schema=json_schema(operation.args),
        output_schema=output_schema(operation),
        annotations=types.ToolAnnotations.model_validate(operation.hints),
    )


@cache
def output_schema(operation: Operation) -> dict[str, Any]:
    """The tool's own fields, undescribed; a reply may hold more (the common fields, a refusal's)."""
    own = json_schema(operation.result, described=False)
    return {"type": "object", "properties": own.get("properties", {})}


def result(reply: Reply) -> types.CallToolResult:
    """A reply as MCP gives it: fields as structured content, blocks as content."""
    from mcp import types

    content: list[types.ContentBlock] = [_content(block) for block in reply.blocks]
    return types.CallToolResult(content=content, structured_content=reply.fields, is_error=reply.is_error)


def _content(block: Block) -> types.ContentBlock:
    from mcp import types

    match block:
        case Text(text) | Note(text):
            return types.TextContent(type="text", text=text)
        case Image(png):
            data = base64.b64encode(png).decode()
            return types.ImageContent(type="image", data=data, mime_type="image/png")
        case _:
            assert_never(block)


class Session:
    """The SDK's side of one tenant's conversation, fed with frames."""

    def __init__(self, version: str, ask: Ask, send: Callable[[str], None]) -> None:
        from mcp.shared.message import SessionMessage

        self.updates = Updates(self._notify)
        self._server = server(version, ask, self.updates)
        self._send = send
        self._wrap = SessionMessage
        self._inward, self._read = anyio.create_memory_object_stream[Any](512)

    async def run(self) -> None:
        """Serve until the inward side is closed. Call once."""
        options = self._server.create_initialization_options()
        await self._server.run(self._read, _Outward(self._send), options)

    async def take(self, frame: str) -> None:
        """One JSON-RPC message from the client. What is none is answered as such."""
        from mcp import types

        try:
            message = types.jsonrpc_message_adapter.validate_json(frame, by_name=False)
        except (ValueError, RecursionError):
            self._send(not_a_message(frame))
            return
        await self._inward.send(self._wrap(message))

    def _notify(self, uri: str) -> None:
        changed = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri}}
        self._send(json.dumps(changed))

    def close(self) -> None:
        self.updates.close()
        self._inward.close()


class _Outward:
    """The SDK's write stream: what it sends is a frame at once, without a queue and a task between."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send

    async def send(self, item: Any, /) -> None:
        self._send(bounded(item.message.model_dump_json(by_alias=True, exclude_unset=True)))

    async def aclose(self) -> None:
        """The socket is the owner's to close."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None
