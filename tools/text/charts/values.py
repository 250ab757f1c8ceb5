"""Values as JSON has them, as numbers, times and words."""

from __future__ import annotations

import json
import math
from datetime import datetime
from typing import Any


def domain(value: Any) -> tuple[float, float] | None:
    if isinstance(value, list) and len(value) == 2:
        low, high = map(number, value)
        if low is not None and high is not None and low < high:
            return low, high
    return None


def title(value: Any) -> str:
    text = value.get("text", "") if isinstance(value, dict) else value
    return (
        " ".join(str(part) for part in text) if isinstance(text, list) else " ".join(str(text or "").split())
    )


def number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or abs(value) > 1e15 or not math.isfinite(value):
        return None
    return float(value)


def time(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            return (datetime.fromisoformat(value).replace(tzinfo=None) - datetime(1970, 1, 1)).total_seconds()
        except (ValueError, OverflowError):
            return None
    return None


def words(value: Any) -> str:
    match value:
        case None:
            return "null"
        case str():
            return " ".join(value.split())
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return " ".join(json.dumps(value, ensure_ascii=False).split())
