"""Snippets that connect an MCP host, with absolute paths that work from anywhere."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable

from chardesk.broker.door.place import Place


def command() -> str:
    """The absolute path of `chardesk-mcp` beside this interpreter, else wherever it is on the PATH."""
    beside = os.path.join(os.path.dirname(os.path.abspath(sys.executable)), "chardesk-mcp")
    for path in (beside, beside + ".exe"):
        if os.path.exists(path):
            return path
    return os.path.abspath(shutil.which("chardesk-mcp") or beside)


def _arguments(place: Place | None) -> list[str]:
    return ["--desk", place.root] if place else []


def _json(place: Place | None, key: str, extra: dict[str, str]) -> str:
    server = {**extra, "command": command(), "args": _arguments(place)}
    return json.dumps({key: {"chardesk": server}}, indent=2, ensure_ascii=False)


def _claude_code(place: Place | None) -> str:
    words = [command(), *_arguments(place)]
    return "claude mcp add chardesk -- " + " ".join(map(shlex.quote, words))


def _codex(place: Place | None) -> str:
    """~/.codex/config.toml; JSON strings are TOML basic strings."""
    words = ", ".join(json.dumps(word, ensure_ascii=False) for word in _arguments(place))
    return f"[mcp_servers.chardesk]\ncommand = {json.dumps(command(), ensure_ascii=False)}\nargs = [{words}]"


HOSTS: dict[str, Callable[[Place | None], str]] = {
    "claude-code": _claude_code,
    "claude-desktop": lambda place: _json(place, "mcpServers", {}),
    "cursor": lambda place: _json(place, "mcpServers", {}),
    "vscode": lambda place: _json(place, "servers", {"type": "stdio"}),
    "codex": _codex,
}


def snippet(host: str, place: Place | None) -> str:
    """What to run or to paste for this host. Raises KeyError for a host that is not in HOSTS."""
    return HOSTS[host](place)
