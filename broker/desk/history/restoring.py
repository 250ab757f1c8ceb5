"""canvas_history restore: a sheet as it was at a revision or tag, as a change of today."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from chardesk.broker.desk.effects import Later, Outcome, Reply
from chardesk.broker.desk.history.past import Happened, look_back
from chardesk.broker.desk.history.showing import at_revision
from chardesk.broker.desk.history.tagging import revision_of
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.concluding import conclude
from chardesk.broker.desk.road.conflict import overwrites
from chardesk.broker.desk.road.fitting import refuse_archived
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
from chardesk.tools.model.steps import CellsChanged, SheetResized, Step
from chardesk.tools.operation import Text

TOOL = "canvas_history restore"


def restore(state: State, ask: Ask) -> Outcome | Later:
    """Cells and size as they were; the name stays, and so does everything else on the desk. It meets the
    conflict rule and is a preview unless mode says apply. Raises `not_found` if the sheet was not there."""
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    refuse_archived(canvas)
    revision = revision_of(state, ask.args.to, "to")

    def finish(later: Ask, past: Sequence[Happened]) -> Outcome:
        return _finish(state, later, (canvas.id, sheet.id), revision, past)

    return look_back(state, ask, sheet.id, revision, finish)


def _finish(
    state: State, ask: Ask, place: tuple[str, str], revision: int, past: Sequence[Happened]
) -> Outcome:
    canvas, sheet = state.place(*place, ask.place)
    refuse_archived(canvas)
    then = at_revision(sheet, past, revision)
    if not then.is_there:
        raise Refused("not_found", f"{sheet.name} was not there at revision {revision}", field="to")
    region = touched(step for one in past for step in one.steps)
    change = difference(sheet.scene, then.scene, region)
    steps = tuple(_steps(sheet, then, region))
    fields = _fields(revision, change)
    if not steps:
        common = {**fields, "applied": ask.args.mode == "apply", **state.common_fields(canvas, sheet)}
        return [], Reply(common, (Text(f"{sheet.name} is as it was at revision {revision}"),))
    proposal = _proposal(ask, canvas, sheet, steps, fields, then)
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
        **impact(change).fields(),
    }


def _proposal(
    ask: Ask, canvas: Canvas, sheet: Sheet, steps: tuple[Step, ...], fields: dict[str, Any], then: Then
) -> Proposal:
    changes = [step.change for step in steps if isinstance(step, CellsChanged)]
    expected = ask.args.expected_revision
    lost = [one for each in changes for one in overwrites(sheet, ask.actor, each.footprint(), expected)]
    bounds = then.scene.bounds()
    shown = () if bounds is None else (Text(text_map(then.scene, bounds)),)
    return Proposal(
        tool=TOOL,
        steps=steps,
        canvas=canvas.id,
        sheet=sheet.id,
        fields=fields,
        summary=f"restore {sheet.name} to revision {fields['revisions'][0]}",
        extra={"overwrites": lost},
        blocks=(*shown, *quoted(lost)),
    )
