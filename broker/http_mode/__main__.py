"""`chardesk-mcp --http`: the same tools over Streamable HTTP, on loopback, for who shows the token.

The process is one tenant, as every `chardesk-mcp` is: it talks to the broker through a relay of its own on
stdio, which finds, starts and finds again the broker. Its clients share that tenant's name, grant and queue.
"""

from __future__ import annotations

import os
import socket
import sys

import anyio
import uvicorn
from mcp import types
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from chardesk.broker.door.place import Place, find
from chardesk.broker.http_mode.guard import guarded, noting_ends, token_of
from chardesk.broker.http_mode.server import server
from chardesk.broker.http_mode.subscribed import MAX_SESSIONS, Subscribed
from chardesk.broker.verbs.exits import OK, REFUSED
from chardesk.broker.verbs.parser import Parser

PATH = "/mcp"
NAME = "http"
"""The agent's name without CHARDESK_AGENT."""

MAX_BODY_BYTES = 1_048_576
"""The contract's limit for one message."""

CALL_S = 65.0
"""A little longer than the longest wait: the broker keeps time."""


def _relay(place: Place) -> StdioServerParameters:
    env = {"CHARDESK_AGENT": NAME, **os.environ}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "chardesk.broker.relay", "--desk", place.root], env=env
    )


async def serve(place: Place, listening: socket.socket) -> None:
    """Until a signal comes. Says the address on stdout when it is ready, and where the token is."""
    subscribed = Subscribed()
    async with Client(
        _relay(place),
        read_timeout_seconds=CALL_S,
        cache=None,
        mode="legacy",
        message_handler=subscribed.updated,
    ) as client:
        subscribed.connect(lambda request: client.session.send_request(request, types.EmptyResult))
        app = server(client, subscribed).streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=MAX_BODY_BYTES,
            max_sessions=MAX_SESSIONS,
            host="127.0.0.1",
        )
        whole = guarded(noting_ends(app, subscribed.forget), token_of(place))
        port = listening.getsockname()[1]
        where = os.path.join(place.root, "http-token")
        sys.stdout.write(f"Chardesk over HTTP: http://127.0.0.1:{port}{PATH} (token in {where})\n")
        sys.stdout.flush()
        config = uvicorn.Config(whole, log_level="warning", access_log=False, server_header=False)
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
        listening.listen()  # who connects as soon as the address is said waits for a moment
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
