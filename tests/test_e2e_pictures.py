"""The page looks as it did when somebody last looked at it: twelve states against kept pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browsers import launched
from pictures import names, reference, taken, unlikeness
from playwright.sync_api import Browser, Page
from shots import THEMES, Theme

pytestmark = pytest.mark.e2e

TOLERANCE = 0.04
"""The same page differs by 0.00; a panel 32 pixels aside by 0.16."""

UNDER = {"settings": 0.03, "help_guide": 0.015}
"""A dialog has so much ink of its own that the same panel aside is 0.12 and 0.05 of it all."""


def tolerance(state: str) -> float:
    return UNDER.get(state, TOLERANCE)


Pictures = dict[tuple[str, Theme], bytes]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def pictures(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pictures]:
    with taken(browser, tmp_path_factory.mktemp("pictures")) as found:
        yield found


@pytest.fixture(scope="module")
def aside(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pictures]:
    """The same page with a panel 32 pixels aside."""
    some = [(state, theme) for state, theme in names() if state in ("drawn", *UNDER)]
    moved = ".side { translate: -32px }"
    with taken(browser, tmp_path_factory.mktemp("aside"), some, moved) as found:
        yield found


@pytest.fixture(scope="module")
def workshop(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.parametrize(("state", "theme"), names(), ids=lambda each: str(each))
def test_the_page_looks_as_it_did(workshop: Page, pictures: Pictures, state: str, theme: Theme) -> None:
    kept = reference(state, theme).read_bytes()
    assert unlikeness(workshop, pictures[state, theme], kept) <= tolerance(state)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("state", ["drawn", *UNDER])
def test_a_panel_aside_would_be_noticed_under_a_dialog_too(
    workshop: Page, aside: Pictures, state: str, theme: Theme
) -> None:
    kept = reference(state, theme).read_bytes()
    assert unlikeness(workshop, aside[state, theme], kept) > tolerance(state)


def test_another_state_would_be_noticed(workshop: Page, pictures: Pictures) -> None:
    kept = reference("drawn", "light").read_bytes()
    for other in (("settings", "light"), ("drawn", "dark"), ("presenting", "light")):
        assert unlikeness(workshop, pictures[other], kept) > TOLERANCE, other
