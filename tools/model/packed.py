"""Cells and steps as plain JSON values: one spelling for the journal, the page and saved drafts.

A strip is packed as pieces `[x, columns, style]`: `columns` is a string when every column holds exactly one
code point, a list (with `""` under the right half of a wide glyph) otherwise, and a count when all are
empty; `style` is an index into the styles that travel with the pieces (-1 for empty columns).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from chardesk.tools.model import steps as s
from chardesk.tools.model.cell import PLAIN, Style, style_from_json, style_json
from chardesk.tools.model.change import Change, Run, Strip
from chardesk.tools.model.sheet import Size

Piece = list[Any]


class Styles:
    """Numbers styles in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[Style, int] = {}

    def number(self, style: Style) -> int:
        return self._numbers.setdefault(style, len(self._numbers))

    def json(self) -> list[dict[str, Any]]:
        return [style_json(style) for style in self._numbers]


def pack_strip(x: int, strip: Strip, styles: Styles) -> list[Piece]:
    """One strip as pieces, left to right."""
    pieces: list[Piece] = []
    columns = zip(*strip, strict=True)
    for (is_empty, style), group in groupby(columns, key=lambda column: (column[0] is None, column[1])):
        chars = [char for char, _ in group]
        if is_empty:
            pieces.append([x, len(chars), -1])
        else:
            single = all(char is not None and len(char) == 1 for char in chars)
            text = "".join(char or "" for char in chars)
            pieces.append([x, text if single else chars, styles.number(style)])
        x += len(chars)
    return pieces


def unpack_strip(pieces: Iterable[Piece], styles: list[Style]) -> Strip:
    """The inverse. Raises IndexError, TypeError or ValueError for pieces that are no such thing."""
    chars: list[str | None] = []
    found: list[Style] = []
    for _, columns, number in pieces:
        if isinstance(columns, int):
            chars += [None] * columns
            found += [PLAIN] * columns
        else:
            chars += list(columns)
            found += [styles[number]] * len(columns)
    return Strip(tuple(chars), tuple(found))


def pack_change(change: Change) -> dict[str, Any]:
    """`{styles, runs: [[y, x, before pieces, after pieces]]}`."""
    styles = Styles()
    runs = [
        [run.y, run.x, pack_strip(run.x, run.before, styles), pack_strip(run.x, run.after, styles)]
        for run in change.runs
    ]
    return {"styles": styles.json(), "runs": runs}


def unpack_change(found: dict[str, Any]) -> Change:
    styles = [style_from_json(style) for style in found["styles"]]
    return Change(
        tuple(
            Run(y, x, unpack_strip(before, styles), unpack_strip(after, styles))
            for y, x, before, after in found["runs"]
        )
    )


def pack_after(change: Change) -> dict[str, Any]:
    """Only what is there afterwards, as the page needs it: `{styles, rows: [[y, pieces]]}`."""
    return pack_rows((run.y, run.x, run.after) for run in change.runs)


def pack_rows(rows: Iterable[tuple[int, int, Strip]]) -> dict[str, Any]:
    """`(y, x, strip)` as `{styles, rows: [[y, pieces]]}`."""
    styles = Styles()
    packed = [[y, pack_strip(x, strip, styles)] for y, x, strip in rows]
    return {"styles": styles.json(), "rows": packed}


def _sheet_fields(step: s.SheetAdded | s.SheetRemoved) -> dict[str, Any]:
    """A note only where there is one: commits from before there were notes keep their hash."""
    return {
        "canvas": step.canvas,
        "index": step.index,
        "sheet": step.sheet,
        "name": step.name,
        "size": list(step.size) if step.size else None,
        "cells": pack_change(step.cells),
        **({"note": step.note} if step.note else {}),
    }


def pack_step(step: s.Step, pack: Callable[[Change], dict[str, Any]] = pack_change) -> dict[str, Any]:
    """A step as `{step: NAME, …}`; `pack` gives what `pack_change` gives of the cells that it changes."""
    fields: dict[str, Any]
    match step:
        case s.CellsChanged(sheet, change):
            fields = {"sheet": sheet, "change": pack(change)}
        case s.SheetAdded() | s.SheetRemoved():
            fields = _sheet_fields(step)
        case s.SheetResized(sheet, before, after):
            fields = {"sheet": sheet, "before": list(before), "after": list(after)}
        case _:
            fields = {name: getattr(step, name) for name in type(step).__slots__}
    return {"step": type(step).__name__, **fields}


def unpack_step(found: dict[str, Any]) -> s.Step:
    """The inverse of `pack_step`. Raises KeyError or TypeError for anything else."""
    kind, fields = _KINDS[found["step"]], {name: value for name, value in found.items() if name != "step"}
    if "change" in fields:
        fields["change"] = unpack_change(fields["change"])
    if "cells" in fields:
        fields["cells"] = unpack_change(fields["cells"])
        fields["size"] = Size(*fields["size"]) if fields["size"] else None
    if kind is s.SheetResized:
        fields["before"], fields["after"] = Size(*fields["before"]), Size(*fields["after"])
    step: s.Step = kind(**fields)
    return step


def _kinds() -> Iterator[type[Any]]:
    yield from s.Step.__args__


_KINDS: dict[str, type[Any]] = {kind.__name__: kind for kind in _kinds()}
