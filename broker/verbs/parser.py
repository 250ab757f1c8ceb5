"""What all verbs share: how their words are read, and which desk they mean."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from typing import NoReturn

from chardesk.broker.door.place import Place, find
from chardesk.broker.verbs.exits import USAGE

ENVIRONMENT = {
    "CHARDESK_DESK": "the desk's folder, for all verbs and `chardesk-mcp`; `--desk` overrules it",
    "CHARDESK_PORT": "`serve`: the port without `--port`, also when the broker is started in the background",
    "CHARDESK_LOG": "`serve`: how much is logged: debug, info, warning (default) or error",
    "CHARDESK_BACKEND": "`serve`: what runs scripts: quickjs-process (default) or none",
    "CHARDESK_POLICY": "`serve`: what scripts are held to: enforced or attested (default: the platform's)",
    "CHARDESK_AGENT": "`chardesk-mcp`: this agent's name, instead of the one its client gives",
    "CHARDESK_ROOTS": "`chardesk-mcp`: more folders that it may read files from, separated as in PATH",
}
"""Every variable that this version reads. `CHARDESK_CHROMIUM` is for the tests only."""


class Parser(argparse.ArgumentParser):
    """Abbreviated options are mistakes; a mistake is one line and exit code 2, before anything is done.

    What follows an option that takes a value is its value, even if it begins with a dash (`--at -3,-2`),
    unless it is an option itself.
    """

    def __init__(self, verb: str, about: str) -> None:
        super().__init__(prog=f"chardesk {verb}", description=about, allow_abbrev=False)
        self.add_argument(
            "--desk", metavar="DIR", help="folder of the desk (default: CHARDESK_DESK or nearest)"
        )

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        return self.parse_args(self._joined(words))

    def words(self) -> Iterator[tuple[str, str]]:
        """Each option and word as it is typed, and what it means: what `--help` lists but for itself."""
        for action in self._actions[1:]:
            typed = ", ".join(action.option_strings) or "|".join(map(str, action.choices or [action.dest]))
            value = "" if action.nargs == 0 or not action.option_strings else f" {_value(action)}"
            yield typed + value, action.help or ""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message}; try {self.prog} --help", file=sys.stderr)
        raise SystemExit(USAGE)

    def _joined(self, words: Sequence[str]) -> list[str]:
        """argparse takes every word with a dash for an option, so such a value is tied to its option."""
        known = {name for action in self._actions for name in action.option_strings}
        valued = {name for action in self._actions if action.nargs is None for name in action.option_strings}
        joined: list[str] = []
        for word in words:
            is_value = word.startswith("-") and word not in known and word.partition("=")[0] not in known
            if joined and joined[-1] in valued and is_value:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return joined


def _value(action: argparse.Action) -> str:
    shown = "|".join(map(str, action.choices)) if action.choices else str(action.metavar)
    return f"[{shown}]" if action.nargs == "?" else shown


def place_of(options: argparse.Namespace) -> Place:
    """The desk that is meant: `--desk`, CHARDESK_DESK, the nearest `.chardesk`, the user's own."""
    return find(options.desk, os.environ, os.getcwd())
