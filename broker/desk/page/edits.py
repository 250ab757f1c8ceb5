"""What the person's gestures on the page mean in cells. Each writes on a draft and names its tool.

The page predicts the same cells at once; where the two differ, this side counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from chardesk.broker.desk.page.exact import put_exactly
from chardesk.broker.desk.page.room import make_room
from chardesk.broker.wire import messages as m
from chardesk.tools.draw import erase as erasing
from chardesk.tools.draw import fill as filling
from chardesk.tools.draw import move as moving
from chardesk.tools.model.cell import At, Style, attr_bits
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.width import graphemes
from chardesk.tools.schema import StyleArg, parse
from chardesk.tools.text.clusters import Dropped
from chardesk.tools.text.formats import picture
from chardesk.tools.text.plain import literal


class Drawn(NamedTuple):
    """What history calls an edit, and what of pasted material no cell can hold. Of typed and pasted text the
    page knows that by itself, at once."""

    tool: str
    dropped: tuple[Dropped, ...] = ()

    def fields(self) -> dict[str, Any]:
        """`dropped` as the journal keeps it, or nothing."""
        found = [{"codePoints": list(kind.code_points), "count": kind.count} for kind in self.dropped]
        return {"dropped": found} if found else {}


def style_of(found: m.CellStyle) -> Style:
    """A style from the wire. Raises Refused `invalid_input` for colours and links that are none."""
    raw = found.model_dump(by_alias=True, exclude_none=True)
    args = parse(StyleArg, raw)
    attrs = attr_bits(args.attrs.model_dump()) if args.attrs else 0
    plain = Style()
    return Style(args.color or plain.color, args.bg_color, attrs, args.href)


def text(draft: Draft, op: m.TextOp) -> Drawn:
    """Typed text: blanks are written. With `compose` it joins the cluster that ends just before `at`, if
    the two are one cluster (an emoji typed in pieces, a mark after its letter)."""
    x, typed = _joined(draft.scene, op)
    makes_room = not op.overwrite and typed == op.text
    for row, strip in enumerate(literal(typed, style_of(op.style)).rows, op.at[1]):
        if strip.chars:
            if makes_room:
                make_room(draft, At(x, row), len(strip.chars))
            draft.put(x, row, strip.chars, strip.styles)
    return Drawn("typing")


def end_of(scene: Scene, op: m.TextOp) -> At:
    """Where the cursor stands after `text` was carried out on `scene`."""
    x, typed = _joined(scene, op)
    rows = literal(typed, style_of(op.style)).rows
    return At(x + len(rows[-1].chars), op.at[1] + len(rows) - 1) if rows else At(*op.at)


def _joined(scene: Scene, op: m.TextOp) -> tuple[int, str]:
    """The column where the text begins, and the text with the cluster that it joins."""
    x, y = op.at
    if op.compose:
        left = x - 2 if scene.char(x - 1, y) == "" else x - 1
        before = scene.char(left, y)
        if before and len(graphemes(before + op.text)) == 1:
            return left, before + op.text
    return x, op.text


def cells(draft: Draft, op: m.CellsOp) -> Drawn:
    """Columns as the page planned them. Raises Refused as `put_exactly` does."""
    put_exactly(draft, op.cells.rows, [style_of(style) for style in op.cells.styles])
    return Drawn(op.gesture)


def erase(draft: Draft, op: m.EraseOp) -> Drawn:
    erasing.plan(draft, None, parse(erasing.EraseArgs, {"at": op.at, "size": op.size}))
    return Drawn("erase")


def fill(draft: Draft, op: m.FillOp) -> Drawn:
    style = op.style.model_dump(by_alias=True, exclude_none=True)
    filling.plan(draft, None, parse(filling.FillArgs, {"at": op.at, "size": op.size, "style": style}))
    return Drawn("fill")


def move(draft: Draft, op: m.MoveOp) -> Drawn:
    moving.plan(draft, None, parse(moving.MoveArgs, {"from": op.from_, "size": op.size, "to": op.to}))
    return Drawn("move")


_READERS = {"text": "raw", "ansi": "ansi", "markdown": "markdown"}


def paste(draft: Draft, op: m.PasteOp) -> Drawn:
    """Material from the clipboard, every row from the same column. Blanks are written; nothing is trimmed."""
    x, y = op.at
    found = picture(op.material, _READERS[op.format], op.width)
    for row, strip in enumerate(found.rows):
        if strip.chars:
            draft.put(x, y + row, strip.chars, strip.styles)
    return Drawn("paste", () if op.format == "text" else found.dropped)


PLANS: Mapping[type, Callable[[Draft, Any], Drawn]] = {
    m.TextOp: text,
    m.CellsOp: cells,
    m.EraseOp: erase,
    m.FillOp: fill,
    m.MoveOp: move,
    m.PasteOp: paste,
}
"""What draws, by the kind of edit. Undo, redo and calls take other roads."""
