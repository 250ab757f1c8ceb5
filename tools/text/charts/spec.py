"""The subset of Vega-Lite that is drawn: one mark, data in the source, channels x, y, colour and offset."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median
from typing import Any, Literal, assert_never

from chardesk.tools.text.charts import values
from chardesk.tools.text.undrawn import NotDrawn

Kind = Literal["quantitative", "nominal", "temporal"]
Value = float | str

MAX_ROWS = 5_000

_TOP = {
    "$schema",
    "description",
    "name",
    "data",
    "mark",
    "encoding",
    "title",
    "width",
    "height",
    "background",
    "config",
}
_MARKS = {
    "bar": "bar",
    "line": "line",
    "area": "area",
    "point": "point",
    "circle": "point",
    "square": "point",
    "sparkline": "sparkline",
}
_CHANNELS = {"x", "y", "color", "xOffset", "yOffset", "tooltip", "order"}
_FIELD = {"field", "type", "title", "aggregate", "axis", "scale", "sort", "stack", "legend", "value"}
_SCALE = {"domain", "zero", "nice", "type", "range", "scheme"}
_AGGREGATES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": mean,
    "average": mean,
    "median": median,
    "min": min,
    "max": max,
    "count": len,
}


@dataclass(frozen=True, slots=True)
class Axis:
    """`order` are the values of a nominal axis in their order; `domain` what a quantitative one must show."""

    title: str
    kind: Kind
    order: tuple[str, ...] = ()
    domain: tuple[float, float] | None = None
    from_zero: bool = True
    is_shown: bool = True


@dataclass(frozen=True, slots=True)
class Mark:
    """One datum. Times are seconds since 1970."""

    x: Value
    y: Value
    series: str


@dataclass(frozen=True, slots=True)
class Chart:
    """`rows_left_out`: how many rows of the data lack a number, or a time, where one is needed."""

    mark: str
    title: str
    marks: tuple[Mark, ...]
    x: Axis
    y: Axis
    series: tuple[str, ...]
    stack: Literal["zero", "normalize", "none", "grouped"]
    has_legend: bool
    rows_left_out: int


def parse(source: str) -> Chart:
    """The chart. Raises NotDrawn naming the first feature that is not drawn."""
    try:
        spec = json.loads(source)
    except json.JSONDecodeError as error:
        raise NotDrawn(f"this is no JSON: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError):
        raise NotDrawn("this is no JSON that can be read") from None
    if not isinstance(spec, dict):
        raise NotDrawn("a chart is a JSON object")
    _only(spec, _TOP, "")
    return _Reading(spec).chart()


def _only(given: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in given:
        if key not in known:
            raise NotDrawn(f"{where}{key[:40]} is not supported")


def _object(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise NotDrawn(f"{name} must be an object")
    return value


class _Reading:
    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        encoding = _object(spec.get("encoding", {}), "encoding")
        _only(encoding, _CHANNELS, "encoding.")
        self._channels = {
            name: self._channel(name, value) for name, value in encoding.items() if name != "tooltip"
        }
        self._mark = self._mark_type()
        self._rows = self._data()

    def chart(self) -> Chart:
        if self._mark == "sparkline" and "y" not in self._channels:
            self._channels["y"] = {"field": "y"}
        if "x" not in self._channels and "y" not in self._channels:
            raise NotDrawn("it has neither x nor y")
        kinds = {name: self._kind(name) for name in ("x", "y")}
        drawn = [mark for row in self._rows if (mark := self._datum(row, kinds)) is not None]
        marks = self._aggregated(drawn)
        if not marks:
            raise NotDrawn("it has no data that can be drawn")
        series = tuple(dict.fromkeys(mark.series for mark in marks))
        x, y = (self._axis(name, kinds[name], marks) for name in ("x", "y"))
        color = self._channels.get("color", {})
        has_legend = len(series) > 1 and color.get("legend", True) is not None
        return Chart(
            self._mark,
            values.title(self._spec.get("title")),
            tuple(marks),
            x,
            y,
            series,
            self._stack(),
            has_legend,
            len(self._rows) - len(drawn),
        )

    def _mark_type(self) -> str:
        mark = self._spec.get("mark")
        name = mark.get("type") if isinstance(mark, dict) else mark
        if not isinstance(name, str) or name not in _MARKS:
            raise NotDrawn(f"mark {str(name)[:40]} is not supported; use {', '.join(_MARKS)}")
        return _MARKS[name]

    def _data(self) -> list[dict[str, Any]]:
        data = _object(self._spec.get("data"), "data")
        if "values" not in data:
            raise NotDrawn("data must be given as values: nothing is fetched")
        values = data["values"]
        if not isinstance(values, list) or len(values) > MAX_ROWS:
            raise NotDrawn(f"data.values must be a list of at most {MAX_ROWS}")
        return [
            row if isinstance(row, dict) else {"x": at, "y": row, "data": row}
            for at, row in enumerate(values)
        ]

    def _channel(self, name: str, value: Any) -> dict[str, Any]:
        channel = _object(value, f"encoding.{name}")
        _only(channel, _FIELD, f"encoding.{name}.")
        aggregate = channel.get("aggregate")
        if aggregate is not None and aggregate not in _AGGREGATES:
            raise NotDrawn(f"encoding.{name}.aggregate {str(aggregate)[:40]} is not supported")
        scale = _object(channel.get("scale") or {}, f"encoding.{name}.scale")
        _only(scale, _SCALE, f"encoding.{name}.scale.")
        if scale.get("type", "linear") not in ("linear", "band", "point", "ordinal", "time", "utc"):
            raise NotDrawn(f"encoding.{name}.scale.type {str(scale['type'])[:40]} is not supported")
        return channel

    def _kind(self, name: str) -> Kind:
        channel = self._channels.get(name, {})
        given = channel.get("type")
        if channel.get("aggregate") or given == "quantitative":
            return "quantitative"
        if given in ("nominal", "ordinal"):
            return "nominal"
        found = [row.get(str(channel.get("field"))) for row in self._rows]
        if (
            given is None
            and channel
            and all(values.number(value) is not None for value in found if value is not None)
        ):
            return "quantitative"
        dates = [value for value in found if value is not None]
        is_time = bool(dates) and all(values.time(value) is not None for value in dates)
        return "temporal" if is_time and given in (None, "temporal") else "nominal"

    def _datum(self, row: Mapping[str, Any], kinds: Mapping[str, Kind]) -> Mark | None:
        """None for a row that lacks a number where one is needed."""
        x, y = (self._value(row, name, kinds[name]) for name in ("x", "y"))
        if x is None or y is None:
            return None
        names = [
            self._channels[name].get("field")
            for name in ("color", "xOffset", "yOffset")
            if name in self._channels
        ]
        field = next((name for name in names if isinstance(name, str)), None)
        return Mark(x, y, values.words(row.get(field)) if field else "")

    def _value(self, row: Mapping[str, Any], name: str, kind: Kind) -> Value | None:
        channel = self._channels.get(name)
        if channel is None:
            return ""
        if channel.get("aggregate") == "count":
            return 1.0
        value = row.get(str(channel.get("field")))
        match kind:
            case "quantitative":
                return values.number(value)
            case "temporal":
                return values.time(value)
            case "nominal":
                return values.words(value)
            case _:
                assert_never(kind)

    def _aggregated(self, marks: list[Mark]) -> list[Mark]:
        for name, other in (("y", "x"), ("x", "y")):
            how = self._channels.get(name, {}).get("aggregate")
            if how is None:
                continue
            groups: dict[tuple[Value, str], list[float]] = {}
            for mark in marks:
                groups.setdefault((getattr(mark, other), mark.series), []).append(float(getattr(mark, name)))
            marks = []
            for (at, series), found in groups.items():
                value = float(_AGGREGATES[how](found))
                marks.append(Mark(value, at, series) if name == "x" else Mark(at, value, series))
        return marks

    def _axis(self, name: str, kind: Kind, marks: Sequence[Mark]) -> Axis:
        channel = self._channels.get(name, {})
        axis = channel.get("axis", {})
        details = axis if isinstance(axis, dict) else {}
        field = str(channel.get("field") or "")
        aggregate = channel.get("aggregate")
        given = f"{aggregate} of {field}" if aggregate and field else aggregate or field
        title = channel.get("title", details.get("title", given))
        scale = channel.get("scale") or {}
        return Axis(
            " ".join(str(title or "").split()),
            kind,
            self._order(name, channel.get("sort", "ascending"), marks) if kind == "nominal" else (),
            values.domain(scale.get("domain")),
            scale.get("zero", True) is not False,
            axis is not None,
        )

    def _order(self, name: str, sort: Any, marks: Sequence[Mark]) -> tuple[str, ...]:
        found = list(dict.fromkeys(str(getattr(mark, name)) for mark in marks))
        match sort:
            case list():
                named = [str(each) for each in sort if str(each) in found]
                return (*named, *(each for each in found if each not in named))
            case "x" | "y" | "-x" | "-y":
                totals = dict.fromkeys(found, 0.0)
                for mark in marks:
                    value = getattr(mark, sort[-1])
                    totals[str(getattr(mark, name))] += value if isinstance(value, float) else 0.0
                return tuple(sorted(found, key=lambda each: totals[each], reverse=sort[0] == "-"))
            case "descending":
                return tuple(sorted(found, reverse=True))
            case _:
                return tuple(found)

    def _stack(self) -> Literal["zero", "normalize", "none", "grouped"]:
        if "xOffset" in self._channels or "yOffset" in self._channels:
            return "grouped"
        stacks = [self._channels[name].get("stack", "zero") for name in ("x", "y") if name in self._channels]
        if "normalize" in stacks:
            return "normalize"
        if self._mark in ("bar", "area") and all(stack in ("zero", True) for stack in stacks):
            return "zero"
        return "none"
