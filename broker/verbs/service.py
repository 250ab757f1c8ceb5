"""The verbs about the desk's broker."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from chardesk.broker.door import discovery, snippets
from chardesk.broker.door.place import Place, user_data_folder
from chardesk.broker.door.start import ensured
from chardesk.broker.verbs import backend, doctor, keeping, logs, serve
from chardesk.broker.verbs.asking import STOP_S, ask, renewed, stop
from chardesk.broker.verbs.browse import browse
from chardesk.broker.verbs.exits import NO_BROKER, OK, REFUSED
from chardesk.broker.verbs.parser import Parser, place_of
from chardesk.broker.verbs.showing import counted


class Verb(NamedTuple):
    """What it is for, the options it adds to `--desk`, and what it does: returns the exit code, raises
    ConnectionError when no broker answers."""

    about: str
    options: Callable[[Parser], None]
    act: Callable[[argparse.Namespace], int]


def run(verb: str, words: list[str]) -> int:
    """Do what the verb does; returns the exit code. Raises ConnectionError when no broker answers."""
    return VERBS[verb].act(parser_of(verb).read(words))


def parser_of(verb: str) -> Parser:
    parser = Parser(verb, VERBS[verb].about)
    VERBS[verb].options(parser)
    return parser


def _no_options(parser: Parser) -> None:
    """`--desk` is enough."""


def _open_options(parser: Parser) -> None:
    parser.add_argument("--print", action="store_true", dest="only_print", help="only print the address")


def _open(options: argparse.Namespace) -> int:
    place = place_of(options)
    found = ensured(place)
    told = ask(place, found if options.only_print else renewed(place, found), "open")
    print(told["address"])
    if not options.only_print:
        browse(told["address"])
    return OK


def _status_options(parser: Parser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _status(options: argparse.Namespace) -> int:
    place = place_of(options)
    found = discovery.running(place)
    told: dict[str, Any] = ask(place, found, "status") if found else {"running": False, "desk": place.root}
    print(json.dumps(told, ensure_ascii=False) if options.json else _in_words(told))
    return OK if found else NO_BROKER


def _in_words(told: dict[str, Any]) -> str:
    if not told["running"]:
        return f"not running; desk {told['desk']}; start it with chardesk serve"
    names = ", ".join(one["name"] for one in told["tenants"]) or "no agents"
    return (
        f"running at {told['address']} (pid {told['pid']}), desk {told['desk']}\n"
        f"{counted(told['seq'], 'commit')}, {counted(told['pages'], 'page')} open, {names}"
    )


def _stop(options: argparse.Namespace) -> int:
    place = place_of(options)
    found = discovery.running(place)
    if found is None:
        print("not running")
        return OK
    _mark_stopped(place)
    if stop(place, found):
        print("stopped")
        return OK
    print(f"chardesk: the broker (pid {found.pid}) did not stop within {STOP_S:.0f} s", file=sys.stderr)
    return REFUSED


def _mark_stopped(place: Place) -> None:
    """A disk that takes no file keeps nobody from stopping the broker."""
    try:
        place.mark_stopped()
    except OSError as problem:
        print(f"chardesk: {place.unwritable(problem)}; until then agents start it again", file=sys.stderr)


def _connect_options(parser: Parser) -> None:
    parser.add_argument("host", choices=sorted(snippets.HOSTS), help="the program your agent runs in")


def _connect(options: argparse.Namespace) -> int:
    """Names the desk unless it is the user's own: that one is found from every folder. stdout is for the host
    alone; what to do with it stands on stderr."""
    place = place_of(options)
    is_own = place == Place(user_data_folder(os.environ))
    print(f"{snippets.HOSTS[options.host].where}:", file=sys.stderr)
    print(snippets.snippet(options.host, None if is_own else place))
    return OK


def _log_options(parser: Parser) -> None:
    parser.add_argument("action", choices=["verify"], help="verify: read the whole journal")


def _log(options: argparse.Namespace) -> int:
    from pathlib import Path

    from chardesk.broker.store.verify import verify

    verdict = verify(Path(place_of(options).root))
    for line in (*verdict.faults, *verdict.notes):
        print(line)
    print(f"{verdict.checked} rows checked: {'sound' if verdict.is_sound else 'NOT sound'}")
    return OK if verdict.is_sound else REFUSED


VERBS: dict[str, Verb] = {
    "serve": Verb("Start the desk's broker in the foreground; Ctrl+C stops it.", serve.options, serve.serve),
    "open": Verb(
        "Open the page in the browser. The address works once, within a minute.", _open_options, _open
    ),
    "status": Verb("What runs for this desk. Starts nothing.", _status_options, _status),
    "stop": Verb("Stop the broker. Agents wait until somebody starts it again.", _no_options, _stop),
    "connect": Verb("Print what connects an MCP host to this desk.", _connect_options, _connect),
    "log": Verb("Check the journal: every row, the chain of hashes, the end.", _log_options, _log),
    "backend": Verb("What runs scripts here, and what it holds them to.", backend.options, backend.backend),
    "agents": Verb("Who was ever here, and what each may do.", logs.agents_options, logs.agents),
    "logs": Verb("The last lines of the desk's log: one for each call.", logs.logs_options, logs.logs),
    "doctor": Verb("Check this computer and this desk; say what to do.", doctor.options, doctor.doctor),
    "backup": Verb(
        "Copy the desk into a folder, beside a running broker.", keeping.backup_options, keeping.backup
    ),
    "restore": Verb("Put a backup in the desk's place.", keeping.restore_options, keeping.restore),
}
