"""`sourceRef`: text from a file that only the agent's own process may open. It is read before anything is
planned; what the agent's process says of it is not trusted further than a call's arguments are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from chardesk.broker.desk.effects import Effect, Later, Outcome, ReadSource
from chardesk.broker.desk.known.state import Job, State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.permits import later, permit_feature
from chardesk.tools.draw.sourced import MAX_SOURCE_BYTES, TEXT_OF
from chardesk.tools.errors import Refused
from chardesk.tools.run.references import literal
from chardesk.tools.schema import given

Then = Callable[[Ask], Outcome | Later]

_CODES = frozenset({"invalid_input", "not_found", "permission_denied", "too_large"})
"""What a file may be refused with; anything else becomes the first."""


@dataclass(frozen=True, slots=True)
class File:
    """What the agent's process answered: the text, or why there is none."""

    text: str | None
    error: str = ""
    code: str = "invalid_input"


def with_texts(state: State, ask: Ask, then: Then) -> Outcome | Later:
    """Go on with the call once its files are read, and put where its text belongs.

    A batch's steps may name several; together they have no more than one file may. Raises Refused, now or
    then: `unsupported_action` for who has no process that could read, and why a file was not handed out.
    """
    wanted = _wanted(ask)
    if not wanted:
        return then(ask)
    permit_feature(state, ask.actor, "files", wanted[0].field)
    _refuse_without_process(state, ask, wanted[0])
    return _read(state, ask, wanted, (), then)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A file, and where it is named: the step of a batch, or None for the call itself."""

    path: str
    step: int | None
    verb: str

    @property
    def field(self) -> str:
        return "sourceRef" if self.step is None else f"ops.{self.step}.args.sourceRef"


def _wanted(ask: Ask) -> list[_Wanted]:
    path = given(ask.args, "source_ref")
    if path is not None:
        return [_Wanted(path, None, ask.tool.removeprefix("canvas_"))]
    return [
        _Wanted(path, number, step.op)
        for number, step in enumerate(given(ask.args, "ops", ()))
        if step.op in TEXT_OF
        and TEXT_OF[step.op] not in step.args
        and isinstance(path := step.args.get("sourceRef"), str)
    ]


def _refuse_without_process(state: State, ask: Ask, wanted: _Wanted) -> None:
    tenant = state.tenants.all.get(ask.link)
    if tenant is None or tenant.door != "agent":
        instead = TEXT_OF[wanted.verb]
        raise Refused(
            "unsupported_action",
            f"files are read by an agent's own chardesk-mcp process; send {instead} instead",
            field=wanted.field,
        )


def _read(
    state: State, ask: Ask, wanted: Sequence[_Wanted], texts: tuple[str, ...], then: Then
) -> Outcome | Later:
    """One file after the other."""
    if len(texts) == len(wanted):
        return then(_filled(ask, wanted, texts))
    one = wanted[len(texts)]
    left = MAX_SOURCE_BYTES - sum(len(text.encode("utf-8", "replace")) for text in texts)

    def resume(file: File, now: float) -> Outcome | Later:
        text = _text(file, one, left)
        return _read(state, later(state, ask, now), wanted, (*texts, text), then)

    job = state.mint("jb")
    state.jobs[job] = Job(ask.link, ask.call, 0, resume)
    effects: list[Effect] = [ReadSource(job, ask.link, one.path, left)]
    return effects, None


def _text(file: File, wanted: _Wanted, limit: int) -> str:
    if file.text is None:
        code = file.code if file.code in _CODES else "invalid_input"
        raise Refused(code, f"sourceRef: {file.error[:200]}", field=wanted.field)
    actual = len(file.text.encode("utf-8", "replace"))
    if actual > limit:
        raise Refused(
            "too_large",
            f"sourceRef has {actual} bytes, the limit is {limit}",
            field=wanted.field,
            details={"limit": limit, "actual": actual},
        )
    return file.text


def _filled(ask: Ask, wanted: Sequence[_Wanted], texts: Sequence[str]) -> Ask:
    """The call as if its text had come with it."""
    if wanted[0].step is None:
        args = ask.args.model_copy(update={TEXT_OF[wanted[0].verb]: texts[0], "source_ref": None})
        return replace(ask, args=args)
    ops = list(ask.args.ops)
    for one, text in zip(wanted, texts, strict=True):
        assert one.step is not None
        step = ops[one.step]
        ops[one.step] = step.model_copy(update={"args": _step_args(step.args, TEXT_OF[one.verb], text)})
    return replace(ask, args=ask.args.model_copy(update={"ops": ops}))


def _step_args(args: Mapping[str, Any], field: str, text: str) -> dict[str, Any]:
    return {**{name: value for name, value in args.items() if name != "sourceRef"}, field: literal(text)}
