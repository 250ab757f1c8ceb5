"""The gallery shows what the renderer draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from chardesk.tools.look import gallery as images
from chardesk.tools.text import formats, gallery
from chardesk.tools.text.samples import PAINTED, SAMPLES, Sample

PAGE = Path(__file__).parents[1] / "docs" / "gallery.md"


def test_the_page_is_up_to_date() -> None:
    assert gallery.main([str(PAGE), "--check"]) == 0


def test_a_stale_page_is_found_and_can_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "gallery.md"
    assert gallery.main([str(page), "--check"]) == 1
    assert "out of date" in capsys.readouterr().err
    assert gallery.main([str(page)]) == 0
    assert gallery.main([str(page), "--check"]) == 0
    assert gallery.main([]) == 2


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.title)
def test_every_sample_is_drawn_whole(sample: Sample) -> None:
    assert gallery.drawn(sample).diagnostics == ()


def test_every_format_has_a_sample() -> None:
    shown = {sample.format for sample in SAMPLES}
    assert shown | {"raw", "ansi-art"} == formats.READERS.keys() | {"shapes"}


IMAGES = PAGE.parent / "images" / "gallery"


def test_the_images_show_the_cells_that_are_drawn_today() -> None:
    assert images.stale(IMAGES) == []
    assert len(list(IMAGES.glob("*.png"))) == len(PAINTED)
    assert sum(path.stat().st_size for path in IMAGES.glob("*.png")) < 300_000


def test_stale_missing_and_left_over_images_are_found_and_mended(tmp_path: Path) -> None:
    for path in IMAGES.glob("*.png"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "left-over.png").write_bytes((IMAGES / "shapes.png").read_bytes())
    (tmp_path / "flowchart.png").write_bytes((IMAGES / "shapes.png").read_bytes())
    (tmp_path / "shapes.png").unlink()
    (tmp_path / "tables-and-code.png").write_bytes(b"no picture")
    assert images.main([str(tmp_path), "--check"]) == 1
    assert images.stale(tmp_path) == ["flowchart.png", "left-over.png", "shapes.png", "tables-and-code.png"]
    assert images.main([str(tmp_path)]) == 0
    assert images.main([str(tmp_path), "--check"]) == 0
    assert images.main([]) == 2
