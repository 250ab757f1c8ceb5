"""canvas_manage: canvases and their pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chardesk.tools.arrange import canvases, pages
from chardesk.tools.arrange.canvases import NewId
from chardesk.tools.arrange.forms import Action, ManageArgs, ManageResult
from chardesk.tools.model.contents import Contents
from chardesk.tools.operation import Arrange, Arranged, Operation

Plan = Callable[[Contents, str, NewId, ManageArgs], Arranged]

PLANS: Mapping[Action, Plan] = {
    "list": canvases.list_canvases,
    "create": canvases.create,
    "duplicate": canvases.duplicate,
    "rename": canvases.rename,
    "archive": canvases.archive,
    "unarchive": canvases.unarchive,
    "list_pages": pages.list_pages,
    "create_page": pages.create_page,
    "rename_page": pages.rename_page,
    "note_page": pages.note_page,
    "duplicate_page": pages.duplicate_page,
    "delete_page": pages.delete_page,
    "reorder_page": pages.reorder_page,
    "resize_page": pages.resize_page,
    "status": canvases.status,
    "show": pages.show,
}

PREVIEWED_ACTIONS: frozenset[Action] = frozenset({"archive", "delete_page"})
"""These take something away, so they are previews unless told to apply. See `is_previewed`."""


def is_previewed(args: ManageArgs) -> bool:
    """Does this call follow `mode`? The others happen at once, and each can be undone."""
    return args.action in PREVIEWED_ACTIONS or (args.action == "resize_page" and args.crop)


def plan(contents: Contents, active: str, new_id: NewId, args: ManageArgs) -> Arranged:
    """What the action would do. Reads and actions without effect have no steps."""
    return PLANS[args.action](contents, active, new_id, args)


OPERATION = Operation(
    name="canvas_manage",
    summary=(
        "List, create, copy, rename and archive canvases and the pages of slides. delete_page, archive and "
        "cropping preview by default; other actions happen at once."
    ),
    effect="arrange",
    args=ManageArgs,
    result=ManageResult,
    body=Arrange(plan),
    destructive=True,
    examples=({"action": "list"}, {"action": "create", "kind": "slides", "name": "Plan", "size": [80, 24]}),
)
