"""Snippets that connect an MCP host, with absolute paths that work from anywhere."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from typing import NamedTuple

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


class Host(NamedTuple):
    """`where` says what to do with the text that `make` gives for a desk (None: the user's own)."""

    where: str
    make: Callable[[Place | None], str]


HOSTS = {
    "claude-code": Host("run this in your project's folder", _claude_code),
    "claude-desktop": Host(
        "into claude_desktop_config.json (Settings, Developer, Edit Config)",
        lambda place: _json(place, "mcpServers", {}),
    ),
    "codex": Host("into ~/.codex/config.toml", _codex),
    "cursor": Host(
        "into ~/.cursor/mcp.json, or .cursor/mcp.json of a project",
        lambda place: _json(place, "mcpServers", {}),
    ),
    "vscode": Host(
        "into .vscode/mcp.json of a project", lambda place: _json(place, "servers", {"type": "stdio"})
    ),
}


def snippet(host: str, place: Place | None) -> str:
    """What to run or to paste for this host. Raises KeyError for a host that is not in HOSTS."""
    return HOSTS[host].make(place)


def lines(place: Place) -> list[dict[str, str]]:
    """Every host with its snippet, for a page that shows them."""
    return [{"name": name, "where": host.where, "text": host.make(place)} for name, host in HOSTS.items()]
