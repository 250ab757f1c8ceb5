"""canvas_code: a world on a snapshot, a run somewhere else, and the gates again when it comes back."""

from __future__ import annotations

from typing import Any

from chardesk.broker.desk import arranging
from chardesk.broker.desk.effects import Effect, RunScript
from chardesk.broker.desk.landing import rebased
from chardesk.broker.desk.road import Drawn, Outcome, settle
from chardesk.broker.desk.state import Actor, ScriptJob, State
from chardesk.broker.desk.world import ScriptRun, ScriptWorld
from chardesk.tools.errors import Refused
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.operation import Arrange, Note, Operation, Text


def start(
    state: State,
    actor: Actor,
    args: Any,
    canvas: Canvas,
    sheet: Sheet,
    tenant: str,
    call: str,
    key: str | None,
    digest: str,
) -> tuple[list[Effect], None]:
    """Send the script off. Its writes wait in the world; the answer comes with the event `Ran`."""

    def asked(operation: Operation, inner: Any) -> dict[str, Any]:
        if isinstance(operation.body, Arrange):
            return arranging.read_only(state, operation, inner)
        raise Refused(
            "unsupported_action", f"scripts have no canvas.{operation.verb}; call {operation.name} instead"
        )

    world = ScriptWorld(canvas.id, sheet.id, sheet.revision, sheet.size, Draft(sheet.scene), asked)

    def resume(run: ScriptRun, at: float) -> Outcome:
        return _finish(state, actor, args, world, run, key, digest, at)

    job = state.mint("jb")
    state.jobs[job] = ScriptJob(tenant, call, resume)
    return [RunScript(job, world, args.script, args.timeout_ms, _seed(digest))], None


def _seed(digest: str) -> int:
    """The same call has the same random numbers, so a run can be replayed."""
    return int(digest[:8], 16)


def _finish(
    state: State,
    actor: Actor,
    args: Any,
    world: ScriptWorld,
    run: ScriptRun,
    key: str | None,
    digest: str,
    at: float,
) -> Outcome:
    """The run is over: refuse, or put its change through the gates as one operation."""
    if run.refusal is not None:
        raise run.refusal
    canvas, sheet = state.place(world.canvas, world.sheet, (state.canvas, state.sheet))
    if actor.knowledge is not None:
        for rect in world.seen:
            actor.knowledge.add(sheet.id, rect, world.revision)
    change = rebased(state, sheet.id, world.change())
    after = Draft(sheet.scene).scene
    after.apply(change)
    drawn = Drawn(
        actor=actor,
        tool="canvas_code",
        args=args,
        canvas=canvas,
        sheet=sheet,
        change=change,
        after=after,
        fields={**_fields(world, run), "seed": _seed(digest)},
        key=key,
        digest=digest,
        blocks=_blocks(run),
    )
    return settle(state, drawn, at)


def _fields(world: ScriptWorld, run: ScriptRun) -> dict[str, Any]:
    return {
        "result": run.result,
        "operations": run.operations,
        "writes": world.writes,
        "durationMs": run.duration_ms,
        "truncated": run.truncated,
        "console": run.console,
        "backend": dict(run.backend),
    }


def _blocks(run: ScriptRun) -> tuple[Text | Note, ...]:
    return (Note(f"console:\n```\n{run.console.replace('```', chr(39) * 3)}\n```"),) if run.console else ()
