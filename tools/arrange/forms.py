"""What canvas_manage takes and gives: one flat form for all actions, and a table of what each may fill in."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator

from chardesk.tools.model.sheet import MAX_NOTE, Kind
from chardesk.tools.operation import Changing
from chardesk.tools.schema import Absent, Fields, Four, Integer, Pair, RectArg, Result, SizeArg, check_action

Action = Literal[
    "list",
    "create",
    "duplicate",
    "rename",
    "archive",
    "unarchive",
    "list_pages",
    "create_page",
    "rename_page",
    "note_page",
    "duplicate_page",
    "delete_page",
    "reorder_page",
    "resize_page",
    "status",
    "show",
]

FIELDS: dict[Action, Fields] = {
    "list": Fields(takes=("include_archived",)),
    "create": Fields(needs=("kind",), takes=("name", "size", "activate")),
    "duplicate": Fields(takes=("name",)),
    "rename": Fields(needs=("name",)),
    "archive": Fields(),
    "unarchive": Fields(needs=("canvas_id",)),
    "list_pages": Fields(),
    "create_page": Fields(takes=("after_page_id", "size", "name")),
    "rename_page": Fields(needs=("name",)),
    "note_page": Fields(needs=("note",)),
    "duplicate_page": Fields(takes=("name",)),
    "delete_page": Fields(),
    "reorder_page": Fields(needs=("index",)),
    "resize_page": Fields(needs=("size",), takes=("crop",)),
    "status": Fields(),
    "show": Fields(needs=("rect",)),
}

_ALWAYS = frozenset({*Changing.model_fields, "action"})


class ManageArgs(Changing):
    action: Action = Field(description="what to do; pages are the sheets of a slides canvas")
    include_archived: bool = Field(False, description="list")
    name: str | None = Field(None, description="create, duplicate, rename, *_page: 1-80 characters")
    note: Annotated[str, Field(max_length=MAX_NOTE)] | None = Field(None, description="note_page")
    kind: Kind | None = Field(None, description="create: one endless sheet, or ordered pages")
    size: SizeArg | None = Field(None, description="[columns,rows], each 1-1000; default 100×27")
    activate: bool = Field(False, description="create: show it to the person")
    after_page_id: str | None = Field(None, description="create_page; default: at the end")
    index: Integer | None = Field(None, description="reorder_page: new place, from 0")
    crop: bool = Field(False, description="resize_page: drop what is outside")
    rect: RectArg | None = Field(None, description="show: [x,y,width,height] to point the person at")

    @model_validator(mode="after")
    def _fields_of_the_action(self) -> Self:
        check_action(self, self.action, FIELDS[self.action], _ALWAYS)
        return self


class CanvasLine(Result):
    """A canvas in a list. `cells` are occupied columns on all its sheets, `bounds` is around them."""

    canvas_id: str
    name: str
    kind: Kind
    active: bool
    archived: bool
    editable: bool
    cells: int
    bounds: Four | None
    updated_at: str


class PageLine(Result):
    page_id: str
    name: str
    index: int
    size: Pair | None
    cells: int
    bounds: Four | None
    revision: int
    note: Absent[str] = None


_OBJECTS = WithJsonSchema({"type": "array", "items": {"type": "object"}})
"""How a list of lines looks in the schema: replies show the fields, each session pays for schemas."""


class ManageResult(Result):
    """Each field belongs to some of the actions. `counts`: canvases, sheets and cells of the desk. `shown`:
    somebody saw the chip. `size` is null on an endless sheet. `you`: what the caller may do, and where."""

    current_canvas_id: Absent[str] = None
    canvases: Absent[Annotated[list[CanvasLine], _OBJECTS]] = None
    canvas_id: Absent[str] = None
    page_id: Absent[str] = None
    name: Absent[str] = None
    note: Absent[str] = None
    kind: Absent[Kind] = None
    size: Pair | None = None
    index: Absent[int] = None
    pages: Absent[Annotated[list[PageLine], _OBJECTS]] = None
    cropped_cells: Absent[int] = None
    counts: Absent[dict[str, Any]] = None
    shown: Absent[bool] = None
    you: Absent[dict[str, Any]] = None
