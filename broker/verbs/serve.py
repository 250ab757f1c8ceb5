"""`chardesk serve`: the broker in this process."""

from __future__ import annotations

import argparse
import gc
import os
import sys

from chardesk.broker.door import discovery
from chardesk.broker.verbs.asking import end_unlike
from chardesk.broker.verbs.browse import browse
from chardesk.broker.verbs.exits import OK, REFUSED, USAGE
from chardesk.broker.verbs.parser import Parser, place_of
from chardesk.broker.verbs.version import version

LEVELS = ("debug", "info", "warning", "error")
MAX_PORT = 65535

SWITCH_S = 0.0001
"""How long a thread that asks for the interpreter waits for who has it. A thread's every call into SQLite or
zlib lets go of it, and a loop that is always busy takes it back each time it has sent or received before a
longer interval is over. With 0.5 ms a commit beside a flood took 50 ms, with this 5; with Python's own 5 ms
a neighbour's ping took 8 ms while two threads drew, now 1."""


def options(parser: Parser) -> None:
    parser.add_argument("--port", type=_port, metavar="N", help="port on 127.0.0.1; 0: any free one")
    parser.add_argument("--no-open", action="store_true", help="don't open a browser")


def _port(text: str) -> int:
    """Raises argparse's error for what is no port."""
    if not text.isascii() or not text.isdigit() or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"{text[:20]} is no port; ports go from 0 to {MAX_PORT}")
    return int(text)


def serve(asked: argparse.Namespace) -> int:
    """Runs until it is stopped. Prints one line with the page's address when it is ready."""
    try:
        port = asked.port if asked.port is not None else _wished_port()
        level = _level()
    except argparse.ArgumentTypeError as problem:
        print(f"chardesk serve: {problem}", file=sys.stderr)
        return USAGE
    import logging

    from chardesk.broker.service.discreet import speak_discreetly

    speak_discreetly()
    for handler in logging.getLogger().handlers:
        handler.setLevel(level)  # on stderr; the desk's log file has every call
    logging.getLogger("chardesk").setLevel(min(logging.INFO, logging.getLevelNamesMapping()[level]))
    # Building 700 message classes makes garbage collections that free nothing: a sixth of the start.
    # The broker turns it on again when everything is loaded.
    gc.disable()
    sys.setswitchinterval(SWITCH_S)
    from chardesk.broker.assemble import CannotServe, Wish, serve_desk

    def announce(address: str, way_in: str) -> None:
        print(f"Chardesk is ready: {way_in}", flush=True)
        if not asked.no_open:
            browse(way_in)

    try:
        place = place_of(asked)
        if (running := discovery.running(place)) is not None:
            end_unlike(place, running)
        serve_desk(Wish(place, port, version(), announce))
    except CannotServe as problem:
        print(f"chardesk: {problem}", file=sys.stderr)
        return REFUSED
    return OK


def _wished_port() -> int | None:
    """CHARDESK_PORT. Raises argparse's error for what is no port."""
    text = os.environ.get("CHARDESK_PORT", "")
    return _port(text) if text else None


def _level() -> str:
    """How much is logged, as logging names it. Raises argparse's error for another word."""
    text = os.environ.get("CHARDESK_LOG") or "warning"
    if text.lower() not in LEVELS:
        raise argparse.ArgumentTypeError(f"CHARDESK_LOG={text[:20]} is none of {', '.join(LEVELS)}")
    return text.upper()
