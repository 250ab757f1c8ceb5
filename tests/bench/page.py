"""The page in Chromium with software rendering: how fast it paints, pans, pastes, answers a key, gets ready.

Every figure stands beside its goal, and where the machine decides beside a floor of the same run: one bare
`fillText` a cell for a repaint, the frames of an idle page for a pan, and for milliseconds the share of a
core that a busy program got just before. Medians, where nothing else is said. What runs in the page is in
page_probes.js.

    python tests/bench/page.py                    # all of it
    python tests/bench/page.py --only pan far     # some of it
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from brokers import RunningBroker
from browsers import launched, opened, profile, until_live, until_settled
from parties import Caller
from playwright.sync_api import BrowserContext, Page

PROBES = Path(__file__).with_name("page_probes.js")
PANELS = (561, 120)
"""What lies around the sheet, in pixels: with it 120×40 cells of 9×20 are visible."""

TILE = (400, 120)
TILES = [(x, y) for y in range(0, 840, TILE[1]) for x in range(0, 1200, TILE[0])]
"""Where the largest pastes go: together 1,008,000 cells."""

MIDDLE = {"x": 600, "y": 420}
KEYS = 200
WRITES_A_SECOND = 200
READY_ROUNDS = 9

WATCH_READY = """() => {
    new MutationObserver(() => {
        if (document.documentElement.dataset.state === "live") window.liveAt ??= performance.now();
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ["data-state"] });
}"""


@dataclass(frozen=True, slots=True)
class Bench:
    """A desk with its page at 120×40 visible cells; the sheet is filled once, by whoever needs it first."""

    broker: RunningBroker
    context: BrowserContext
    page: Page

    def probe(self, name: str, **how: Any) -> Any:
        return self.page.evaluate("([name, how]) => window.probes[name](how)", [name, how])

    def fill(self) -> list[dict[str, float]]:
        """A million cells, and what each of the pastes took; nothing if they are there."""
        if self.page.evaluate("window.chardesk.replica.bounds()?.[2] > 1000"):
            return []
        return [self.probe("paste", columns=TILE[0], rows=TILE[1], at=list(at)) for at in TILES]


def repaint(bench: Bench) -> None:
    took = bench.probe("repaint", columns=200, rows=60, rounds=15)
    print(
        f"repaint of 200×60 mixed cells in colour: {took['paint']:.1f} ms"
        f" = {took['paint'] / took['floor']:.2f} x one fillText per cell (goal 0.50)"
    )


def pastes(bench: Bench) -> None:
    small = [
        bench.probe("paste", columns=200, rows=60, at=[0, 2000 + 70 * number])["hang"] for number in range(9)
    ]
    large = [each["hang"] for each in bench.fill()]
    print(f"paste of 200×60: the page hangs for {statistics.median(small):.0f} ms (goal 50)")
    if large:
        print(f"paste of 400×120: the page hangs for {statistics.median(large):.0f} ms (goal 200)")


def area(bench: Bench) -> None:
    took = [bench.probe("area", columns=240, rows=200, at=[0, -300 - 210 * number]) for number in range(5)]
    hang = statistics.median(each["hang"] for each in took)
    print(f"area fill of 48,000 cells: the page hangs for {hang:.0f} ms (goal 200)")


def pan(bench: Bench) -> None:
    bench.fill()
    took = bench.probe("pan", frames=300, **MIDDLE)
    late = {kind: sum(gap > 32 for gap in took[kind]) for kind in ("pan", "idle")}
    rate = {kind: 1000 * len(took[kind]) / sum(took[kind]) for kind in ("pan", "idle")}
    print(
        f"pan of 1,008,000 cells: {rate['pan']:.1f} frames/s (idle page {rate['idle']:.1f}, goal 60), "
        f"{late['pan']} of 300 over 32 ms (idle page {late['idle']}, goal 0); "
        f"a paint {statistics.median(took['paints']):.1f} ms, the longest {max(took['paints']):.1f}"
    )


def far(bench: Bench) -> None:
    bench.fill()
    for columns in (560, 1100):
        took = bench.probe("far", frames=40, columns=columns, **MIDDLE)
        print(f"far view of {took['visible']:,} cells: {took['paint']:.1f} ms a paint (goal 16)")


def heap(bench: Bench) -> None:
    """After a reload, so that it is what a person has who comes to this sheet."""
    bench.fill()
    until_settled(bench.page)
    bench.page.reload()
    ready(bench.page)
    bench.page.wait_for_function("window.chardesk.replica.bounds()?.[2] > 1000")
    devtools = bench.context.new_cdp_session(bench.page)
    devtools.send("HeapProfiler.collectGarbage")
    used = devtools.send("Runtime.getHeapUsage")
    print(f"heap with 1,008,000 cells: {used['usedSize'] / 1e6:.0f} MB (goal 150)")


def keys(bench: Bench) -> None:
    """Beside the cursor an agent writes all the time."""
    page = bench.page
    page.evaluate("() => window.chardesk.viewport.reset()")
    page.evaluate("() => window.chardesk.editor.place([0, -3])")
    page.locator("#field").focus()
    page.evaluate("() => { window.keysSeen = window.probes.keys(); }")
    with Caller(bench.broker.place.root, "ada") as ada, writing(ada) as rate:
        for number in range(KEYS):
            page.keyboard.press("abcdefghij"[number % 10])
        page.evaluate("window.probes.frame()")
        page.evaluate("window.probes.frame()")
    seen = page.evaluate("window.keysSeen()")
    waits = sorted(each["wait"] for each in seen)
    p95 = waits[int(len(waits) * 0.95)]
    on_time = sum(each["frames"] <= 1 for each in seen)
    print(
        f"key to paint while an agent gets {rate():.0f} writes/s done (goal 200): p95 {p95:.1f} ms, "
        f"median {statistics.median(waits):.1f}; {on_time} of {len(seen)} in the next frame (goal 95 %)"
    )


@contextmanager
def writing(ada: Caller) -> Iterator[Callable[[], float]]:
    """Inside it the agent writes as its clock says, whatever was answered; the rate of answers it had."""
    is_over = threading.Event()
    begun, before = time.monotonic(), ada.lines.qsize()
    rate = [0.0]

    def write() -> None:
        for number in itertools.count():
            where, what = [number % 90, number // 90 % 30], "abcdefgh"[number % 8]
            ada.send("canvas_write", at=where, content=what, mode="apply", expectedRevision="any")
            if is_over.wait(max(0.0, number / WRITES_A_SECOND - (time.monotonic() - begun))):
                return

    writer = threading.Thread(target=write)
    writer.start()
    try:
        yield lambda: rate[0]
    finally:
        rate[0] = (ada.lines.qsize() - before) / (time.monotonic() - begun)
        is_over.set()
        writer.join()


def interactive(bench: Bench) -> None:
    """With the modules in the browser's cache, and without, on an empty sheet."""
    bench.broker.call("manage", "--action", "create", "--kind", "freeform", "--name", "Empty", "--activate")
    page = bench.page
    page.add_init_script(f"({WATCH_READY})()")
    devtools = bench.context.new_cdp_session(page)
    devtools.send("Network.enable")
    for name, is_off in (("cold", True), ("warm", False)):
        devtools.send("Network.setCacheDisabled", {"cacheDisabled": is_off})
        took = statistics.median(_ready_after(page, bench.broker) for _ in range(READY_ROUNDS))
        print(f"page ready for keys, {name} cache: {took:.0f} ms after the request (goal 400)")


def _ready_after(page: Page, broker: RunningBroker) -> float:
    page.goto(f"http://{broker.address}/")
    page.wait_for_function("window.liveAt !== undefined")
    script = "window.liveAt - performance.getEntriesByType('navigation')[0].requestStart"
    took: float = page.evaluate(script)
    return took


def core_share() -> float:
    """How much of a core this machine has left for one program: well under 1, and milliseconds say little."""
    begun, used = time.monotonic(), time.process_time()
    while time.monotonic() - begun < 0.5:
        pass
    return (time.process_time() - used) / (time.monotonic() - begun)


def ready(page: Page) -> None:
    until_live(page)
    page.evaluate(PROBES.read_text(encoding="utf-8"))


FIGURES: Mapping[str, Callable[[Bench], None]] = {
    figure.__name__: figure for figure in (repaint, keys, pastes, area, pan, far, heap, interactive)
}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Measures the page.")
    parser.add_argument("--only", nargs="*", choices=list(FIGURES), default=list(FIGURES), metavar="FIGURE")
    asked = parser.parse_args(argv)
    size = (120 * 9 + PANELS[0], 40 * 20 + PANELS[1])
    with (
        tempfile.TemporaryDirectory() as folder,
        RunningBroker(Path(folder) / "desk") as broker,
        launched() as browser,
        profile(browser, size=size) as context,
    ):
        page = opened(context, broker.place.root)
        ready(page)
        for name in asked.only:
            print(f"-- {name}; a busy program gets {core_share():.0%} of a core")
            FIGURES[name](Bench(broker, context, page))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
