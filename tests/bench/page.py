"""The page in Chromium with software rendering: is a key painted in the next frame, and what is a paint?

Script times come from the page's own `paint` measures. The floor of the same run: one `fillText` for each of
the same 80×24 cells on a canvas of the same size.

    python tests/bench/page.py
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from brokers import RunningBroker
from browsers import launched, opened, profile
from playwright.sync_api import Page

KEYS = 120

WATCH = """() => {
    window.seen = { keys: [], frames: [], paints: [] };
    const tick = () => { window.seen.frames.push(performance.now()); requestAnimationFrame(tick); };
    requestAnimationFrame(tick);
    document.addEventListener("keydown", () => window.seen.keys.push(performance.now()), true);
    new PerformanceObserver(list => {
        for (const one of list.getEntriesByName("paint")) window.seen.paints.push(one.startTime);
    }).observe({ entryTypes: ["measure"] });
}"""

FLOOR = """() => {
    const canvas = document.createElement("canvas");
    canvas.width = 80 * 9; canvas.height = 24 * 20;
    const pen = canvas.getContext("2d");
    pen.font = "16px monospace";
    const times = [];
    for (let round = 0; round < 40; round++) {
        const begun = performance.now();
        for (let y = 0; y < 24; y++)
            for (let x = 0; x < 80; x++) pen.fillText("abcdefgh"[(x + y + round) % 8], x * 9, y * 20 + 15);
        times.push(performance.now() - begun);
    }
    return times;
}"""

FILL = """async round => {
    const text = "abcdefghijklmnopqrstuvwxyz";
    const row = y => [...Array(80)].map((_, x) => text[(x + y + round) % 26]).join("");
    const rows = [...Array(24)].map((_, y) => row(y));
    performance.clearMeasures("paint");
    window.chardesk.perform({ kind: "paste", at: [0, 0], material: rows.join("\\n"), format: "text" });
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    return Math.max(...performance.getEntriesByName("paint").map(one => one.duration));
}"""


def keystrokes(page: Page) -> list[int]:
    """For each key event, in which frame after it something was painted: 1 is the next one."""
    page.evaluate(WATCH)
    page.locator("#cells").click(position={"x": 200, "y": 200})
    for number in range(KEYS):
        page.keyboard.press("abcdefghij"[number % 10])
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    seen = page.evaluate("window.seen")
    return [_frames_until_paint(key, seen["frames"], seen["paints"]) for key in seen["keys"]]


def _frames_until_paint(key: float, frames: list[float], paints: list[float]) -> int:
    painted = min((paint for paint in paints if paint >= key), default=float("inf"))
    return sum(key <= frame <= painted for frame in frames)


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        RunningBroker(Path(folder) / "desk") as broker,
        launched() as browser,
        profile(browser) as context,
    ):
        page = opened(context, broker.place.root)
        waits = keystrokes(page)
        floor = statistics.median(page.evaluate(FLOOR))
        block = statistics.median(page.evaluate(FILL, number) for number in range(20))
    late = sum(wait > 1 for wait in waits)
    print(f"keystrokes painted in the next frame: {len(waits) - late} of {len(waits)}")
    print(f"80×24 dirty cells {block:.2f} ms (goal 8) = {block / floor:.2f} x one fillText per cell")


if __name__ == "__main__":
    main()
