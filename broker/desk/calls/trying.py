"""A batch being tried out: each step works on what the steps before have made. Nothing is applied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never, get_args

from chardesk.broker.desk.calls.arranging import with_place
from chardesk.broker.desk.known.places import Place, placed
from chardesk.broker.desk.road.fitting import refuse_archived
from chardesk.tools.errors import Refused
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.rehearsal import Rehearsal
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import CellsChanged, Step
from chardesk.tools.operation import Arrange, Asked, Changing, Draw, Look, Operation, Target
from chardesk.tools.registry import BY_VERB, SCRIPT_ONLY
from chardesk.tools.run.batch import Verb
from chardesk.tools.schema import parse

VERBS: Mapping[Verb, Operation] = {verb: (BY_VERB | SCRIPT_ONLY)[verb] for verb in get_args(Verb)}

_OF_THE_WHOLE = frozenset(Changing.model_fields) - frozenset(Target.model_fields) | {"activate"}
"""Fields that say how the batch is applied; a step has none of its own."""


class Trial:
    """`place` is what a step means that names no canvas and sheet. `seen` are rectangles that steps read."""

    def __init__(self, contents: Rehearsal, mint: Callable[[str], str], place: Place) -> None:
        self._contents = contents
        self._mint = mint
        self._place = place
        self._steps: list[Step] = []
        self._drafts: dict[str, Draft] = {}
        self.seen: list[tuple[str, Rect]] = []
        self.revisions = {
            sheet.id: sheet.revision for canvas in contents.canvases.values() for sheet in canvas.sheets
        }

    def do(self, verb: Verb, raw: Mapping[str, Any]) -> dict[str, Any]:
        """One step; its result's own fields. Raises what the operation refuses, and `invalid_input` for
        fields that belong to the whole batch."""
        operation = VERBS[verb]
        args = parse(operation.args, raw)
        _refuse_of_the_whole(args)
        match operation.body:
            case Draw():
                return self._draw(operation.body, args)
            case Look():
                return self._look(operation.body, args)
            case Arrange():
                return self._arrange(operation.body, args)
            case Asked():
                raise Refused("unsupported_action", f"a batch has no {verb}; call {operation.name} itself")
            case _:
                assert_never(operation.body)

    def steps(self) -> tuple[Step, ...]:
        """What all of it comes to; steps without effect leave nothing."""
        self._lay_down()
        return tuple(self._steps)

    def place(self, canvas_id: str | None, page_id: str | None) -> tuple[Canvas, Sheet]:
        return placed(self._contents, canvas_id, page_id, self._place)

    def asked_for(self) -> tuple[Canvas, Sheet]:
        """The batch's own canvas and sheet; the first that is open when a step took them away."""
        canvas = self._contents.canvases.get(self._place[0]) or self._contents.open_canvases()[0]
        return canvas, canvas.sheet(self._place[1]) or canvas.sheets[0]

    # -- one step --------------------------------------------------------------------

    def _draw(self, body: Draw, args: Any) -> dict[str, Any]:
        canvas, sheet = self.place(args.canvas_id, args.page_id)
        refuse_archived(canvas)
        whole = self._drafts.get(sheet.id) or Draft(sheet.scene)
        self._drafts[sheet.id] = whole
        aside = Draft(whole.scene)
        result = body.plan(aside, sheet.size, args)
        whole.go_on_from(aside)
        sheet.scene = whole.scene
        return result.fields()

    def _look(self, body: Look, args: Any) -> dict[str, Any]:
        sheet = self.place(args.canvas_id, args.page_id)[1]
        if body.is_slow(sheet.scene, args):
            raise Refused("too_large", "this look takes too long for a batch; narrow it or call it by itself")
        shown = body.show(sheet.scene, sheet.size, args)
        self.seen += [(sheet.id, rect) for rect in shown.seen]
        return shown.result.fields()

    def _arrange(self, body: Arrange, args: Any) -> dict[str, Any]:
        if args.action == "show":
            raise Refused("unsupported_action", "show points the person somewhere; call it by itself")
        planned = body.plan(self._contents, self._place[0], self._mint, with_place(args, self._place))
        if planned.steps:
            self._lay_down()
        for step in planned.steps:
            self._contents.apply(step)
            self._steps.append(step)
        return planned.result.fields()

    def _lay_down(self) -> None:
        """The cells drawn so far become steps, so that a step on sheets comes after them."""
        for sheet_id, draft in self._drafts.items():
            change = draft.change()
            if not change.is_idle:
                self._steps.append(CellsChanged(sheet_id, change))
        self._drafts.clear()


def _refuse_of_the_whole(args: Any) -> None:
    for name in sorted(_OF_THE_WHOLE & args.model_fields_set):
        alias = str(type(args).model_fields[name].alias)
        raise Refused("invalid_input", f"{alias} belongs to the batch, not to a step", field=alias)
