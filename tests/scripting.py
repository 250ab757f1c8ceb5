"""Scripts in tests: run in the real sandbox, on a world over a scene that the test drew."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio

from chardesk.broker.desk.world import ScriptWorld
from chardesk.broker.sandbox.backends import Backend
from chardesk.broker.sandbox.host import Sandbox
from chardesk.broker.sandbox.outcome import Finished, Outcome
from chardesk.broker.sandbox.talk import Answer
from chardesk.broker.service.scripts import halting
from chardesk.tools.errors import Refused
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Operation
from chardesk.tools.run.evidence import Evidence, evidence, seed_of

TIMEOUT_MS = 8_000


@dataclass(frozen=True, slots=True)
class Ran:
    """A script's outcome, the scene as it left it, and the evidence of a run that returned."""

    outcome: Outcome
    scene: Scene
    evidence: Evidence | None


def world_on(scene: Scene, size: Size | None = None) -> ScriptWorld:
    """A script's world over a scene; of canvases and the history it knows nothing."""
    return ScriptWorld("cv-test", "pg-test", 0, size, Draft(scene), _asked)


def _asked(operation: Operation, args: Any) -> dict[str, Any]:
    raise Refused("unsupported_action", f"this world has no {operation.verb}")


def answering(world: ScriptWorld) -> Answer:
    """The world as the broker puts it behind a script."""
    return lambda verb, raw: halting(world.call(verb, raw).give)


async def run_on(backend: Backend, script: str, scene: Scene) -> Ran:
    """Run one script over `scene`, which stays as it is."""
    world = world_on(scene)
    outcome = await backend.run(script, TIMEOUT_MS, seed_of(script), answering(world))
    proof = None
    if isinstance(outcome, Finished):
        proof = evidence(script, outcome.inputs, world.change(), outcome.operations)
    return Ran(outcome, world.draft.scene, proof)


@asynccontextmanager
async def started(backend: Backend | None = None) -> AsyncIterator[Backend]:
    """A backend that is ready for scripts; the default one without warmed children."""
    found = backend or Sandbox(warm=0)
    async with anyio.create_task_group() as tasks:
        await found.start(tasks)
        try:
            yield found
        finally:
            await found.close()
