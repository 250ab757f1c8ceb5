"""How long after a `kill -9` of the broker agents are served again, and the page is live again.

An agent asks without a break; its relay starts the next broker. The page is a real one in Chromium. The
floor is what a process costs that only imports what a broker needs before it listens.

    python tests/bench/again.py
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from browsers import launched, opened, profile
from measured import figure
from parties import Caller, eventually, swept
from playwright.sync_api import Page

from chardesk.broker.door import discovery
from chardesk.broker.door.lock import pause
from chardesk.broker.door.place import Place

ROUNDS = 7
STEADY_S = 5.5
"""Who lost its broker sooner than 5 s after it came back waits longer before it asks again."""

IMPORTS = [sys.executable, "-c", "import chardesk.broker.assemble"]

LIVE = """(gone) => new Promise((resolve) => {
    const ask = () => {
        const { state } = window.chardesk.link;
        if (gone.was && state.value === "live") resolve(performance.now());
        if (state.value !== "live") gone.was = true;
        setTimeout(ask, 2);
    };
    ask();
})"""


def served_again_s(agent: Caller, since: float) -> float:
    """Calls that the relay refuses meanwhile are asked again."""
    while agent.tool("canvas_read", viewport=[0, 0, 1, 1]).refused:
        continue
    return time.perf_counter() - since


def one_kill(place: Place, agent: Caller, page: Page) -> tuple[float, float]:
    """Seconds until the agent, and until the page, of a broker that has run for a while."""
    pause(STEADY_S)
    found = discovery.running(place)
    assert found is not None
    until_agent: list[float] = []
    begun = time.perf_counter()
    asking = threading.Thread(target=lambda: until_agent.append(served_again_s(agent, begun)))
    os.kill(found.pid, signal.SIGKILL)
    asking.start()
    page.evaluate(LIVE, {"was": False})
    until_page = time.perf_counter() - begun
    asking.join()
    return until_agent[0], until_page


def imports_s() -> float:
    begun = time.perf_counter()
    subprocess.run(IMPORTS, check=True)
    return time.perf_counter() - begun


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with (
        tempfile.TemporaryDirectory() as folder,
        swept(Place(f"{folder}/desk")) as place,
        Caller(place.root, "ada") as agent,
        launched() as browser,
        profile(browser) as context,
    ):
        page = opened(context, place.root)
        eventually(lambda: page.evaluate("window.chardesk.link.state.value") == "live")
        one_kill(place, agent, page)
        kills = [one_kill(place, agent, page) for _ in range(ROUNDS)]
        floor = statistics.median(imports_s() for _ in range(ROUNDS))
    agents, pages = ([kill[n] for kill in kills] for n in (0, 1))
    figure(
        "an agent is served again after a kill, median",
        statistics.median(agents),
        "s",
        floor=floor,
        at_most=1,
    )
    figure("an agent is served again after a kill, worst", max(agents), "s", floor=floor)
    figure(
        "the page is live again after a kill, median", statistics.median(pages), "s", floor=floor, at_most=2
    )
    figure("the page is live again after a kill, worst", max(pages), "s", floor=floor)


if __name__ == "__main__":
    main()
