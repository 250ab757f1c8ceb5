"""Pictures of the page, small enough to be kept and blurred enough to forgive what does not matter.

python tests/pictures.py     # writes the references anew, after the page was changed on purpose
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from browsers import launched
from playwright.sync_api import Browser, Page
from shots import STATES, THEMES, Scene, Theme, furnished, shoot

FOLDER = Path(__file__).with_name("pictures")
SIZE = (1280, 800)
KEPT = ("drawn", "proposal", "pinned", "settings", "help_guide", "presenting")
"""In both themes: twelve pictures."""

COMPARABLE = """
* { font-family: "Iosevka Chardesk" !important }
::backdrop { background: none !important }
"""

_SHRINK = """async (png) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width / 4, bitmap.height / 4);
    const paper = canvas.getContext("2d");
    paper.imageSmoothingQuality = "high";
    paper.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""

_COMPARE = """async ([a, b]) => {
    const [one, other] = await Promise.all([a, b].map(async (png) => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
        const paper = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        paper.drawImage(bitmap, 0, 0);
        return paper.getImageData(0, 0, bitmap.width, bitmap.height);
    }));
    if (one.data.length !== other.data.length) return 1;
    const { width, height } = one;
    let [inked, unlike] = [0, 0];
    for (let y = 0; y < height; y += 8)
        for (let x = 0; x < width; x += 8) {
            const [a, b] = [one, other].map((image) => tile(image, x, y));
            if (!a.isInked && !b.isInked && Math.abs(a.mean - b.mean) <= 6) continue;
            inked += 1;
            unlike += Number(a.isInked !== b.isInked || Math.abs(a.mean - b.mean) > 24);
        }
    return unlike / inked;

    function tile({ data, width }, left, top) {
        let [sum, least, most] = [0, 255, 0];
        for (let n = 0; n < 64; n++) {
            const at = ((top + (n >> 3)) * width + left + (n & 7)) * 4;
            const light = 0.3 * data[at] + 0.6 * data[at + 1] + 0.1 * data[at + 2];
            [sum, least, most] = [sum + light, Math.min(least, light), Math.max(most, light)];
        }
        return { mean: sum / 64, isInked: most - least > 16 };
    }
}"""


def names() -> list[tuple[str, Theme]]:
    return [(state, theme) for state in KEPT for theme in THEMES]


def reference(state: str, theme: Theme) -> Path:
    return FOLDER / f"{state}-{theme}.png"


@contextmanager
def taken(
    browser: Browser, folder: Path, wanted: Sequence[tuple[str, Theme]] | None = None, style: str = ""
) -> Iterator[dict[tuple[str, Theme], bytes]]:
    """These states (all that are kept) as they look now, with this style too; a quarter as wide and high."""
    with furnished() as (broker, ada, bob):
        found = {}
        workshop = browser.new_page()
        for state, theme in wanted or names():
            path = folder / f"{state}-{theme}.png"
            shoot(browser, broker, (ada, bob), comparable(STATES[state], style), theme, SIZE, path)
            found[state, theme] = shrunk(workshop, path.read_bytes())
        workshop.close()
        yield found


def comparable(state: Callable[[Scene], None], style: str) -> Callable[[Scene], None]:
    """The state as it can be compared: all words in the font that comes with the page, as machines differ in
    theirs, and nothing dimmed under a dialog, where half the difference would count for none.
    """

    def shown(scene: Scene) -> None:
        state(scene)
        scene.page.add_style_tag(content=COMPARABLE + style)
        scene.page.evaluate("() => document.fonts.ready")

    return shown


def shrunk(page: Page, png: bytes) -> bytes:
    return base64.b64decode(page.evaluate(_SHRINK, base64.b64encode(png).decode()))


def unlikeness(page: Page, one: bytes, other: bytes) -> float:
    """0 for the same picture, 1 for pictures of unlike size.

    Of the tiles of 8 × 8 pixels where one of both shows anything, the share in which the other shows
    nothing, or has another lightness.
    """
    pair = [base64.b64encode(each).decode() for each in (one, other)]
    return float(page.evaluate(_COMPARE, pair))


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    with launched() as browser, taken(browser, FOLDER) as found:
        for (state, theme), png in found.items():
            reference(state, theme).write_bytes(png)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
