"""Paints the samples of `docs/gallery.md` that have a picture, by the renderer that agents see images from.

    python -m chardesk.tools.look.gallery docs/images/gallery [--check]

Fonts differ from machine to machine, so pictures are not compared by their pixels: each carries a digest of
the cells it shows. `--check` writes nothing and exits 1 if one shows other cells, is missing or too many.
"""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from chardesk.tools.look.picture import paint
from chardesk.tools.model.draft import Draft
from chardesk.tools.model.region import Rect
from chardesk.tools.model.scene import Scene
from chardesk.tools.text.gallery import drawn, file_name
from chardesk.tools.text.picture import Picture
from chardesk.tools.text.samples import PAINTED, SAMPLES, Sample

_KEY = "cells"
_COLORS = 64
"""In the file's palette: text on paper needs no more, and it is a third of the size."""


def painted(sample: Sample) -> bytes:
    """The sample as a PNG, with an empty cell around it and its digest inside."""
    picture = drawn(sample)
    draft = Draft(Scene())
    for y, row in enumerate(picture.rows):
        draft.put(0, y, row.chars, row.styles)
    around = Rect(-1, -1, picture.width + 2, picture.height + 2)
    image = Image.open(io.BytesIO(paint.paint(draft.scene, around, "auto").png))
    about, out = PngInfo(), io.BytesIO()
    about.add_text(_KEY, digest(picture))
    image.quantize(_COLORS).save(out, "PNG", optimize=True, pnginfo=about)
    return out.getvalue()


def digest(picture: Picture) -> str:
    """The same for the same cells."""
    return hashlib.sha256(repr(picture.rows).encode()).hexdigest()[:16]


def stale(folder: Path) -> list[str]:
    """The files that are missing, show other cells, or belong to no sample."""
    wanted = {file_name(sample): digest(drawn(sample)) for sample in SAMPLES if sample.title in PAINTED}
    there = {path.name: _digest_in(path) for path in folder.glob("*.png")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def _digest_in(path: Path) -> str:
    """What the file says it shows; empty if it says nothing or is no picture."""
    try:
        with Image.open(path) as image:
            return str(image.info.get(_KEY, ""))
    except OSError:
        return ""


def write(folder: Path) -> None:
    """Paint what is stale, and take away what is left over."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = {file_name(sample): sample for sample in SAMPLES if sample.title in PAINTED}
    for name in stale(folder):
        if name in samples:
            (folder / name).write_bytes(painted(samples[name]))
        else:
            (folder / name).unlink()


def main(argv: Sequence[str] | None = None) -> int:
    """0 when the pictures are painted or up to date, 1 when `--check` finds stale ones, 2 for usage."""
    words = list(sys.argv[1:] if argv is None else argv)
    targets = [word for word in words if word != "--check"]
    if len(targets) != 1:
        sys.stderr.write("usage: gallery FOLDER [--check]\n")
        return 2
    folder = Path(targets[0])
    if "--check" not in words:
        write(folder)
        return 0
    old = stale(folder)
    if old:
        sys.stderr.write(f"out of date: {', '.join(old)}; run chardesk.tools.look.gallery\n")
    return int(bool(old))


if __name__ == "__main__":
    raise SystemExit(main())
