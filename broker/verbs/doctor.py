"""`chardesk doctor`: what support would ask for, and what to do about it. Starts and changes nothing."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import stat
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from chardesk.broker.door import discovery
from chardesk.broker.door.lock import is_held
from chardesk.broker.door.place import Place
from chardesk.broker.verbs.exits import OK, REFUSED
from chardesk.broker.verbs.parser import ENVIRONMENT, Parser, place_of
from chardesk.broker.verbs.showing import counted
from chardesk.broker.verbs.version import version

MIN_FREE_BYTES = 256 * 1024 * 1024
"""Below this a desk may soon refuse changes."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`todo` is empty when all is well. A warning leaves the desk usable, a fault does not."""

    name: str
    level: Literal["ok", "warning", "fault"]
    found: str
    todo: str = ""


Check = Callable[[Place], Iterator[Finding]]


def options(parser: Parser) -> None:
    parser.add_argument("--report", action="store_true", help="for a bug report; it holds no secrets")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def doctor(asked: argparse.Namespace) -> int:
    """All checks; 1 if any found a fault."""
    place = place_of(asked)
    found = [finding for check in CHECKS for finding in check(place)]
    if asked.json:
        print(json.dumps({"ok": not _faults(found), "findings": [asdict(one) for one in found]}))
    elif asked.report:
        print(_report(found))
    else:
        print("\n".join(_line(one) for one in found))
    return REFUSED if _faults(found) else OK


def _faults(found: list[Finding]) -> list[Finding]:
    return [one for one in found if one.level == "fault"]


def _line(one: Finding) -> str:
    mark = {"ok": "ok     ", "warning": "warning", "fault": "FAULT  "}[one.level]
    return f"{mark} {one.name}: {one.found}" + (f"\n        {one.todo}" if one.todo else "")


def _report(found: list[Finding]) -> str:
    """As Markdown, with the home folder named as such: paths carry people's names."""
    rows = [f"- {one.level}: {one.name}: {one.found}" for one in found]
    head = f"chardesk {version()} on {platform.platform()}, Python {platform.python_version()}"
    return "\n".join([head, "", *rows]).replace(os.path.expanduser("~"), "~")


# -- this computer -------------------------------------------------------------------


def _python(_: Place) -> Iterator[Finding]:
    yield Finding("python", "ok", f"{platform.python_version()} on {platform.system()} {platform.machine()}")


def _build(_: Place) -> Iterator[Finding]:
    from chardesk.broker.door.build import fingerprint

    yield Finding("chardesk", "ok", f"version {version()}, build {fingerprint()}")


def _relay(_: Place) -> Iterator[Finding]:
    from chardesk.broker.door.snippets import command

    path = command()
    if os.path.exists(path):
        yield Finding("chardesk-mcp", "ok", path)
    else:
        yield Finding(
            "chardesk-mcp", "fault", f"not at {path}", "Install the package again: pip install chardesk"
        )


def _engine(_: Place) -> Iterator[Finding]:
    from chardesk.broker.sandbox.backends import chosen

    try:
        backend = chosen(os.environ)
    except ValueError as problem:
        yield Finding("scripts", "fault", str(problem), "Correct CHARDESK_BACKEND or CHARDESK_POLICY.")
        return
    found = backend.descriptor()
    if found.problem is not None:
        yield Finding("scripts", "warning", found.problem, "Agents are told to use canvas_batch instead.")
    else:
        yield Finding("scripts", "ok", f"{found.name} {found.version}, policy {backend.policy.name}")


def _engines(_: Place) -> Iterator[Finding]:
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        old = installed("quickjs")
        installed("quickjs-ng")
    except PackageNotFoundError:
        return
    todo = "pip uninstall quickjs, then pip install --force-reinstall quickjs-ng"
    yield Finding("engines", "warning", f"quickjs {old} and quickjs-ng share one module", todo)


def _variables(_: Place) -> Iterator[Finding]:
    known = set(ENVIRONMENT)
    for name in sorted(one for one in os.environ if one.startswith("CHARDESK_")):
        if name in known:
            yield Finding(name, "ok", os.environ[name])
        else:
            yield Finding(name, "warning", "nobody reads it", f"Known are {', '.join(sorted(known))}.")


# -- the desk ------------------------------------------------------------------------


def _folder(place: Place) -> Iterator[Finding]:
    if not os.path.isdir(place.root):
        yield Finding("desk", "ok", f"{place.root} is not there yet; the first start makes it")
        return
    if not os.access(place.root, os.W_OK):
        todo = "Make the folder and its files writable for this user, then start again."
        yield Finding("desk", "fault", f"{place.root} is read-only", todo)
    else:
        yield Finding("desk", "ok", place.root)
    free = shutil.disk_usage(place.root).free
    level: Literal["ok", "warning"] = "ok" if free >= MIN_FREE_BYTES else "warning"
    todo = "" if level == "ok" else "Free some space: a full disk makes the desk read-only."
    yield Finding("disk", level, f"{free // 1024**2} MiB free", todo)


def _key(place: Place) -> Iterator[Finding]:
    if not os.path.exists(place.key):
        return
    mode = stat.S_IMODE(os.stat(place.key).st_mode)
    if os.name == "posix" and mode & 0o077:
        yield Finding("key", "warning", f"mode {mode:04o}: others may read it", f"chmod 600 {place.key}")
    else:
        yield Finding("key", "ok", "for this user only")


def _policy(place: Place) -> Iterator[Finding]:
    from chardesk.broker.service.policy import read

    problem = read(place.policy).problem
    if problem is not None:
        todo = f"Correct {place.policy}, or take it away; until then agents may only look."
        yield Finding("policy", "fault", problem, todo)
    else:
        words = "policy.json is followed" if os.path.exists(place.policy) else "no policy.json: the defaults"
        yield Finding("policy", "ok", words)


def _database(place: Place) -> Iterator[Finding]:
    if not os.path.exists(place.database):
        return
    from chardesk.broker.store.verify import verify

    verdict = verify(Path(place.root))
    if verdict.is_sound:
        yield Finding("journal", "ok", f"{counted(verdict.checked, 'commit')}, all sound")
    else:
        todo = "chardesk restore BACKUP; what is there now is kept beside it"
        yield Finding("journal", "fault", verdict.faults[0], todo)


def _broker(place: Place) -> Iterator[Finding]:
    from chardesk.broker.door.build import fingerprint

    found = discovery.running(place)
    if found is None and is_held(place.broker_lock):
        yield Finding("broker", "warning", "it is starting, or stuck", "Ask again; chardesk logs says more.")
    elif found is None:
        words = (
            "stopped by a person; agents wait" if place.is_stopped() else "not running; it starts on demand"
        )
        yield Finding("broker", "ok", words)
    elif found.build != fingerprint():
        words = f"pid {found.pid} is version {found.version} of another build"
        yield Finding("broker", "warning", words, "chardesk stop, then chardesk open")
    else:
        yield Finding("broker", "ok", f"pid {found.pid} at http://{found.address}/")


CHECKS: tuple[Check, ...] = (
    _python,
    _build,
    _relay,
    _engine,
    _engines,
    _variables,
    _folder,
    _key,
    _policy,
    _database,
    _broker,
)
