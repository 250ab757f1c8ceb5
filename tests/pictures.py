"""Pictures of the page, small enough to be kept and blurred enough to forgive what does not matter.

python tests/pictures.py     # writes the references anew, after the page was changed on purpose
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browsers import launched
from playwright.sync_api import Browser, Page
from shots import STATES, THEMES, Theme, furnished, shoot

FOLDER = Path(__file__).with_name("pictures")
SIZE = (1280, 800)
KEPT = ("drawn", "proposal", "pinned", "settings", "help_guide", "presenting")
"""In both themes: twelve pictures."""

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
        return paper.getImageData(0, 0, bitmap.width, bitmap.height).data;
    }));
    if (one.length !== other.length) return 1;
    let unlike = 0;
    for (let at = 0; at < one.length; at += 4)
        if ([0, 1, 2].some((n) => Math.abs(one[at + n] - other[at + n]) > 40)) unlike += 1;
    return unlike / (one.length / 4);
}"""


def names() -> list[tuple[str, Theme]]:
    return [(state, theme) for state in KEPT for theme in THEMES]


def reference(state: str, theme: Theme) -> Path:
    return FOLDER / f"{state}-{theme}.png"


@contextmanager
def taken(browser: Browser, folder: Path) -> Iterator[dict[tuple[str, Theme], bytes]]:
    """Every state that is kept, as it looks now, a quarter as wide and high."""
    with furnished() as (broker, ada, bob):
        found = {}
        workshop = browser.new_page()
        for state, theme in names():
            path = folder / f"{state}-{theme}.png"
            shoot(browser, broker, (ada, bob), STATES[state], theme, SIZE, path)
            found[state, theme] = shrunk(workshop, path.read_bytes())
        workshop.close()
        yield found


def shrunk(page: Page, png: bytes) -> bytes:
    return base64.b64decode(page.evaluate(_SHRINK, base64.b64encode(png).decode()))


def unlikeness(page: Page, one: bytes, other: bytes) -> float:
    """The share of pixels that differ visibly: 0 for the same picture, 1 for pictures of unlike size."""
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
