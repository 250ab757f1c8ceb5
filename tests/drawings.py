"""Made-up scenes, changes and whole histories of a desk, for the tests that state laws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from chardesk.tools.model import steps as s
from chardesk.tools.model.cell import BOLD, PLAIN, UNDERLINE, Style
from chardesk.tools.model.change import Change
from chardesk.tools.model.commit import Commit
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.replay import take
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Canvas, Sheet, Size
from chardesk.tools.model.width import cluster_width

GLYPHS = ("a", "é", "e\u0301", "─", " ", "世", "界", "👍🏽", "👨‍👩‍👧", "🇨🇭")
STYLES = (
    PLAIN,
    Style("#aa0000"),
    Style(bg_color="accent"),
    Style(attrs=BOLD | UNDERLINE, href="https://a.test"),
)
AUTHORS = ("person", "ada", "bob")

laws = settings(deadline=None, max_examples=50)
"""No deadline: how long an example takes says more about the machine than about the law."""

columns = st.one_of(st.integers(-3, 4), st.integers(124, 130))
"""Around the origin and around the border between two chunks."""
rows = st.one_of(st.integers(-2, 2), st.integers(62, 65))
rects = st.builds(Rect, columns, rows, st.integers(1, 9), st.integers(1, 4))


def columns_of(glyphs: Sequence[str]) -> list[str | None]:
    """Glyphs side by side, as a strip holds them."""
    return [part for glyph in glyphs for part in ([glyph, ""] if cluster_width(glyph) == 2 else [glyph])]


Stroke = Callable[[Draft], object]


@st.composite
def strokes(draw: st.DrawFn) -> Stroke:
    """One thing to do to a draft."""
    x, y = draw(columns), draw(rows)
    chars = columns_of(draw(st.lists(st.sampled_from(GLYPHS), min_size=1, max_size=6)))
    styles = [draw(st.sampled_from(STYLES))] * len(chars)
    match draw(st.sampled_from(["put", "put", "restyle", "clear", "erase"])):
        case "put":
            return lambda draft: draft.put(x, y, chars, styles)
        case "restyle":
            return lambda draft: draft.restyle(x, y, chars, styles)
        case "clear":
            return lambda draft: draft.clear(Span(y, x, x + len(chars)))
        case _:
            rect = draw(rects)
            return lambda draft: draft.erase(rect)


def put(x: int, y: int, text: str) -> Stroke:
    """A stroke that writes plain text."""
    chars = columns_of(list(text))
    return lambda draft: draft.put(x, y, chars, [PLAIN] * len(chars))


def planned(scene: Scene, todo: Sequence[Stroke]) -> Change:
    draft = Draft(scene)
    for stroke in todo:
        stroke(draft)
    return draft.change()


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    scene = Scene()
    scene.apply(planned(scene, draw(st.lists(strokes(), max_size=6))))
    return scene


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=4)
notes = st.just("") | names
sizes = st.builds(Size, st.integers(1, 200), st.integers(1, 90))


def _cells(draw: st.DrawFn, sheet: Sheet) -> s.Step:
    return s.CellsChanged(sheet.id, planned(sheet.scene, draw(st.lists(strokes(), min_size=1, max_size=4))))


def _sheet_removed(canvas: Canvas, sheet: Sheet) -> s.Step:
    empty, scene = Scene(), sheet.scene
    draft = Draft(empty)
    for y, x, end in scene.spans():
        draft.restyle(x, y, *scene.strip(y, x, end))
    at = canvas.sheets.index(sheet)
    return s.SheetRemoved(canvas.id, at, sheet.id, sheet.name, sheet.size, draft.change(), sheet.note)


def _sheet_step(draw: st.DrawFn, canvas: Canvas, sheet: Sheet, seq: int) -> s.Step:
    index = st.integers(0, len(canvas.sheets) - 1)
    options: list[Callable[[], s.Step]] = [
        lambda: s.SheetAdded(
            canvas.id, draw(index), f"pg-{seq:010}", draw(names), draw(sizes), note=draw(notes)
        ),
        lambda: s.SheetMoved(canvas.id, sheet.id, canvas.sheets.index(sheet), draw(index)),
        lambda: s.SheetRenamed(sheet.id, sheet.name, draw(names)),
        lambda: s.SheetNoted(sheet.id, sheet.note, draw(names)),
    ]
    if (size := sheet.size) is not None:
        options.append(lambda: s.SheetResized(sheet.id, size, draw(sizes)))
    if len(canvas.sheets) > 1:
        options.append(lambda: _sheet_removed(canvas, sheet))
    return draw(st.sampled_from(options))()


def _canvas_step(draw: st.DrawFn, canvas: Canvas) -> s.Step:
    if draw(st.booleans()):
        return s.CanvasRenamed(canvas.id, canvas.name, draw(names))
    return s.CanvasUnarchived(canvas.id) if canvas.archived else s.CanvasArchived(canvas.id)


def _steps(draw: st.DrawFn, contents: Contents, seq: int) -> tuple[str, str, tuple[s.Step, ...]]:
    if not contents.canvases or draw(st.integers(0, 9)) == 0:
        canvas, sheet = f"cv-{seq:010}", f"pg-{seq:010}"
        added = s.SheetAdded(canvas, 0, sheet, draw(names), draw(st.none() | sizes))
        return (
            canvas,
            sheet,
            (s.CanvasAdded(canvas, draw(names), draw(st.sampled_from(["freeform", "slides"]))), added),
        )
    chosen = draw(st.sampled_from(list(contents.canvases.values())))
    found = draw(st.sampled_from(chosen.sheets))
    kind = draw(st.sampled_from(["cells", "cells", "cells", "sheet", "canvas"]))
    if kind == "cells":
        return chosen.id, found.id, (_cells(draw, found),)
    step = _sheet_step(draw, chosen, found, seq) if kind == "sheet" else _canvas_step(draw, chosen)
    return chosen.id, found.id, (step,)


@st.composite
def histories(draw: st.DrawFn, min_size: int = 1, max_size: int = 12) -> list[Commit]:
    """Commits that follow one another from an empty desk on, by several authors, with every kind of step."""
    contents, made = Contents(), []
    for seq in range(1, draw(st.integers(min_size, max_size)) + 1):
        canvas, sheet, steps = _steps(draw, contents, seq)
        author = draw(st.sampled_from(AUTHORS))
        made.append(commit(seq, steps, author=author, canvas=canvas, sheet=sheet, why=draw(names)))
        take(contents, made[-1])
    return made


def commit(seq: int, steps: tuple[s.Step, ...], **fields: Any) -> Commit:
    """A commit of these steps; what is not given is made up from its seq."""
    given = {
        "operation_id": f"op-{seq:012x}",
        "author": "ada",
        "applied_by": "person",
        "tool": "canvas_write",
        "time": 1_750_000_000.25 + seq,
        "call_key": f"ada/{seq}",
        "digest": "d" * 64,
        "result": {"applied": True, "bounds": [0, 0, 1, 1], "note": "世"},
    }
    return Commit(seq=seq, steps=steps, **{**given, **fields})


def contents_of(commits: Sequence[Commit]) -> Contents:
    contents = Contents()
    for one in commits:
        take(contents, one)
    return contents


def everything(contents: Contents) -> list[Any]:
    """All that a desk shows, as plain values that can be compared: cells, order, revisions, touches."""
    return [
        (
            canvas.id,
            canvas.name,
            canvas.kind,
            canvas.archived,
            canvas.updated_at,
            [_sheet(x) for x in canvas.sheets],
        )
        for canvas in contents.canvases.values()
    ]


def _sheet(sheet: Sheet) -> list[Any]:
    cells = [(span, sheet.scene.strip(*span)) for span in sheet.scene.spans()]
    touches = [list(sheet.trace.others(_DRAWN_ON, who, 0)) for who in ("", *AUTHORS)]
    return [sheet.id, sheet.name, sheet.size, sheet.revision, cells, touches, sheet.note]


_DRAWN_ON = Region(Span(y, -8, 144) for y in (*range(-3, 8), *range(58, 72)))
"""Every column that `strokes` can reach."""
