"""canvas_history restore: a sheet as it was at a revision or tag, as a change of today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from chardesk.broker.desk.effects import Later, Outcome, Reply
from chardesk.broker.desk.history.past import Happened, look_back
from chardesk.broker.desk.history.showing import at_revision
from chardesk.broker.desk.history.tagging import revision_of
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.concluding import conclude
from chardesk.broker.desk.road.conflict import overwrites
from chardesk.broker.desk.road.elsewhere import elsewhere, prepare
from chardesk.broker.desk.road.fitting import refuse_archived
from chardesk.broker.desk.road.permits import later
from chardesk.broker.desk.road.proposing import Proposal
from chardesk.broker.desk.road.road import quoted
from chardesk.tools.arrange.pages import without_outside
from chardesk.tools.draw.impact import impact
from chardesk.tools.errors import Refused
from chardesk.tools.look.read import text_map
from chardesk.tools.model.change import Change
from chardesk.tools.model.region import Region
from chardesk.tools.model.rewind import Then, difference, touched
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import CellsChanged, SheetResized, Step, cells_changed
from chardesk.tools.operation import QUICK_CELLS, Block, Text

TOOL = "canvas_history restore"

TRIES = 2
"""So often it is worked out anew elsewhere when others changed the sheet meanwhile; then at once."""


def restore(state: State, ask: Ask) -> Outcome | Later:
    """Cells and size as they were; the name stays, and so does everything else on the desk. It meets the
    conflict rule and is a preview unless mode says apply. Raises `not_found` if the sheet was not there."""
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    refuse_archived(canvas)
    revision = revision_of(state, ask.args.to, "to")

    def finish(asked: Ask, past: Sequence[Happened]) -> Outcome | Later:
        return _finish(state, asked, _Wish(canvas.id, sheet.id, revision, tuple(past)))

    return look_back(state, ask, sheet.id, revision, finish)


@dataclass(frozen=True, slots=True)
class _Wish:
    """Which sheet, as it was when, and what happened to it since. `tries`: how often others were faster."""

    canvas: str
    sheet: str
    revision: int
    past: tuple[Happened, ...]
    tries: int = 0


@dataclass(frozen=True, slots=True)
class _Past:
    """What leads back from the sheet as it was at `seen`, and the map of it."""

    steps: tuple[Step, ...]
    seen: int
    change: Change
    maps: tuple[Block, ...]


def _finish(state: State, ask: Ask, wish: _Wish) -> Outcome | Later:
    canvas, sheet = state.place(wish.canvas, wish.sheet, ask.place)
    refuse_archived(canvas)
    is_watched = bool(state.pages.all)
    if wish.tries >= TRIES or sheet.scene.stored_cells() + _cells_since(wish.past) <= QUICK_CELLS:
        return _propose(state, ask, wish, _looked_back(sheet, wish.past, wish.revision, is_watched))

    def resume(found: _Past, now: float) -> Outcome | Later:
        asked, again = later(state, ask, now), state.place(wish.canvas, wish.sheet, ask.place)[1]
        if again.revision == found.seen:
            return _propose(state, asked, wish, found)

        def go_on(asker: Ask, past: Sequence[Happened]) -> Outcome | Later:
            return _finish(state, asker, replace(wish, past=tuple(past), tries=wish.tries + 1))

        return look_back(state, asked, wish.sheet, wish.revision, go_on)

    apart = replace(sheet, scene=sheet.scene.fork())
    return elsewhere(state, ask, partial(_looked_back, apart, wish.past, wish.revision, is_watched), resume)


def _cells_since(past: Sequence[Happened]) -> int:
    steps = (step for one in past for step in one.steps)
    return sum(step.change.footprint().columns for step in steps if isinstance(step, CellsChanged))


def _looked_back(sheet: Sheet, past: Sequence[Happened], revision: int, is_watched: bool) -> _Past:
    """Pure; cost follows the cells. Raises `not_found` if the sheet was not there."""
    then = at_revision(sheet, past, revision)
    if not then.is_there:
        raise Refused("not_found", f"{sheet.name} was not there at revision {revision}", field="to")
    region = touched(step for one in past for step in one.steps)
    steps = tuple(_steps(sheet, then, region))
    change = difference(sheet.scene, then.scene, region)
    change.once(impact)
    for each in cells_changed(steps).values():
        prepare(each, is_watched)
    bounds = then.scene.bounds()
    maps = () if bounds is None else (Text(text_map(then.scene, bounds)),)
    return _Past(steps, sheet.revision, change, maps)


def _propose(state: State, ask: Ask, wish: _Wish, found: _Past) -> Outcome:
    canvas, sheet = state.place(wish.canvas, wish.sheet, ask.place)
    refuse_archived(canvas)
    fields = _fields(wish.revision, found.change)
    if not found.steps:
        common = {**fields, "applied": ask.args.mode == "apply", **state.common_fields(canvas, sheet)}
        return [], Reply(common, (Text(f"{sheet.name} is as it was at revision {wish.revision}"),))
    proposal = _proposal(ask, canvas, sheet, found, fields)
    return conclude(state, ask, proposal, is_apply=ask.args.mode == "apply")


def _steps(sheet: Sheet, then: Then, region: Region) -> Iterator[Step]:
    """What stands outside of the page's old size goes before the page is resized, and what stood in it comes
    after: so the steps can be taken one by one, there and back."""
    scene = sheet.scene
    if sheet.size is not None and then.size is not None and sheet.size != then.size:
        inside = without_outside(sheet, sheet.size, then.size)
        yield from _cells(sheet, inside.change().essence())
        yield SheetResized(sheet.id, sheet.size, then.size)
        scene = inside.scene
    yield from _cells(sheet, difference(scene, then.scene, region))


def _cells(sheet: Sheet, change: Change) -> Iterator[Step]:
    if change.runs:
        yield CellsChanged(sheet.id, change)


def _fields(revision: int, change: Change) -> dict[str, Any]:
    bounds = change.bounds()
    return {
        "revisions": [revision],
        "bounds": list(bounds) if bounds else None,
        **change.once(impact).fields(),
    }


def _proposal(ask: Ask, canvas: Canvas, sheet: Sheet, found: _Past, fields: dict[str, Any]) -> Proposal:
    changes = [step.change for step in found.steps if isinstance(step, CellsChanged)]
    expected = ask.args.expected_revision
    lost = [one for each in changes for one in overwrites(sheet, ask.actor, each.footprint(), expected)]
    return Proposal(
        tool=TOOL,
        steps=found.steps,
        canvas=canvas.id,
        sheet=sheet.id,
        fields=fields,
        summary=f"restore {sheet.name} to revision {fields['revisions'][0]}",
        extra={"overwrites": lost},
        blocks=(*found.maps, *quoted(lost)),
    )
