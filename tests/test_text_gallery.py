"""The gallery shows what the renderer draws."""

from __future__ import annotations

from pathlib import Path

import pytest

from chardesk.tools.text import formats, gallery
from chardesk.tools.text.samples import SAMPLES, Sample

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
