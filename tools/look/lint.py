"""What looks broken on a sheet: torn boxes, labels over borders, connectors that end nowhere, lost edges."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from chardesk.tools.look.frames import DOWN, LEFT, RIGHT, UP, border, frames
from chardesk.tools.look.joints import End, Line, is_corner, is_straight, lines, touches
from chardesk.tools.look.sketch import Sketch, opposite, sketched, step, ways
from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect, Region, union_of
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.schema import Four, Result

MAX_ISSUES = 200

_FAR = 2**53
"""Farther than any cell: the half planes around a slide reach to here."""

_UPRIGHT_DASHES = frozenset("┆┊╎")

Kind = Literal["torn_box", "overlapping_label", "loose_connector", "over_edge"]


class Issue(Result):
    kind: Kind
    bounds: Four
    message: str


class Lint(NamedTuple):
    """By y, then x; `truncated` if there are more than 200."""

    issues: list[Issue]
    truncated: bool


def lint(scene: Scene, size: Size | None, view: Rect | None) -> Lint:
    """What looks wrong in `view`, everywhere without one. Refuses `too_large` as `sketched` does.

    Line pieces only: a picture made of letters is never judged. A free line without a corner is a rule or a
    sample in a legend, a line that a text interrupts is labelled, one with a tick on it is an axis, and a
    dashed one that ends below is a lifeline; none of them is an issue.
    """
    sketch = sketched(scene, view)
    found = [
        *_lines(sketch, view),
        *_labels(sketch),
        *(_over_edge(scene, size, view) if size is not None else ()),
    ]
    order = sorted(found, key=lambda issue: (issue.bounds[1], issue.bounds[0]))
    return Lint(order[:MAX_ISSUES], len(order) > MAX_ISSUES)


def _lines(sketch: Sketch, view: Rect | None) -> Iterator[Issue]:
    """What lines leave open, but for those that go on beyond the view."""
    boxes, _ = frames(sketch)
    edges = {at for box in boxes for at in border(box)}
    for line in lines(sketch):
        loose = [end for end in line.ends if _is_loose(sketch, end, view) and end.beyond not in line.heads]
        if not loose or _is_axis(sketch, line):
            continue
        is_joined = bool(line.heads) or not edges.isdisjoint(line.cells) or _is_held(sketch, line, loose)
        if any(_tears(sketch, line, end, is_joined) for end in loose):
            yield _torn(loose)
        elif is_joined:
            yield from (_nowhere(end) for end in loose)


def _is_loose(sketch: Sketch, end: End, view: Rect | None) -> bool:
    is_seen = view is None or view.covers(Rect(*end.beyond, 1, 1))
    return is_seen and touches(sketch, end) is None and not _is_lifeline(sketch, end)


def _is_held(sketch: Sketch, line: Line, loose: list[End]) -> bool:
    """Does an end of the line lead somewhere? To a text a blank away only if the line turns: a straight one
    beside a word may as well be a rule, a fraction's bar, or what a legend explains."""
    firm = [end for end in line.ends if end not in loose]
    if any(not is_straight(sketch, at) for at in line.cells):
        return bool(firm)
    return any(touches(sketch, end) in (end.beyond, None) for end in firm)


def _is_axis(sketch: Sketch, line: Line) -> bool:
    """One corner at most, and a tick: a piece on the line with a free arm to its side."""
    if sum(is_corner(sketch, at) for at in line.cells) > 1:
        return False
    return any(
        ways(sketch.arms[end.at]) == 3 and not sketch.arms[end.at][opposite(end.direction)]
        for end in line.ends
    )


def _is_lifeline(sketch: Sketch, end: End) -> bool:
    return end.direction == DOWN and sketch.seen.get(end.at) in _UPRIGHT_DASHES


def _tears(sketch: Sketch, line: Line, end: End, is_joined: bool) -> bool:
    """Is this loose end a box's? A corner's or a junction's is; a straight piece's if the line has two
    corners and leads to nothing else."""
    if not is_straight(sketch, end.at):
        return ways(sketch.arms[end.at]) > 1
    return not is_joined and sum(is_corner(sketch, at) for at in line.cells) >= 2


def _torn(ends: list[End]) -> Issue:
    bounds = union_of(Rect(end.at.x, end.at.y, 1, 1) for end in ends)
    assert bounds is not None, "a torn box has a loose end"
    places = ", ".join(f"[{end.at.x},{end.at.y}]" for end in ends[:4])
    return Issue(kind="torn_box", bounds=bounds, message=f"the border stops at {places}")


def _nowhere(end: End) -> Issue:
    way = ("upwards", "to the right", "downwards", "to the left")[end.direction]
    return Issue(
        kind="loose_connector",
        bounds=Rect(end.at.x, end.at.y, 1, 1),
        message=f"the line goes {way} and meets nothing",
    )


def _labels(sketch: Sketch) -> Iterator[Issue]:
    """Texts that stand across the upright side of a box. On a level side a text is a title."""
    for word in sketch.words:
        crossed = [x for x in range(word.x, word.end) if _is_side(sketch, At(x, word.y))]
        if crossed:
            rect = Rect(word.x, word.y, word.end - word.x, 1)
            message = f"the text covers a box's border at x {', '.join(map(str, crossed[:4]))}"
            yield Issue(kind="overlapping_label", bounds=rect, message=message)


def _is_side(sketch: Sketch, at: At) -> bool:
    """Is there a box's side above and below this cell, from corner to corner?"""
    above, below = step(at, UP), step(at, DOWN)
    if at in sketch.arms or above not in sketch.arms or below not in sketch.arms:
        return False
    if not (sketch.arms[above].down and sketch.arms[below].up):
        return False
    top, bottom = _followed(sketch, above, UP), _followed(sketch, below, DOWN)
    return is_corner(sketch, top) and is_corner(sketch, bottom) and _same_side(sketch, top, bottom)


def _followed(sketch: Sketch, at: At, direction: int) -> At:
    while sketch.meets(at, direction):
        at = step(at, direction)
    return at


def _same_side(sketch: Sketch, top: At, bottom: At) -> bool:
    return all(bool(sketch.arms[top][way]) == bool(sketch.arms[bottom][way]) for way in (LEFT, RIGHT))


def _over_edge(scene: Scene, size: Size, view: Rect | None) -> Iterator[Issue]:
    """What is stored outside the slide: left there by a resize, it can be seen nowhere."""
    columns, rows = size
    outside = (
        Rect(-_FAR, -_FAR, 2 * _FAR, _FAR),
        Rect(-_FAR, rows, 2 * _FAR, _FAR),
        Rect(-_FAR, 0, _FAR, rows),
        Rect(columns, 0, _FAR, rows),
    )
    parts = (part if view is None else part.clip(view) for part in outside)
    spans = (span for part in parts if part is not None for span in scene.spans(part))
    for rect in Region(islice(spans, MAX_ISSUES + 1)).rects():
        message = f"outside the slide of {columns}×{rows}"
        yield Issue(kind="over_edge", bounds=rect, message=message)
