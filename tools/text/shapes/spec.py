"""Shapes as they are written: a JSON list of boxes, lines, arrows, texts and tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import BOLD, DEFAULT_COLOR, THEME_COLORS, At, Style
from chardesk.tools.model.region import Rect
from chardesk.tools.refusals import refusal

MAX_SHAPES = 500
MAX_REACH = 10_000
"""Columns and rows from the origin. A picture of shapes is something to look at, not a map of the sheet."""
MAX_SIDE = 1_000


def _point(value: Any) -> At:
    return At(*_integers(value, 2))


def _rect(value: Any) -> Rect:
    rect = Rect(*_integers(value, 4))
    if not (0 < rect.width <= MAX_SIDE and 0 < rect.height <= MAX_SIDE):
        raise ValueError(f"needs a width and height of 1 to {MAX_SIDE}, not {rect.width}×{rect.height}")
    return rect


def _integers(value: Any, count: int) -> list[int]:
    is_list = isinstance(value, list) and len(value) == count
    if not is_list or not all(type(item) is int and abs(item) <= MAX_REACH for item in value):
        names = "[x, y]" if count == 2 else "[x, y, width, height]"
        raise ValueError(f"must be {names}, integers within ±{MAX_REACH}")
    return list(value)


def _end(value: Any) -> str | At:
    return value if isinstance(value, str) else _point(value)


def _color(value: str) -> str:
    if value in THEME_COLORS or re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        return value.lower()
    if re.fullmatch(r"#[0-9a-fA-F]{3}", value):
        return "#" + "".join(digit * 2 for digit in value[1:].lower())
    raise ValueError(f"must be #rgb, #rrggbb or one of {' '.join(THEME_COLORS)}")


Point = Annotated[At, BeforeValidator(_point)]
Sides = Annotated[Rect, BeforeValidator(_rect)]
End = Annotated[str | At, BeforeValidator(_end)]
Color = Annotated[str, AfterValidator(_color)]
Words = Annotated[str, Field(max_length=10_000)]
Border = Literal["light", "heavy", "double", "round", "ascii"]
Side = Literal["top", "right", "bottom", "left"]


class Shape(BaseModel):
    """What every shape may have."""

    model_config = ConfigDict(
        extra="forbid", alias_generator=to_camel, frozen=True, strict=True, defer_build=True
    )

    id: Annotated[str, Field(min_length=1, max_length=80)] | None = None
    color: Color = DEFAULT_COLOR
    bold: bool = False

    @property
    def words_style(self) -> Style:
        return Style(self.color, attrs=BOLD if self.bold else 0)


class Box(Shape):
    """`rect`, or `at` and a size that follows the words. `fill` is a background colour, or `blank` to cover
    what is under the box."""

    type: Literal["box"]
    rect: Sides | None = None
    at: Point | None = None
    title: Words = ""
    text: Words = ""
    align: Literal["left", "center"] = "center"
    border: Border | Literal["none"] = "light"
    fill: Color | Literal["blank"] | None = None
    join: bool = True


class Connector(Shape):
    """Through `points`, or routed `from` one end `to` another: the id of a box or table, or a point."""

    type: Literal["line", "arrow"]
    points: Annotated[list[Point], Field(min_length=2, max_length=200)] | None = None
    from_: End | None = Field(None, alias="from")
    to: End | None = None
    from_side: Side | None = None
    to_side: Side | None = None
    label: Words = ""
    border: Border = "light"
    heads: Literal["end", "start", "both"] = "end"
    join: bool = True


class Text(Shape):
    type: Literal["text"]
    at: Point
    text: Words


class Table(Shape):
    """`rows` of cells; the first is a header unless `header` is false."""

    type: Literal["table"]
    at: Point
    rows: Annotated[list[list[str | int | float | bool | None]], Field(min_length=1, max_length=1000)]
    header: bool = True
    border: Border = "light"
    join: bool = True


AnyShape = Box | Connector | Text | Table
KINDS: Mapping[str, type[AnyShape]] = {
    "box": Box,
    "line": Connector,
    "arrow": Connector,
    "text": Text,
    "table": Table,
}


def parse(source: str) -> list[AnyShape]:
    """The shapes in order. Raises Refused `invalid_input` naming the shape and its field, `too_large` for
    more than 500 shapes."""
    try:
        items = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise Refused("invalid_input", f"shapes are a JSON list; {_where(error)}", field="source") from None
    if not isinstance(items, list):
        raise Refused("invalid_input", "shapes are a JSON list of objects", field="source")
    if len(items) > MAX_SHAPES:
        message = f"source holds {len(items)} shapes; one call takes {MAX_SHAPES}"
        details = {"limit": MAX_SHAPES, "actual": len(items)}
        raise Refused("too_large", message, field="source", details=details)
    shapes = [_shape(item, number) for number, item in enumerate(items)]
    _check_ends(shapes)
    return shapes


def _where(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}, column {error.colno}: {error.msg}"
    return "this one is nested too deeply or holds a number that is too long"


def _shape(item: Any, number: int) -> AnyShape:
    kind = item.get("type") if isinstance(item, dict) else None
    model = KINDS.get(kind) if isinstance(kind, str) else None
    if model is None:
        raise _refused(number, "type", _kind_wanted(item))
    try:
        shape = model.model_validate(item)
    except ValidationError as error:
        cause = refusal(model, error)
        raise Refused(
            cause.code, f"shape {number}: {cause.message}", field=f"source.{number}.{cause.field}"
        ) from None
    _check_place(shape, number)
    return shape


def _kind_wanted(item: Any) -> str:
    """What is wrong with the type of a shape: that it is none, or that it stands under another name."""
    wanted = f"type must be one of {' '.join(KINDS)}"
    if not isinstance(item, dict):
        return f"it must be an object; its {wanted}"
    if "type" in item:
        return wanted
    misnamed = next((key for key, value in item.items() if isinstance(value, str) and value in KINDS), None)
    return f"{wanted}; write type instead of {misnamed}" if misnamed else f"it has no type; {wanted}"


def _check_place(shape: AnyShape, number: int) -> None:
    if isinstance(shape, Box) and (shape.rect is None) == (shape.at is None):
        raise _refused(number, "rect", "a box needs rect [x, y, width, height], or at [x, y] alone")
    if not isinstance(shape, Connector):
        return
    routed = shape.from_ is not None and shape.to is not None
    half = (shape.from_ is None) != (shape.to is None)
    if half or routed == (shape.points is not None):
        raise _refused(number, "points", f"a {shape.type} needs points, or both from and to")


def _check_ends(shapes: list[AnyShape]) -> None:
    """Ids are unique, and every end that is a name is the id of a box or table."""
    known: set[str] = set()
    for number, shape in enumerate(shapes):
        if shape.id in known:
            raise _refused(number, "id", f"{shape.id} is the id of an earlier shape")
        if shape.id is not None and not isinstance(shape, Connector):
            known.add(shape.id)
    for number, shape in enumerate(shapes):
        for name, end in _named_ends(shape):
            if end not in known:
                listed = ", ".join(sorted(known)[:20]) or "none has one"
                raise _refused(number, name, f"no shape has the id {end[:60]}; ids: {listed}")


def _named_ends(shape: AnyShape) -> list[tuple[str, str]]:
    if not isinstance(shape, Connector):
        return []
    return [(name, end) for name, end in (("from", shape.from_), ("to", shape.to)) if isinstance(end, str)]


def _refused(number: int, field: str, message: str) -> Refused:
    return Refused("invalid_input", f"shape {number}: {message}", field=f"source.{number}.{field}")
