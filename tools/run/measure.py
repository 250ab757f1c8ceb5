"""canvas.measure: how many columns and rows a text will take. For scripts: JavaScript has no such table."""

from __future__ import annotations

from pydantic import Field

from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Size
from chardesk.tools.operation import QUICK_CHARS, Look, Operation, Shown
from chardesk.tools.schema import Args, Result
from chardesk.tools.text.plain import expanded

MAX_TEXT = 262_144
"""Characters: as many as one write takes."""


class MeasureArgs(Args):
    text: str = Field(max_length=MAX_TEXT, description="one or several rows, separated by LF")


class Measured(Result):
    """`columns` of the widest row, how many `rows`, and the columns of each in `widths`."""

    columns: int
    rows: int
    widths: list[int]


def show(scene: Scene, size: Size | None, args: MeasureArgs) -> Shown:
    """Measures as a paste would draw it: tabs at stops of 4, nothing for what can't be seen."""
    widths = [len(row.chars) for row in expanded(args.text).rows]
    return Shown(Measured(columns=max(widths, default=0), rows=len(widths), widths=widths))


def is_slow(scene: Scene, args: MeasureArgs) -> bool:
    """A megabyte of emoji takes a tenth of a second."""
    return len(args.text) > QUICK_CHARS


OPERATION = Operation(
    name="measure",
    summary="Columns and rows of a text. Wide characters take two columns.",
    effect="read",
    args=MeasureArgs,
    result=Measured,
    body=Look(show, is_slow),
    examples=({"text": "Hi 世界"},),
)
