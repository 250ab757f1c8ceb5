"""Takes the pictures of the page that the docs show: a real broker, two real agents, a real browser.

python tests/shot.py                # writes docs/images/desk-light.png and desk-dark.png
python tests/shot.py --folder DIR   # elsewhere
"""

from __future__ import annotations

import argparse
import contextlib
import io
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from brokers import RunningBroker
from browsers import launched, opened, profile
from playwright.sync_api import Page

from chardesk.broker.demo import draw
from chardesk.broker.link.agent import Agent

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE = (1440, 860)
SCALE = 2
"""Pixels of the picture to a pixel of the page: sharp on screens of either kind."""

FADED_MS = 4000
"""The tint of what agents have just changed is gone by then."""

REVIEW = """\
╭───────────────────────────────╮
│ ✓ flow checked against orders │
│ ? who owns the queue at night │
╰───────────────────────────────╯"""

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")


def take(folder: Path) -> list[Path]:
    """Writes one picture a theme, and returns where."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        RunningBroker(Path(home) / "desk") as broker,
        launched() as browser,
        profile(browser, size=SIZE, device_scale_factor=SCALE) as context,
        Agent(broker.place, "claude") as claude,
        Agent(broker.place, "codex") as codex,
    ):
        page = opened(context, broker.place.root)
        arrange(broker, claude, codex)
        page.wait_for_function("window.chardesk.replica.bounds() !== null")
        page.get_by_role("button", name="Fit everything").click()
        page.mouse.move(0, 0)
        page.wait_for_timeout(FADED_MS)
        return [shoot(page, theme, folder / f"desk-{theme}.png") for theme in THEMES]


def arrange(broker: RunningBroker, claude: Agent, codex: Agent) -> None:
    """One agent draws the demo and proposes; another has looked at it and left a note."""
    broker.call("manage", "--action", "rename", "--name", "Scratch")
    with contextlib.redirect_stdout(io.StringIO()):
        draw(claude, 0.0)
    broker.call("manage", "--action", "rename", "--name", "Click to parcel")
    broker.call("manage", "--action", "create", "--kind", "slides", "--name", "Friday review")
    codex.call("canvas_read")
    codex.call(
        "canvas_write",
        at=[70, 24],
        content=REVIEW,
        style={"color": "info"},
        mode="apply",
        why="notes from reading it",
    )


def shoot(page: Page, theme: Theme, path: Path) -> Path:
    """The page as it is painted two frames after the theme changed."""
    page.emulate_media(color_scheme=theme)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.screenshot(path=path)
    return path


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Takes the pictures of the page that the docs show.")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    take(parser.parse_args(argv).folder)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
