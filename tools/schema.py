"""Arguments and results as types, and as JSON Schema.

Everything an operation takes is declared once, as a model. From it come the parsing, the refusals that name
the field and the nearest valid word, the schema that agents see, the CLI flags and the reference. camelCase
exists on this side of the door only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from pydantic.json_schema import WithJsonSchema

from chardesk.tools.errors import Refused
from chardesk.tools.model.cell import MAX_COORDINATE, THEME_COLORS, At, Style, attr_bits
from chardesk.tools.model.region import Rect
from chardesk.tools.model.sheet import Size
from chardesk.tools.refusals import null_refusal, refusal

_CONFIG = ConfigDict(extra="forbid", alias_generator=to_camel, frozen=True, strict=True, defer_build=True)


class Args(BaseModel):
    """What an operation takes. Unknown keys are refused; integers may come as decimal strings."""

    model_config = _CONFIG


class Result(BaseModel):
    """What an operation gives back, besides the fields that every reply has."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, populate_by_name=True, defer_build=True)

    def fields(self) -> dict[str, Any]:
        """As it goes on the wire. Fields that are None and were not set are left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


class _NeverNull:
    """Takes null out of the schema of a field that is left out instead."""

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        found: dict[str, Any] = handler(core)
        options = [option for option in found["anyOf"] if option != {"type": "null"}]
        return options[0] if len(options) == 1 else {**found, "anyOf": options}


T = TypeVar("T")
Absent = Annotated[T | None, _NeverNull()]
"""A field of a result that some actions have and others have not: absent, and never null."""


def _integer(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,16}", value):
        return int(value)
    return value


def integer_or_text(value: Any) -> Any:
    """What may be a number or a name: texts of digits are numbers."""
    return _integer(value)


def _list_of(count: int) -> Callable[[Any], list[int]]:
    """Hot: once or twice in every call."""

    def check(value: Any) -> list[int]:
        if not isinstance(value, (list, tuple)) or len(value) != count:
            raise ValueError(f"must be a list of {count} integers")
        found = [item if type(item) is int else _whole(item, count) for item in value]
        if max(found) > MAX_COORDINATE or min(found) < -MAX_COORDINATE:
            raise ValueError(f"must stay within ±{MAX_COORDINATE}")
        return found

    return check


def _whole(value: Any, count: int) -> int:
    found = _integer(value)
    if not isinstance(found, int) or isinstance(found, bool):
        raise ValueError(f"must be a list of {count} integers")
    return found


_two, _four = _list_of(2), _list_of(4)


def _sides(width: int, height: int) -> None:
    if width <= 0 or height <= 0:
        raise ValueError(f"must be positive, not {width}×{height}")


def _point(value: Any) -> At:
    return At(*_two(value))


def _size(value: Any) -> Size:
    size = Size(*_two(value))
    _sides(*size)
    return size


def _rect(value: Any) -> Rect:
    rect = Rect(*_four(value))
    _sides(rect.width, rect.height)
    if rect.right > MAX_COORDINATE or rect.bottom > MAX_COORDINATE:
        raise ValueError(f"must end within ±{MAX_COORDINATE}")
    return rect


def _numbers(count: int) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "integer"}, "minItems": count, "maxItems": count}


Integer = Annotated[int, BeforeValidator(_integer)]
PointArg = Annotated[At, BeforeValidator(_point), WithJsonSchema(_numbers(2))]
SizeArg = Annotated[Size, BeforeValidator(_size), WithJsonSchema(_numbers(2))]
RectArg = Annotated[Rect, BeforeValidator(_rect), WithJsonSchema(_numbers(4))]

Pair = Annotated[tuple[int, int], WithJsonSchema(_numbers(2))]
Four = Annotated[tuple[int, int, int, int], WithJsonSchema(_numbers(4))]
"""A point or size, and a rectangle, in results: plain tuples, which every JSON writer takes."""


def _color(value: str) -> str:
    if value in THEME_COLORS:
        return value
    if re.fullmatch(r"#[0-9a-fA-F]{6}", value):
        return value.lower()
    if re.fullmatch(r"#[0-9a-fA-F]{3}", value):
        return "#" + "".join(digit * 2 for digit in value[1:].lower())
    raise ValueError(f"must be #rgb, #rrggbb or one of {' '.join(THEME_COLORS)}")


Color = Annotated[str, AfterValidator(_color)]


_OFF = "true or false (default)"


class AttrsArg(Args):
    bold: bool = Field(False, description=_OFF)
    italic: bool = Field(False, description=_OFF)
    underline: bool = Field(False, description=_OFF)
    strike: bool = Field(False, description=_OFF)
    inverse: bool = Field(False, description=_OFF)

    def bits(self) -> int:
        return attr_bits(self.model_dump())


def _href(value: str) -> str:
    if re.search(r"[\x00-\x20\x7f-\x9f]", value):
        raise ValueError("must not hold spaces or control characters")
    return value


class StyleArg(Args):
    color: Color | None = Field(None, description="#rgb, #rrggbb or accent info success warning danger muted")
    bg_color: Color | None = Field(None, description="background; absent lets the sheet show through")
    attrs: AttrsArg | None = Field(None, description="given, they replace all five")
    href: Annotated[str, AfterValidator(_href), Field(max_length=2048)] | None = Field(
        None, description="link target"
    )

    def style(self, base: Style) -> Style:
        """`base` with every given field replaced; `attrs` as a whole set."""
        return Style(
            self.color or base.color,
            self.bg_color or base.bg_color,
            base.attrs if self.attrs is None else self.attrs.bits(),
            self.href or base.href,
        )


ArgsT = TypeVar("ArgsT", bound=Args)


def parse(model: type[ArgsT], raw: Mapping[str, Any]) -> ArgsT:
    """The arguments as typed values. Raises Refused `invalid_input` naming the first wrong field."""
    try:
        values = dict(raw)
        found = model.model_validate(values)
        null = _first_null(values)
    except ValidationError as error:
        raise refusal(model, error) from None
    except RecursionError:
        raise Refused("invalid_input", "the arguments are nested too deeply") from None
    if null is not None:
        raise null_refusal(null)
    return found


def given(args: Args, name: str, otherwise: Any = None) -> Any:
    """A field of some tool's arguments; `otherwise` where that tool takes none of this name.

    Hot: asking a model for a field that it lacks costs ten times as much.
    """
    return args.__dict__.get(name, otherwise)


def _first_null(node: dict[str, Any] | list[Any]) -> str | None:
    """The path of the first null, at any depth: absent is the one way to say nothing."""
    for name, value in node.items() if isinstance(node, dict) else enumerate(node):
        if value is None:
            return str(name)
        if isinstance(value, (dict, list)) and (inner := _first_null(value)) is not None:
            return f"{name}.{inner}"
    return None


class Fields(NamedTuple):
    """What one action of a tool needs and what else it takes, by the names of the model's fields."""

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()


def check_action(args: Args, action: str, fields: Fields, always: frozenset[str]) -> None:
    """Raises Refused `invalid_input` naming a field that `action` lacks or has no use for; `always` are
    the fields that every action of the tool takes."""
    names = {name: str(info.alias) for name, info in type(args).model_fields.items()}
    for name in fields.needs:
        if name not in args.model_fields_set:
            raise Refused("invalid_input", f"{names[name]} is required by {action}", field=names[name])
    own = (*fields.needs, *fields.takes)
    for name in names:
        if name in args.model_fields_set and name not in (*own, *always):
            takes = ", ".join(names[one] for one in own) or "no fields of its own"
            message = f"{names[name]} means nothing to {action}, which takes {takes}"
            raise Refused("invalid_input", message, field=names[name])


@cache
def json_schema(model: type[BaseModel], *, described: bool = True) -> dict[str, Any]:
    """Draft 2020-12, flat: no `$ref`, no titles, an object on top.

    Described, it is what a caller may send, and null is no alternative there. Undescribed, it is a result.
    """
    raw = model.model_json_schema(by_alias=True, mode="validation" if described else "serialization")
    flat: dict[str, Any] = _flatten(raw, raw.get("$defs", {}), described)
    flat.pop("description", None)
    return flat


_KEYWORDS = {"ge": "minimum", "le": "maximum"}
"""Bounds of an `Integer`: pydantic leaves them in its own words where a decimal string is let in before."""


def _flatten(node: Any, defs: Mapping[str, Any], described: bool) -> Any:
    if isinstance(node, list):
        return [_flatten(item, defs, described) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        target = defs[node["$ref"].rsplit("/", 1)[1]]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    found: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("$defs", "title"):
            continue
        if (key == "default" and value is None) or (key == "description" and not described):
            continue
        if key == "properties":
            found[key] = {name: _flatten(v, defs, described) for name, v in value.items()}
        else:
            found[_KEYWORDS.get(key, key)] = _flatten(value, defs, described)
    return _without_null(found) if described else found


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    options = node.get("anyOf")
    if options is None or {"type": "null"} not in options:
        return node
    rest = [option for option in options if option != {"type": "null"}]
    outer = {key: value for key, value in node.items() if key != "anyOf"}
    return {**outer, "anyOf": rest} if len(rest) > 1 else {**rest[0], **outer}


Mode = Literal["preview", "apply"]
