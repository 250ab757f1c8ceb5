"""A server whose every answer is the relay's, with the client's call keys, progress and subscriptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp import types
from mcp.client import Client
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from chardesk.broker.faces.mcp import CALL_KEY
from chardesk.broker.http_mode.subscribed import Subscribed
from chardesk.broker.verbs.version import version

Context = ServerRequestContext[Any, Any]


def server(client: Client, subscribed: Subscribed) -> Server[Any]:
    """One for all sessions."""

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        return await _called(client, context, params)

    async def subscribe(context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        await subscribed.add(_session(context) or "", context.session, str(params.uri))
        return types.EmptyResult()

    async def unsubscribe(context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        await subscribed.remove(_session(context) or "", str(params.uri))
        return types.EmptyResult()

    async def read_resource(_: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        return await client.read_resource(str(params.uri))

    async def get_prompt(_: Any, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await client.get_prompt(params.name, params.arguments)

    async def list_tools(*_: Any) -> types.ListToolsResult:
        return await client.list_tools()

    async def list_resources(*_: Any) -> types.ListResourcesResult:
        return await client.list_resources()

    async def list_templates(*_: Any) -> types.ListResourceTemplatesResult:
        return await client.list_resource_templates()

    async def list_prompts(*_: Any) -> types.ListPromptsResult:
        return await client.list_prompts()

    made: Server[Any] = Server(
        "chardesk",
        version=version(),
        instructions=client.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_subscribe_resource=subscribe,
        on_unsubscribe_resource=unsubscribe,
        on_subscriptions_listen=subscribed.listen,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    made.middleware.clear()  # the SDK's own traces every call; nothing here leaves the machine
    return made


async def _called(
    client: Client, context: Context, params: types.CallToolRequestParams
) -> types.CallToolResult:
    """The relay's answer. It is cancelled there when it is cancelled here."""
    meta: dict[str, Any] = {}
    if (key := _call_key(context)) is not None:
        meta[CALL_KEY] = key
    wanted = types.CallToolRequestParams.model_validate(
        {"name": params.name, "arguments": params.arguments, "_meta": meta}
    )
    wants_progress = "progress_token" in (context.meta or {})
    return await client.session.send_request(
        types.CallToolRequest(params=wanted),
        types.CallToolResult,
        progress_callback=context.session.report_progress if wants_progress else None,
    )


def _call_key(context: Context) -> str | None:
    """The client's own key; else one of its session and request, so that a request that it sends again is
    known. Without a session ids tell nothing: the relay makes one up."""
    meta: Mapping[str, Any] = context.meta or {}
    own, session = meta.get(CALL_KEY), _session(context)
    if isinstance(own, str):
        return own
    return None if session is None else f"{session}:{context.request_id}"


def _session(context: Context) -> str | None:
    """The id of the HTTP session; None in the era that has none."""
    headers: Mapping[str, str] = getattr(context.request, "headers", {})
    return headers.get("mcp-session-id")
