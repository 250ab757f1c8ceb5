"""A deck of slides from Markdown: sheets behind the one that is meant, as one preview or one commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from chardesk.broker.desk.effects import Later, Outcome
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.desk.road.concluding import conclude
from chardesk.broker.desk.road.elsewhere import elsewhere
from chardesk.broker.desk.road.fitting import refuse_archived
from chardesk.broker.desk.road.permits import later
from chardesk.broker.desk.road.proposing import MAX_PREVIEW_CELLS, Proposal, becomes_preview
from chardesk.tools.arrange import names
from chardesk.tools.draw import stroke
from chardesk.tools.draw.answers import check_length, diagnostic_fields, dropped_fields
from chardesk.tools.draw.impact import impact
from chardesk.tools.draw.render import DeckPage, Rendered
from chardesk.tools.draw.sourced import text_of
from chardesk.tools.errors import Refused
from chardesk.tools.look.read import text_map
from chardesk.tools.model.cell import At
from chardesk.tools.model.change import Change
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import MAX_NOTE, Canvas, Sheet, Size
from chardesk.tools.model.steps import SheetAdded
from chardesk.tools.operation import Block, Text
from chardesk.tools.text.clusters import Dropped
from chardesk.tools.text.picture import Diagnostic

if TYPE_CHECKING:
    from chardesk.tools.text.markdown.deck import Slide

MAX_NOTES = 16_000
"""Characters of speakers' notes in a reply, which is kept with the commit."""


def add(state: State, ask: Ask, canvas: Canvas, sheet: Sheet) -> Later:
    """Read the deck elsewhere; its sheets come behind `sheet`, of the same size.

    `at` is the corner where every slide begins, `width` (if given) makes the slides narrower. Refused:
    freeform canvases (`unsupported_action`), a corner outside of the slide (`out_of_bounds`), length and,
    of a preview, cells (`too_large`).
    """
    source = text_of(ask.args.source, "source")
    check_length(source, "source")
    work = partial(_drawn, source, ask.args.at, _room(ask, canvas, sheet))

    def resume(drawn: _Drawn, at: float) -> Outcome:
        now = state.place(canvas.id, sheet.id, ask.place)
        refuse_archived(now[0])
        return _settle(state, later(state, ask, at), now, drawn)

    return elsewhere(state, ask, work, resume)


def _room(ask: Ask, canvas: Canvas, sheet: Sheet) -> Size:
    """Columns and rows from `at` to the slide's edges."""
    if canvas.kind != "slides" or sheet.size is None:
        message = f"{canvas.name} is freeform; a deck needs a canvas of kind slides (canvas_manage create)"
        raise Refused("unsupported_action", message, field="format")
    x, y = ask.args.at
    columns, rows = sheet.size
    if not (0 <= x < columns and 0 <= y < rows):
        raise Refused("out_of_bounds", f"[{x}, {y}] is outside the slide of {columns}×{rows}", field="at")
    widest = ask.args.width if "width" in ask.args.model_fields_set else columns
    return Size(min(widest, columns - x), rows - y)


# -- elsewhere -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Page:
    slide: Slide
    scene: Scene
    cells: Change


@dataclass(frozen=True, slots=True)
class _Drawn:
    pages: tuple[_Page, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def columns(self) -> int:
        return sum(page.cells.footprint().columns for page in self.pages)


def _drawn(source: str, at: At, room: Size) -> _Drawn:
    from chardesk.tools.text.markdown.deck import deck  # at its first use, as `formats` does

    found = deck(source, room)
    return _Drawn(tuple(_page(slide, at) for slide in found.slides), found.diagnostics)


def _page(slide: Slide, at: At) -> _Page:
    draft = Draft(Scene())
    stroke.opaque(draft, None, at, slide.picture.rows)
    return _Page(slide, draft.scene, draft.change())


# -- on the desk -----------------------------------------------------------------


def _settle(state: State, ask: Ask, place: tuple[Canvas, Sheet], drawn: _Drawn) -> Outcome:
    if becomes_preview(ask) and drawn.columns > MAX_PREVIEW_CELLS:
        raise Refused(
            "too_large",
            f"the preview has {drawn.columns} cells, the limit is {MAX_PREVIEW_CELLS}; split it or apply it",
            details={"limit": MAX_PREVIEW_CELLS, "actual": drawn.columns},
        )
    canvas, sheet = place
    steps = tuple(_steps(state, canvas, sheet, drawn.pages))
    fields = {**_rendered(steps, drawn).fields(), **impact(Change()).fields(), "pageId": steps[0].sheet}
    proposal = Proposal(
        tool=ask.tool,
        steps=steps,
        canvas=canvas.id,
        sheet=steps[0].sheet,
        fields=fields,
        summary=f"{ask.tool} of {len(steps)} sheets behind {sheet.name} on {canvas.name}",
        extra={"overwrites": []},
        blocks=_maps(drawn.pages[0]),
    )
    return conclude(state, ask, proposal, is_apply=ask.args.mode == "apply")


def _steps(state: State, canvas: Canvas, sheet: Sheet, pages: Sequence[_Page]) -> Iterator[SheetAdded]:
    first = canvas.sheets.index(sheet) + 1
    for index, page in enumerate(pages, first):
        name = _name(page.slide.name, f"Slide {index - first + 1}")
        yield SheetAdded(
            canvas.id, index, state.mint("pg"), name, sheet.size, page.cells, _whole_note(page)[:MAX_NOTE]
        )


def _whole_note(page: _Page) -> str:
    return "\n\n".join(page.slide.notes).strip()


def _name(wanted: str, otherwise: str) -> str:
    """A heading that no sheet can be called gives way to a number."""
    try:
        return names.clean(wanted)
    except Refused:
        return otherwise


def _rendered(steps: Sequence[SheetAdded], drawn: _Drawn) -> Rendered:
    pages = list(_lines(steps, drawn.pages))
    told = sum(len(note) for page in pages for note in page.notes)
    said = sum(len(note) for page in drawn.pages for note in page.slide.notes)
    return Rendered(
        bounds=steps[0].cells.bounds(),
        written_cells=sum(page.written_cells for page in pages),
        format="deck",
        pages=pages,
        **dropped_fields(_dropped(drawn.pages)),
        **diagnostic_fields((*_about_notes(drawn.pages, said, told), *drawn.diagnostics)),
    )


def _lines(steps: Sequence[SheetAdded], pages: Sequence[_Page]) -> Iterator[DeckPage]:
    """One line for every sheet; notes as long as there is room for them."""
    room = MAX_NOTES
    for step, page in zip(steps, pages, strict=True):
        notes: list[str] = []
        for note in page.slide.notes:
            notes.append(note[:room])
            room -= len(notes[-1])
        own: dict[str, Any] = {"notes": kept} if (kept := [note for note in notes if note]) else {}
        written = step.cells.footprint().columns
        yield DeckPage(page_id=step.sheet, name=step.name, index=step.index, written_cells=written, **own)


def _about_notes(pages: Sequence[_Page], said: int, told: int) -> Iterator[Diagnostic]:
    """What a sheet's note or the reply has no room for."""
    if told < said:
        yield Diagnostic("deck-notes-cut", f"{said - told} characters of notes are left out of this reply")
    long = [page.slide.name for page in pages if len(_whole_note(page)) > MAX_NOTE]
    if long:
        message = f"a sheet keeps {MAX_NOTE} characters of notes; cut on {len(long)} sheets, first {long[0]}"
        yield Diagnostic("deck-notes-cut", message)


def _dropped(pages: Sequence[_Page]) -> list[Dropped]:
    """The kinds of all slides, each once."""
    counts: dict[tuple[str, ...], int] = {}
    for page in pages:
        for kind in page.slide.picture.dropped:
            counts[kind.code_points] = counts.get(kind.code_points, 0) + kind.count
    return [Dropped(code_points, count) for code_points, count in counts.items()]


def _maps(page: _Page) -> tuple[Block, ...]:
    """The first slide as it will look."""
    bounds = page.cells.bounds()
    return () if bounds is None else (Text(text_map(page.scene, bounds)),)
