"""canvas_fill: restyle what is there."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field, model_validator

from chardesk.tools.draw.place import area, is_much
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Region, Span
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import Changing, Draw, Operation
from chardesk.tools.schema import Four, PointArg, Result, SizeArg, StyleArg


class FillStyle(StyleArg):
    @model_validator(mode="after")
    def _is_something(self) -> FillStyle:
        if all(value is None for value in (self.color, self.bg_color, self.attrs, self.href)):
            raise ValueError("must give at least one of color, bgColor, attrs, href")
        return self


class FillArgs(Changing):
    at: PointArg = Field(description="[x, y] of the top left corner")
    size: SizeArg = Field(description="[columns, rows]")
    style: FillStyle = Field(description="each given field replaces; attrs as a whole set")


class Filled(Result):
    bounds: Four | None
    styled_cells: int


def plan(draft: Draft, size: Size | None, args: FillArgs) -> Filled:
    """Restyles the visible characters whose left column is in the rectangle, each as a whole. Characters,
    blanks and empty cells stay as they are. Counts are columns that look different now.

    Cost follows what is stored, not the area.
    """
    styled = Region(list(_restyled(draft, args)))
    return Filled(bounds=styled.bounds(), styled_cells=styled.columns)


def _restyled(draft: Draft, args: FillArgs) -> Iterator[Span]:
    for span in list(draft.scene.spans(area(args.at, args.size))):
        for glyph in list(_glyphs(draft.scene, span)):
            y, x, end = glyph
            chars, styles = draft.scene.strip(y, x, end)
            wanted = args.style.style(styles[0])
            if wanted != styles[0]:
                draft.restyle(x, y, chars, (wanted,) * len(chars))
                yield glyph


def _glyphs(scene: Scene, span: Span) -> Iterator[Span]:
    """Every visible character anchored in the span; the last one may reach beyond it."""
    y, x, end = span
    chars, _ = scene.strip(y, x, end + 1)
    for column in range(end - x):
        char = chars[column]
        if char and not char.isspace():
            yield Span(y, x + column, x + column + (2 if chars[column + 1] == "" else 1))


def is_slow(scene: Scene, args: FillArgs) -> bool:
    return is_much(scene, args.size)


OPERATION = Operation(
    name="canvas_fill",
    summary="Restyle the characters in a rectangle: colour, background, attributes, link. "
    "Characters stay; blank and empty cells stay as they are.",
    effect="change",
    args=FillArgs,
    result=Filled,
    body=Draw(plan, is_slow),
    destructive=True,
    examples=({"at": [0, 0], "size": [20, 1], "style": {"color": "danger"}, "mode": "apply"},),
)
