"""Everything the desk knows. Only the modules of this room change it, one event at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from chardesk.broker.desk.effects import Later, Outcome, Record
from chardesk.broker.desk.known.authors import Authors, Grant
from chardesk.broker.desk.known.budget import Budget
from chardesk.broker.desk.known.knowledge import Knowledge
from chardesk.broker.desk.known.letters import Letters
from chardesk.broker.desk.known.pages import Pages
from chardesk.broker.desk.known.pins import Pin
from chardesk.broker.desk.known.places import Place, placed
from chardesk.broker.desk.known.previews import Preview, Previews
from chardesk.broker.desk.known.tags import Tag
from chardesk.broker.desk.known.tenants import Tenant, Tenants
from chardesk.broker.desk.known.timeline import Timeline
from chardesk.broker.desk.known.typed import Typing
from chardesk.broker.desk.known.waits import Waits
from chardesk.broker.desk.rules.scope import Scope
from chardesk.tools.errors import Refused
from chardesk.tools.look.materials import Shelf
from chardesk.tools.model.commit import PERSON
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.replay import Taken
from chardesk.tools.model.sheet import Canvas, Sheet


@dataclass(frozen=True, slots=True)
class Actor:
    """On whose behalf a call runs. `knowledge` None means that no base is asked for (person, CLI); nor are
    they governed, so `is_agent` is false."""

    author: str
    grant: Grant
    knowledge: Knowledge | None
    is_person: bool = False
    is_agent: bool = False
    scope: Scope = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A call that goes on elsewhere: a script in the sandbox, an old commit on its way from the journal.

    `tenant` (or a page's link) and `call` say who waits; `seq` is the newest commit that the job has seen.
    """

    tenant: str
    call: str
    seq: int
    resume: Callable[[Any, float], Outcome | Later]


@dataclass(frozen=True, slots=True)
class Undurable:
    """A commit that is not on disk yet, and all that goes back with it: the previews it ended, and the
    canvas and sheet that were active before."""

    taken: Taken
    ended: tuple[Preview, ...]
    active: tuple[str, str]


@dataclass(slots=True)
class State:
    """`mint(prefix)` makes ids; `seq` counts commits; `canvas`, `sheet` are the active ones."""

    mint: Callable[[str], str]
    contents: Contents
    canvas: str
    sheet: str
    shelf: Shelf
    seq: int = 0
    version: str = "0"
    authors: Authors = field(default_factory=Authors)
    tenants: Tenants = field(default_factory=Tenants)
    pages: Pages = field(default_factory=Pages)
    previews: Previews = field(default_factory=Previews)
    timeline: Timeline = field(default_factory=Timeline)
    undurable: list[Undurable] = field(default_factory=list)
    """Oldest first."""
    jobs: dict[str, Job] = field(default_factory=dict)
    late_results: int = 0
    """Jobs that came back when nobody waited for them any more."""
    typing: Typing | None = None
    is_store_ok: bool = True
    is_paused: bool = False
    """All agents hold still: the person wants it so."""
    pins: dict[str, Pin] = field(default_factory=dict)
    letters: Letters = field(default_factory=Letters)
    waits: Waits = field(default_factory=Waits)
    tags: dict[str, Tag] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    scripts: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Scripts on their way, by job: whose, and since when."""

    @property
    def active(self) -> tuple[str, str]:
        return self.canvas, self.sheet

    def actor(self, tenant: Tenant, at: float) -> Actor:
        author = self.authors.get(tenant.author)
        grant = "observe" if tenant.door == "reader" else self.authors.grant_of(author, at)
        knowledge = None if tenant.door == "cli" else tenant.knowledge
        return Actor(author.name, grant, knowledge, is_agent=author.is_agent, scope=author.scope)

    def again(self, actor: Actor, at: float) -> Actor:
        """The same one, with what it may do by now: its call went on elsewhere meanwhile."""
        if not actor.is_agent:
            return actor
        author = self.authors.get(actor.author)
        return replace(actor, grant=self.authors.grant_of(author, at), scope=author.scope)

    def person(self) -> Actor:
        return Actor(PERSON, "apply", None, is_person=True)

    def color(self, author: str) -> str:
        return self.authors.get(author).color

    def refuse_without_store(self) -> None:
        """Raises `store_failed` while the disk refuses writes: what can't be kept is not begun."""
        if not self.is_store_ok:
            raise Refused("store_failed", "the disk refuses writes; the desk is read-only until it recovers")

    def active_record(self) -> Record:
        return Record("desk", "active", {"canvas": self.canvas, "sheet": self.sheet})

    def paused_record(self) -> Record:
        return Record("desk", "paused", {"isPaused": self.is_paused})

    def newcomers_record(self) -> Record:
        return Record("desk", "newcomers", {"grant": self.authors.newcomers})

    def records(self) -> tuple[Record, ...]:
        """All that is kept beside the journal, and what is to be forgotten."""
        return (
            self.active_record(),
            *(author.record() for author in self.authors.known.values()),
            *(tenant.record() for tenant in self.tenants.all.values() if tenant.door == "agent"),
            *(preview.record() for preview in self.previews.all.values()),
            *(pin.record() for pin in self.pins.values()),
            *(tag.record() for tag in self.tags.values()),
            *self.letters.records(),
            self.paused_record(),
            self.newcomers_record(),
        )

    def place(self, canvas_id: str | None, page_id: str | None, default: Place) -> tuple[Canvas, Sheet]:
        """The canvas and sheet that a call means: see `placed`."""
        return placed(self.contents, canvas_id, page_id, default)

    def shown_place(self, sheet_id: str) -> tuple[Canvas, Sheet]:
        """A sheet with its canvas, for the reply about something that happened there; the active ones when
        the sheet is gone."""
        canvas, sheet = self.contents.canvas_of(sheet_id), self.contents.sheet(sheet_id)
        if canvas is not None and sheet is not None:
            return canvas, sheet
        return self.place(None, None, self.active)

    def common_fields(self, canvas: Canvas, sheet: Sheet) -> dict[str, Any]:
        """What every successful reply has."""
        return {
            "canvasId": canvas.id,
            "pageId": sheet.id,
            "revision": sheet.revision,
            "live": self.pages.is_live,
            "shownRevision": self.pages.shown_revision(sheet.id),
        }
