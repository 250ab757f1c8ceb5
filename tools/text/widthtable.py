"""Writes `page/model/widths.js`: the width of every code point, for the page, from the one pinned table.

    python -m chardesk.tools.text.widthtable page/model/widths.js [--check]

`--check` writes nothing and exits 1 if the file is not what would be written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from wcwidth import list_versions

from chardesk.tools.model.width import code_point_width

_SURROGATES = range(0xD800, 0xE000)
_RUNS_A_LINE = 6

_HEAD = """\
// Written by chardesk.tools.text.widthtable from the table the broker uses. Do not edit.

/** The Unicode version of the table. */
export const UNICODE = "{unicode}";

/** Runs of code points, flat: first, one past the last, columns (0 or 2). Others take 1 column. */
export const RUNS = Uint32Array.of(
"""


def runs() -> Iterator[tuple[int, int, int]]:
    """`(first, one past the last, columns)` for every run of width 0 or 2, by code point.

    Surrogates are no characters: they are in no run, and a run never reaches across them.
    """
    points = [range(_SURROGATES.start), range(_SURROGATES.stop, sys.maxunicode + 1)]
    for part in points:
        for columns, same in groupby(part, lambda point: code_point_width(chr(point))):
            if columns != 1:
                members = list(same)
                yield members[0], members[-1] + 1, columns


def written() -> str:
    """The whole module, as it stands on disk."""
    unicode = ".".join(list_versions()[-1].split(".")[:2])
    return _HEAD.format(unicode=unicode) + "".join(_lines(runs())) + ");\n"


def _lines(found: Iterable[tuple[int, int, int]]) -> Iterator[str]:
    cells = [f"{first:#x}, {end:#x}, {columns}" for first, end, columns in found]
    for at in range(0, len(cells), _RUNS_A_LINE):
        yield "  " + ", ".join(cells[at : at + _RUNS_A_LINE]) + ",\n"


def main(argv: Sequence[str] | None = None) -> int:
    """0 when the file is written or up to date, 1 when `--check` finds it stale or missing, 2 for usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    targets = [word for word in words if word != "--check"]
    if len(targets) != 1:
        sys.stderr.write("usage: widthtable PATH [--check]\n")
        return 2
    path, text = Path(targets[0]), written()
    if "--check" not in words:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{path.name} is out of date: run chardesk.tools.text.widthtable\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
