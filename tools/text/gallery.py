"""Writes `docs/gallery.md`: every sample with its source and what becomes of it.

    python -m chardesk.tools.text.gallery docs/gallery.md [--check]

`--check` writes nothing and exits 1 if the file is not what would be written.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from chardesk.tools.text import formats
from chardesk.tools.text.diagrams.rows import rows_of
from chardesk.tools.text.picture import Findings, Picture
from chardesk.tools.text.samples import PAINTED, SAMPLES, Sample
from chardesk.tools.text.shapes import reader as shapes

_HEAD = """\
<!-- Written by chardesk.tools.text.gallery. Do not edit. -->

# Gallery

What `canvas_render` makes of Markdown, diagrams, charts, mathematics, tables, shapes and terminal output.
Every picture is drawn by the renderer itself, as text; some are painted too, for their colours.
"""


def drawn(sample: Sample) -> Picture:
    """The sample as cells."""
    if sample.format == "shapes":
        return Findings().picture(rows_of(shapes.read(sample.source, lambda _: None).cells))
    return formats.picture(sample.source.strip("\n"), sample.format, sample.width)


def file_name(sample: Sample) -> str:
    """The name of its image: "Text, lists" is text-lists.png."""
    return "-".join(re.findall(r"[a-z]+", sample.title.lower())) + ".png"


def written() -> str:
    """The whole page, as it stands on disk."""
    return _HEAD + "".join(map(_section, SAMPLES))


def _section(sample: Sample) -> str:
    rows = ("".join(char or "" for char in row.chars).rstrip() for row in drawn(sample).rows)
    source = sample.source.strip("\n").replace("\x1b", "␛").replace("\r", "␍")
    return (
        f"\n## {sample.title}\n\n````{sample.format}\n{source}\n````\n\n````text\n"
        + "\n".join(rows)
        + "\n````\n"
        + _image(sample)
    )


def _image(sample: Sample) -> str:
    """Painted by `chardesk.tools.look.gallery`."""
    is_painted = sample.title in PAINTED
    return f"\n![{sample.title}, painted](images/gallery/{file_name(sample)})\n" if is_painted else ""


def main(argv: Sequence[str] | None = None) -> int:
    """0 when the file is written or up to date, 1 when `--check` finds it stale or missing, 2 for usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    targets = [word for word in words if word != "--check"]
    if len(targets) != 1:
        sys.stderr.write("usage: gallery PATH [--check]\n")
        return 2
    path, text = Path(targets[0]), written()
    if "--check" not in words:
        path.write_text(text, encoding="utf-8", newline="\n")
        return 0
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    sys.stderr.write(f"{path.name} is out of date: run chardesk.tools.text.gallery\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
