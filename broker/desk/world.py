"""What a script sees: one sheet on a snapshot, with the script's own writes on it. Pure; nothing is applied.

The same world serves preview and apply; when the script has ended, `change()` is the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from chardesk.tools.errors import Refused
from chardesk.tools.model.change import Change
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Block, Draw, Look, Operation
from chardesk.tools.registry import BY_VERB
from chardesk.tools.schema import Result, parse

MAX_CHANGED_CELLS = 20_000


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """How a script ended. `refusal` is None when it returned."""

    result: Any = None
    truncated: bool = False
    console: str = ""
    operations: int = 0
    duration_ms: int = 0
    backend: Mapping[str, Any] = field(default_factory=dict)
    refusal: Refused | None = None


@dataclass(slots=True)
class ScriptWorld:
    """`asked` answers what is not cells (manage, history), read-only."""

    canvas: str
    sheet: str
    revision: int
    size: Size | None
    draft: Draft
    asked: Callable[[Operation, Any], Mapping[str, Any]]
    seen: list[Rect] = field(default_factory=list)
    writes: int = 0

    def answer(self, verb: str, raw: Any) -> dict[str, Any]:
        """The result of one `canvas.<verb>(raw)`; a refusal is a value (`ok: false`), never an exception."""
        try:
            return {"ok": True, **self._carry_out(verb, raw)}
        except Refused as refusal:
            return refusal.fields()

    def change(self) -> Change:
        return self.draft.change()

    def _carry_out(self, verb: str, raw: Any) -> dict[str, Any]:
        operation = BY_VERB.get(verb)
        if operation is None:
            raise Refused("unsupported_action", f"scripts have no canvas.{verb[:40]}")
        if not isinstance(raw, dict):
            raise Refused("invalid_input", f"canvas.{verb} takes one object, such as {{at: [0, 0]}}")
        args = parse(operation.args, raw)
        self._stay_here(args)
        match operation.body:
            case Look(show):
                shown = show(self.draft.scene, self.size, args)
                self.seen += shown.seen
                return {**shown.result.fields(), "content": _content(shown.blocks)}
            case Draw(plan):
                return self._draw(plan, args)
            case _:
                return dict(self.asked(operation, args))

    def _draw(self, plan: Callable[[Draft, Size | None, Any], Result], args: Any) -> dict[str, Any]:
        """Planned aside first: a call that is refused has written nothing."""
        aside = Draft(self.draft.scene)
        result = plan(aside, self.size, args)
        self._refuse_over_limit(aside)
        lay(self.draft, aside.change())
        self.writes += 1
        return result.fields()

    def _stay_here(self, args: Any) -> None:
        for name, own in (("canvas_id", self.canvas), ("page_id", self.sheet)):
            wanted = getattr(args, name, None)
            if wanted is not None and wanted != own:
                raise Refused(
                    "unsupported_action", f"a script works on one sheet; this one is {own}", field=name
                )

    def _refuse_over_limit(self, aside: Draft) -> None:
        columns = (self.draft.written() | aside.written()).columns
        if columns > MAX_CHANGED_CELLS:
            raise Refused(
                "limit_exceeded",
                f"the script would have changed {columns} cells, the limit is {MAX_CHANGED_CELLS}",
                details={"limit": MAX_CHANGED_CELLS, "actual": columns},
            )


def lay(draft: Draft, change: Change) -> None:
    """Write the after side of a change as it is. Glyphs that it would tear go whole."""
    for run in change.runs:
        draft.restyle(run.x, run.y, run.after.chars, run.after.styles)


def _content(blocks: tuple[Block, ...]) -> str:
    return "\n".join(block.text for block in blocks)
