"""Everything the desk knows. Only the modules of this room change it, one event at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chardesk.broker.desk.authors import Authors, Grant
from chardesk.broker.desk.knowledge import Knowledge
from chardesk.broker.desk.pages import Pages
from chardesk.broker.desk.previews import Previews
from chardesk.broker.desk.tenants import Tenant, Tenants
from chardesk.broker.desk.timeline import Timeline
from chardesk.tools.errors import Refused
from chardesk.tools.look.materials import Shelf
from chardesk.tools.model.commit import PERSON
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.replay import Taken
from chardesk.tools.model.sheet import Canvas, Sheet


@dataclass(frozen=True, slots=True)
class Actor:
    """On whose behalf a call runs. `knowledge` None means that no base is asked for (person, CLI)."""

    author: str
    grant: Grant
    knowledge: Knowledge | None
    is_person: bool = False


@dataclass(frozen=True, slots=True)
class ScriptJob:
    """A script that runs for a tenant's call."""

    tenant: str
    call: str
    resume: Callable[[Any, float], Any]


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
    undurable: list[Taken] = field(default_factory=list)
    """Commits that are not on disk yet, with what takes them back."""
    jobs: dict[str, ScriptJob] = field(default_factory=dict)
    is_store_ok: bool = True

    def actor(self, tenant: Tenant) -> Actor:
        author = self.authors.get(tenant.author)
        return Actor(author.name, author.grant, None if tenant.door == "cli" else tenant.knowledge)

    def person(self) -> Actor:
        return Actor(PERSON, "apply", None, is_person=True)

    def color(self, author: str) -> str:
        return self.authors.get(author).color

    def place(
        self, canvas_id: str | None, page_id: str | None, default: tuple[str, str]
    ) -> tuple[Canvas, Sheet]:
        """The canvas and sheet that a call means. Raises `canvas_not_found` or `page_not_found`.

        A sheet alone names its canvas too; a canvas alone means its active sheet if it is the active
        canvas, else its first.
        """
        if canvas_id is None and page_id is not None:
            owner = self.contents.canvas_of(page_id)
            if owner is None:
                raise Refused("page_not_found", f"no sheet {page_id[:40]}", field="pageId")
            canvas_id = owner.id
        wanted = canvas_id or default[0]
        canvas = self.contents.canvases.get(wanted)
        if canvas is None:
            raise Refused("canvas_not_found", f"no canvas {wanted[:40]}", field="canvasId")
        if page_id is None:
            chosen = canvas.sheet(default[1]) if canvas.id == default[0] else None
            return canvas, chosen or canvas.sheets[0]
        sheet = canvas.sheet(page_id)
        if sheet is None:
            raise Refused(
                "page_not_found", f"canvas {canvas.name} has no sheet {page_id[:40]}", field="pageId"
            )
        return canvas, sheet

    def common_fields(self, canvas: Canvas, sheet: Sheet) -> dict[str, Any]:
        """What every successful reply has."""
        return {
            "canvasId": canvas.id,
            "pageId": sheet.id,
            "revision": sheet.revision,
            "live": self.pages.is_live,
            "shownRevision": self.pages.shown_revision(sheet.id),
        }
