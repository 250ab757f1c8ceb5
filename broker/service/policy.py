"""`policy.json` in the desk's folder: what the operator decides for all agents, read anew when it changes."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from chardesk.broker.desk.rules.policy import FEATURES, Limits, Policy
from chardesk.broker.desk.rules.scope import MAX_AREAS, Area
from chardesk.broker.wire.parts import Feature, Grant
from chardesk.tools.errors import Refused
from chardesk.tools.schema import Args, RectArg, parse

MAX_BYTES = 64 * 1024
MAX_NAME = 400

_DEFAULT = Policy()
_NEVER = (-1, -1, -1)

log = logging.getLogger("chardesk.policy")


class AreaForm(Args):
    """Canvases and sheets by name or id."""

    canvas: str = Field(min_length=1, max_length=MAX_NAME)
    sheet: str | None = Field(None, min_length=1, max_length=MAX_NAME)
    rect: RectArg | None = None


class NewcomersForm(Args):
    grant: Grant = _DEFAULT.grant
    scope: list[AreaForm] = Field(default_factory=list, max_length=MAX_AREAS)


class FeaturesForm(Args):
    code: bool = FEATURES["code"]
    images: bool = FEATURES["images"]
    files: bool = FEATURES["files"]
    pages: bool = FEATURES["pages"]


class LimitsForm(Args):
    calls_per_minute: int | None = Field(_DEFAULT.limits.calls, ge=1)
    cells_per_minute: int | None = Field(_DEFAULT.limits.cells, ge=1)
    script_seconds_per_minute: int | None = Field(_DEFAULT.limits.script_seconds, ge=1)


class PolicyForm(Args):
    """The file as it is written."""

    newcomers: NewcomersForm = NewcomersForm()
    features: FeaturesForm = FeaturesForm()
    limits: LimitsForm = Field(default_factory=lambda: parse(LimitsForm, {}))


def read(path: str) -> Policy:
    """The policy in a file; the default one without a file. What can't be followed is a policy with a
    `problem`, and never an exception."""
    if os.path.exists(path) and not os.path.isfile(path):
        return Policy(problem="it is no file")  # a pipe would hold up everybody
    try:
        with open(path, "rb") as file:
            return _parsed(file.read(MAX_BYTES + 1))
    except FileNotFoundError:
        return _DEFAULT
    except OSError as problem:
        return Policy(problem=f"it can't be read ({problem.strerror})")


def _parsed(raw: bytes) -> Policy:
    if len(raw) > MAX_BYTES:
        return Policy(problem=f"it has more than {MAX_BYTES} bytes")
    try:
        return _policy(_object(raw))
    except Refused as refusal:
        return Policy(problem=refusal.message)


def _object(raw: bytes) -> dict[str, Any]:
    try:
        found = json.loads(raw, object_pairs_hook=_each_once)
    except json.JSONDecodeError as wrong:
        words = f"line {wrong.lineno}, column {wrong.colno} is no JSON: {wrong.msg}"
        raise Refused("invalid_input", words) from None
    except (ValueError, RecursionError):
        raise Refused("invalid_input", "it is no JSON in UTF-8") from None
    if not isinstance(found, dict):
        raise Refused("invalid_input", "it must be one JSON object")
    return found


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The later of two equal keys would win, perhaps the laxer one."""
    found = dict(pairs)
    for key, _ in pairs if len(found) < len(pairs) else ():
        if sum(key == other for other, _ in pairs) > 1:
            raise Refused("invalid_input", f"key {key[:40]} stands there twice")
    return found


def _policy(found: dict[str, Any]) -> Policy:
    form = parse(PolicyForm, found)
    features: dict[Feature, bool] = form.features.model_dump()  # type: ignore[assignment]  # its fields are them
    scope = tuple(_area(area, number) for number, area in enumerate(form.newcomers.scope))
    said = form.limits
    limits = Limits(said.calls_per_minute, said.cells_per_minute, said.script_seconds_per_minute)
    return Policy(form.newcomers.grant, scope, features, limits)


def _area(area: AreaForm, number: int) -> Area:
    if area.rect is not None and area.sheet is None:
        raise Refused("invalid_input", f"newcomers.scope.{number}.rect lies on a sheet: name its sheet")
    return Area(area.canvas, area.sheet, area.rect)


class PolicyFile:
    """One desk's file, watched by asking: a stat each time, and nothing more while it is the same."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = _NEVER
        self._policy = _DEFAULT

    def news(self) -> Policy | None:
        """What the file says, where that is not what it said when this was asked last (at first: the
        defaults). Says so in the log."""
        stamp = _stamp(self._path)
        if stamp == self._seen:
            return None
        self._seen = stamp
        before, self._policy = self._policy, read(self._path)
        if self._policy == before:
            return None
        _tell(self._policy)
        return self._policy


def _stamp(path: str) -> tuple[int, int, int] | None:
    """None where there is no file, or none that could be looked at."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _tell(policy: Policy) -> None:
    if policy.problem is None:
        log.info("policy.json is followed")
    else:
        log.warning("policy.json can't be followed, agents only look: %s", policy.problem)
