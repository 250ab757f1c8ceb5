"""Planning: write on a fork of the scene, then ask what changed."""

from __future__ import annotations

from collections.abc import Sequence

from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.model.change import Change, Run, Strip
from chardesk.tools.model.region import Rect, Region, Span
from chardesk.tools.model.scene import Scene


class Draft:
    """A scene that remembers what was written on it. No half of a wide glyph can come out of it.

    `scene` shows the draft's own writes; `base` stays as it was. Nothing is applied: `change()` is the plan.
    """

    __slots__ = ("_written", "base", "scene")

    def __init__(self, base: Scene) -> None:
        self.base = base
        self.scene = base.fork()
        self._written: list[Span] = []

    def put(self, x: int, y: int, chars: Sequence[str | None], styles: Sequence[Style]) -> bool:
        """Write neighbouring columns (followers as `''`). Torn glyphs at both ends go whole; a style without
        a background keeps that of the slot it lands on. Is anything different afterwards?"""
        end = x + len(chars)
        before = self.scene.strip(y, x, end)
        after = Strip(tuple(chars), _followers_match(chars, _landed(styles, before.styles)))
        self._mend(y, x, end)
        self.scene.put(y, x, after)
        self._written.append(Span(y, x, end))
        return after != before

    def restyle(self, x: int, y: int, chars: Sequence[str | None], styles: Sequence[Style]) -> None:
        """Like `put`, but the styles are taken as they are, background or not."""
        self._mend(y, x, x + len(chars))
        self.scene.put(y, x, Strip(tuple(chars), tuple(styles)))
        self._written.append(Span(y, x, x + len(chars)))

    def clear(self, span: Span) -> None:
        """Empty the columns of a span, and the whole of every glyph that reaches into it."""
        y, x, end = span
        self._mend(y, x, end)
        self.scene.put(y, x, Strip.empty(end - x))
        self._written.append(span)

    def erase(self, rect: Rect) -> None:
        """Clear what is stored inside `rect`. Cost follows the content."""
        for span in list(self.scene.spans(rect)):
            self.clear(span)

    def go_on_from(self, later: Draft) -> None:
        """Take over what `later`, a draft that began on this one's scene, has written."""
        self.scene = later.scene
        self._written += later._written

    def _mend(self, y: int, x: int, end: int) -> None:
        if self.scene.char(x, y) == "":
            self._blank(y, x - 1)
        if self.scene.char(end, y) == "":
            self._blank(y, end)

    def _blank(self, y: int, x: int) -> None:
        self.scene.put(y, x, Strip.empty(1))
        self._written.append(Span(y, x, x + 1))

    def written(self) -> Region:
        """Everything written so far."""
        return Region(self._written)

    def change(self) -> Change:
        """What applying the draft would do to `base`."""
        return Change(
            tuple(
                Run(y, x, self.base.strip(y, x, end), self.scene.strip(y, x, end))
                for y, x, end in self.written().spans
            )
        )


def _landed(styles: Sequence[Style], slots: tuple[Style, ...]) -> tuple[Style, ...]:
    """Each style over its slot's. Told apart by identity: few kinds of slot make long rows."""
    is_even = slots == slots[:1] * len(slots)
    kinds = slots[:1] if is_even else dict(zip(map(id, slots), slots, strict=True)).values()
    if all(slot.bg_color is None for slot in kinds):
        return tuple(styles)
    keys = list(zip(map(id, styles), map(id, slots), strict=True))
    distinct = dict(zip(keys, zip(styles, slots, strict=True), strict=True))
    known = {key: style.over(slot) for key, (style, slot) in distinct.items()}
    return tuple(map(known.__getitem__, keys))


def _followers_match(chars: Sequence[str | None], styles: tuple[Style, ...]) -> tuple[Style, ...]:
    """The right half of a wide glyph has its left half's style; an empty column has none."""
    try:
        if "".join(chars).isascii():  # type: ignore[arg-type]  # an empty column raises: then look closer
            return styles
    except TypeError:
        pass
    found: list[Style] = []
    for char, style in zip(chars, styles, strict=True):
        found.append(PLAIN if char is None else found[-1] if char == "" else style)
    return tuple(found)
