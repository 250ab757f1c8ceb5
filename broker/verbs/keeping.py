"""`chardesk backup` and `chardesk restore`."""

from __future__ import annotations

import argparse
import json
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chardesk.broker.verbs.exits import OK, REFUSED
from chardesk.broker.verbs.parser import Parser, place_of

if TYPE_CHECKING:
    from chardesk.broker.store.verify import Verdict


def backup_options(parser: Parser) -> None:
    parser.add_argument("into", metavar="INTO", help="a folder that holds no desk yet; made if it is missing")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def restore_options(parser: Parser) -> None:
    parser.add_argument("backup", metavar="BACKUP", help="a folder that chardesk backup made")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def backup(asked: argparse.Namespace) -> int:
    """Copy the desk beside a running broker, and look through the copy."""
    from chardesk.broker.store.backup import backup as copy
    from chardesk.tools.errors import Refused

    desk, into = Path(place_of(asked).root), Path(asked.into)
    try:
        return _told(copy(desk, into), asked.json, f"backup of {desk} in {into}", {"backup": str(into)})
    except (Refused, OSError) as problem:
        return _refused("backup", problem)


def restore(asked: argparse.Namespace) -> int:
    """Put a backup in the desk's place. What was there is kept in a folder beside it."""
    from chardesk.broker.door.lock import hold
    from chardesk.broker.store.restore import restore as put_back
    from chardesk.tools.errors import Refused

    place = place_of(asked)
    try:
        place.make()
        lock = hold(place.broker_lock)
    except OSError as problem:
        return _refused("restore", place.unwritable(problem))
    if lock is None:
        return _refused("restore", "a broker runs for this desk; stop it first with chardesk stop")
    aside = f"replaced-{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    with lock:
        try:
            verdict = put_back(Path(place.root), Path(asked.backup), aside)
        except (Refused, OSError) as problem:
            return _refused("restore", problem)
    kept = Path(place.root) / aside
    before = f"; what was there is in {kept}" if kept.exists() else ""
    more = {"desk": place.root, "replaced": str(kept) if kept.exists() else None}
    return _told(verdict, asked.json, f"restored {place.root}{before}", more)


def _told(verdict: Verdict, as_json: bool, words: str, more: dict[str, Any]) -> int:
    if as_json:
        found = {
            "ok": verdict.is_sound,
            **more,
            "rows": verdict.checked,
            "faults": list(verdict.faults),
            "notes": list(verdict.notes),
        }
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(f"{words}: {verdict.checked} rows, {'sound' if verdict.is_sound else 'NOT sound'}")
        for line in (*verdict.faults, *verdict.notes):
            print(line)
    return OK if verdict.is_sound else REFUSED


def _refused(verb: str, why: object) -> int:
    text = f"{why.strerror}: {why.filename}" if isinstance(why, OSError) else why
    print(f"chardesk {verb}: {text}", file=sys.stderr)
    return REFUSED
