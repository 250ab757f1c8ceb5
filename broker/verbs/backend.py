"""`chardesk backend`: what runs scripts on this computer, and what it holds them to. Needs no broker."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from chardesk.broker.verbs.exits import OK, REFUSED
from chardesk.broker.verbs.parser import Parser

ACTIONS = ("list", "show", "probe")


def options(parser: Parser) -> None:
    parser.add_argument(
        "action",
        choices=ACTIONS,
        help="list: all of them; show: levels beside the policy's; probe: attack each and see",
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="which one (default: the one in use)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def backend(asked: argparse.Namespace) -> int:
    """List, show or probe. 1 if the backend may run no scripts under its policy, or a probe got through."""
    try:
        told = _ACTIONS[asked.action](asked.name)
    except ValueError as problem:
        print(f"chardesk backend: {problem}", file=sys.stderr)
        return REFUSED
    print(json.dumps(told, ensure_ascii=False) if asked.json else "\n".join(_in_words(told)))
    return OK if told["ok"] else REFUSED


def _list(name: str | None) -> dict[str, Any]:
    from chardesk.broker.sandbox.backends import BACKENDS

    used = _environment(None)
    return {"ok": True, "backends": [_line(each, used["CHARDESK_BACKEND"]) for each in BACKENDS]}


def _line(name: str, used: str) -> dict[str, Any]:
    found = _chosen(name).descriptor()
    return {"name": name, "version": found.version, "used": name == used, "problem": found.problem}


def _show(name: str | None) -> dict[str, Any]:
    chosen = _chosen(name)
    found = chosen.descriptor()
    return {
        "ok": found.problem is None,
        **found.provenance(),
        "problem": found.problem,
        "policy": chosen.policy.name,
        "requires": dict(chosen.policy.requires),
    }


def _probe(name: str | None) -> dict[str, Any]:
    """`ok` if whatever is said to be enforced was held. Where nothing can run, nothing is tried."""
    import anyio

    from chardesk.broker.sandbox.host import Sandbox, engine_folder
    from chardesk.broker.sandbox.probe import probe

    chosen, engine = _chosen(name), engine_folder()
    told = _show(name)
    if not isinstance(chosen, Sandbox) or engine is None or not told["ok"]:
        return {**told, "findings": []}
    found = anyio.run(probe, chosen, engine)
    broken = [
        one.dimension for one in found if told["levels"][one.dimension] == "enforce" and not one.is_held
    ]
    findings = [{"dimension": one.dimension, "held": one.is_held, "how": one.how} for one in found]
    problem = f"not held: {', '.join(broken)}" if broken else None
    return {**told, "ok": not broken, "problem": problem, "findings": findings}


_ACTIONS = dict(zip(ACTIONS, (_list, _show, _probe), strict=True))


def _environment(name: str | None) -> dict[str, str]:
    from chardesk.broker.sandbox.backends import DEFAULT

    used = name or os.environ.get("CHARDESK_BACKEND") or DEFAULT
    return {**os.environ, "CHARDESK_BACKEND": used}


def _chosen(name: str | None) -> Any:
    from chardesk.broker.sandbox.backends import chosen

    return chosen(_environment(name))


def _in_words(told: dict[str, Any]) -> list[str]:
    if "backends" in told:
        return [_listed(one) for one in told["backends"]]
    head = f"{told['name']} {told['version']}".strip()
    lines = [f"{head}, policy {told['policy']}: {told['problem'] or 'ready'}"]
    how = {one["dimension"]: one for one in told.get("findings", ())}
    for dimension, level in told["levels"].items():
        tried = how.get(dimension)
        fate = f"  {'held' if tried['held'] else 'NOT held'}: {tried['how']}" if tried else ""
        lines.append(f"  {dimension:<8} {level:<11} required: {told['requires'][dimension]}{fate}")
    return lines


def _listed(one: dict[str, Any]) -> str:
    mark = "*" if one["used"] else " "
    return f"{mark} {one['name']:<16} {one['problem'] or one['version']}"
