"""The outline of a sheet: its boxes, texts and connectors, each with its rectangle."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from chardesk.tools.look.frames import border, frames
from chardesk.tools.look.joints import Line, lines, touches
from chardesk.tools.look.sketch import Sketch, Words, sketched
from chardesk.tools.model.cell import At
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.schema import Four, Pair, Result

MAX_PARTS, MAX_CHARACTERS = 200, 20_000
_MAX_WORDS = 10 * MAX_PARTS
"""Stretches of text that are put together to texts; as many rows make more parts than are told."""

_LABEL = 60
"""Characters of a text that stand for it where it is only named."""


_FAR = 2**53
"""Beyond every column."""


class Tip(Result):
    """An end of a connector. `touches` is the label of the box or text there, null where it meets neither."""

    at: Pair
    arrow: bool
    touches: str | None


class Part(Result):
    """A text has `content`, a box its title or the first text inside as `label`, a connector or free line
    `ends`."""

    kind: Literal["box", "text", "connector", "line"]
    bounds: Four
    content: str | None = None
    label: str | None = None
    ends: list[Tip] | None = None


class Outline(NamedTuple):
    """By y, then x. `truncated` if there is more than 200 parts or 20,000 characters hold."""

    parts: list[Part]
    truncated: bool


class _Block(NamedTuple):
    """Words of consecutive rows that belong together."""

    rect: Rect
    content: str
    owner: Rect | None


def outline(scene: Scene, view: Rect | None) -> Outline:
    """What is found in `view`, everywhere without one. Refuses `too_large` as `sketched` does.

    A guess at what was meant, never the cells themselves: read those before changing them.
    """
    sketch = sketched(scene, view)
    boxes, cells = frames(sketch)
    blocks = _blocks(sketch.words[:_MAX_WORDS], [*boxes[:MAX_PARTS], *cells[:MAX_PARTS]])
    labels = {block.owner: _label(block.content) for block in reversed(blocks) if block.owner}
    labels |= {box: title for box in boxes[:MAX_PARTS] if (title := _title(sketch.words, box))}
    parts = [
        *(_box(rect, labels.get(rect)) for rect in boxes),
        *(Part(kind="text", bounds=block.rect, content=block.content) for block in blocks),
        *_connectors(sketch, boxes, cells, labels),
    ]
    order = sorted(parts, key=lambda part: (part.bounds[1], part.bounds[0]))
    return _bounded(order, is_cut=len(sketch.words) > _MAX_WORDS)


def _label(content: str) -> str:
    """A text where it is only named: the beginning of its first row."""
    return content.partition("\n")[0][:_LABEL]


def _title(words: Sequence[Words], box: Rect) -> str | None:
    """What stands in a box's upper border."""
    first = bisect_left(words, (box.y, box.x))
    word = words[first] if first < len(words) else None
    return _label(word.content) if word and word.y == box.y and word.end < box.right else None


def _bounded(parts: list[Part], *, is_cut: bool) -> Outline:
    shown, left = parts[:MAX_PARTS], MAX_CHARACTERS
    for number, part in enumerate(shown):
        left -= len(part.content or "") + len(part.label or "")
        if left < 0:
            return Outline(shown[:number], True)
    return Outline(shown, is_cut or len(parts) > len(shown))


def _box(rect: Rect, label: str | None) -> Part:
    return Part(kind="box", bounds=rect) if label is None else Part(kind="box", bounds=rect, label=label)


def _blocks(words: Sequence[Words], boxes: Sequence[Rect]) -> list[_Block]:
    """Words under words in the same box become one text; their rows are joined by LF."""
    open_: list[_Block] = []
    done: list[_Block] = []
    for word in words:
        done += [block for block in open_ if block.rect.bottom < word.y]
        open_ = [block for block in open_ if block.rect.bottom >= word.y]
        owner = _inside(Rect(word.x, word.y, word.end - word.x, 1), boxes)
        above = next((block for block in open_ if _continues(block, word, owner)), None)
        if above is not None:
            open_.remove(above)
        open_.append(_with(above, word, owner))
    return sorted([*done, *open_], key=lambda block: (block.rect.y, block.rect.x))


def _continues(block: _Block, word: Words, owner: Rect | None) -> bool:
    rect = block.rect
    return rect.bottom == word.y and block.owner == owner and rect.x < word.end and word.x < rect.right


def _with(above: _Block | None, word: Words, owner: Rect | None) -> _Block:
    rect = Rect(word.x, word.y, word.end - word.x, 1)
    if above is None:
        return _Block(rect, word.content, owner)
    return _Block(above.rect.union(rect), f"{above.content}\n{word.content}", owner)


def _inside(rect: Rect, boxes: Sequence[Rect]) -> Rect | None:
    """The smallest box around it; a title in the border is not inside."""
    around = (box for box in boxes if box.covers(rect) and box.y < rect.y < box.bottom - 1)
    return min(around, key=lambda box: box.area, default=None)


def _connectors(
    sketch: Sketch, boxes: Sequence[Rect], cells: Sequence[Rect], labels: dict[Rect, str]
) -> Iterator[Part]:
    owners = {at: box for box in reversed(boxes) for at in border(box)}
    inner = {at for cell in cells for at in border(cell)}
    for line in lines(sketch, owners.keys() | inner):
        tips = [_tip(sketch, line, number, owners, labels) for number in range(len(line.ends))]
        kind: Literal["connector", "line"] = "connector" if any(tip.touches for tip in tips) else "line"
        yield Part(kind=kind, bounds=line.bounds, ends=tips)


def _tip(sketch: Sketch, line: Line, number: int, owners: dict[At, Rect], labels: dict[Rect, str]) -> Tip:
    end = line.ends[number]
    arrow = end.beyond in line.heads
    at = end.beyond if arrow else end.at
    return Tip(at=at, arrow=arrow, touches=_named(sketch, touches(sketch, end), owners, labels))


def _named(sketch: Sketch, at: At | None, owners: dict[At, Rect], labels: dict[Rect, str]) -> str | None:
    if at is None:
        return None
    if at in owners:
        return labels.get(owners[at], f"box at {[*owners[at][:2]]}")
    first = bisect_right(sketch.words, (at.y, at.x, _FAR)) - 1
    word = sketch.words[first] if first >= 0 else None
    return _label(word.content) if word and word.y == at.y and word.x <= at.x < word.end else None
