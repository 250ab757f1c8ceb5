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
from typing import Any

from drawing import drawn
from playbook_cast import CANVAS as CANVAS
from playbook_cast import SHEET as SHEET
from playbook_cast import Agent as Agent
from playbook_cast import Got as Got
from playbook_cast import Heard as Heard
from playbook_cast import Person as Person
from playbook_cast import Script as Script
from playbook_words import in_words

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.desk import Desk
from chardesk.broker.desk.known.authors import DESK, Grant
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.landing import Plan, land
from chardesk.materials import shelf
from chardesk.tools.errors import Refused
from chardesk.tools.model import replay
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Sheet
from chardesk.tools.model.steps import CanvasAdded, SheetAdded


class Playbook:
    """A desk with its surroundings: clock, ids, disk. `heard` are the effects of the last event."""

    def __init__(self, *, is_disk_slow: bool = False) -> None:
        self.at = 1_000.0
        self.is_disk_slow = is_disk_slow
        self.are_threads_busy = False
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
        for work in [one for one in self.heard if isinstance(one, fx.Work) and not self.are_threads_busy]:
            self.heard += self.desk.receive(e.Worked(work.job, worked(work), self.at))
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

    def recalls(self) -> bool:
        """The journal answers what the last event asked of it; was anything asked?"""
        asked = [one for one in self.heard if isinstance(one, fx.Fetch | fx.Past)]
        for one in asked:
            self.feed(recalled(one, self.journal, self.at))
        return bool(asked)

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


def worked(work: fx.Work) -> Any:
    """What a thread makes of it."""
    try:
        return work.work()
    except Refused as refusal:
        return refusal


def recalled(asked: fx.Fetch | fx.Past, journal: list[Commit], at: float) -> e.Event:
    """What a journal answers."""
    if isinstance(asked, fx.Fetch):
        known = [one for one in journal if asked.seq in (one.seq, one.operation_id)]
        return e.Fetched(asked.job, known[0] if known else None, at)
    looked = [asked.pick(one) for one in reversed(journal) if asked.after < one.seq <= asked.upto]
    return e.Recalled(asked.job, tuple(one for one in looked if one is not None)[: asked.limit], at)


def contents_of(contents: Contents) -> dict[str, tuple[str, int, Scene]]:
    """All sheets with names, revisions and cells: what two desks are compared by."""
    return {
        sheet.id: (f"{canvas.name}/{sheet.name}", sheet.revision, sheet.scene)
        for canvas in contents.canvases.values()
        for sheet in canvas.sheets
    }
