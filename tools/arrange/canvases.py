"""Actions on canvases. Each plans steps; none applies anything."""

from __future__ import annotations

from collections.abc import Callable

from chardesk.tools.arrange import names
from chardesk.tools.arrange.find import editable, the_canvas
from chardesk.tools.arrange.forms import CanvasLine, ManageArgs, ManageResult
from chardesk.tools.arrange.sheets import bounded, cells_of, occupied
from chardesk.tools.errors import Refused
from chardesk.tools.model import steps as s
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.moment import iso
from chardesk.tools.model.sheet import DEFAULT_SLIDE, Canvas, Size
from chardesk.tools.operation import Arranged

NewId = Callable[[str], str]


def list_canvases(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """Every canvas in the order of birth, archived ones only if asked for."""
    shown = [one for one in contents.canvases.values() if args.include_archived or not one.archived]
    lines = [_line(canvas, active) for canvas in shown]
    return Arranged(ManageResult(current_canvas_id=active, canvases=lines))


def _line(canvas: Canvas, active: str) -> CanvasLine:
    cells, bounds = occupied(canvas.sheets)
    return CanvasLine(
        canvas_id=canvas.id,
        name=canvas.name,
        kind=canvas.kind,
        active=canvas.id == active,
        archived=canvas.archived,
        editable=not canvas.archived,
        cells=cells,
        bounds=bounds,
        updated_at=iso(canvas.updated_at),
    )


def status(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """How much the desk holds, archived canvases included."""
    sheets = [sheet for canvas in contents.canvases.values() for sheet in canvas.sheets]
    cells, _ = occupied(sheets)
    counts = {"canvases": len(contents.canvases), "sheets": len(sheets), "cells": cells}
    return Arranged(ManageResult(current_canvas_id=active, counts=counts))


def create(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """A canvas with one empty sheet. A freeform one has no size: it is refused `unsupported_action`."""
    assert args.kind is not None
    name = _name(contents, args.name, names.numbered("Canvas", _taken(contents)))
    canvas, sheet = new_id("cv"), new_id("pg")
    size = _size(args)
    steps = (s.CanvasAdded(canvas, name, args.kind), s.SheetAdded(canvas, 0, sheet, "Page 1", size))
    result = ManageResult(canvas_id=canvas, page_id=sheet, name=name, kind=args.kind, size=size)
    return Arranged(result, steps, canvas if args.activate else None)


def _size(args: ManageArgs) -> Size | None:
    if args.kind == "slides":
        return bounded(args.size or DEFAULT_SLIDE)
    if args.size is not None:
        raise Refused("unsupported_action", "a freeform canvas is endless; leave size out", field="size")
    return None


def duplicate(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """A copy of a canvas with all its sheets, archived or not; the copy is open."""
    source = the_canvas(contents, active, args)
    name = _name(contents, args.name, names.copied(source.name, _taken(contents)))
    canvas = new_id("cv")
    sheets = [
        s.SheetAdded(canvas, index, new_id("pg"), sheet.name, sheet.size, cells_of(sheet.scene), sheet.note)
        for index, sheet in enumerate(source.sheets)
    ]
    result = ManageResult(canvas_id=canvas, page_id=sheets[0].sheet, name=name, kind=source.kind)
    return Arranged(result, (s.CanvasAdded(canvas, name, source.kind), *sheets))


def rename(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    canvas = editable(contents, active, args)
    assert args.name is not None
    name = names.unique(args.name, (one for one in contents.canvases.values() if one is not canvas))
    steps = () if name == canvas.name else (s.CanvasRenamed(canvas.id, canvas.name, name),)
    return Arranged(ManageResult(canvas_id=canvas.id, name=name), steps)


def archive(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """Put a canvas away. Refuses `last_one`; an archived one stays as it is. When it was the active canvas
    the first open one becomes it."""
    canvas = the_canvas(contents, active, args)
    result = ManageResult(canvas_id=canvas.id, name=canvas.name)
    if canvas.archived:
        return Arranged(result)
    others = [one for one in contents.open_canvases() if one is not canvas]
    if not others:
        raise Refused("last_one", f"{canvas.name} is the only open canvas", field="canvasId")
    return Arranged(result, (s.CanvasArchived(canvas.id),), others[0].id if canvas.id == active else None)


def unarchive(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    canvas = the_canvas(contents, active, args)
    steps = (s.CanvasUnarchived(canvas.id),) if canvas.archived else ()
    return Arranged(ManageResult(canvas_id=canvas.id, name=canvas.name), steps)


def _taken(contents: Contents) -> set[str]:
    return {canvas.name for canvas in contents.canvases.values()}


def _name(contents: Contents, given: str | None, default: str) -> str:
    return default if given is None else names.unique(given, contents.canvases.values())
