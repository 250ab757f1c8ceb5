"""Which canvas and sheet an action means."""

from __future__ import annotations

from chardesk.tools.arrange.forms import ManageArgs
from chardesk.tools.errors import Refused
from chardesk.tools.model.contents import Contents
from chardesk.tools.model.sheet import Canvas, Sheet


def the_canvas(contents: Contents, active: str, args: ManageArgs) -> Canvas:
    """The canvas named, else the one of the page named, else the active one."""
    if args.canvas_id is None and args.page_id is not None:
        found = contents.canvas_of(args.page_id)
        if found is None:
            raise _no_page(args.page_id, "pageId")
        return found
    wanted = active if args.canvas_id is None else args.canvas_id
    if wanted not in contents.canvases:
        raise Refused("canvas_not_found", f"no canvas {wanted[:40]}", field="canvasId")
    return contents.canvases[wanted]


def editable(contents: Contents, active: str, args: ManageArgs) -> Canvas:
    """`the_canvas`, refused when it is archived."""
    canvas = the_canvas(contents, active, args)
    if canvas.archived:
        raise Refused(
            "unsupported_action", f"{canvas.name} is archived; unarchive it first", field="canvasId"
        )
    return canvas


def slides(contents: Contents, active: str, args: ManageArgs) -> Canvas:
    """`editable`, refused when it is freeform: its one endless sheet is not a page among others."""
    canvas = editable(contents, active, args)
    if canvas.kind == "freeform":
        message = f"{canvas.name} is freeform and has no pages to arrange; create a canvas of kind slides"
        raise Refused("unsupported_action", message, field="action")
    return canvas


def the_page(canvas: Canvas, args: ManageArgs) -> Sheet:
    """The page named; unnamed only where there is no choice."""
    if args.page_id is not None:
        return page_of(canvas, args.page_id, "pageId")
    if len(canvas.sheets) > 1:
        message = f"pageId is required: {canvas.name} has {len(canvas.sheets)} pages"
        raise Refused("invalid_input", message, field="pageId")
    return canvas.sheets[0]


def page_of(canvas: Canvas, page_id: str, field: str) -> Sheet:
    found = canvas.sheet(page_id)
    if found is None:
        raise _no_page(page_id, field, canvas)
    return found


def _no_page(page_id: str, field: str, canvas: Canvas | None = None) -> Refused:
    where = f" in {canvas.name}" if canvas is not None else ""
    return Refused("page_not_found", f"no page {page_id[:40]}{where}", field=field)
