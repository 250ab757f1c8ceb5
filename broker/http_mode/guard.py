"""Who may speak HTTP with this process: whoever shows the desk's token."""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from chardesk.broker.door.place import Place

App = Callable[[Any, Any, Any], Awaitable[None]]

SESSION = b"mcp-session-id"


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


def noting_ends(app: App, ended: Callable[[str], None]) -> App:
    """`ended` hears of every session that its client has ended."""

    async def pass_on(scope: Any, receive: Any, send: Any) -> None:
        await app(scope, receive, send)
        if scope["type"] == "http" and scope["method"] == "DELETE":
            for name, value in scope["headers"]:
                if name == SESSION:
                    ended(value.decode("latin-1"))

    return pass_on
