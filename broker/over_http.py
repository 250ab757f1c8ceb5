"""`chardesk-mcp --http`: the same tools over Streamable HTTP, on loopback, for who shows the token.

The process is one tenant, as every `chardesk-mcp` is: it talks to the broker through a relay of its own on
stdio, which finds, starts and finds again the broker. Its clients share that tenant's name, grant and queue.
"""

from __future__ import annotations

import hmac
import os
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from mcp import types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from chardesk.broker.door.place import Place, find
from chardesk.broker.verbs.exits import OK, REFUSED
from chardesk.broker.verbs.parser import Parser
from chardesk.broker.verbs.version import version

PATH = "/mcp"
NAME = "http"
"""The agent's name without CHARDESK_AGENT."""

MAX_BODY_BYTES = 1_048_576
"""The contract's limit for one message."""

CALL_S = 65.0
"""A little longer than the longest wait: the broker keeps time."""

App = Callable[[Any, Any, Any], Awaitable[None]]


def token_of(place: Place) -> str:
    """The desk's token for HTTP: made once, in a file that only its owner can read, in `http-token`."""
    file = Path(place.root) / "http-token"
    place.make()
    try:
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as made:
            made.write(secrets.token_urlsafe(32))
    except FileExistsError:
        if os.name == "posix":
            file.chmod(0o600)
    return file.read_text(encoding="ascii").strip()


def guarded(app: App, token: str) -> App:
    """Whoever does not show the token gets 401 and nothing else."""
    wanted = token.encode()

    async def check(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and not _shows(scope["headers"], wanted):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain; charset=utf-8")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"show the desk's token\n"})
            return
        await app(scope, receive, send)

    return check


def _shows(headers: list[tuple[bytes, bytes]], wanted: bytes) -> bool:
    shown = [value for name, value in headers if name == b"authorization"]
    scheme, _, token = (shown[0] if len(shown) == 1 else b"").partition(b" ")
    return scheme.lower() == b"bearer" and hmac.compare_digest(token.strip(), wanted)


def server(client: Client) -> Server[Any]:
    """A server whose every answer is the relay's."""

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        wanted = types.CallToolRequestParams(name=params.name, arguments=params.arguments)
        request = types.CallToolRequest(params=wanted)
        return await client.session.send_request(request, types.CallToolResult)

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

    return Server(
        "chardesk",
        version=version(),
        instructions=client.instructions,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def _relay(place: Place) -> StdioServerParameters:
    env = {"CHARDESK_AGENT": NAME, **os.environ}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "chardesk.broker.relay", "--desk", place.root], env=env
    )


async def serve(place: Place, listening: socket.socket) -> None:
    """Until a signal comes. Says the address on stdout when it is ready, and where the token is."""
    async with Client(_relay(place), read_timeout_seconds=CALL_S, cache=None, mode="legacy") as client:
        app = server(client).streamable_http_app(
            streamable_http_path=PATH, max_request_body_size=MAX_BODY_BYTES, host="127.0.0.1"
        )
        port = listening.getsockname()[1]
        where = os.path.join(place.root, "http-token")
        sys.stdout.write(f"Chardesk over HTTP: http://127.0.0.1:{port}{PATH} (token in {where})\n")
        sys.stdout.flush()
        config = uvicorn.Config(
            guarded(app, token_of(place)), log_level="warning", access_log=False, server_header=False
        )
        await uvicorn.Server(config).serve([listening])


def main(words: list[str] | None = None) -> int:
    """The command; 1 when the port is taken or no broker answers."""
    parser = Parser("chardesk-mcp --http", "The same tools over Streamable HTTP on 127.0.0.1.")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="port; default: any free one")
    options = parser.read(sys.argv[1:] if words is None else words)
    place = find(options.desk, os.environ, os.getcwd())
    listening = socket.socket()
    try:
        listening.bind(("127.0.0.1", options.port))
    except (OSError, OverflowError) as problem:
        sys.stderr.write(f"chardesk-mcp: port {options.port}: {problem}\n")
        return REFUSED
    return _run(place, listening)


def _run(place: Place, listening: socket.socket) -> int:
    code = OK
    try:
        anyio.run(serve, place, listening)
    except* MCPError as problem:
        sys.stderr.write(f"chardesk-mcp: {problem.exceptions[0]}\n")
        code = REFUSED
    except* KeyboardInterrupt:
        code = OK
    return code


if __name__ == "__main__":
    sys.exit(main())
