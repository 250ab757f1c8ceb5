"""A conversation with the desk: `play >> event << "effect in words"`, and people to hold it with.

    play = Playbook()
    ada = play.agent("ada")
    assert ada.writes(0, 0, "hi")["applied"]
    play << "persist #2 canvas_write by ada" << "tell all activity #2" << "answer ada applied"

The clock stands still unless it is moved and ids count up. The disk is quick: a commit is durable before the
next event, unless `Playbook(is_disk_slow=True)`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, assert_never

from drawing import drawn

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.authors import DESK, Grant
from chardesk.broker.desk.desk import Desk
from chardesk.broker.desk.landing import Plan, land
from chardesk.broker.desk.state import State
from chardesk.broker.desk.world import ScriptRun, ScriptWorld
from chardesk.broker.wire import messages as m
from chardesk.materials import shelf
from chardesk.tools.errors import Refused
from chardesk.tools.model import replay
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import CanvasAdded, SheetAdded

CANVAS, SHEET = "cv-first", "pg-first"
"""What every conversation starts with: one endless sheet, made by commit 1."""


class Playbook:
    """A desk with its surroundings: clock, ids, disk. `heard` are the effects of the last event."""

    def __init__(self, *, is_disk_slow: bool = False) -> None:
        self.at = 1_000.0
        self.is_disk_slow = is_disk_slow
        self.heard: list[fx.Effect] = []
        self.journal: list[Commit] = []
        self.records: dict[tuple[str, str], dict[str, Any]] = {}
        self._unread: list[fx.Effect] = []
        self._counts: Counter[str] = Counter()
        state = State(self.mint, Contents(), CANVAS, SHEET, shelf)
        self.desk = Desk(state)
        steps = (CanvasAdded(CANVAS, "Canvas 1", "freeform"), SheetAdded(CANVAS, 0, SHEET, "Page 1", None))
        self._store(list(land(state, Plan(steps, DESK, DESK, "desk", CANVAS, SHEET), self.at).effects))
        self.is_durable(up_to=1)

    @property
    def state(self) -> State:
        return self.desk.state

    def mint(self, prefix: str) -> str:
        self._counts[prefix] += 1
        return f"{prefix}-{self._counts[prefix]}"

    def later(self, seconds: float) -> None:
        self.at += seconds

    # -- events and effects --------------------------------------------------------

    def __rshift__(self, event: e.Event) -> Playbook:
        """Something happens. What was heard before and not asked for is forgotten."""
        self.feed(event)
        return self

    def __lshift__(self, words: str) -> Playbook:
        """The next effect, in words."""
        assert self._unread, f"expected {words!r}, but nothing more was heard"
        assert in_words(self._unread.pop(0)) == words
        return self

    def is_silent(self) -> bool:
        """Was every effect of the last event asked for?"""
        assert [in_words(one) for one in self._unread] == []
        return True

    @property
    def words(self) -> list[str]:
        return [in_words(one) for one in self.heard]

    def feed(self, event: e.Event) -> list[fx.Effect]:
        self.heard = self.desk.receive(event)
        self._unread = list(self.heard)
        self._store(self.heard)
        if not self.is_disk_slow:
            self.is_durable()
        return self.heard

    def _store(self, effects: Iterable[fx.Effect]) -> None:
        for effect in effects:
            if isinstance(effect, fx.Persist):
                self.journal += effect.commits
                self._remember(effect.records)

    def _remember(self, records: Iterable[fx.Record]) -> None:
        for record in records:
            if record.value is None:
                self.records.pop((record.kind, record.key), None)
            else:
                self.records[record.kind, record.key] = record.value

    # -- the disk ------------------------------------------------------------------

    def is_durable(self, up_to: int | None = None) -> None:
        """The disk has everything so far, or the commits up to this one."""
        self.desk.receive(e.Durable(self.state.seq if up_to is None else up_to))

    def disk_refuses(self) -> list[fx.Effect]:
        """What is not durable is lost."""
        lost = {one.taken.commit.seq for one in self.state.undurable}
        self.journal = [commit for commit in self.journal if commit.seq not in lost]
        return self.feed(e.StoreRefused(self.at))

    def disk_heals(self) -> list[fx.Effect]:
        return self.feed(e.StoreHealed(self.at))

    def from_the_journal(self) -> Contents:
        """The contents that a start would find."""
        contents = Contents()
        for commit in self.journal:
            replay.take(contents, commit)
        return contents

    # -- who takes part --------------------------------------------------------------

    def agent(self, name: str, grant: Grant = "apply", *, resume: str | None = None) -> Agent:
        return self.tenant("agent", name, grant, resume=resume)

    def tenant(self, door: e.Door, name: str, grant: Grant = "apply", *, resume: str | None = None) -> Agent:
        link = self.mint("tn")
        self.feed(e.Joined(link, f"token of {link}", name, door, resume, self.at))
        welcomed = [one for one in self.heard if isinstance(one, fx.Welcomed)]
        author = welcomed[0].author if welcomed else ""
        if author:
            self.state.authors.get(author).grant = grant
        return Agent(self, link, author)

    def person(self, *, take_seat: bool = False) -> Person:
        return Person(self, self.page("canvas", take_seat=take_seat))

    def page(self, kind: Any = "canvas", *, take_seat: bool = False) -> str:
        """A page joins; its link."""
        link = self.mint("page")
        self.feed(e.PageJoined(link, kind, take_seat, None, self.at))
        return link

    def turn(self) -> list[fx.Effect]:
        """One waiting call is served."""
        return self.feed(e.Turn(self.at))

    def turns(self) -> list[fx.Answer]:
        """Every waiting call that can be served is; the answers in their order."""
        answers: list[fx.Answer] = []
        while self.desk.has_turn:
            answers += [one for one in self.turn() if isinstance(one, fx.Answer)]
        return answers

    def ticks(self, seconds: float) -> list[fx.Effect]:
        self.later(seconds)
        return self.feed(e.Ticked(self.at))

    # -- what is there -----------------------------------------------------------------

    def sheet(self, sheet: str = SHEET) -> Sheet:
        found = self.state.contents.sheet(sheet)
        assert found is not None, f"no sheet {sheet}"
        return found

    def drawn(self, sheet: str = SHEET, rect: tuple[int, int, int, int] | None = None) -> str:
        return drawn(self.sheet(sheet).scene, Rect(*rect) if rect else None)

    def undo_depth(self, author: str = "person") -> int:
        """How many commits this author applied."""
        return sum(one.applied_by == author for one in self.state.timeline.headers.values())


def contents_of(contents: Contents) -> dict[str, tuple[str, int, Scene]]:
    """All sheets with names, revisions and cells: what two desks are compared by."""
    return {
        sheet.id: (f"{canvas.name}/{sheet.name}", sheet.revision, sheet.scene)
        for canvas in contents.canvases.values()
        for sheet in canvas.sheets
    }


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

    def asks(self, tool: str, *, key: str | None = None, **arguments: Any) -> str:
        """Only put the call into the queue; its name."""
        self._calls += 1
        call = f"{self.name}-{self._calls}"
        self.play.feed(e.Called(self.link, call, tool, arguments, key, self.play.at))
        return call

    def calls(self, tool: str, *, key: str | None = None, **arguments: Any) -> Got:
        call = self.asks(tool, key=key, **arguments)
        at_once = self.answer(call)
        while at_once is None:
            assert self.play.desk.has_turn, f"{tool} is not answered"
            self.play.turn()
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

    def history(self, action: str, **more: Any) -> Got:
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

    def applies(self, preview: str) -> Heard:
        return self._decides(preview, "apply")

    def vetoes(self, preview: str, note: str = "") -> Heard:
        return self._decides(preview, "veto", note)

    def _decides(self, preview: str, verdict: Any, note: str = "") -> Heard:
        self.says(m.Decide(epoch=self.epoch, preview=preview, verdict=verdict, note=note))
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


# -- in words ----------------------------------------------------------------------


def in_words(effect: fx.Effect) -> str:
    """An effect as a short line."""
    match effect:
        case fx.Persist(commits, records):
            done = [f"#{one.seq} {one.tool} by {one.author}" for one in commits]
            return "persist " + " ".join(done or [f"{one.kind} {one.key}" for one in records])
        case fx.TellPage(message, link):
            return f"tell {link or 'all'} {_message(message)}"
        case fx.Answer(tenant, _, reply, _):
            return f"answer {tenant} {_reply(reply)}"
        case fx.Welcomed(tenant, author):
            return f"welcome {tenant} as {author}"
        case fx.Disconnect(link, code, _):
            return f"disconnect {link} {code}"
        case fx.RunScript(job):
            return f"run {job}"
        case fx.StopScript(job):
            return f"stop {job}"
        case fx.Fetch(_, seq):
            return f"fetch #{seq}"
        case _:
            assert_never(effect)


def _reply(reply: fx.Reply) -> str:
    if reply.is_error:
        return f"refused {reply.fields['code']}"
    if reply.fields.get("repeated"):
        return "repeated"
    if "previewId" in reply.fields and not reply.fields.get("applied"):
        return "preview"
    return "applied" if reply.fields.get("operationId") else "looked"


def _message(message: Any) -> str:
    match message:
        case m.Change(seq=seq):
            return f"change #{seq}"
        case m.Activity(seq=seq):
            return f"activity #{seq}"
        case m.Preview(id=name):
            return f"ghost {name}"
        case m.PreviewGone(id=name, reason=reason):
            return f"ghost {name} is gone: {reason}"
        case m.RefusedEdit(code=code):
            return f"refused {code}"
        case _:
            return str(message.type)
