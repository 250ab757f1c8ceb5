"""`chardesk logs` and `chardesk agents`: what happened, and who was ever here."""

from __future__ import annotations

import argparse
import json
import os
from collections import deque
from typing import Any

from chardesk.broker.door import discovery
from chardesk.broker.verbs.asking import ask
from chardesk.broker.verbs.exits import NO_BROKER, OK
from chardesk.broker.verbs.parser import Parser, place_of

FILE = "broker.log"
OLDER = (4, 3, 2, 1)
"""Suffixes of the rotated files, oldest first."""

DEFAULT_LINES = 50


def logs_options(parser: Parser) -> None:
    parser.add_argument("--lines", type=int, default=DEFAULT_LINES, metavar="N", help="how many; default 50")
    parser.add_argument("--json", action="store_true", help="print the lines as they are kept, JSON")


def logs(asked: argparse.Namespace) -> int:
    """The last lines of the desk's log, with or without a broker. A desk without one has none."""
    folder = place_of(asked).log
    last: deque[str] = deque(maxlen=max(0, asked.lines))
    for name in (*(f"{FILE}.{number}" for number in OLDER), FILE):
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                last.extend(line.rstrip("\n") for line in file)
    for line in last:
        print(line if asked.json else _in_words(line))
    return OK


def _in_words(line: str) -> str:
    """A line for a person; one that a crash cut short as it is."""
    try:
        said = json.loads(line)
        head = f"{said.pop('at')} {said.pop('level'):<7} {said.pop('from')}: {said.pop('what')}"
    except (ValueError, KeyError, AttributeError):
        return line
    return " ".join([head, *(f"{name}={value}" for name, value in said.items())])


def agents_options(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def agents(asked: argparse.Namespace) -> int:
    """Who was ever here and may do what. Only the person at the page changes that."""
    place = place_of(asked)
    found = discovery.running(place)
    if found is None:
        print(json.dumps({"running": False}) if asked.json else "not running; start it with chardesk serve")
        return NO_BROKER
    told: list[dict[str, Any]] = ask(place, found, "agents")["agents"]
    if asked.json:
        print(json.dumps({"running": True, "agents": told}, ensure_ascii=False))
        return OK
    for one in told:
        print(f"{one['name']:<24} {_state(one):<16} {'here' if one['here'] else 'away'}")
    if not told:
        print("no agent was ever here; chardesk connect HOST says how one gets in")
    return OK


def _state(one: dict[str, Any]) -> str:
    if one["revoked"]:
        return "revoked"
    return f"{one['grant']}, in part" if one["scope"] else str(one["grant"])
