"""canvas_code: a world on a snapshot, a run somewhere else, and the gates again when it comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from chardesk.broker.desk.calls import arranging
from chardesk.broker.desk.calls.working import weigher_of
from chardesk.broker.desk.effects import Later, Outcome, Past, RunScript
from chardesk.broker.desk.history.logbook import log
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.people.spending import script_began
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.elsewhere import elsewhere
from chardesk.broker.desk.road.fitting import refuse_archived
from chardesk.broker.desk.road.permits import later, permit_feature
from chardesk.broker.desk.road.road import Drawn, Weighed, settle, weigh
from chardesk.broker.desk.world import ScriptRun, ScriptWorld, Setbacks, lay
from chardesk.tools.errors import Refused
from chardesk.tools.model.draft import Draft
from chardesk.tools.operation import Arrange, Note, Operation
from chardesk.tools.run.evidence import seed_of
from chardesk.tools.talk.history import OPERATION as HISTORY

QUICK_COLUMNS = 256
"""What a script may write to have it weighed at once; ten milliseconds of the loop where it is scattered."""


def start(state: State, ask: Ask) -> Later:
    """Send the script off. Its writes wait in the world; the answer comes with the event `Ran`."""
    permit_feature(state, ask.actor, "code")
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    refuse_archived(canvas)

    def asked(operation: Operation, inner: Any) -> dict[str, Any]:
        if isinstance(operation.body, Arrange):
            return arranging.read_only(state, operation.body, inner)
        if operation is HISTORY and inner.action == "log":
            return _log(state, replace(ask, args=inner))
        raise Refused(
            "unsupported_action", f"scripts have no canvas.{operation.verb} for this; call {operation.name}"
        )

    draft = Draft(sheet.scene.fork())
    world = ScriptWorld(canvas.id, sheet.id, sheet.revision, sheet.size, draft, asked)

    def resume(run: ScriptRun, at: float) -> Outcome | Later:
        return _finish(state, later(state, ask, at), world, run)

    job = state.mint("jb")
    state.jobs[job] = Job(ask.link, ask.call, state.seq, resume)
    if ask.actor.is_agent:
        script_began(state, job, ask.actor.author, ask.at)
    script = ask.args.script
    return [RunScript(job, world, script, ask.args.timeout_ms, seed_of(script))], None


def _log(state: State, ask: Ask) -> dict[str, Any]:
    """The log as far as memory reaches. A script can't wait for the journal: what lies there is refused."""
    effects, reply = log(state, ask)
    if reply is not None:
        return reply.fields
    for effect in effects:
        if isinstance(effect, Past):
            del state.jobs[effect.job]
    raise Refused("unsupported_action", "that lies in the journal; call canvas_history outside of the script")


def _finish(state: State, ask: Ask, world: ScriptWorld, run: ScriptRun) -> Outcome | Later:
    """The run is over: refuse, or put its change through the gates as one operation. A large one is weighed
    elsewhere first."""
    if run.refusal is not None:
        raise _with_setbacks(run.refusal, world.setbacks)
    if world.columns <= QUICK_COLUMNS:
        return _settle(state, ask, world, run, weigh(world.draft))

    def resume(weighed: Weighed, at: float) -> Outcome:
        return _settle(state, later(state, ask, at), world, run, weighed)

    return elsewhere(state, ask, partial(weigher_of(state, ask), world.draft), resume)


def _settle(state: State, ask: Ask, world: ScriptWorld, run: ScriptRun, weighed: Weighed) -> Outcome:
    """The gates, on the sheet as it is now. Where others changed it meanwhile, what the script wrote is laid
    over it and the conflict rule decides, with the world's revision as the base of what it has read."""
    canvas, sheet = state.place(world.canvas, world.sheet, ask.place)
    refuse_archived(canvas)
    if ask.actor.knowledge is not None:
        for rect in world.seen:
            ask.actor.knowledge.add(sheet.id, rect, world.revision)
    drawn = Drawn(ask, canvas, sheet, world.draft, _fields(ask, world, run), _blocks(world, run), weighed)
    if sheet.revision == world.revision:
        return settle(state, drawn)
    draft = Draft(sheet.scene)
    lay(draft, weighed.change)
    return settle(state, replace(drawn, draft=draft, weighed=None))


def _fields(ask: Ask, world: ScriptWorld, run: ScriptRun) -> dict[str, Any]:
    found = {
        "result": run.result,
        "operations": run.operations,
        "writes": world.writes,
        "durationMs": run.duration_ms,
        "truncated": run.truncated,
        "console": run.console,
        "backend": dict(run.backend),
        "evidence": dict(run.evidence),
        "seed": seed_of(ask.args.script),
    }
    return {**found, "refusedCalls": world.setbacks.first} if world.setbacks.count else found


def _with_setbacks(refusal: Refused, setbacks: Setbacks) -> Refused:
    """What made a script fail is often a call that had been refused before, and was not looked at."""
    if refusal.code != "execution_failed" or not setbacks.count:
        return refusal
    details = {**refusal.details, "refusedCalls": setbacks.first}
    message = f"{refusal.message}; before that, call {_told(setbacks.first[0])}"
    return Refused(refusal.code, message, details=details)


def _blocks(world: ScriptWorld, run: ScriptRun) -> tuple[Note, ...]:
    parts = {
        f"{world.setbacks.count} of {world.calls} calls refused": "\n".join(map(_told, world.setbacks.first)),
        "console": run.console,
    }
    return tuple(Note(f"{title}:\n```\n{_inside(text)}\n```") for title, text in parts.items() if text)


def _inside(text: str) -> str:
    """The text as it may stand in a fence: it can't end it."""
    return text.replace("```", "'''")


def _told(setback: Mapping[str, Any]) -> str:
    return "{call} (canvas.{op}) was refused: {message}".format_map(setback)
