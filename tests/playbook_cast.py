"""Who takes part in a playbook: agents and their scripts, the person at a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.world import ScriptRun, ScriptWorld
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused

if TYPE_CHECKING:
    from playbook import Playbook

CANVAS, SHEET = "cv-first", "pg-first"
"""What every conversation starts with: one endless sheet, made by commit 1."""


@dataclass(slots=True)
class Got:
    """The reply to a call, with everything that happened at the same time."""

    fields: dict[str, Any]
    effects: list[fx.Effect]
    reply: fx.Reply

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    @property
    def code(self) -> str | None:
        """Why it was refused; None when it was not."""
        return self.fields["code"] if self.reply.is_error else None

    @property
    def text(self) -> str:
        """What the caller is given to read: all blocks."""
        return "\n".join(block.text for block in self.reply.blocks)

    @property
    def preview(self) -> str:
        return str(self.fields["previewId"])

    @property
    def operation(self) -> str:
        return str(self.fields["operationId"])


@dataclass(slots=True)
class Agent:
    """A tenant that calls tools. Every call goes through the queue and is served at once."""

    play: Playbook
    link: str
    name: str
    _calls: int = 0

    @property
    def token(self) -> str:
        return f"token of {self.link}"

    def asks(self, tool: str, /, *, key: str | None = None, **arguments: Any) -> str:
        """Only put the call into the queue; its name."""
        self._calls += 1
        call = f"{self.name}-{self._calls}"
        self.play.feed(e.Called(self.link, call, tool, arguments, key, self.play.at))
        return call

    def calls(self, tool: str, /, *, key: str | None = None, **arguments: Any) -> Got:
        call = self.asks(tool, key=key, **arguments)
        at_once = self.answer(call)
        while at_once is None:
            if self.play.desk.has_turn:
                self.play.turn()
            else:
                assert self.play.recalls(), f"{tool} is not answered"
            at_once = self.answer(call)
        return at_once

    def answer(self, call: str) -> Got | None:
        """The answer to this call, if the last event brought it."""
        for effect in self.play.heard:
            if isinstance(effect, fx.Answer) and (effect.tenant, effect.call) == (self.link, call):
                return Got(effect.reply.fields, self.play.heard, effect.reply)
        return None

    def writes(self, x: int, y: int, content: str, **more: Any) -> Got:
        return self.calls("canvas_write", **{"at": [x, y], "content": content, "mode": "apply", **more})

    def previews(self, x: int, y: int, content: str, **more: Any) -> Got:
        return self.calls("canvas_write", **{"at": [x, y], "content": content, **more})

    def erases(self, x: int, y: int, width: int, height: int = 1, **more: Any) -> Got:
        return self.calls("canvas_erase", **{"at": [x, y], "size": [width, height], "mode": "apply", **more})

    def reads(self, x: int, y: int, width: int, height: int = 1, **more: Any) -> Got:
        return self.calls("canvas_read", viewport=[x, y, width, height], **more)

    def manages(self, action: str, **more: Any) -> Got:
        return self.calls("canvas_manage", action=action, **more)

    def history(self, action: str, /, **more: Any) -> Got:
        return self.calls("canvas_history", action=action, **more)

    def applies(self, preview: str, **more: Any) -> Got:
        return self.history("apply_preview", previewId=preview, **more)

    def undoes(self, operation: str | None = None) -> Got:
        return self.history("undo", **({"operationId": operation} if operation else {}))

    def redoes(self, operation: str | None = None) -> Got:
        return self.history("redo", **({"operationId": operation} if operation else {}))

    def starts_script(self, **more: Any) -> Script:
        call = self.asks("canvas_code", **{"script": "…", "mode": "apply", **more})
        self.play.turn()
        (run,) = [one for one in self.play.heard if isinstance(one, fx.RunScript)]
        return Script(self, call, run)

    def leaves(self) -> list[fx.Effect]:
        return self.play.feed(e.Left(self.link, self.token, self.play.at))


@dataclass(slots=True)
class Script:
    """A script on its way: what it does is said by the test, call by call."""

    agent: Agent
    call: str
    run: fx.RunScript

    @property
    def world(self) -> ScriptWorld:
        return self.run.world

    def does(self, verb: str, **arguments: Any) -> dict[str, Any]:
        return self.world.answer(verb, arguments)

    def ends(self, result: Any = None, refusal: Refused | None = None) -> Got:
        run = ScriptRun(result=result, refusal=refusal)
        self.agent.play.feed(e.Ran(self.run.job, run, self.agent.play.at))
        got = self.agent.answer(self.call)
        assert got is not None
        return got


@dataclass(slots=True)
class Person:
    """The person at a page. Edits are far apart in time unless `after` says otherwise."""

    play: Playbook
    link: str
    epoch: int = field(init=False)
    _edits: int = 0

    def __post_init__(self) -> None:
        self.epoch = next(self.told(m.Welcome)).epoch

    def told(self, kind: type[Any]) -> Any:
        """The messages of this kind that the last event brought to this page."""
        return iter(
            one.message
            for one in self.play.heard
            if isinstance(one, fx.TellPage)
            and one.link in (None, self.link)
            and isinstance(one.message, kind)
        )

    def says(self, message: Any) -> list[fx.Effect]:
        return self.play.feed(e.PageSaid(self.link, message, self.play.at))

    def edits(
        self, op: Any, *, sheet: str = SHEET, base: int | None = None, after: float = 1.0, name: str = ""
    ) -> Heard:
        """An edit; `name` makes it the same one again."""
        self.play.later(after)
        self._edits += 1
        edit = name or f"{self.link}-edit-{self._edits}"
        self.says(m.Edit(id=edit, epoch=self.epoch, sheet=sheet, op=op, base=base))
        return Heard(self.play.heard, self.link, edit)

    def types(self, x: int, y: int, text: str, *, compose: bool = False, **more: Any) -> Heard:
        return self.edits(m.TextOp(at=(x, y), text=text, compose=compose), **more)

    def erases(self, x: int, y: int, width: int, height: int = 1, **more: Any) -> Heard:
        return self.edits(m.EraseOp(at=(x, y), size=(width, height)), **more)

    def calls(self, tool: str, *, sheet: str = SHEET, **arguments: Any) -> Heard:
        return self.edits(m.CallOp(tool=tool, args=arguments), sheet=sheet)

    def undoes(self) -> Heard:
        return self.edits(m.UndoOp())

    def redoes(self) -> Heard:
        return self.edits(m.RedoOp())

    def applies(self, preview: str, *, version: int | None = None) -> Heard:
        """What is there now, unless `version` says which was seen."""
        return self._decides(preview, "apply", version=version)

    def vetoes(self, preview: str, note: str = "") -> Heard:
        return self._decides(preview, "veto", note)

    def _decides(self, preview: str, verdict: Any, note: str = "", version: int | None = None) -> Heard:
        known = self.play.state.previews.all.get(preview)
        seen = version or (known.version if known else 1)
        self.says(m.Decide(epoch=self.epoch, preview=preview, version=seen, verdict=verdict, note=note))
        return Heard(self.play.heard, self.link, preview)

    def turns_to(self, canvas: str, sheet: str | None = None) -> list[fx.Effect]:
        return self.says(m.Activate(canvas=canvas, sheet=sheet))


@dataclass(slots=True)
class Heard:
    """What one page was told about an edit or decision of its own."""

    effects: list[fx.Effect]
    link: str
    name: str

    def _own(self, kind: type[Any]) -> list[Any]:
        return [
            one.message
            for one in self.effects
            if isinstance(one, fx.TellPage) and one.link == self.link and isinstance(one.message, kind)
        ]

    @property
    def refusal(self) -> str | None:
        return next((one.code for one in self._own(m.RefusedEdit) if one.id == self.name), None)

    @property
    def acks(self) -> int:
        """How often the edit was confirmed: by a change, or by `done`."""
        named = [one.ack for one in self._own(m.Change)] + [one.id for one in self._own(m.Done)]
        return named.count(self.name)

    @property
    def result(self) -> dict[str, Any]:
        (done,) = self._own(m.Done)
        return dict(done.result)
