"""A desk whose disk is full, as the person at the page sees it."""

from __future__ import annotations

from pathlib import Path

import pytest
from brokers import RunningBroker
from browsers import launched, opened, profile, until_row, until_settled
from disks import small_disk
from playwright.sync_api import expect

pytestmark = pytest.mark.e2e


def test_what_is_typed_while_the_disk_is_full_waits_under_a_banner_and_lands_when_there_is_room(
    tmp_path: Path,
) -> None:
    with (
        small_disk(tmp_path) as disk,
        RunningBroker(disk.desk) as broker,
        launched() as browser,
        profile(browser) as context,
    ):
        page = opened(context, broker.place.root)
        page.keyboard.type("was ")
        until_settled(page)
        disk.fill()
        page.keyboard.type("kept")
        expect(page.locator("#banner")).to_contain_text("The desk's disk is full or read-only")
        expect(page.locator("#banner")).to_contain_text("of yours wait here")
        disk.free()
        expect(page.locator("#banner")).to_be_hidden()
        until_settled(page)
        until_row(page, 0, 0, 8, "was kept")
        assert "was kept" in broker.cli("read").stdout
