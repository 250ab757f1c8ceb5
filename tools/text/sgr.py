"""Select Graphic Rendition: what `ESC [ … m` does to the pen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from chardesk.tools.model.cell import BOLD, DEFAULT_COLOR, INVERSE, ITALIC, STRIKE, UNDERLINE, Style

BASIC = (
    *("#000000", "#cd0000", "#00cd00", "#cdcd00", "#0000ee", "#cd00cd", "#00cdcd", "#e5e5e5"),
    *("#7f7f7f", "#ff0000", "#00ff00", "#ffff00", "#5c5cff", "#ff00ff", "#00ffff", "#ffffff"),
)
"""The first sixteen colours, as xterm has them."""

_CUBE = (0, 95, 135, 175, 215, 255)
_SET = {1: BOLD, 3: ITALIC, 4: UNDERLINE, 7: INVERSE, 9: STRIKE, 21: UNDERLINE}
_CLEAR = {22: BOLD, 23: ITALIC, 24: UNDERLINE, 27: INVERSE, 29: STRIKE}
_DIM, _NOT_DIM = 2, 22
_UNDERLINED = 4
_FOREGROUND, _BACKGROUND, _UNDERLINE_COLOR = 38, 48, 58
_EXTENDED = (_FOREGROUND, _BACKGROUND, _UNDERLINE_COLOR)


@dataclass(frozen=True, slots=True)
class Pen:
    """The state that SGR and links change. A colour of None is the default one."""

    color: str | None = None
    bg_color: str | None = None
    attrs: int = 0
    is_dim: bool = False
    href: str | None = None

    @property
    def style(self) -> Style:
        """The pen as a cell's style. Dim has no attribute of its own: dim default text is `muted`."""
        color = self.color or ("muted" if self.is_dim else DEFAULT_COLOR)
        return Style(color, self.bg_color, self.attrs, self.href)


_UNSHOWN = {
    5: "blink",
    6: "blink",
    8: "conceal",
    21: "double underline",
    51: "frame",
    52: "circle",
    53: "overline",
    73: "superscript",
    74: "subscript",
}
"""What cells do not have; the text is shown without it, a double underline as a single one."""

_CURLY = {2: "double underline", 3: "curly underline", 4: "dotted underline", 5: "dashed underline"}


@lru_cache(maxsize=4096)
def unshown(pen: Pen, parameters: str) -> tuple[str, ...]:
    """What a sequence asked for that no cell can show. `pen` is what it left; dim is shown as `muted` only on
    text without a colour of its own."""
    found: list[str] = []
    for head, subs, _ in _codes(parameters):
        if head in _UNSHOWN:
            found.append(_UNSHOWN[head])
        elif head == _UNDERLINED and subs and subs[0] in _CURLY:
            found.append(_CURLY[subs[0]])
        elif head == _DIM and pen.is_dim and pen.color:
            found.append("dim")
    return tuple(found)


@lru_cache(maxsize=4096)
def apply(pen: Pen, parameters: str) -> Pen:
    """The pen after a sequence with these parameters (digits, `;` and `:` only).

    An empty parameter is 0. What is unknown, incomplete or out of range changes nothing. Sub-parameters after
    `:` belong to their parameter: `4:0` takes the underline away, `4:3` (curly) sets it.
    """
    for head, subs, color in _codes(parameters):
        pen = _colored(pen, head, color) if head in _EXTENDED else _simple(pen, head, subs)
    return pen


def _codes(parameters: str) -> Iterator[tuple[int, list[int], str | None]]:
    """Each code with its sub-parameters, and the colour that an extended one brings."""
    parts = [_numbers(part) for part in parameters.split(";")]
    at = 0
    while at < len(parts):
        head, *subs = parts[at]
        at += 1
        if head not in _EXTENDED:
            yield head, subs, None
        elif subs:
            yield head, subs, _colon_color(subs)
        else:
            color, taken = _semicolon_color([part[0] for part in parts[at : at + 4]])
            at += taken
            yield head, subs, color


def _numbers(part: str) -> list[int]:
    """`38:2::1` as [38, 2, 0, 1]. A number too long for any meaning counts as one that is unknown."""
    return [(int(digits) if len(digits) <= 4 else 9999) if digits else 0 for digits in part.split(":")]


def _simple(pen: Pen, code: int, subs: list[int]) -> Pen:
    if code == 0:
        return Pen(href=pen.href)
    if code == _UNDERLINED and subs[:1] == [0]:
        return replace(pen, attrs=pen.attrs & ~UNDERLINE)
    if code in _SET:
        return replace(pen, attrs=pen.attrs | _SET[code])
    if code in _CLEAR:
        return replace(pen, attrs=pen.attrs & ~_CLEAR[code], is_dim=pen.is_dim and code != _NOT_DIM)
    if code == _DIM:
        return replace(pen, is_dim=True)
    return _basic_color(pen, code)


def _basic_color(pen: Pen, code: int) -> Pen:
    tens, ones = divmod(code, 10)
    match tens:
        case 3 | 9 if ones < 8:
            return replace(pen, color=BASIC[ones + (8 if tens == 9 else 0)])
        case 4 | 10 if ones < 8:
            return replace(pen, bg_color=BASIC[ones + (8 if tens == 10 else 0)])
        case 3 if ones == 9:
            return replace(pen, color=None)
        case 4 if ones == 9:
            return replace(pen, bg_color=None)
        case _:
            return pen


def _colored(pen: Pen, which: int, color: str | None) -> Pen:
    """An underline's own colour is read and let go: cells have none."""
    if color is None or which == _UNDERLINE_COLOR:
        return pen
    return replace(pen, color=color) if which == _FOREGROUND else replace(pen, bg_color=color)


def _semicolon_color(rest: list[int]) -> tuple[str | None, int]:
    """The colour of `38;5;n` or `38;2;r;g;b`, and how many parameters it took."""
    match rest:
        case [5, number, *_]:
            return palette(number), 2
        case [2, red, green, blue, *_]:
            return _rgb(red, green, blue), 4
        case [5 | 2, *_]:
            return None, len(rest)
        case _:
            return None, 0


def _colon_color(subs: list[int]) -> str | None:
    """The colour of `38:5:n`, `38:2:r:g:b` or `38:2:space:r:g:b[:…]`."""
    match subs:
        case [5, number, *_]:
            return palette(number)
        case [2, red, green, blue]:
            return _rgb(red, green, blue)
        case [2, _, red, green, blue, *_]:
            return _rgb(red, green, blue)
        case _:
            return None


def palette(number: int) -> str | None:
    """One of the 256 colours; None for a number there is no colour for."""
    if number < len(BASIC):
        return BASIC[number]
    if number < 232:
        red, rest = divmod(number - 16, 36)
        green, blue = divmod(rest, 6)
        return _rgb(_CUBE[red], _CUBE[green], _CUBE[blue])
    if number < 256:
        grey = 8 + 10 * (number - 232)
        return _rgb(grey, grey, grey)
    return None


def _rgb(*parts: int) -> str | None:
    return "#" + "".join(f"{part:02x}" for part in parts) if all(part < 256 for part in parts) else None
