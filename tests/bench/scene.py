"""What a million cells cost in memory and time, beside floors of the same run.

python tests/bench/scene.py
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from chardesk.tools.look.read import ReadArgs
from chardesk.tools.look.read import show as read
from chardesk.tools.look.search import SearchArgs, search
from chardesk.tools.model.cell import PLAIN, Style
from chardesk.tools.model.change import Strip
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect, Region
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.trace import Trace
from chardesk.tools.schema import parse

ROWS, COLUMNS = 1000, 1000
CELLS = ROWS * COLUMNS
RED = Style("#ff0000")


def seconds(do: Callable[[], object], times: int = 1) -> float:
    """The fastest of `times` runs, in processor time: what else the machine does counts less."""
    best = float("inf")
    for _ in range(times):
        begun = time.process_time()
        do()
        best = min(best, time.process_time() - begun)
    return best


def line(y: int) -> Strip:
    """A row of text in two colours."""
    text = (f"{y:04} the quick brown fox jumps over the lazy dog. " * 30)[:COLUMNS]
    return Strip(tuple(text), (PLAIN,) * 600 + (RED,) * 400)


def filled(lines: list[Strip]) -> Scene:
    scene = Scene()
    for y, strip in enumerate(lines):
        scene.put(y, 0, strip)
    return scene


def decoded(scene: Scene) -> list[str]:
    """The floor of a search: all rows as text."""
    return ["".join([" " if c is None else c for c in scene.chars(y, 0, COLUMNS)]) for y in range(ROWS)]


def one_cell(scene: Scene) -> None:
    draft = Draft(scene)
    draft.put(50, 1, ("x",), (PLAIN,))
    scene.apply(draft.change())


def say(what: str, found: str, bound: str) -> None:
    print(f"{what:<46} {found:>16}   bound {bound}")


def memory(lines: list[Strip]) -> Scene:
    tracemalloc.start()
    scene = filled(lines)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    say("bytes a cell", f"{size / CELLS:.1f}", "40")
    return scene


def writing(lines: list[Strip]) -> None:
    took = seconds(lambda: filled(lines), 3)
    say("run writes, Mcells/s", f"{CELLS / took / 1e6:.1f}", "≥ 5")

    def drafted() -> None:
        draft = Draft(Scene())
        for y, (chars, styles) in enumerate(lines):
            draft.put(0, y, chars, styles)
        draft.change()

    say("planned writes, Mcells/s", f"{CELLS / seconds(drafted, 3) / 1e6:.1f}", "-")
    region = Region.of(Rect(0, 0, COLUMNS, ROWS))
    say(
        "trace marks, Mcells/s",
        f"{CELLS / seconds(lambda: Trace().mark(region, 'ada', 1), 3) / 1e6:.1f}",
        "-",
    )


def looking(scene: Scene) -> None:
    say(
        "first bounds and count, ms",
        f"{seconds(lambda: (scene.bounds(), scene.occupied_cells())) * 1e3:.1f}",
        "-",
    )
    scene.put(3, 3, Strip(("x",), (PLAIN,)))
    again = seconds(lambda: (scene.bounds(), scene.occupied_cells()))
    say("bounds and count after a write, ms", f"{again * 1e3:.2f}", "5")
    args = parse(ReadArgs, {"viewport": [40, 40, 80, 24]})
    full, empty = (seconds(partial(read, s, None, args), 30) for s in (scene, Scene()))
    say("80×24 read, full to empty", f"{full / empty:.2f}", "3")
    query = parse(SearchArgs, {"query": "no such words"})
    found = seconds(lambda: search(scene, None, query, lambda: 0.0), 5)
    floor = seconds(lambda: [row.find("no such words") for row in decoded(scene)], 5)
    say("literal search to find and decoding", f"{found / floor:.2f}  ({found * 1e3:.0f} ms)", "1.5")


def changing(scene: Scene) -> None:
    small = Scene()
    small.put(0, 0, Strip(("a",) * 100, (PLAIN,) * 100))
    large, little = (seconds(partial(one_cell, s), 200) for s in (scene, small))
    say("one-cell apply, 1,000,000 to 100 cells", f"{large / little:.2f}", "1.5")
    draft = Draft(scene)
    for y in range(100):
        draft.put(0, y, ("z",) * 100, (RED,) * 100)
    change = draft.change().essence()
    apply, undo = seconds(lambda: scene.apply(change), 5), seconds(lambda: scene.apply(change.inverse()), 5)
    say("undo of 10,000 cells to apply", f"{undo / apply:.2f}", "2")


def main() -> None:
    lines = [line(y) for y in range(ROWS)]
    scene = memory(lines)
    writing(lines)
    looking(scene)
    changing(scene)


if __name__ == "__main__":
    main()
