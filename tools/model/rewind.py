"""A sheet as it was: walking back from what it is now, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from chardesk.tools.model import steps as s
from chardesk.tools.model.change import Change, Run
from chardesk.tools.model.region import Region
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size


@dataclass(frozen=True, slots=True)
class Then:
    """A sheet at some time. `is_there` is False before it was added and while it was deleted; it is empty
    then."""

    scene: Scene
    size: Size | None
    is_there: bool = True


def rewound(now: Then, steps_back: Iterable[s.Step]) -> Then:
    """The sheet before these steps, which are its own, newest first. `now` stays as it is."""
    then = replace(now, scene=now.scene.fork())
    for step in steps_back:
        then = _before(then, step)
    return then


def _before(then: Then, step: s.Step) -> Then:
    match step:
        case s.CellsChanged(change=change):
            then.scene.apply(change.inverse())
            return then
        case s.SheetAdded():
            return Then(Scene(), None, is_there=False)
        case s.SheetRemoved(size=size, cells=cells):
            scene = Scene()
            scene.apply(cells)
            return Then(scene, size)
        case s.SheetResized(before=size):
            return replace(then, size=size)
        case s.SheetMoved() | s.SheetRenamed() | s.SheetNoted():
            return then
        case s.CanvasAdded() | s.CanvasRemoved() | s.CanvasRenamed():
            return then
        case s.CanvasArchived() | s.CanvasUnarchived():
            return then
        case _:
            assert_never(step)


def touched(steps: Iterable[s.Step]) -> Region:
    """Every column that the steps wrote, brought along or took away."""
    spans = (span for step in steps for span in _cells(step).footprint().spans)
    return Region(spans)


def _cells(step: s.Step) -> Change:
    match step:
        case s.CellsChanged(change=cells) | s.SheetAdded(cells=cells) | s.SheetRemoved(cells=cells):
            return cells
        case _:
            return Change()


def difference(before: Scene, after: Scene, within: Region) -> Change:
    """What leads from one scene to the other; they may differ nowhere but in `within`."""
    runs = (Run(y, x, before.strip(y, x, end), after.strip(y, x, end)) for y, x, end in within.spans)
    return Change(tuple(runs)).essence()
