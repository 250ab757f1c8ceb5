"""The desk's state from the store, and what a new desk is born with."""

from __future__ import annotations

import secrets
from typing import Any

from chardesk.broker.desk.effects import Persist, Record
from chardesk.broker.desk.known import pins, tags
from chardesk.broker.desk.known.authors import DESK, Authors
from chardesk.broker.desk.known.letters import Letters
from chardesk.broker.desk.known.previews import from_record
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.tenants import Tenants
from chardesk.broker.desk.known.timeline import Timeline
from chardesk.broker.desk.road.fitting import refit
from chardesk.broker.desk.road.landing import Plan, land
from chardesk.broker.service.runner import Runner
from chardesk.broker.store.store import Store
from chardesk.materials import shelf
from chardesk.tools.errors import Refused
from chardesk.tools.model.steps import CanvasAdded, SheetAdded

Records = dict[str, dict[str, dict[str, Any]]]

_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"


def mint(prefix: str) -> str:
    """An id: opaque, never reused. Operations have 12 hex digits, everything else 10 base32 characters."""
    if prefix == "op":
        return f"op-{secrets.token_hex(6)}"
    return f"{prefix}-{''.join(secrets.choice(_BASE32) for _ in range(10))}"


def load(store: Store, version: str, at: float) -> tuple[State, Records]:
    loaded = store.load()
    records = loaded.records
    own = records.get("desk", {})
    active = own.get("active", {})
    state = State(
        mint=mint,
        contents=loaded.contents,
        canvas=active.get("canvas", ""),
        sheet=active.get("sheet", ""),
        shelf=shelf,
        seq=loaded.seq,
        version=version,
        authors=Authors.load(records.get("author", {}), own.get("newcomers", {}).get("grant")),
        tenants=Tenants.load(records.get("tenant", {}), loaded.seq, at),
        timeline=Timeline.load(loaded.headers),
        pins=pins.load(records.get("pin", {})),
        tags=tags.load(records.get("tag", {})),
        letters=Letters.load(records.get("letter", {}), records.get("post", {})),
        is_paused=own.get("paused", {}).get("isPaused", False),
    )
    _settle_active(state)
    _load_previews(state, records.get("preview", {}))
    return state, records


def _settle_active(state: State) -> None:
    """The recorded sheet, or the first open one when that is gone."""
    canvas = state.contents.canvases.get(state.canvas)
    if canvas is not None and canvas.archived:
        canvas = None
    if canvas is None and (opened := state.contents.open_canvases()):
        canvas = opened[0]
    if canvas is not None:
        sheet = canvas.sheet(state.sheet) or canvas.sheets[0]
        state.canvas, state.sheet = canvas.id, sheet.id


def _load_previews(state: State, found: dict[str, dict[str, Any]]) -> None:
    """Previews come back as live unless their cells changed."""
    for preview_id, value in found.items():
        ghost = from_record(preview_id, value)
        try:
            refit(state.contents, ghost.steps, "stale_preview")
        except Refused:
            continue
        state.previews.all[preview_id] = ghost


def first_canvas(runner: Runner, at: float) -> None:
    """A desk is born with one empty canvas."""
    state = runner.desk.state
    canvas, sheet = mint("cv"), mint("pg")
    steps = (CanvasAdded(canvas, "Canvas 1", "freeform"), SheetAdded(canvas, 0, sheet, "Sheet 1", None))
    plan = Plan(steps, DESK, DESK, "desk", canvas, sheet, why="a new desk")
    landed = land(state, plan, at)
    state.canvas, state.sheet = canvas, sheet
    for effect in landed.effects:
        runner.carry_out(effect)
    active = Record("desk", "active", {"canvas": canvas, "sheet": sheet})
    runner.carry_out(Persist(records=(active,)))


def keep_pass(runner: Runner, digest: str) -> None:
    runner.carry_out(Persist(records=(Record("pass", digest, {}),)))
