"""The table of backends, and the one that a desk uses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from anyio.abc import TaskGroup

from chardesk.broker.sandbox import host, none
from chardesk.broker.sandbox.outcome import Outcome
from chardesk.broker.sandbox.talk import Answer
from chardesk.tools.run import policy as policies
from chardesk.tools.run.backend import Descriptor, Policy


class Backend(Protocol):
    """What runs scripts. `start` before `run`, `close` at the end; see `host.Sandbox` for each."""

    policy: Policy

    async def start(self, tasks: TaskGroup) -> None: ...

    async def close(self) -> None: ...

    def descriptor(self) -> Descriptor: ...

    async def run(self, script: str, timeout_ms: int, seed: int, answer: Answer) -> Outcome: ...


BACKENDS: Mapping[str, Callable[[Policy], Backend]] = {host.NAME: host.Sandbox, none.NAME: none.NoScripts}
DEFAULT = host.NAME


def chosen(environ: Mapping[str, str]) -> Backend:
    """The backend and policy that CHARDESK_BACKEND and CHARDESK_POLICY name, else the defaults.

    An unknown name is a ValueError: a misspelt policy must not become a weaker one.
    """
    name = environ.get("CHARDESK_BACKEND") or DEFAULT
    policy = environ.get("CHARDESK_POLICY") or policies.default().name
    for wanted, known in ((name, BACKENDS), (policy, policies.POLICIES)):
        if wanted not in known:
            raise ValueError(f"{wanted[:40]} is unknown; there are {', '.join(known)}")
    return BACKENDS[name](policies.POLICIES[policy])
