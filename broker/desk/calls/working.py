"""Drawing that goes on elsewhere, and how long a call is waited for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from chardesk.broker.desk.effects import Later, Outcome
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.elsewhere import elsewhere, prepare
from chardesk.broker.desk.road.fitting import refuse_archived
from chardesk.broker.desk.road.permits import later
from chardesk.broker.desk.road.proposing import MAX_PREVIEW_CELLS, becomes_preview
from chardesk.broker.desk.road.road import Drawn, Weighed, read_back, settle, weigh
from chardesk.broker.desk.road.told import cells_after
from chardesk.broker.desk.world import lay
from chardesk.tools.look.read import text_map
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.packed import pack_change
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.operation import Draw
from chardesk.tools.run.code import DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS

CALL_S = 10.0
"""A call is over by then (contract, section 5)."""

SCRIPT_GRACE_S = 5.0


def patience(tool: str, arguments: Mapping[str, Any]) -> float:
    """Seconds from a call's turn until it counts as timed out. A script has its own limit and a bit more, to
    wait for a place and for its cells to be planned."""
    if tool != "canvas_code":
        return CALL_S
    wished = str(arguments.get("timeoutMs", DEFAULT_TIMEOUT_MS))
    limit_ms = (
        min(int(wished), MAX_TIMEOUT_MS) if wished.isascii() and wished.isdigit() else DEFAULT_TIMEOUT_MS
    )
    return limit_ms / 1000 + SCRIPT_GRACE_S


# -- drawing ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Planned:
    """What was planned on a fork of the sheet, as it was at `revision`."""

    draft: Draft
    weighed: Weighed
    revision: int
    fields: dict[str, Any]


def draw(state: State, ask: Ask, body: Draw, canvas: Canvas, sheet: Sheet) -> Later:
    """Plan on a fork, elsewhere; the gates come when it is done, on the sheet as it is then."""
    weigher = weigher_of(state, ask)
    work = partial(_plan, body, sheet.scene.fork(), sheet, ask.args, sheet.revision, weigher)

    def resume(planned: _Planned, at: float) -> Outcome:
        return _settle(state, later(state, ask, at), (canvas.id, sheet.id), planned)

    return elsewhere(state, ask, work, resume)


def _plan(
    body: Draw, scene: Scene, sheet: Sheet, args: Any, revision: int, weigher: Callable[[Draft], Weighed]
) -> _Planned:
    draft = Draft(scene)
    fields = body.plan(draft, sheet.size, args).fields()
    return _Planned(draft, weigher(draft), revision, fields)


def weigher_of(state: State, ask: Ask) -> Callable[[Draft], Weighed]:
    """Weighs what a call drew, and works out all that the gates and pages will ask of it. Pure, and meant to
    be done elsewhere: ten thousand scattered cells take a third of a second."""
    return partial(_weighed, is_watched=bool(state.pages.all), is_preview=becomes_preview(ask))


def _weighed(draft: Draft, *, is_watched: bool, is_preview: bool) -> Weighed:
    found = weigh(draft)
    prepare(found.change, is_watched)
    found.change.once(read_back)
    bounds = found.change.bounds()
    if not is_preview or bounds is None or found.change.footprint().columns > MAX_PREVIEW_CELLS:
        return found
    found.change.once(cells_after)
    found.change.once(pack_change)
    return found._replace(map=text_map(draft.scene, bounds))


def _settle(state: State, ask: Ask, place: tuple[str, str], planned: _Planned) -> Outcome:
    """What was planned, on the sheet as it is now. Where others changed it meanwhile, the conflict rule
    decides."""
    canvas, sheet = state.place(*place, ask.place)
    refuse_archived(canvas)
    if sheet.revision == planned.revision:
        whole = Drawn(ask, canvas, sheet, planned.draft, planned.fields, weighed=planned.weighed)
        return settle(state, whole)
    draft = Draft(sheet.scene)
    lay(draft, planned.weighed.change)
    return settle(state, Drawn(ask, canvas, sheet, draft, planned.fields))
