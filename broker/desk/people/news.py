"""What became of previews, as letters to the agents that made them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from chardesk.broker.desk.effects import Effect, Persist, Record, TellPage
from chardesk.broker.desk.known.authors import DESK
from chardesk.broker.desk.known.letters import Letter
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.people.inbox import wake
from chardesk.broker.wire import messages as m
from chardesk.tools.model.commit import CLI, PERSON


def with_news(state: State, effects: list[Effect], at: float) -> list[Effect]:
    """The effects, and for every preview that they say is gone a letter to the agent that made it.

    Whatever ends a preview tells all pages, once, so this is the one place that hears of every end. What the
    agent did itself it knows. A letter is kept in the same write as the commit that it speaks of.
    """
    gone = [
        one.message
        for one in effects
        if isinstance(one, TellPage) and one.link is None and isinstance(one.message, m.PreviewGone)
    ]
    if not gone:
        return effects
    commits = [commit for one in effects if isinstance(one, Persist) for commit in one.commits]
    by = commits[-1].applied_by if commits else None
    seq = commits[-1].seq if commits else 0
    letters = [letter for one in gone if (letter := _news(state, one, by, seq, at)) is not None]
    records = tuple(record for letter in letters for record in state.letters.add(letter))
    return [*_kept_with_the_first(effects, records), *wake(state, at)]


def _news(state: State, gone: m.PreviewGone, by: str | None, seq: int, at: float) -> Letter | None:
    ghost = state.previews.all.get(gone.id)
    if ghost is None or ghost.author in (by, PERSON, CLI) or gone.reason in ("discarded", "revoked"):
        return None
    note = getattr(ghost.state, "note", "")
    operation = getattr(ghost.state, "operation_id", None)
    about: dict[str, Any] = {"previewId": ghost.id, "fate": gone.reason}
    about |= {"requestId": ghost.request} if ghost.request else {}
    about |= {"operationId": operation} if operation else {}
    about |= {"by": by} if by else {}
    about |= {"note": note} if note else {}
    return Letter(state.mint("ms"), ghost.author, DESK, "preview", _in_words(about), at, seq, about)


_WORDS = {
    "applied": "was applied",
    "superseded": "lost to its alternative, which was applied",
    "vetoed": "was dismissed by the person",
    "stale": "is stale: cells under it were changed",
    "expired": "has expired",
}


def _in_words(about: Mapping[str, Any]) -> str:
    words = f"preview {about['previewId']} {_WORDS[about['fate']]}"
    return f"{words}: {about['note']}" if about.get("note") else words


def _kept_with_the_first(effects: Iterable[Effect], records: tuple[Record, ...]) -> list[Effect]:
    """The records in the first write that there is."""
    found, rest = list[Effect](), records
    for effect in effects:
        if rest and isinstance(effect, Persist):
            effect, rest = replace(effect, records=(*effect.records, *rest)), ()
        found.append(effect)
    return [Persist(records=rest), *found] if rest else found
