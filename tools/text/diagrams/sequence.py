"""Mermaid sequence diagrams: who says what to whom, one row below the other."""

from __future__ import annotations

import re
from functools import partial

from chardesk.tools.text.diagrams import lifelines
from chardesk.tools.text.diagrams.events import OPENING, Activation, Frame, Message, Note, Plan
from chardesk.tools.text.diagrams.fitting import LIMITS, Try, fitted
from chardesk.tools.text.diagrams.rows import Line
from chardesk.tools.text.diagrams.source import statements, words
from chardesk.tools.text.picture import Findings
from chardesk.tools.text.undrawn import NotDrawn

_MESSAGE = re.compile(
    r"(?P<start>[^\s:+-][^:]*?)\s*(?P<arrow><<-->>|<<->>|-->>|->>|--\)|-\)|--x|-x|-->|->)\s*(?P<bar>[+-]?)\s*(?P<end>[^:]+?)\s*(?::(?P<text>.*))?"
)
_ACTOR = re.compile(r"(?:create\s+)?(?:participant|actor)\s+(?P<id>.+?)(?:\s+as\s+(?P<name>.+))?")
_NOTE = re.compile(r"(?i:note)\s+(?P<side>left of|right of|over)\s+(?P<ids>[^:]+):(?P<text>.*)")
_ACTIVATION = re.compile(r"(?P<word>activate|deactivate)\s+(?P<id>.+)")
_DIVIDING = ("else", "and", "option")
_UNDRAWN = (
    "link",
    "links",
    "destroy",
    "accTitle",
    "accDescr",
)

_MOST_ROWS, _MOST_ACTORS = 2_000, 60


def lines(source: str, room: int, findings: Findings, line: int | None) -> list[Line]:
    """The rows of the picture; words wrap if it would be wider than `room`. Raises NotDrawn."""
    plan = _plan(source, findings, line)
    return fitted(map(partial(_try, plan), (None, *LIMITS)), room, len(source), findings, line)


def _try(plan: Plan, limit: int | None) -> Try:
    aside = Findings()
    return Try(partial(lifelines.lines, plan, limit, aside), aside)


def _plan(source: str, findings: Findings, line: int | None) -> Plan:
    plan, undrawn = Plan(), set[str]()
    depth = 0
    for number, text in list(statements(source))[1:]:
        statement = text.strip()
        word = statement.split(None, 1)[0].rstrip(":")
        if word in _UNDRAWN:
            undrawn.add(word)
            continue
        depth += (word in OPENING) - (statement == "end")
        if depth < 0:
            raise NotDrawn("there is nothing to end", number)
        _read(plan, statement, word, number)
    if depth:
        raise NotDrawn("a frame has no end")
    if not plan.actors or len(plan.actors) > _MOST_ACTORS or len(plan.events) > _MOST_ROWS // 2:
        raise NotDrawn(f"it has {len(plan.actors)} participants and {len(plan.events)} events")
    if undrawn:
        message = f"not drawn: {', '.join(sorted(undrawn))}"
        findings.note("markdown-diagram-statements-left-out", message, line)
    return plan


def _read(plan: Plan, text: str, word: str, number: int) -> None:
    rest = words(text.removeprefix(word).removeprefix(":"))
    if word == "title":
        plan.title = rest
    elif word == "autonumber":
        plan.is_numbered = rest != "off"
    elif word in (*OPENING, *_DIVIDING) or text == "end":
        plan.events.append(Frame(word, rest))
    elif found := _ACTOR.fullmatch(text):
        plan.actors[found["id"].strip()] = words(found["name"] or found["id"])
    elif found := _ACTIVATION.fullmatch(text):
        plan.events.append(Activation(plan.actor(found["id"]), found["word"] == "activate"))
    elif found := _NOTE.fullmatch(text):
        ids = [plan.actor(id.strip()) for id in found["ids"].split(",")]
        plan.events.append(Note(ids[0], ids[-1], found["side"].lower(), words(found["text"])))
    elif found := _MESSAGE.fullmatch(text):
        start, end = plan.actor(found["start"]), plan.actor(found["end"])
        plan.events.append(Message(start, end, found["arrow"], plan.numbered(words(found["text"] or ""))))
        if found["bar"]:
            begins = found["bar"] == "+"
            plan.events.append(Activation(end if begins else start, begins))
    else:
        raise NotDrawn(f"this cannot be read: {text[:40]}", number)
