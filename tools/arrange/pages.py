"""Actions on the pages of a slides canvas, active or not. Each plans steps; none applies anything."""

from __future__ import annotations

from chardesk.tools.arrange import names
from chardesk.tools.arrange.canvases import NewId
from chardesk.tools.arrange.find import page_of, slides, the_canvas, the_page
from chardesk.tools.arrange.forms import ManageArgs, ManageResult, PageLine
from chardesk.tools.arrange.sheets import bounded, cells_of, occupied
from chardesk.tools.errors import Refused
from chardesk.tools.model import steps as s
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.sheet import DEFAULT_SLIDE, Canvas, Sheet, Size
from chardesk.tools.operation import Arranged


def list_pages(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """The pages in their order; a freeform canvas has one, without a size. Notes are cut after 16,000
    characters of all."""
    canvas = the_canvas(contents, active, args)
    lines, room = [], _NOTES
    for index, sheet in enumerate(canvas.sheets):
        lines.append(_line(index, sheet, sheet.note[:room]))
        room -= len(sheet.note[:room])
    return Arranged(ManageResult(canvas_id=canvas.id, name=canvas.name, kind=canvas.kind, pages=lines))


_NOTES = 16_000


def _line(index: int, sheet: Sheet, note: str) -> PageLine:
    cells, bounds = occupied([sheet])
    return PageLine(
        page_id=sheet.id,
        name=sheet.name,
        index=index,
        size=sheet.size,
        cells=cells,
        bounds=bounds,
        revision=sheet.revision,
        **({"note": note} if note else {}),
    )


def create_page(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """An empty page behind `afterPageId`, of the same size unless told otherwise."""
    canvas = slides(contents, active, args)
    before = page_of(canvas, args.after_page_id, "afterPageId") if args.after_page_id else canvas.sheets[-1]
    size = bounded(args.size or before.size or DEFAULT_SLIDE)
    name = names.numbered("Page", _taken(canvas)) if args.name is None else names.clean(args.name)
    return _added(canvas, canvas.sheets.index(before) + 1, new_id("pg"), name, Sheet("", name, size))


def duplicate_page(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """A copy right behind the page."""
    canvas = slides(contents, active, args)
    source = the_page(canvas, args)
    name = names.copied(source.name, _taken(canvas)) if args.name is None else names.clean(args.name)
    return _added(canvas, canvas.sheets.index(source) + 1, new_id("pg"), name, source)


def _added(canvas: Canvas, index: int, page_id: str, name: str, like: Sheet) -> Arranged:
    step = s.SheetAdded(canvas.id, index, page_id, name, like.size, cells_of(like.scene), like.note)
    result = ManageResult(canvas_id=canvas.id, page_id=page_id, name=name, size=like.size, index=index)
    return Arranged(result, (step,))


def rename_page(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    canvas = slides(contents, active, args)
    sheet = the_page(canvas, args)
    assert args.name is not None
    name = names.clean(args.name)
    steps = () if name == sheet.name else (s.SheetRenamed(sheet.id, sheet.name, name),)
    return Arranged(ManageResult(canvas_id=canvas.id, page_id=sheet.id, name=name), steps)


def note_page(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """What the page says to its speaker; empty takes it away."""
    canvas = slides(contents, active, args)
    sheet = the_page(canvas, args)
    assert args.note is not None
    note = args.note.strip()
    steps = () if note == sheet.note else (s.SheetNoted(sheet.id, sheet.note, note),)
    return Arranged(ManageResult(canvas_id=canvas.id, page_id=sheet.id, note=note), steps)


def delete_page(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """Refuses `last_one` for the only page. The step keeps the cells, so that an undo brings them back."""
    canvas = slides(contents, active, args)
    sheet = the_page(canvas, args)
    if len(canvas.sheets) == 1:
        raise Refused("last_one", f"{sheet.name} is the only page of {canvas.name}", field="pageId")
    index = canvas.sheets.index(sheet)
    step = s.SheetRemoved(
        canvas.id, index, sheet.id, sheet.name, sheet.size, cells_of(sheet.scene), sheet.note
    )
    return Arranged(ManageResult(canvas_id=canvas.id, page_id=sheet.id, name=sheet.name), (step,))


def reorder_page(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    canvas = slides(contents, active, args)
    sheet = the_page(canvas, args)
    assert args.index is not None
    last = len(canvas.sheets) - 1
    if not 0 <= args.index <= last:
        raise Refused("invalid_input", f"index must be 0 to {last}, not {args.index}", field="index")
    now = canvas.sheets.index(sheet)
    steps = () if now == args.index else (s.SheetMoved(canvas.id, sheet.id, now, args.index),)
    return Arranged(ManageResult(canvas_id=canvas.id, page_id=sheet.id, index=args.index), steps)


def resize_page(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """Refuses `invalid_input` when cells would be cropped and `crop` does not say so, with their number. A
    wide glyph that the new edge would cut goes whole."""
    canvas = slides(contents, active, args)
    sheet = the_page(canvas, args)
    assert args.size is not None and sheet.size is not None
    size = bounded(args.size)
    cropped = without_outside(sheet, sheet.size, size)
    columns = cropped.change().footprint().columns
    if columns and not args.crop:
        raise Refused(
            "invalid_input",
            f"{size.columns}×{size.rows} would crop {columns} cells; set crop to true to drop them",
            field="crop",
            details={"croppedCells": columns},
        )
    cells = (s.CellsChanged(sheet.id, cropped.change()),) if columns else ()
    resized = (s.SheetResized(sheet.id, sheet.size, size),) if size != sheet.size else ()
    result = ManageResult(canvas_id=canvas.id, page_id=sheet.id, size=size, cropped_cells=columns)
    return Arranged(result, (*cells, *resized))


def show(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """Changes nothing: whoever shows the canvas raises the chip, where there is somebody to see it."""
    canvas = the_canvas(contents, active, args)
    sheet = the_page(canvas, args)
    return Arranged(ManageResult(canvas_id=canvas.id, page_id=sheet.id, shown=False))


def without_outside(sheet: Sheet, old: Size, new: Size) -> Draft:
    """The sheet drafted without what lies outside the new size, whole glyphs."""
    draft = Draft(sheet.scene)
    if old.columns > new.columns:
        draft.erase(Rect(new.columns, 0, old.columns - new.columns, old.rows))
    if old.rows > new.rows:
        draft.erase(Rect(0, new.rows, old.columns, old.rows - new.rows))
    return draft


def _taken(canvas: Canvas) -> set[str]:
    return {sheet.name for sheet in canvas.sheets}
