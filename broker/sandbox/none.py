"""The backend that runs nothing: for desks whose owner wants no scripts, and for trying how that is."""

from __future__ import annotations

from anyio.abc import TaskGroup

from chardesk.broker.sandbox.outcome import Failed, Outcome
from chardesk.broker.sandbox.talk import Answer
from chardesk.tools.run.backend import DIMENSIONS, Descriptor, Policy
from chardesk.tools.run.policy import default

NAME = "none"
_WHY = "scripts are switched off here (backend none)"


class NoScripts:
    """Refuses every script before anything starts, whatever the policy."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.policy = policy or default()

    async def start(self, tasks: TaskGroup) -> None:
        """Nothing to start."""

    async def close(self) -> None:
        """Nothing to close."""

    def descriptor(self) -> Descriptor:
        return Descriptor(NAME, "", dict.fromkeys(DIMENSIONS, "unsupported"), problem=_WHY)

    async def run(self, script: str, timeout_ms: int, seed: int, answer: Answer) -> Outcome:
        return Failed("runtime_unavailable", _WHY, phase="load")
