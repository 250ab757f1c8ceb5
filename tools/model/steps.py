"""The steps a commit is made of. Each can be inverted; together they are all that ever happens to a desk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from chardesk.tools.model.change import Change
from chardesk.tools.model.sheet import Kind, Size

_NO_CELLS = Change()


@dataclass(frozen=True, slots=True)
class CellsChanged:
    sheet: str
    change: Change


@dataclass(frozen=True, slots=True)
class SheetAdded:
    """A sheet comes to stand at `index` of its canvas, with the cells it was given."""

    canvas: str
    index: int
    sheet: str
    name: str
    size: Size | None
    cells: Change = _NO_CELLS
    note: str = ""


@dataclass(frozen=True, slots=True)
class SheetRemoved:
    canvas: str
    index: int
    sheet: str
    name: str
    size: Size | None
    cells: Change = _NO_CELLS
    """What it held, as the change that would write it."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class SheetMoved:
    canvas: str
    sheet: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class SheetResized:
    sheet: str
    before: Size
    after: Size


@dataclass(frozen=True, slots=True)
class SheetRenamed:
    sheet: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SheetNoted:
    """What a sheet says to its speaker."""

    sheet: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CanvasAdded:
    canvas: str
    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class CanvasRemoved:
    """Only ever the inverse of `CanvasAdded`: a canvas that is still empty goes away again."""

    canvas: str
    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class CanvasRenamed:
    canvas: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CanvasArchived:
    canvas: str


@dataclass(frozen=True, slots=True)
class CanvasUnarchived:
    canvas: str


Step = (
    CellsChanged
    | SheetAdded
    | SheetRemoved
    | SheetMoved
    | SheetResized
    | SheetRenamed
    | SheetNoted
    | CanvasAdded
    | CanvasRemoved
    | CanvasRenamed
    | CanvasArchived
    | CanvasUnarchived
)


def inverse(step: Step) -> Step:
    """The step that takes this one back."""
    match step:
        case CellsChanged(sheet, change):
            return CellsChanged(sheet, change.inverse())
        case SheetAdded(canvas, index, sheet, name, size, cells, note):
            return SheetRemoved(canvas, index, sheet, name, size, cells, note)
        case SheetRemoved(canvas, index, sheet, name, size, cells, note):
            return SheetAdded(canvas, index, sheet, name, size, cells, note)
        case SheetMoved(canvas, sheet, before, after):
            return SheetMoved(canvas, sheet, after, before)
        case SheetResized(sheet, old, new):
            return SheetResized(sheet, new, old)
        case SheetRenamed(sheet, was, now):
            return SheetRenamed(sheet, now, was)
        case SheetNoted(sheet, was, now):
            return SheetNoted(sheet, now, was)
        case CanvasAdded(canvas, name, kind):
            return CanvasRemoved(canvas, name, kind)
        case CanvasRemoved(canvas, name, kind):
            return CanvasAdded(canvas, name, kind)
        case CanvasRenamed(canvas, was, now):
            return CanvasRenamed(canvas, now, was)
        case CanvasArchived(canvas):
            return CanvasUnarchived(canvas)
        case CanvasUnarchived(canvas):
            return CanvasArchived(canvas)
        case _:
            assert_never(step)


def inverses(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """What takes a whole commit back: the inverses, last step first."""
    return tuple(inverse(step) for step in reversed(steps))


def cells_changed(steps: Iterable[Step]) -> dict[str, Change]:
    """What the steps did to the cells of each sheet that they worked on and left there, as one change."""
    whole: dict[str, Change] = {}
    for step in steps:
        match step:
            case CellsChanged(sheet, change):
                whole[sheet] = whole[sheet].then(change) if sheet in whole else change
            case SheetRemoved(sheet=sheet):
                whole.pop(sheet, None)
            case _:
                pass
    return whole
