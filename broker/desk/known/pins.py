"""Pins: rectangles that the person points agents at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chardesk.broker.desk.effects import Record
from chardesk.tools.model.region import Rect

MAX_PINS = 32
"""More would be a list that nobody reads."""


@dataclass(frozen=True, slots=True)
class Pin:
    id: str
    canvas: str
    sheet: str
    rect: Rect
    note: str

    def record(self) -> Record:
        value = {"canvas": self.canvas, "sheet": self.sheet, "rect": list(self.rect), "note": self.note}
        return Record("pin", self.id, value)

    def forgotten(self) -> Record:
        return Record("pin", self.id, None)


def load(found: Mapping[str, Mapping[str, Any]]) -> dict[str, Pin]:
    """The inverse of `Pin.record`, for all of a desk's pins."""
    return {
        pin: Pin(pin, value["canvas"], value["sheet"], Rect(*value["rect"]), value["note"])
        for pin, value in found.items()
    }
