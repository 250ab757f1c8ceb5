"""A scripted agent that draws while you watch: `make demo`, or `python -m chardesk.broker.demo`.

It is an agent like any other: it starts a `chardesk-mcp` and speaks MCP with it. It draws on a canvas of its
own, step by step, with pauses for whoever watches, and leaves a proposal for the person to decide on.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from chardesk.broker.door.discovery import Discovery
from chardesk.broker.door.lock import pause
from chardesk.broker.door.place import Place, find
from chardesk.broker.door.start import ensured
from chardesk.broker.link.agent import Agent
from chardesk.broker.verbs.asking import ask
from chardesk.broker.verbs.browse import browse
from chardesk.broker.verbs.exits import NO_BROKER, OK, REFUSED

PACE_S = 1.5
"""Between two steps: long enough to see what came and read why."""

PAGE_S = 45.0
"""How long the first stroke waits for a page; the address it was told works for 60 s."""


class Step(NamedTuple):
    """One call. `says` is told in the terminal and kept in the history as the reason."""

    says: str
    tool: str
    arguments: dict[str, Any]


TITLE = """\
# From click to parcel

How an order travels. Drawn by an agent; every cell is text: *search it, edit it, undo it*.
"""

SHOP = """\
╭──────────────╮          ┌──────────────┐
│ 🧑 Customer  ├─browses─►│ 🛒 Shop      │
│ お客様       │          │ web and app  │
╰──────────────╯          └──────────────┘"""

ORDERS = """\
           ┏━━━━━━━━━━━━━━━━┓
├─orders──►┃ Orders         ┃
           ┃ 3 nodes        ┃
           ┗━━━━━━━━━━━━━━━━┛"""

QUEUE = """\
             ┌────────────────┐
┠────jobs───►│ 📨 Queue       │
             │ ■■■□□□ waiting │
             └───────┬────────┘
                     │
                     │ picks
                     ▼
             ╭────────────────╮
             │ 📦 Warehouse   │
             │ 東京倉庫       │
             ╰───────┬────────╯
                     │
                     │ ships
                     ▼
             ╭────────────────╮
             ┤ 🚚 Delivery    │
             │ 配送 · 48 h    │
             ╰────────────────╯"""

STORE = """\
 ┯
 │
 │ commits
 ▼
╔══════════════╗
║ PostgreSQL   ║
║ 注文 · 주문  ║
╚══════════════╝"""

TRACKING = "▲\n" + "│\n" * 10 + "╰" + "─" * 29 + " 追跡 tracking " + "─" * 29

HEALTH = """\
| service | state   |    p95 |
|---------|---------|-------:|
| Shop    | ✓ up    | 120 ms |
| Orders  | ✓ up    |  38 ms |
| Queue   | ! slow  | 900 ms |"""

CHART = """\
const hours = [["09", 14], ["11", 31], ["13", 47], ["15", 26]];
canvas.write({at: [2, 23], content: "Orders an hour", style: {attrs: {bold: true}}});
hours.forEach(([hour, n], row) => {
  canvas.write({at: [2, 25 + row], content: hour + " "});
  canvas.write({at: [5, 25 + row], content: "█".repeat(n), style: {color: n > 40 ? "warning" : "accent"}});
  canvas.write({at: [6 + n, 25 + row], content: String(n), style: {color: "muted"}});
});
return hours.length;"""

CACHE = """\
            ┯
            ┆ reads
            ┆
            ▼
┌┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┐
┆ ⚡ Cache      ┆
┆ prices, 60 s  ┆
└┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┘"""

STEPS = (
    Step("a title", "canvas_render", {"at": [2, 0], "source": TITLE, "format": "markdown", "width": 100}),
    Step("who buys, and where", "canvas_write", {"at": [2, 5], "content": SHOP}),
    Step("where an order is made", "canvas_write", {"at": [43, 5], "content": ORDERS}),
    Step("how it leaves the house", "canvas_write", {"at": [71, 5], "content": QUEUE}),
    Step("where it is kept", "canvas_write", {"at": [65, 8], "content": STORE}),
    Step(
        "the customer follows the parcel",
        "canvas_write",
        {"at": [10, 9], "content": TRACKING, "style": {"color": "muted"}},
    ),
    Step(
        "the heart of it stands out",
        "canvas_fill",
        {"at": [54, 5], "size": [18, 4], "style": {"color": "accent", "attrs": {"bold": True}}},
    ),
    Step(
        "how the services are",
        "canvas_render",
        {"at": [14, 11], "source": HEALTH, "format": "markdown", "width": 32},
    ),
    Step(
        "the slow one in the colour of a warning",
        "canvas_fill",
        {"at": [14, 15], "size": [32, 1], "style": {"color": "warning"}},
    ),
    Step("a chart, drawn by a script", "canvas_code", {"script": CHART}),
)

PROPOSAL = Step(
    "a cache takes nine of ten reads off the database",
    "canvas_write",
    {"at": [46, 8], "content": CACHE, "style": {"color": "success"}},
)


class DemoFailed(Exception):
    """The agent was refused. The text is for a person."""


def draw(agent: Agent, pace_s: float) -> dict[str, Any]:
    """The whole picture on a new canvas that the person is shown; the reply to the proposal at its end.

    Raises DemoFailed at the first refusal; what was drawn until then stays.
    """
    made = _did(agent.call("canvas_manage", action="create", kind="freeform", activate=True))
    place = {"canvasId": made["canvasId"], "pageId": made["pageId"]}
    say(f"drawing on {made['name']}")
    for step in STEPS:
        pause(pace_s)
        _did(agent.call(step.tool, **step.arguments, **place, mode="apply", why=step.says))
        say(f"  {step.says}")
    pause(pace_s)
    proposed = _did(agent.call(PROPOSAL.tool, **PROPOSAL.arguments, **place, why=PROPOSAL.says))
    say(f"  proposed, not applied: {PROPOSAL.says}")
    return proposed


def _did(result: dict[str, Any]) -> dict[str, Any]:
    """The fields of a reply that is no refusal."""
    fields: dict[str, Any] = result["structuredContent"]
    if result.get("isError"):
        raise DemoFailed(f"{fields['message']} {fields['nextStep']}")
    return fields


def main(argv: Sequence[str] | None = None) -> int:
    """Returns 0 when it has drawn, or was ended by Ctrl+C; 1 when it was refused, 3 without a broker."""
    options = _options(argv)
    place = find(options.desk, os.environ, os.getcwd())
    try:
        _run(place, ensured(place), options)
    except KeyboardInterrupt:
        say("\nThe agent left; what it drew stays. `chardesk stop` ends the desk's broker.")
    except DemoFailed as problem:
        return _complain(problem, REFUSED)
    except ConnectionError as problem:
        return _complain(problem, NO_BROKER)
    return OK


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m chardesk.broker.demo",
        description="A scripted agent draws while you watch.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--desk", metavar="DIR", help="folder of the desk (default: CHARDESK_DESK or nearest)"
    )
    parser.add_argument("--no-open", action="store_true", help="don't open a browser")
    parser.add_argument("--once", action="store_true", help="draw at once, wait for nobody, and end")
    return parser.parse_args(argv)


def _run(place: Place, found: Discovery, options: argparse.Namespace) -> None:
    way_in = ask(place, found, "open")["address"]
    say(f"The page: {way_in}")
    if options.once:
        with Agent(place, "demo") as agent:
            draw(agent, 0.0)
        return
    if not options.no_open:
        browse(way_in)
    _wait_for_a_page(place, found)
    with Agent(place, "demo") as agent:
        draw(agent, PACE_S)
        say("\nDecide about the proposal on the page: apply or dismiss it. Type and draw there, too.")
        say("Your own agent joins with `chardesk connect HOST`. Ctrl+C ends the demo.")
        while True:
            pause(60.0)


def _wait_for_a_page(place: Place, found: Discovery) -> None:
    say("Open it; the drawing begins when you are there.")
    for _ in range(int(PAGE_S / 0.5)):
        if ask(place, found, "status")["pages"]:
            return
        pause(0.5)
    say("Nobody came; drawing all the same.")


def _complain(problem: Exception, code: int) -> int:
    sys.stderr.write(f"demo: {problem}\n")
    return code


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
