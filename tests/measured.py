"""How a bench says what it measured: a line for people, and one that `make figures` makes a table of."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from typing import Any, Literal

FIGURES = "FIGURES"
"""The variable that names the file for `make figures`: a JSON object a line."""

Of = Literal["value", "ratio"]


@dataclass(frozen=True, slots=True)
class Figure:
    """`floor` is what cannot be avoided, measured in the same run and the same unit. The goal is for the
    value, or for how many times the floor it is."""

    name: str
    value: float
    unit: str
    floor: float | None = None
    at_most: float | None = None
    at_least: float | None = None
    goal_of: Of = "value"

    @property
    def ratio(self) -> float | None:
        return self.value / self.floor if self.floor else None

    @property
    def is_met(self) -> bool | None:
        """None without a goal."""
        judged = self.value if self.goal_of == "value" else self.ratio
        if judged is None or (self.at_most is None and self.at_least is None):
            return None
        return (self.at_most is None or judged <= self.at_most) and (
            self.at_least is None or judged >= self.at_least
        )

    @property
    def goal(self) -> str:
        """As people read it; "" without one."""
        unit = f" {self.unit}".rstrip() if self.goal_of == "value" else " × the floor"
        if self.at_most is not None:
            return f"≤ {self.at_most:g}{unit}"
        return "" if self.at_least is None else f"≥ {self.at_least:g}{unit}"

    def __str__(self) -> str:
        beside = "" if self.ratio is None else f" = {self.ratio:.2f} × the floor of {self.floor:.4g}"
        met = {None: "", True: f"  (goal {self.goal}: met)", False: f"  (goal {self.goal}: MISSED)"}[
            self.is_met
        ]
        return f"{self.name}: {self.value:.4g} {self.unit}".rstrip() + beside + met


def figure(name: str, value: float, unit: str, **more: Any) -> None:
    """Say one; `more` as in `Figure`."""
    found = Figure(name, value, unit, **more)
    sys.stdout.write(f"{found}\n")
    if file := os.environ.get(FIGURES):
        with open(file, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(found)) + "\n")


def figures_of(text: str) -> list[Figure]:
    """The inverse, for a whole file."""
    return [Figure(**json.loads(line)) for line in text.splitlines()]


def share(times: list[float], part: float) -> float:
    """The time below which this share of them stayed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
