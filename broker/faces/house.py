"""What every face needs of the broker, in one bundle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anyio

from chardesk.broker.service.passes import Passes
from chardesk.broker.service.runner import Runner


@dataclass(slots=True)
class House:
    """`asked` answers the CLI's own questions (status, a way in, stop); `snippets` connect each
    host; `mint` makes ids."""

    runner: Runner
    passes: Passes
    desk_key: str
    version: str
    build: str
    clock: Callable[[], float]
    mint: Callable[[str], str]
    mcp_loaded: anyio.Event
    asked: Callable[[str], dict[str, Any]]
    snippets: Callable[[], list[dict[str, str]]]
    port: int = 0
