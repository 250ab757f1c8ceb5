"""Every state of the page in pictures, to be looked at: two themes, three sizes, a real broker, real agents.

python tests/shots.py                         # all of them, into build/shots
python tests/shots.py --only help settings    # some states
python tests/shots.py --size 1280x800 --theme dark
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from brokers import RunningBroker
from browsers import launched, opened, profile, until_live
from playwright.sync_api import Browser, Page

from chardesk.broker.link.agent import Agent

FOLDER = Path(__file__).resolve().parents[1] / "build" / "shots"
SIZES = ((1280, 800), (2560, 1440), (390, 844))
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
FADED_MS = 1600
"""The tint of what agents have just changed is gone by then."""

SKETCH = """\
┌─────────┐      ┌──────────┐      ╔══════════╗
│ Browser ├─────▶│  Broker  │─────▶║ Journal  ║
└─────────┘      └────┬─────┘      ╚══════════╝
                      │  世界 🚀
                 ┌────▼─────┐
                 │  Agents  │
                 └──────────┘"""


@dataclass(frozen=True, slots=True)
class Scene:
    """A desk with its page, and the agents that are there."""

    page: Page
    broker: RunningBroker
    ada: Agent
    bob: Agent

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def side(self, name: Literal["sheets", "side"]) -> None:
        """Open a side where a narrow screen keeps it closed."""
        toggle = self.page.locator(f"#toggle-{name}")
        if toggle.get_attribute("aria-expanded") == "false":
            toggle.click()


def drawn(scene: Scene) -> None:
    """Nothing but what is there."""


def selected(scene: Scene) -> None:
    scene.page.evaluate("() => window.chardesk.editor.select([2, 1, 11, 3])")


def slides(scene: Scene) -> None:
    scene.side("sheets")
    scene.page.get_by_role("button", name="Friday review").first.click()
    scene.page.locator(".slides").wait_for()


def slide_menu(scene: Scene) -> None:
    slides(scene)
    scene.side("sheets")
    scene.page.locator(".slides .more").nth(1).click(force=True)


def resizing(scene: Scene) -> None:
    slide_menu(scene)
    scene.page.get_by_role("menuitem", name="Resize").click()


def presenting(scene: Scene) -> None:
    slides(scene)
    scene.page.evaluate("() => document.querySelector('.slides-foot button:last-child').click()")
    scene.page.locator(".is-presenting").wait_for()


def agents(scene: Scene) -> None:
    scene.side("side")


def proposal(scene: Scene) -> None:
    scene.ada.call("canvas_write", at=[4, 10], content="a note\nin two lines", why="so that you see a ghost")
    scene.side("side")
    scene.page.locator(".card").first.wait_for()


def veto_note(scene: Scene) -> None:
    proposal(scene)
    scene.press("With a note")


def story(scene: Scene) -> None:
    scene.page.evaluate("() => window.chardesk.editor.place([4, 1])")
    scene.page.locator("#field").focus()
    scene.page.keyboard.press("F2")
    scene.page.locator(".story").wait_for()


def chip(scene: Scene) -> None:
    scene.page.evaluate(
        """() => window.chardesk.link.chips.emit({type: "chip", id: "ch-1", author: "ada", color: "#0b7a75",
        canvas: "", sheet: "", rect: [2, 1, 9, 3], note: "the arrow to the journal is new"})"""
    )


def pinned(scene: Scene) -> None:
    selected(scene)
    scene.side("side")
    scene.press("Pin selection")
    scene.page.get_by_label("A note for the agents").fill("keep this box where it is")
    scene.press("Pin")
    scene.page.locator(".pin-frame").first.wait_for()


def filtered(scene: Scene) -> None:
    scene.side("side")
    scene.page.get_by_label("Show what whom did").select_option("ada")


def revoking(scene: Scene) -> None:
    scene.side("side")
    scene.press("More for ada")
    scene.page.get_by_role("menuitem", name="Revoke").click()


def settings(scene: Scene) -> None:
    scene.press("Settings")


def paper(scene: Scene) -> None:
    settings(scene)
    scene.page.get_by_label("Paper").check(force=True)
    scene.page.keyboard.press("Escape")


def contrast(scene: Scene) -> None:
    settings(scene)
    scene.page.get_by_label("High contrast").check(force=True)
    scene.page.keyboard.press("Escape")


def history(scene: Scene) -> None:
    scene.press("History")
    scene.page.locator(".moment").nth(3).click()
    scene.page.locator(".history-pane pre").wait_for()


def help_keys(scene: Scene) -> None:
    scene.press("Help")


def help_guide(scene: Scene) -> None:
    scene.press("Help")
    scene.page.get_by_role("button", name="Guide").click()
    scene.page.locator(".prose").wait_for()


def connecting(scene: Scene) -> None:
    scene.side("side")
    scene.press("Connect an agent")


def tour(scene: Scene) -> None:
    scene.press("Help")
    scene.press("Take the tour")
    scene.press("Next")


def offline(scene: Scene) -> None:
    scene.page.evaluate("() => window.chardesk.link.state.set('offline')")


def outdated(scene: Scene) -> None:
    scene.page.evaluate("() => window.chardesk.link.state.set('outdated')")


def read_only(scene: Scene) -> None:
    scene.page.evaluate("() => window.chardesk.link.state.set('read_only')")


def locked(scene: Scene) -> None:
    scene.page.evaluate("() => window.chardesk.link.state.set('locked')")


def reader(scene: Scene) -> None:
    canvas = scene.page.evaluate("() => window.chardesk.link.canvases.value.canvas")
    scene.page.goto(f"http://{scene.broker.address}/read/{canvas}")
    scene.page.locator("html[data-state=read_only]").wait_for(state="attached")


def desk(scene: Scene) -> None:
    scene.page.goto(f"http://{scene.broker.address}/desk")
    scene.page.locator(".shelf-card").first.wait_for()


STATES: Mapping[str, Callable[[Scene], None]] = {
    state.__name__: state
    for state in (
        drawn,
        selected,
        slides,
        slide_menu,
        resizing,
        presenting,
        agents,
        proposal,
        veto_note,
        story,
        chip,
        pinned,
        filtered,
        revoking,
        settings,
        paper,
        contrast,
        history,
        help_keys,
        help_guide,
        connecting,
        tour,
        offline,
        outdated,
        read_only,
        locked,
        reader,
        desk,
    )
}
"""By name, in the order in which they are taken. Each begins from a page that was just opened."""


@contextmanager
def furnished() -> Iterator[tuple[RunningBroker, Agent, Agent]]:
    """A desk on which two agents have drawn, and which has slides."""
    with (
        tempfile.TemporaryDirectory() as home,
        RunningBroker(Path(home) / "desk") as broker,
        Agent(broker.place, "ada") as ada,
        Agent(broker.place, "bob") as bob,
    ):
        broker.call("manage", "--action", "rename", "--name", "Architecture")
        ada.call("canvas_write", at=[2, 1], content=SKETCH, mode="apply", why="how a stroke travels")
        bob.call("canvas_read")
        bob.call("canvas_write", at=[2, 9], content="checked ✓", style={"color": "success"}, mode="apply")
        review = broker.call("manage", "--action", "create", "--kind", "slides", "--name", "Friday review")
        page = {"canvasId": review["canvasId"], "pageId": review["pageId"]}
        ada.call("canvas_write", at=[10, 5], content=SKETCH, mode="apply", **page)
        ada.call("canvas_manage", action="create_page", canvasId=review["canvasId"], name="Risks")
        yield broker, ada, bob


def take(
    folder: Path, names: Sequence[str], themes: Sequence[Theme], sizes: Sequence[tuple[int, int]]
) -> int:
    """Writes the pictures; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    with launched() as browser, furnished() as (broker, ada, bob):
        for theme in themes:
            for size in sizes:
                for name in names:
                    path = folder / f"{name}-{theme}-{size[0]}x{size[1]}.png"
                    shoot(browser, broker, (ada, bob), STATES[name], theme, size, path)
                    count += 1
    return count


def shoot(
    browser: Browser,
    broker: RunningBroker,
    agents: tuple[Agent, Agent],
    state: Callable[[Scene], None],
    theme: Theme,
    size: tuple[int, int],
    path: Path,
) -> None:
    """One state in a fresh browser; what it proposed or pinned is taken back, so that states don't add up."""
    with profile(browser, dark=theme == "dark", size=size) as context:
        page = opened(context, broker.place.root)
        page.evaluate("() => localStorage.setItem('chardesk/preferences', '{\"greeting\": \"done\"}')")
        first = "() => window.chardesk.link.activate(window.chardesk.link.canvases.value.canvases[0].id)"
        page.evaluate(first)
        page.reload()
        until_live(page)
        page.wait_for_function("window.chardesk.replica.bounds() !== null")
        state(Scene(page, broker, *agents))
        page.mouse.move(0, 0)
        page.wait_for_timeout(FADED_MS)
        page.screenshot(path=path)
        tidy(page)


def tidy(page: Page) -> None:
    """Ghosts and pins of this state go, and are gone."""
    if not page.evaluate("() => window.chardesk?.link.kind === 'canvas'"):
        return
    page.evaluate(
        """() => {
            const { link, ghosts } = window.chardesk;
            link.state.set("live"); // some states are only played
            for (const { preview } of ghosts.list()) link.decide(preview, "veto");
            for (const { id } of link.governed.value.pins) link.gesture({ type: "unpin", id });
        }"""
    )
    page.wait_for_function(
        "() => !window.chardesk.ghosts.list().length && !window.chardesk.link.governed.value.pins.length"
    )


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Takes a picture of every state of the page.")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--only", nargs="*", choices=list(STATES), default=list(STATES), metavar="STATE")
    parser.add_argument("--theme", choices=THEMES, action="append")
    parser.add_argument("--size", action="append", type=lambda text: tuple(map(int, text.split("x"))))
    asked = parser.parse_args(argv)
    take(asked.folder, asked.only, asked.theme or THEMES, asked.size or SIZES)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
