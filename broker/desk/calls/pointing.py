"""canvas_manage show: an agent asks the person to look somewhere. Nothing moves until the person follows."""

from __future__ import annotations

from chardesk.broker.desk.effects import Outcome, Reply, TellPage
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.wire import messages as m
from chardesk.tools.operation import Text


def point(state: State, ask: Ask) -> Outcome:
    """A chip on the page that holds the seat. Where no page does, `shown` is false and nothing is kept."""
    canvas, sheet = state.place(ask.args.canvas_id, ask.args.page_id, ask.place)
    rect, seat = ask.args.rect, state.pages.seat
    fields = {"shown": seat is not None, **state.common_fields(canvas, sheet)}
    said = "asked the person to look at" if seat is not None else "no page is open; nobody was shown"
    reply = Reply(fields, (Text(f"{said} {list(rect)} on {canvas.name}"),))
    if seat is None:
        return [], reply
    chip = m.Chip(
        id=state.mint("ch"),
        author=ask.actor.author,
        color=state.color(ask.actor.author),
        canvas=canvas.id,
        sheet=sheet.id,
        rect=rect,
        note=ask.args.why or "",
    )
    return [TellPage(chip, seat)], reply
