"""Rows of data to a table: CSV, TSV, or JSON."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from typing import Any

from chardesk.tools.model.cell import BOLD, PLAIN, Style
from chardesk.tools.text.picture import Findings, Line, Picture, glyphs
from chardesk.tools.text.plain import lines_of, untabbed
from chardesk.tools.text.tables import layout

_MAX_CELLS = 50_000
_MAX_COLUMNS = 200
_NUMBER = re.compile(r"[-+−]?(?:\d[\d,_ ]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s?[%€$£¥]?")
_HEADER = Style(attrs=BOLD)

Rows = list[list[str]]


def read(source: str, width: int) -> Picture:
    """The first row (or the keys of JSON objects) is the header; a column of numbers stands to the right;
    cells wrap when the table is wider than `width`. Never raises.

    JSON (a list of rows or of objects, or an object of lists) if it begins with `[` or `{` and can be read;
    else TSV if the first row has a tab; else CSV, with `;` if the first row has more of them than commas.
    """
    findings = Findings()
    return findings.picture(lines(source, width, findings))


def lines(source: str, width: int, findings: Findings) -> list[Line]:
    """The same as rows of glyphs."""
    rows = _even(_rows(source, findings), findings)
    if not rows:
        return [untabbed(line, PLAIN, findings.drops) for line in lines_of(source)]
    header, *body = rows
    aligned = [_alignment([row[at] for row in body]) for at in range(len(header))]
    laid_out = [
        [
            layout.Cell(glyphs(cell, _HEADER if row is header else PLAIN, findings.drops), align)
            for cell, align in zip(row, aligned, strict=True)
        ]
        for row in rows
    ]
    drawn = layout.lines(laid_out[0], laid_out[1:], width)
    if message := layout.too_wide(drawn, width):
        findings.note("table-wide", message)
    return drawn


def _rows(source: str, findings: Findings) -> Rows:
    found = _json_rows(source, findings) if source.lstrip()[:1] in ("[", "{") else None
    return _separated_rows(source, findings) if found is None else found


def _json_rows(source: str, findings: Findings) -> Rows | None:
    """None if the source is no JSON that has rows."""
    try:
        data = json.loads(source)
    except (ValueError, RecursionError):
        findings.note("table-not-json", "this begins like JSON but is none; it is read as CSV", 1)
        return None
    if isinstance(data, dict) and data and all(isinstance(column, list) for column in data.values()):
        longest = max(map(len, data.values()))
        body = [
            [_words(part[at]) if at < len(part) else "" for part in data.values()] for at in range(longest)
        ]
        return [list(map(str, data)), *body]
    items = data if isinstance(data, list) else [data]
    if items and all(isinstance(item, dict) for item in items):
        keys = list(dict.fromkeys(key for item in items for key in item))
        return [keys, *([_words(item.get(key)) for key in keys] for item in items)]
    return [list(map(_words, item)) if isinstance(item, list) else [_words(item)] for item in items]


def _words(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            return json.dumps(value, ensure_ascii=False)


def _separated_rows(source: str, findings: Findings) -> Rows:
    kept = [line for line in lines_of(source.removeprefix("\ufeff")) if line.strip()]
    if not kept:
        return []
    first = kept[0]
    separator = "\t" if "\t" in first else ";" if first.count(";") > first.count(",") else ","
    try:
        ended = (f"{line}\n" for line in kept)
        return list(csv.reader(ended, delimiter=separator, skipinitialspace=True))
    except csv.Error as error:
        findings.note(
            "table-not-read", f"this is no table that can be read ({error}); it is shown as text", 1
        )
        return []


def _even(rows: Rows, findings: Findings) -> Rows:
    """Rows as long as the longest, cells in one line; within the limits, with a note of what is beyond."""
    count = max(map(len, rows), default=0)
    if not count:
        return []
    columns_ = min(count, _MAX_COLUMNS)
    most = max(1, _MAX_CELLS // columns_)
    if count > columns_ or len(rows) > most:
        left = f"{max(0, len(rows) - most)} rows and {count - columns_} columns"
        findings.note("table-too-large", f"a table may have {_MAX_CELLS} cells; left out: {left}")
    uneven = [number for number, row in enumerate(rows, 1) if len(row) != count]
    if uneven:
        message = f"rows filled up with empty cells: {len(uneven)}, the first is row {uneven[0]}"
        findings.note("table-rows-uneven", message)
    padded = ([*row, *[""] * (columns_ - len(row))][:columns_] for row in rows[:most])
    return [[" ".join(cell.split()) for cell in row] for row in padded]


def _alignment(cells: Sequence[str]) -> layout.Align:
    given = [cell for cell in cells if cell]
    return layout.right if given and all(_NUMBER.fullmatch(cell) for cell in given) else layout.left
