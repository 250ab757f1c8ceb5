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
from chardesk.tools.registry import BY_VERB, SCRIPT_ONLY
from chardesk.tools.run import measure
from chardesk.tools.schema import Result, given, parse

MAX_CHANGED_CELLS = 20_000

MAX_VALUES = 200
"""Values in the arguments of one call, at any depth: more than any has use for, and quickly checked."""

MAX_TOLD = 5
"""Refused calls that the reply to a script names; the others it counts."""

SCRIPTED: Mapping[str, Operation] = {**BY_VERB, **SCRIPT_ONLY, measure.OPERATION.verb: measure.OPERATION}
"""What `canvas` may be asked for. Not all of it is for scripts: the world's answer says which is not."""


class OverLimit(Exception):
    """The script would have changed more than it may. This ends it; no script can go on after it."""

    def __init__(self, actual: int) -> None:
        super().__init__(f"{actual} changed cells; a script may have {MAX_CHANGED_CELLS}")
        self.actual = actual


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """How a script ended. `refusal` is None when it returned. `evidence` is the same on every backend,
    `backend` is who ran it."""

    result: Any = None
    truncated: bool = False
    console: str = ""
    operations: int = 0
    duration_ms: int = 0
    backend: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] = field(default_factory=dict)
    refusal: Refused | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one call will be answered, once it is asked for: `give` never raises but for `OverLimit`.

    `is_slow`: it belongs off the event loop. That is safe, one call at a time: what the world shares with the
    desk, neither writes on.
    """

    give: Callable[[], dict[str, Any]]
    is_slow: bool = False


@dataclass(slots=True)
class Setbacks:
    """The calls of a script that were refused: how many, and the first few by their number, from 1. A script
    that does not look at what a call returns never learns of them; its author must."""

    count: int = 0
    first: list[dict[str, Any]] = field(default_factory=list)

    def note(self, number: int, verb: str, refusal: Refused) -> None:
        self.count += 1
        if len(self.first) < MAX_TOLD:
            told = {"call": number, "op": verb[:40], "code": refusal.code, "message": refusal.message}
            self.first.append(told)


@dataclass(slots=True)
class ScriptWorld:
    """`asked` answers what is not cells (manage, history), read-only, and never slowly."""

    canvas: str
    sheet: str
    revision: int
    size: Size | None
    draft: Draft
    asked: Callable[[Operation, Any], Mapping[str, Any]]
    seen: list[Rect] = field(default_factory=list)
    calls: int = 0
    writes: int = 0
    columns: int = 0
    setbacks: Setbacks = field(default_factory=Setbacks)

    def answer(self, verb: str, raw: Any) -> dict[str, Any]:
        """The result of one `canvas.<verb>(raw)`; a refusal is a value (`ok: false`), never an exception.

        Raises `OverLimit`, and nothing else.
        """
        return self.call(verb, raw).give()

    def call(self, verb: str, raw: Any) -> Answer:
        """The same, to be carried out later or elsewhere. What the arguments alone forbid is refused now."""
        self.calls += 1
        number = self.calls
        try:
            operation, args = self._understood(verb, raw)
            carry_out, is_slow = self._way(operation, args)
        except Refused as refusal:
            told = self._refused(number, verb, refusal)
            return Answer(lambda: told)
        return Answer(lambda: self._as_value(number, verb, carry_out), is_slow)

    def change(self) -> Change:
        return self.draft.change()

    def _as_value(self, number: int, verb: str, carry_out: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        try:
            return {"ok": True, **carry_out()}
        except Refused as refusal:
            return self._refused(number, verb, refusal)

    def _refused(self, number: int, verb: str, refusal: Refused) -> dict[str, Any]:
        self.setbacks.note(number, verb, refusal)
        return refusal.fields()

    def _understood(self, verb: str, raw: Any) -> tuple[Operation, Any]:
        operation = SCRIPTED.get(verb)
        if operation is None:
            raise Refused("unsupported_action", f"scripts have no canvas.{verb[:40]}")
        if not isinstance(raw, dict):
            raise Refused("invalid_input", f"canvas.{verb} takes one object, such as {{at: [0, 0]}}")
        if _is_overfull(raw):
            raise Refused("invalid_input", f"canvas.{verb} takes no more than {MAX_VALUES} values")
        args = parse(operation.args, raw)
        self._stay_here(args)
        return operation, args

    def _way(self, operation: Operation, args: Any) -> tuple[Callable[[], Mapping[str, Any]], bool]:
        match operation.body:
            case Look(show, is_slow):
                return lambda: self._look(show, args), is_slow(self.draft.scene, args)
            case Draw(plan, is_slow):
                return lambda: self._draw(plan, args), is_slow(self.draft.scene, args)
            case _:
                return lambda: self.asked(operation, args), False

    def _look(self, show: Callable[..., Any], args: Any) -> dict[str, Any]:
        shown = show(self.draft.scene, self.size, args)
        self.seen += shown.seen
        return {**shown.result.fields(), "content": _content(shown.blocks)}

    def _draw(self, plan: Callable[[Draft, Size | None, Any], Result], args: Any) -> dict[str, Any]:
        """Planned aside first: a call that is refused has written nothing."""
        aside = Draft(self.draft.scene)
        result = plan(aside, self.size, args)
        self._count(aside)
        self.draft.go_on_from(aside)
        self.writes += 1
        return result.fields()

    def _count(self, aside: Draft) -> None:
        """`columns` counts cells that were written twice twice, until that could be too many: only then are
        all writes so far looked through."""
        self.columns += aside.written().columns
        if self.columns > MAX_CHANGED_CELLS:
            self.columns = (self.draft.written() | aside.written()).columns
        if self.columns > MAX_CHANGED_CELLS:
            raise OverLimit(self.columns)

    def _stay_here(self, args: Any) -> None:
        for name, own in (("canvas_id", self.canvas), ("page_id", self.sheet)):
            wanted = given(args, name)
            if wanted is not None and wanted != own:
                raise Refused(
                    "unsupported_action", f"a script works on one sheet; this one is {own}", field=name
                )


def lay(draft: Draft, change: Change) -> None:
    """Write the after side of a change as it is. Glyphs that it would tear go whole."""
    for run in change.runs:
        draft.restyle(run.x, run.y, run.after.chars, run.after.styles)


def _is_overfull(args: dict[str, Any]) -> bool:
    """Are there more than `MAX_VALUES` in it, at any depth? Not recursive: it may be deep."""
    count = 0
    rest: list[dict[str, Any] | list[Any]] = [args]
    while rest:
        values = rest.pop()
        count += len(values)
        if count > MAX_VALUES:
            return True
        inner = values.values() if isinstance(values, dict) else values
        rest += [value for value in inner if isinstance(value, (dict, list))]
    return False


def _content(blocks: tuple[Block, ...]) -> str:
    return "\n".join(block.text for block in blocks)
