"""The frame around a sample: header, column labels, ticks, row labels, byte for byte as the contract has it.

All positions are absolute, so that what is read off a ruler can be used as a coordinate at any zoom.
"""

from __future__ import annotations

from collections.abc import Iterator

from chardesk.tools.look.sample import CAMERA_COLUMNS, CAMERA_ROWS, Sample
from chardesk.tools.model.region import Rect

_MIN_COLUMNS = 5
"""Ticks stand at least this many characters apart, so that they can be counted at a glance."""


def framed(sample: Sample) -> str:
    """The sample with its header and rulers, as `canvas_read` shows it; lines joined by LF."""
    rect, k = sample.rect, sample.k
    x_label_width = max(len(str(rect.x)), len(str(rect.right - 1)))
    gutter = max(len(str(rect.y)), len(str(rect.bottom - 1)), x_label_width // 2)
    interval = nice(k * max(_MIN_COLUMNS, (x_label_width + 3) // 2))
    labels = _label_row(rect, k, 2 * interval, gutter + 2)
    ticks = " " * (gutter + 2) + _tick_row(rect, k, interval)
    return "\n".join((*_header(sample), *labels, ticks, *_body(sample, gutter)))


def nice(value: int) -> int:
    """The smallest of 1, 2, 5, 10 times a power of ten that is not below `value` (≥ 1)."""
    power: int = 10 ** (len(str(value)) - 1)
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def _header(sample: Sample) -> Iterator[str]:
    rect, k = sample.rect, sample.k
    yield f"viewport=[{rect.x},{rect.y},{rect.width},{rect.height}] sampleSize={k} mode={sample.mode}"
    yield f"camera={CAMERA_COLUMNS}×{CAMERA_ROWS}"
    if k == 1:
        yield "exact=unicode"
    else:
        finer = k - 1
        yield f"next: sampleSize≤{finer} @ viewport≤{CAMERA_COLUMNS * finer}×{CAMERA_ROWS * finer}"


def _label_row(rect: Rect, k: int, interval: int, body: int) -> list[str]:
    """Labels centred on their columns, dropped where they would touch the one before. No row if none is."""
    row = ""
    for column, value in _marks(rect.x, rect.right, k, interval):
        label = str(value)
        start = body + column - len(label) // 2
        if not row or start > len(row):
            row = row.ljust(start) + label
    return [row] if row else []


def _tick_row(rect: Rect, k: int, interval: int) -> str:
    row = ["─"] * -(-rect.width // k)
    for column, _ in _marks(rect.x, rect.right, k, interval):
        row[column] = "┬"
    return "".join(row)


def _body(sample: Sample, gutter: int) -> Iterator[str]:
    rect, k = sample.rect, sample.k
    labels = dict(_marks(rect.y, rect.bottom, k, nice(_MIN_COLUMNS * k)))
    blank = " " * gutter + " │"
    for at, row in enumerate(sample.rows):
        margin = f"{labels[at]:>{gutter}} ┤" if at in labels else blank
        yield margin + row.rstrip(" ")


def _marks(start: int, end: int, k: int, interval: int) -> Iterator[tuple[int, int]]:
    """The multiples of `interval` in `start .. end`, each with the bucket that owns it."""
    for value in range(-(-start // interval) * interval, end, interval):
        yield (value - start) // k, value
