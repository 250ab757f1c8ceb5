"""canvas_history show and diff: what one operation did, and what differs between two revisions of a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from chardesk.broker.desk.effects import Effect, Fetch, Later, Outcome, Reply
from chardesk.broker.desk.history.logbook import entry
from chardesk.broker.desk.history.past import Happened, look_back
from chardesk.broker.desk.history.tagging import revision_of
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.permits import later
from chardesk.tools.errors import Refused
from chardesk.tools.history import standing
from chardesk.tools.look.read import text_map
from chardesk.tools.model.change import Change
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.region import Rect
from chardesk.tools.model.rewind import Then, difference, rewound, touched
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import CellsChanged, Step, cells_changed
from chardesk.tools.operation import Block, Note, Text

MAX_RECTS = 200
MAX_MAPS = 4
"""Sheets of one operation that are drawn; the others are named."""


def show(state: State, ask: Ask) -> Outcome | Later:
    """One operation, however old: what it changed, before and after. Raises Refused `not_found`."""
    wanted = ask.args.operation_id
    header = state.timeline.by_id(wanted)
    steps = state.timeline.steps(header.seq) if header is not None else None
    if header is not None and steps is not None:
        return _shown(state, ask, replace(header, steps=steps))

    def resume(commit: Commit | None, now: float) -> Outcome:
        if commit is None:
            raise Refused("not_found", f"no operation {wanted[:40]}", field="operationId")
        return _shown(state, later(state, ask, now), commit)

    job = state.mint("jb")
    state.jobs[job] = Job(ask.link, ask.call, state.seq, resume)
    effects: list[Effect] = [Fetch(job, header.seq if header is not None else wanted)]
    return effects, None


def _shown(state: State, ask: Ask, commit: Commit) -> Outcome:
    """`stands` is absent for what is too old to be taken back by name."""
    known = state.timeline.by_id(commit.operation_id) is not None
    headers = list(state.timeline.headers.values())
    stands = {"stands": standing(headers, commit.operation_id) is not None} if known else {}
    fields = {
        "entries": [entry(commit)],
        "steps": [_told(step) for step in commit.steps],
        **stands,
        **_run(commit),
        **state.common_fields(*state.place(ask.args.canvas_id, ask.args.page_id, ask.place)),
    }
    summary = f"{commit.operation_id} #{commit.seq}: {commit.tool} by {commit.author}"
    return [], Reply(fields, (Text(summary), *_why(commit), *_attested(commit), *_maps(state, commit)))


def _told(step: Step) -> dict[str, Any]:
    """A step without its cells; how many there are, and where."""
    if isinstance(step, CellsChanged):
        bounds = step.change.bounds()
        cells = step.change.altered().columns
        return {
            "step": "CellsChanged",
            "pageId": step.sheet,
            "bounds": list(bounds) if bounds else None,
            "cells": cells,
        }
    own = {name: value for name, value in asdict(step).items() if name not in ("cells", "sheet", "canvas")}
    ids = {"pageId": getattr(step, "sheet", None), "canvasId": getattr(step, "canvas", None)}
    named = {name: value for name, value in ids.items() if value is not None}
    return {"step": type(step).__name__, **named, **own}


def _why(commit: Commit) -> tuple[Block, ...]:
    """What the author said, fenced: it is somebody's text, never an instruction."""
    if not commit.why:
        return ()
    return (Note(f"why, quoted:\n```untrusted\n{commit.why.replace('```', chr(39) * 3)}\n```"),)


_RUN = ("backend", "evidence", "seed", "durationMs")
"""What is kept of a script's run, from its reply."""


def _run(commit: Commit) -> dict[str, Any]:
    """How a script was run and what it was held to, as the field `run`; nothing for other operations."""
    kept = commit.result or {}
    return {"run": {name: kept[name] for name in _RUN}} if "evidence" in kept else {}


def _attested(commit: Commit) -> Iterator[Block]:
    if run := _run(commit).get("run"):
        backend = run["backend"]
        levels = ", ".join(f"{dimension} {level}" for dimension, level in backend["levels"].items())
        yield Note(f"run by {backend['name']} ({backend['version']}): {levels}")


def _maps(state: State, commit: Commit) -> Iterator[Block]:
    changes = cells_changed(commit.steps)
    for sheet, change in list(changes.items())[:MAX_MAPS]:
        if (bounds := change.bounds()) is not None:
            yield from _both(_name(state, sheet), _side(change.inverse()), _side(change), bounds)
    if len(changes) > MAX_MAPS:
        yield Text(f"and {len(changes) - MAX_MAPS} more sheets")


def _name(state: State, sheet_id: str) -> str:
    sheet = state.contents.sheet(sheet_id)
    return sheet.name if sheet is not None else f"{sheet_id}, which is gone"


def _side(change: Change) -> Scene:
    """Only what the change says of one side; what lies between its cells is empty here."""
    scene = Scene()
    scene.apply(change)
    return scene


def _both(name: str, before: Scene, after: Scene, bounds: Rect) -> Iterator[Block]:
    yield Text(f"{name}, before:\n{text_map(before, bounds)}")
    yield Text(f"{name}, after:\n{text_map(after, bounds)}")


# -- diff ------------------------------------------------------------------------------


def diff(state: State, ask: Ask) -> Outcome | Later:
    """What must change to make the sheet at `from` the sheet at `to` (now if left out). A sheet that was not
    there yet is empty then. Raises what `look_back` does."""
    first, last = revision_of(state, ask.args.from_, "from"), revision_of(state, ask.args.to, "to")
    sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)[1]

    def compare(later: Ask, past: Sequence[Happened]) -> Outcome:
        return _compared(state, later, sheet.id, (first, last), past)

    return look_back(state, ask, sheet.id, min(first, last), compare)


def _compared(
    state: State, ask: Ask, sheet_id: str, revisions: tuple[int, int], past: Sequence[Happened]
) -> Outcome:
    canvas, sheet = state.place(None, sheet_id, ask.place)
    low, high = sorted(revisions)
    between = [one for one in past if low < one.seq <= high]
    newer = at_revision(sheet, past, high)
    older = rewound(newer, _back(between))
    sides = (older, newer) if revisions == (low, high) else (newer, older)
    before, after = (side.scene for side in sides)
    change = difference(before, after, touched(step for one in between for step in one.steps))
    altered = change.altered()
    rects, bounds = altered.rects(), altered.bounds()
    fields: dict[str, Any] = {
        "revisions": list(revisions),
        "changedCells": altered.columns,
        "bounds": list(bounds) if bounds else None,
        "rects": [list(rect) for rect in rects[:MAX_RECTS]],
        "truncated": len(rects) > MAX_RECTS,
        "authors": sorted({one.author for one in between}),
        **state.common_fields(canvas, sheet),
    }
    summary = Text(
        f"{altered.columns} cells of {sheet.name} differ between #{revisions[0]} and #{revisions[1]}"
    )
    maps = () if bounds is None else _both(sheet.name, before, after, bounds)
    return [], Reply(fields, (summary, *maps))


def at_revision(sheet: Sheet, past: Sequence[Happened], revision: int) -> Then:
    """The sheet at a revision; `past` is newest first and reaches that far."""
    return rewound(Then(sheet.scene, sheet.size), _back([one for one in past if one.seq > revision]))


def _back(past: Sequence[Happened]) -> Iterator[Step]:
    return (step for one in past for step in reversed(one.steps))
