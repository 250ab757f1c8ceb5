"""How cells look, as few rectangles: the `appearance` field of a read and the notes under its map."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from chardesk.tools.look.sample import whole_strip
from chardesk.tools.model.cell import DEFAULT_COLOR, PLAIN, Style, attr_names, style_json
from chardesk.tools.model.change import Strip
from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.scene import Scene

THEME = "paper"
"""What default text and colour tokens are shown in. Regions give colours as they are stored."""

MAX_NOTED = 256
"""Regions that the notes list; more say how many there are, and `appearance` has them all."""


class Styled(NamedTuple):
    """A rectangle of cells in one style that is not the plain one."""

    rect: Rect
    style: Style


def regions(scene: Scene, rect: Rect) -> list[Styled]:
    """The styled cells of `rect` as maximal rectangles, by y then x. A glyph the edge cuts is left out."""
    spans: dict[Style, list[Span]] = {}
    for y in range(rect.y, rect.bottom):
        for span, style in _runs(y, rect.x, whole_strip(scene, y, rect)):
            spans.setdefault(style, []).append(span)
    found = [Styled(each, style) for style, mine in spans.items() for each in Region(mine).rects()]
    return sorted(found, key=lambda one: (one.rect.y, one.rect.x))


def _runs(y: int, x: int, strip: Strip) -> Iterator[tuple[Span, Style]]:
    for style, group in groupby(strip.styles):
        columns = sum(1 for _ in group)
        if style != PLAIN:
            yield Span(y, x, x + columns), style
        x += columns


def appearance_json(found: Iterable[Styled]) -> dict[str, Any]:
    """`{theme, regions: [{bounds, style}]}`; the default foreground is left out of a style."""
    return {"theme": THEME, "regions": [{"bounds": [*rect], "style": style_json(s)} for rect, s in found]}


def notes(found: list[Styled]) -> str:
    """The regions for reading: one line per style, in the order of their first cell. Empty without any."""
    if not found:
        return ""
    places: dict[Style, list[str]] = {}
    for rect, style in found[:MAX_NOTED]:
        places.setdefault(style, []).append(_place(rect))
    lines = [f"  {','.join(mine)}{{{_look(style)}}}" for style, mine in places.items()]
    more = [f"{MAX_NOTED}/{len(found)} regions · narrow the viewport"] if len(found) > MAX_NOTED else []
    return "\n".join(("appearance:", *lines, *more))


def _place(rect: Rect) -> str:
    return f"y={_inclusive(rect.y, rect.bottom - 1)} x={_inclusive(rect.x, rect.right - 1)}"


def _inclusive(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}..{last}"


def _look(style: Style) -> str:
    parts = [f"fg:{style.color}"] if style.color != DEFAULT_COLOR else []
    parts += [f"bg:{style.bg_color}"] if style.bg_color is not None else []
    parts += attr_names(style.attrs)
    parts += [f"link:{json.dumps(style.href, ensure_ascii=False)}"] if style.href is not None else []
    return ";".join(parts)
