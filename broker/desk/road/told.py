"""What pages are told: messages made from the state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, assert_never

from chardesk.broker.desk.effects import Reply, TellPage, Whole
from chardesk.broker.desk.known.authors import AUTO, Author
from chardesk.broker.desk.known.letters import Fresh, Leased, Letter, Parked
from chardesk.broker.desk.known.pages import PageKind
from chardesk.broker.desk.known.pins import Pin
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.rules.policy import FEATURES
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.parts import Feature
from chardesk.tools.errors import Refused
from chardesk.tools.model.change import Change, Strip
from chardesk.tools.model.commit import PERSON, Commit
from chardesk.tools.model.packed import pack_after, pack_rows
from chardesk.tools.model.scene import Scene
from chardesk.tools.model.sheet import Canvas, Sheet
from chardesk.tools.model.steps import CellsChanged
from chardesk.tools.operation import Note, Operation, Text
from chardesk.tools.registry import WEBMCP
from chardesk.tools.schema import json_schema

PART_COLUMNS = 40_000
"""Columns in one part of a snapshot: at most 16 bytes each as JSON, so a part stays well under a frame."""


def cells(packed: dict[str, Any]) -> m.Cells:
    return m.Cells.model_validate(packed)


def cells_after(change: Change) -> m.Cells:
    """What is there once the change is done. Hot: 1 ms for a thousand columns, so `Change.once` keeps it."""
    return cells(pack_after(change))


def canvas_info(canvas: Canvas) -> m.CanvasInfo:
    sheets = [
        m.SheetInfo(id=sheet.id, name=sheet.name, size=sheet.size, note=sheet.note) for sheet in canvas.sheets
    ]
    return m.CanvasInfo(
        id=canvas.id, name=canvas.name, kind=canvas.kind, archived=canvas.archived, sheets=sheets
    )


def canvases(state: State) -> list[m.CanvasInfo]:
    return [canvas_info(canvas) for canvas in state.contents.canvases.values()]


def disk(state: State) -> m.Disk:
    return m.Disk(refuses=not state.is_store_ok)


def agents(state: State) -> list[m.Agent]:
    """Everyone who is connected, by name, but for the CLI, which comes and goes with every command."""
    return [
        m.Agent(
            tenant=tenant.id,
            name=tenant.author,
            color=state.color(tenant.author),
            grant=state.authors.get(tenant.author).grant,
            apply_until=_until(state, tenant.author),
            doing=tenant.running.called.tool if tenant.running else None,
            waiting=len(tenant.queue),
        )
        for tenant in sorted(state.tenants.all.values(), key=lambda one: one.author)
        if tenant.is_here and tenant.door == "agent"
    ]


def _until(state: State, name: str) -> float | None:
    leave = state.authors.get(name).leave
    return None if leave is None else leave.until


def presence(state: State) -> TellPage:
    return TellPage(m.Presence(agents=agents(state)))


def governed(state: State) -> m.Governed:
    """Every agent that was ever here, by name, and the pins of the sheets that still are."""
    names = [
        _agent_name(state, one)
        for one in sorted(state.authors.known.values(), key=lambda one: one.name)
        if one.is_agent
    ]
    pins = [
        m.PinInfo(id=pin.id, canvas=pin.canvas, sheet=pin.sheet, rect=pin.rect, note=pin.note)
        for pin in state.pins.values()
        if state.contents.sheet(pin.sheet) is not None
    ]
    return m.Governed(
        names=names,
        is_paused=state.is_paused,
        pins=pins,
        newcomers=state.authors.first_grant,
        policy_problem=state.authors.policy.problem,
    )


def _agent_name(state: State, one: Author) -> m.AgentName:
    return m.AgentName(
        name=one.name,
        color=one.color,
        grant=one.grant,
        is_revoked=one.is_revoked,
        scope=[m.Area(canvas=area.canvas, sheet=area.sheet, rect=area.rect) for area in one.scope],
        lacks=lacks(state, one.name),
    )


def lacks(state: State, name: str) -> list[Feature]:
    """The features that this author may not use."""
    author = state.authors.get(name)
    return [feature for feature in FEATURES if not state.authors.may_use(author, feature)]


def letter(state: State, one: Letter) -> m.Letter:
    """What an agent says to the person."""
    return m.Letter(id=one.id, author=one.sender, color=state.color(one.sender), text=one.text, time=one.at)


def sent(letters: Iterable[Letter], *, is_read: bool = False) -> list[TellPage]:
    """How the person's own lines among these stand."""
    return [
        TellPage(
            m.Sent(
                id=one.id,
                to=one.to,
                text=one.text,
                time=one.at,
                fate="read" if is_read else _FATES[type(one.state)],
            )
        )
        for one in letters
        if one.sender == PERSON and one.to != PERSON
    ]


_FATES: Mapping[type, Literal["waiting", "given", "parked"]] = {
    Fresh: "waiting",
    Leased: "given",
    Parked: "parked",
}


def pin(one: Pin) -> dict[str, Any]:
    """A pin as agents are told of it."""
    return {"canvasId": one.canvas, "pageId": one.sheet, "bounds": list(one.rect), "note": one.note}


def story_line(state: State, commit: Commit) -> m.StoryLine:
    return m.StoryLine(
        operation_id=commit.operation_id,
        author=commit.author,
        applied_by=commit.applied_by,
        color=state.color(commit.author),
        tool=commit.tool,
        why=commit.why,
        time=commit.time,
    )


def result(reply: Reply) -> dict[str, Any]:
    """A reply as one object: its fields, and what is to be read as `content`."""
    words = [block.text for block in reply.blocks if isinstance(block, Text | Note)]
    return {**reply.fields, "content": "\n".join(words)}


READER_ACTIONS = ("list", "list_pages")
"""What canvas_manage offers on a reading page (contract, section 4)."""


def web_tools(kind: PageKind) -> list[m.Tool]:
    """What a page of this kind gives to the browser's agent: all, what only looks, or nothing."""
    match kind:
        case "canvas":
            return [_tool(one, json_schema(one.args)) for one in WEBMCP]
        case "reader":
            looking = (one for one in WEBMCP if one.effect == "read" or one.name == "canvas_manage")
            return [_tool(one, _narrowed(json_schema(one.args)), is_reader=True) for one in looking]
        case "desk":
            return []
        case _:
            assert_never(kind)


def _tool(operation: Operation, schema: dict[str, Any], *, is_reader: bool = False) -> m.Tool:
    return m.Tool(
        name=operation.name,
        description=operation.summary,
        input_schema=schema,
        read_only=is_reader or operation.effect == "read",
        owner=operation.owner,
    )


def _narrowed(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose `action`, if it has one, is one that a reading page offers."""
    action = schema["properties"].get("action")
    if action is None:
        return schema
    properties = {**schema["properties"], "action": {**action, "enum": list(READER_ACTIONS)}}
    return {**schema, "properties": properties}


def snapshot(sheet: Sheet, link: str, seq: int) -> list[TellPage]:
    """A sheet's cells for one page."""
    if sheet.scene.stored_cells() > PART_COLUMNS:
        return [TellPage(Whole(sheet.id, seq, sheet.scene.fork()), link)]
    return [TellPage(part, link) for part in parts(Whole(sheet.id, seq, sheet.scene))]


def parts(whole: Whole) -> list[m.Snapshot]:
    """A sheet in frames: 2 s for a million cells. An empty sheet is one empty part."""
    found = list(_parts(whole.scene)) or [[]]
    return [
        m.Snapshot(
            sheet=whole.sheet, seq=whole.seq, part=number, parts=len(found), cells=cells(pack_rows(part))
        )
        for number, part in enumerate(found)
    ]


def _parts(scene: Scene) -> Iterator[list[tuple[int, int, Strip]]]:
    part: list[tuple[int, int, Strip]] = []
    columns = 0
    for y, x, end in scene.spans():
        for left in range(x, end, PART_COLUMNS):
            right = min(end, left + PART_COLUMNS)
            part.append((y, left, scene.strip(y, left, right)))
            columns += right - left
            if columns >= PART_COLUMNS:
                yield part
                part, columns = [], 0
    if part:
        yield part


def change(state: State, commit: Commit, step: CellsChanged) -> m.Change:
    return m.Change(
        seq=commit.seq,
        sheet=step.sheet,
        cells=step.change.once(cells_after),
        author=commit.author,
        applied_by=commit.applied_by,
        color=state.color(commit.author),
        tool=commit.tool,
        operation_id=commit.operation_id,
    )


def refused_edit(edit: str, refusal: Refused) -> m.RefusedEdit:
    return m.RefusedEdit(
        id=edit,
        code=refusal.code,
        message=refusal.message,
        next_step=refusal.entry.next_step,
        details=refusal.details,
    )


def activity(state: State, commit: Commit) -> m.Activity:
    bounds = (commit.result or {}).get("bounds")
    return m.Activity(
        seq=commit.seq,
        author=commit.author,
        applied_by=commit.applied_by,
        color=state.color(commit.author),
        tool=commit.tool,
        why=commit.why,
        canvas=commit.canvas,
        sheet=commit.sheet,
        bounds=tuple(bounds) if bounds else None,
        time=commit.time,
        operation_id=commit.operation_id,
        is_auto=AUTO in (commit.result or {}),
    )
