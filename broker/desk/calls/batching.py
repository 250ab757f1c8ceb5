"""canvas_batch: the steps are tried out one after the other; what they come to is one plan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from chardesk.broker.desk.calls.trying import Trial
from chardesk.broker.desk.calls.working import elsewhere
from chardesk.broker.desk.effects import Later, Outcome, Reply
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.concluding import conclude
from chardesk.broker.desk.road.conflict import overwrites
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
from chardesk.tools.operation import QUICK_CHARS, Block, Text
from chardesk.tools.run.batch import BatchStep
from chardesk.tools.run.references import resolved

MAX_RESULTS_BYTES = 65_536
"""Of the results together, as JSON: they are kept with the commit, to answer a repeat."""


def batch(state: State, ask: Ask) -> Outcome | Later:
    """All of it or nothing. Raises the first step's refusal, naming its index.

    Long texts are drawn on another thread. What others change meanwhile on the same cells is a conflict.
    """
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    is_much = sum(map(_chars, ask.args.ops)) > QUICK_CHARS or any(map(_takes_long, ask.args.ops))
    trial = Trial(Rehearsal(state.contents, apart=is_much), state.mint, (canvas.id, sheet.id))
    if not is_much:
        return _finish(state, ask, trial, _tried(trial, ask.args.ops), state.seq)

    begun = state.seq

    def resume(results: list[dict[str, Any]], at: float) -> Outcome:
        return _finish(state, later(state, ask, at), trial, results, begun)

    return elsewhere(state, ask, partial(_tried, trial, ask.args.ops), resume)


def _chars(step: BatchStep) -> int:
    return len(_text(step))


def _takes_long(step: BatchStep) -> bool:
    return step.op == "render" and takes_long(_text(step), str(step.args.get("format", "auto")))


def _text(step: BatchStep) -> str:
    text = step.args.get(TEXT_OF.get(step.op, ""))
    return text if isinstance(text, str) else ""


def _tried(trial: Trial, ops: Sequence[BatchStep]) -> list[dict[str, Any]]:
    """The results of all steps."""
    results: list[dict[str, Any]] = []
    for index, step in enumerate(ops):
        try:
            results.append(trial.do(step.op, resolved(step.args, results)))
        except Refused as refusal:
            raise _at(index, step.op, refusal) from None
    _refuse_long(results)
    return results


def _finish(state: State, ask: Ask, trial: Trial, results: list[dict[str, Any]], begun: int) -> Outcome:
    """`begun` is the commit after which the steps were tried; what came since must leave them room."""
    steps = trial.steps() if state.seq == begun else refit(state.contents, trial.steps(), "conflict")
    outcome = _concluded(state, ask, trial, steps, results) if steps else _idle(state, ask, results)
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


def _concluded(
    state: State, ask: Ask, trial: Trial, steps: tuple[Step, ...], results: list[dict[str, Any]]
) -> Outcome:
    changes = cells_changed(steps)
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
        blocks=(*_maps(sheet, change), *quoted(lost)),
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
    return {"bounds": list(bounds) if bounds else None, **impact(change).fields()}


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


def _maps(sheet: Sheet, change: Change) -> tuple[Block, ...]:
    bounds = change.bounds()
    return () if bounds is None else (Text(text_map(sheet.scene, bounds)),)
