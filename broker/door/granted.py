"""Folders that the client grants: MCP's roots. Asked for once the client has said that it has some, and again
whenever it says that they have changed.
"""

from __future__ import annotations

import os

from chardesk.broker.door import lean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PREFIX = "chardesk/roots/"
"""Of our requests' ids, so that no answer of the client's is taken for one to the broker."""

CHANGED = "notifications/roots/list_changed"
MAX_ROOTS = 100


class Granted:
    """`folders` with links resolved; none until the client has answered, or when it refuses."""

    __slots__ = ("_asked", "_is_promised", "_pending", "folders")

    def __init__(self) -> None:
        self.folders: tuple[str, ...] = ()
        self._is_promised = False
        self._asked = 0
        self._pending = ""

    @property
    def is_pending(self) -> bool:
        """Has the client not answered yet?"""
        return bool(self._pending)

    def promised(self, initialize: dict[str, Any]) -> None:
        """What the client says of itself when it begins."""
        capabilities = initialize.get("capabilities")
        self._is_promised = isinstance(capabilities, dict) and isinstance(capabilities.get("roots"), dict)

    def asks(self) -> bytes | None:
        """The request to send to the client; None for one without roots. An older one counts no more."""
        if not self._is_promised:
            return None
        self._asked += 1
        self._pending = f"{PREFIX}{self._asked}"
        return lean.dumps({"jsonrpc": "2.0", "id": self._pending, "method": "roots/list"})

    def takes(self, response: dict[str, Any]) -> bool:
        """Is it an answer to us? The newest one counts; a refusal grants nothing."""
        request_id = response.get("id")
        if not isinstance(request_id, str) or not request_id.startswith(PREFIX):
            return False
        if request_id == self._pending:
            self._pending = ""
            self.folders = tuple(_folders(response.get("result")))
        return True


def _folders(result: object) -> list[str]:
    roots = result.get("roots") if isinstance(result, dict) else None
    listed = roots[:MAX_ROOTS] if isinstance(roots, list) else []
    uris = [one.get("uri") for one in listed if isinstance(one, dict)]
    return [path for uri in uris if isinstance(uri, str) and (path := _path(uri)) is not None]


def _path(uri: str) -> str | None:
    """The folder that a `file:` address of this machine names."""
    from urllib.parse import unquote, urlsplit  # seldom needed, and 5 ms at every start

    try:
        parts = urlsplit(uri)
        path = unquote(parts.path, errors="strict")
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in ("", "localhost") or not path or "\0" in path:
        return None
    if os.name == "nt":
        path = path.lstrip("/")
    return os.path.realpath(path) if os.path.isabs(path) else None
