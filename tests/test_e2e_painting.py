"""The cells as they are painted: printed from kept pixels, or drawn where the browser hides pixels."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from brokers import RunningBroker
from browsers import launched, opened, profile
from pictures import unlikeness
from playwright.sync_api import Browser

pytestmark = pytest.mark.e2e

NOISE = """() => {
    for (const { prototype } of [OffscreenCanvasRenderingContext2D, CanvasRenderingContext2D]) {
        const read = prototype.getImageData;
        prototype.getImageData = function (...area) {
            const image = read.apply(this, area);
            image.data.forEach((_, at) => { image.data[at] = Math.random() * 256; });
            return image;
        };
    }
}"""

WORDS = (
    "\x1b[31mred \x1b[1mbold\x1b[22m \x1b[3mitalic\x1b[0m "
    "\x1b[4munder\x1b[0m \x1b[9mgone\x1b[0m \x1b[7minverse\x1b[0m",
    "世界 日本語 🚀 👩‍🔧 ⚫ ⬛ é naïve -> ffi",
    "\x1b[44;97m┌─┬╮ ╔═╗ ░▒▓█ ▛▟ ⣿⡇ ╱╲\x1b[0m",
    "\x1b[38;2;200;120;0m│ │╎ ╰─╯ ━━▶ ✓ → ① ½\x1b[0m",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("painting") / "desk") as running:
        running.call(
            "render", "--at", "2,1", "--source", "\n".join(WORDS), "--format", "ansi", "--mode", "apply"
        )
        yield running


def painted(browser: Browser, broker: RunningBroker, dark: bool, script: str = "() => undefined") -> bytes:
    """What the page shows of the words, in a browser of its own in which this script ran first."""
    with profile(browser, dark=dark) as context:
        context.add_init_script(f"({script})()")
        page = opened(context, broker.place.root)
        page.wait_for_function("window.chardesk.replica.bounds() !== null")
        page.evaluate("() => document.fonts.ready")
        page.evaluate("() => window.chardesk.editor.place([0, 30])")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        box = page.locator("#cells").bounding_box()
        assert box is not None
        return page.screenshot(clip={**box, "width": 600, "height": 140})


@pytest.mark.parametrize("dark", [False, True])
def test_a_browser_that_answers_noise_for_pixels_shows_the_same_cells(
    browser: Browser, broker: RunningBroker, dark: bool
) -> None:
    """Some browsers do, against tracking; the cells are then drawn, not printed from what was read back."""
    printed, drawn = painted(browser, broker, dark), painted(browser, broker, dark, NOISE)
    workshop = browser.new_page()
    assert unlikeness(workshop, printed, drawn) <= 0.001
    other = painted(browser, broker, not dark)
    assert unlikeness(workshop, printed, other) > 0.5
    workshop.close()
