"""The verbs about the broker itself."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from chardesk.broker.door import discovery
from chardesk.broker.door.lock import is_held, pause
from chardesk.broker.door.place import Place, find
from chardesk.broker.door.start import ensured
from chardesk.broker.verbs.version import version

OK, REFUSED, USAGE, NO_BROKER = 0, 1, 2, 3

STOP_S = 10.0
"""A broker that has not let go of its lock by then is stuck; the person is told its pid."""


class Parser(argparse.ArgumentParser):
    """Abbreviated options are mistakes; a mistake is exit code 2."""

    def __init__(self, verb: str, about: str) -> None:
        super().__init__(prog=f"chardesk {verb}", description=about, allow_abbrev=False)
        self.add_argument(
            "--desk", metavar="DIR", help="folder of the desk (default: CHARDESK_DESK or nearest)"
        )

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}", file=sys.stderr)
        raise SystemExit(USAGE)


def place_of(options: argparse.Namespace) -> Place:
    return find(options.desk, os.environ, os.getcwd())


def run(verb: str, words: list[str]) -> int:
    try:
        return _VERBS[verb](words)
    except ConnectionError as error:
        print(f"chardesk: {error}", file=sys.stderr)
        return NO_BROKER
    except KeyboardInterrupt:
        return 130


def _serve(words: list[str]) -> int:
    parser = Parser("serve", "Start the desk's broker in the foreground; Ctrl+C stops it.")
    parser.add_argument("--port", type=int, default=None, help="port on 127.0.0.1; 0: any free one")
    parser.add_argument("--no-open", action="store_true", help="don't open a browser")
    options = parser.parse_args(words)
    port = options.port if options.port is not None else _port_from_environment()
    if port is not None and not 0 <= port <= 65535:
        parser.error(f"--port {port} is no port")
    from chardesk.broker.assemble import CannotServe, Wish, serve_desk

    def announce(address: str, way_in: str) -> None:
        print(f"Chardesk is ready: {way_in}", flush=True)
        if not options.no_open:
            _browse(way_in)

    try:
        serve_desk(Wish(place_of(options), port, version(), announce))
    except CannotServe as problem:
        print(f"chardesk: {problem}", file=sys.stderr)
        return REFUSED
    return OK


def _port_from_environment() -> int | None:
    found = os.environ.get("CHARDESK_PORT", "")
    return int(found) if found.isdigit() else None


def _browse(address: str) -> None:
    """Open the page where there is a browser and a screen; quietly do nothing elsewhere."""
    import webbrowser

    has_screen = (
        sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    if has_screen:
        webbrowser.open(address)


def _open(words: list[str]) -> int:
    parser = Parser("open", "Open the page in the browser. The address works once, within a minute.")
    parser.add_argument("--print", action="store_true", dest="only_print", help="only print the address")
    options = parser.parse_args(words)
    place = place_of(options)
    told = _ask(place, ensured(place), "open")
    print(told["address"])
    if not options.only_print:
        _browse(told["address"])
    return OK


def _status(words: list[str]) -> int:
    parser = Parser("status", "What runs for this desk. Starts nothing.")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    options = parser.parse_args(words)
    place = place_of(options)
    found = discovery.running(place)
    told: dict[str, Any] = _ask(place, found, "status") if found else {"running": False, "desk": place.root}
    told = {name: value for name, value in told.items() if name not in ("chardesk", "id")}
    if options.json:
        print(json.dumps(told, ensure_ascii=False))
    elif found:
        names = ", ".join(one["name"] for one in told["tenants"]) or "no agents"
        print(f"running at {told['address']} (pid {told['pid']}), desk {told['desk']}")
        print(f"{told['seq']} commits, {told['pages']} pages open, {names}")
    else:
        print(f"not running; desk {place.root}; start it with chardesk serve")
    return OK if found else NO_BROKER


def _stop(words: list[str]) -> int:
    options = Parser("stop", "Stop the broker. Agents wait until somebody starts it again.").parse_args(words)
    place = place_of(options)
    found = discovery.running(place)
    if found is None:
        print("not running")
        return OK
    place.mark_stopped()
    _ask(place, found, "stop")
    for _ in range(int(STOP_S / 0.02)):
        if not is_held(place.broker_lock):
            print("stopped")
            return OK
        pause(0.02)
    print(f"chardesk: the broker (pid {found.pid}) did not stop within {STOP_S:.0f} s", file=sys.stderr)
    return REFUSED


def _ask(place: Place, found: discovery.Discovery, what: str) -> dict[str, Any]:
    from chardesk.broker.link.client import Client, Unanswered

    try:
        with Client(place, found) as client:
            return client.ask(what)
    except Unanswered as problem:
        raise ConnectionError(str(problem)) from None


def _connect(words: list[str]) -> int:
    from chardesk.broker.verbs.connect import HOSTS, snippet

    parser = Parser("connect", "Print the snippet that connects an MCP host to this desk.")
    parser.add_argument("host", choices=sorted(HOSTS), help="the program your agent runs in")
    options = parser.parse_args(words)
    print(snippet(options.host, place_of(options) if options.desk else None))
    return OK


def _log(words: list[str]) -> int:
    parser = Parser("log", "Check the journal: every row, the chain of hashes, the end.")
    parser.add_argument("action", choices=["verify"])
    options = parser.parse_args(words)
    from pathlib import Path

    from chardesk.broker.store.verify import verify

    verdict = verify(Path(place_of(options).root))
    for line in (*verdict.faults, *verdict.notes):
        print(line)
    print(f"{verdict.checked} rows checked: {'sound' if verdict.is_sound else 'NOT sound'}")
    return OK if verdict.is_sound else REFUSED


_VERBS: dict[str, Callable[[list[str]], int]] = {
    "serve": _serve,
    "open": _open,
    "status": _status,
    "stop": _stop,
    "connect": _connect,
    "log": _log,
}
