"""canvas_batch: the steps are tried out one after the other; what they come to is one plan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from chardesk.broker.desk.calls.trying import Trial
from chardesk.broker.desk.effects import Later, Outcome, Reply
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.concluding import conclude
from chardesk.broker.desk.road.conflict import overwrites
from chardesk.broker.desk.road.elsewhere import elsewhere, prepare
from chardesk.broker.desk.road.fitting import refit
from chardesk.broker.desk.road.permits import later
from chardesk.broker.desk.road.proposing import Proposal
from chardesk.broker.desk.road.road import quoted
from chardesk.tools.draw.impact import impact
from chardesk.tools.draw.render import takes_long
from chardesk.tools.draw.sourced import TEXT_OF
from chardesk.tools.errors import Refused
from chardesk.tools.look.read import text_map
from chardesk.tools.model.change import Change
from chardesk.tools.model.rehearsal import Rehearsal
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import Step, cells_changed
from chardesk.tools.operation import QUICK_CELLS, QUICK_CHARS, Block, Text
from chardesk.tools.run.batch import BatchStep
from chardesk.tools.run.references import resolved

MAX_RESULTS_BYTES = 65_536
"""Of the results together, as JSON: they are kept with the commit, to answer a repeat."""


@dataclass(frozen=True, slots=True)
class _Tried:
    """What the steps gave, what they come to, and the map of it."""

    results: list[dict[str, Any]]
    steps: tuple[Step, ...]
    changes: Mapping[str, Change]
    maps: tuple[Block, ...] = ()


def batch(state: State, ask: Ask) -> Outcome | Later:
    """All of it or nothing. Raises the first step's refusal, naming its index.

    Much is drawn on another thread. What others change meanwhile on the same cells is a conflict.
    """
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    is_much = _is_much(state, sheet, ask.args.ops)
    trial = Trial(Rehearsal(state.contents, apart=is_much), state.mint, (canvas.id, sheet.id))
    is_watched = bool(state.pages.all)
    if not is_much:
        return _finish(state, ask, trial, _tried(trial, ask.args.ops, is_watched), state.seq)

    begun = state.seq

    def resume(tried: _Tried, at: float) -> Outcome:
        return _finish(state, later(state, ask, at), trial, tried, begun)

    return elsewhere(state, ask, partial(_tried, trial, ask.args.ops, is_watched), resume)


def _is_much(state: State, sheet: Sheet, ops: Sequence[BatchStep]) -> bool:
    """Long texts, or steps whose cost follows what is stored where much is stored."""
    if sum(map(_chars, ops)) > QUICK_CHARS or any(map(_takes_long, ops)):
        return True
    sheets = {sheet.id, *(str(step.args["pageId"]) for step in ops if "pageId" in step.args)}
    found = [one for one in map(state.contents.sheet, sheets) if one is not None]
    is_full = any(one.scene.stored_cells() > QUICK_CELLS for one in found)
    return is_full and any(step.op not in TEXT_OF for step in ops)


def _chars(step: BatchStep) -> int:
    return len(_text(step))


def _takes_long(step: BatchStep) -> bool:
    return step.op == "render" and takes_long(_text(step), str(step.args.get("format", "auto")))


def _text(step: BatchStep) -> str:
    text = step.args.get(TEXT_OF.get(step.op, ""))
    return text if isinstance(text, str) else ""


def _tried(trial: Trial, ops: Sequence[BatchStep], is_watched: bool) -> _Tried:
    """The results of all steps; and of the changes they come to, all that is asked of them later."""
    results: list[dict[str, Any]] = []
    for index, step in enumerate(ops):
        try:
            results.append(trial.do(step.op, resolved(step.args, results)))
        except Refused as refusal:
            raise _at(index, step.op, refusal) from None
    _refuse_long(results)
    steps = trial.steps()
    changes = cells_changed(steps)
    for change in changes.values():
        change.once(impact)
        prepare(change, is_watched)
    return _Tried(results, steps, changes, _maps(trial, changes) if steps else ())


def _finish(state: State, ask: Ask, trial: Trial, tried: _Tried, begun: int) -> Outcome:
    """`begun` is the commit after which the steps were tried; what came since must leave them room."""
    steps = tried.steps if state.seq == begun else refit(state.contents, tried.steps, "conflict")
    tried = replace(tried, steps=steps)
    outcome = _concluded(state, ask, trial, tried) if steps else _idle(state, ask, tried.results)
    _note_seen(state, ask, trial)
    return outcome


def _at(index: int, op: str, refusal: Refused) -> Refused:
    """The same refusal, naming its step."""
    inner = refusal.field or ""
    field = ".".join(filter(None, ("ops", str(index), inner if inner.startswith("args") else _args(inner))))
    return Refused(
        refusal.code,
        f"ops[{index}] {op}: {refusal.message}; nothing was changed",
        field=field,
        retry_after_ms=refusal.retry_after_ms,
        details={**refusal.details, "index": index, "op": op},
    )


def _args(field: str) -> str:
    return f"args.{field}" if field else ""


def _refuse_long(results: list[dict[str, Any]]) -> None:
    size = len(json.dumps(results, ensure_ascii=False).encode("utf-8", "replace"))
    if size > MAX_RESULTS_BYTES:
        raise Refused(
            "too_large",
            f"the results have {size} bytes, the limit is {MAX_RESULTS_BYTES}; read less in one batch",
            field="ops",
            details={"limit": MAX_RESULTS_BYTES, "actual": size},
        )


def _note_seen(state: State, ask: Ask, trial: Trial) -> None:
    """What the steps read counts as read from now on, not for the batch itself: its writes were planned
    before anybody had seen it."""
    for sheet_id, rect in trial.seen:
        if ask.actor.knowledge is not None and sheet_id in trial.revisions:
            ask.actor.knowledge.add(sheet_id, rect, trial.revisions[sheet_id])


def _idle(state: State, ask: Ask, results: list[dict[str, Any]]) -> Outcome:
    place = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    own = {"bounds": None, **impact(Change()).fields(), "operations": len(results), "results": results}
    fields = {**own, "applied": ask.args.mode == "apply", **state.common_fields(*place)}
    return [], Reply(fields, (Text(f"{ask.tool}: nothing to change"),))


# -- what it comes to ----------------------------------------------------------------


def _concluded(state: State, ask: Ask, trial: Trial, tried: _Tried) -> Outcome:
    steps, results, changes = tried.steps, tried.results, tried.changes
    canvas, sheet = _main(trial, changes)
    change = changes.get(sheet.id, Change())
    bounds = change.bounds()
    lost = [one for sheet_id, each in changes.items() for one in _overwritten(state, ask, sheet_id, each)]
    fields = {**_told(change), "operations": len(results), "results": results, **_sheets(trial, changes)}
    where = f" at {list(bounds)} on {canvas.name}" if bounds else ""
    beside = f" and {len(changes) - 1} more sheets" if len(changes) > 1 else ""
    proposal = Proposal(
        tool=ask.tool,
        steps=steps,
        canvas=canvas.id,
        sheet=sheet.id,
        fields=fields,
        summary=f"{ask.tool} of {len(results)} steps{where}{beside}",
        extra={"overwrites": lost},
        blocks=(*tried.maps, *quoted(lost)),
    )
    return conclude(state, ask, proposal, is_apply=ask.args.mode == "apply")


def _main(trial: Trial, changes: Mapping[str, Change]) -> tuple[Canvas, Sheet]:
    """The sheet that the reply is about: the one asked for if its cells change, else the first that does."""
    canvas, sheet = trial.asked_for()
    if sheet.id not in changes and changes:
        return trial.place(None, next(iter(changes)))
    return canvas, sheet


def _told(change: Change) -> dict[str, Any]:
    bounds = change.bounds()
    return {"bounds": list(bounds) if bounds else None, **change.once(impact).fields()}


def _sheets(trial: Trial, changes: Mapping[str, Change]) -> dict[str, Any]:
    if len(changes) < 2:
        return {}
    return {
        "sheets": [
            {"canvasId": trial.place(None, sheet_id)[0].id, "pageId": sheet_id, **_told(change)}
            for sheet_id, change in changes.items()
        ]
    }


def _overwritten(state: State, ask: Ask, sheet_id: str, change: Change) -> list[dict[str, Any]]:
    sheet = state.contents.sheet(sheet_id)
    if sheet is None:
        return []
    return overwrites(sheet, ask.actor, change.footprint(), ask.args.expected_revision)


def _maps(trial: Trial, changes: Mapping[str, Change]) -> tuple[Block, ...]:
    """The map of what the reply is about, as the steps have left it."""
    _, sheet = _main(trial, changes)
    bounds = changes.get(sheet.id, Change()).bounds()
    return () if bounds is None else (Text(text_map(sheet.scene, bounds)),)
