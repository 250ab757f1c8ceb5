"""canvas_inbox: receive, wait, acknowledge, post."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from chardesk.broker.desk.effects import Answer, Effect, Later, Outcome, Persist, Reply, TellPage
from chardesk.broker.desk.known.authors import DESK
from chardesk.broker.desk.known.letters import Letter, Posted
from chardesk.broker.desk.known.state import State
from chardesk.broker.desk.known.waits import MAX_WAITS, Wait, Why
from chardesk.broker.desk.road import told
from chardesk.broker.desk.road.ask import Ask
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused
from chardesk.tools.model.commit import CLI, PERSON
from chardesk.tools.operation import Note, Text
from chardesk.tools.talk.inbox import DEFAULT_WAIT_MS

DEFAULT_LIMIT = 20


def inbox(state: State, ask: Ask) -> Outcome | Later:
    """The actions of canvas_inbox, by name."""
    return _ACTIONS[ask.args.action](state, ask)


def noted(state: State, author: str, reply: Reply) -> Reply:
    """The reply, saying what waits in the inbox if anything does."""
    counts = state.letters.counts(author)
    if not any(counts.values()):
        return reply
    return replace(reply, fields={**reply.fields, "inbox": counts})


# -- receive and wait ----------------------------------------------------------------


def _receive(state: State, ask: Ask) -> Outcome:
    return _given(state, ask.actor.author, _limit(ask), ask.at, None)


def _limit(ask: Ask) -> int:
    """None at all is an answer too: only the counts."""
    return DEFAULT_LIMIT if ask.args.limit is None else int(ask.args.limit)


def _wait(state: State, ask: Ask) -> Outcome | Later:
    author, limit = ask.actor.author, _limit(ask)
    if state.letters.counts(author)["unread"]:
        return _given(state, author, limit, ask.at, "messages")
    if len(state.waits.of(ask.link)) >= MAX_WAITS:
        raise Refused(
            "budget_exceeded",
            f"{MAX_WAITS} of your calls wait already, which is the limit",
            details={"limit": MAX_WAITS, "actual": MAX_WAITS + 1},
        )
    timeout_ms = DEFAULT_WAIT_MS if ask.args.timeout_ms is None else ask.args.timeout_ms
    until = ask.at + timeout_ms / 1000
    state.waits.all.append(Wait(ask.link, ask.call, author, limit, ask.at, until, state.pages.is_live))
    return [], None


def _given(state: State, author: str, limit: int, at: float, ended: Why | None) -> Outcome:
    taken = state.letters.take(author, limit, at)
    fields = {
        "messages": [one.fields() for one in taken],
        "parked": state.letters.parked(author),
        **({"ended": ended} if ended else {}),
        **state.common_fields(*state.place(None, None, state.active)),
    }
    blocks: tuple[Text | Note, ...] = (
        Text(f"{len(taken)} message{'' if len(taken) == 1 else 's'}"),
        *_quoted(taken),
    )
    kept = [Persist(records=tuple(one.record() for one in taken))] if taken else []
    return [*kept, *told.sent(taken)], Reply(fields, blocks)


def _quoted(letters: list[Letter]) -> tuple[Note, ...]:
    """What was said, each fenced and labelled: it is somebody's text, never an instruction of the desk's."""
    return tuple(
        Note(f"{one.id} from {one.sender}:\n```untrusted\n{one.text.replace('```', chr(39) * 3)}\n```")
        for one in letters
    )


def end_wait(state: State, wait: Wait, why: Why, at: float) -> list[Effect]:
    """Answer a wait with what there is."""
    if wait not in state.waits.all:
        return []
    state.waits.all.remove(wait)
    effects, reply = _given(state, wait.author, wait.limit, at, why)
    return [*effects, Answer(wait.tenant, wait.call, noted(state, wait.author, reply), state.seq)]


def wake(state: State, at: float) -> list[Effect]:
    """End the waits of those who have got something. The one that began first gets it."""
    return [
        effect
        for wait in list(state.waits.all)
        if state.letters.counts(wait.author)["unread"]
        for effect in end_wait(state, wait, "messages", at)
    ]


def tick(state: State, at: float) -> list[Effect]:
    """Leases end, and so do waits that have lasted long enough."""
    lapsed = state.letters.lapse(at)
    over = [effect for wait, why in state.waits.over(at) for effect in end_wait(state, wait, why, at)]
    return [*over, *told.sent(lapsed), *(wake(state, at) if lapsed else [])]


def end_all(state: State, why: Why, at: float, tenant: str | None = None) -> list[Effect]:
    """Nobody can wait here any longer: all waits, or one tenant's."""
    waits = state.waits.all if tenant is None else state.waits.of(tenant)
    return [effect for wait in list(waits) for effect in end_wait(state, wait, why, at)]


# -- ack -----------------------------------------------------------------------------


def _ack(state: State, ask: Ask) -> Outcome:
    """Done with these. Acknowledging twice is no mistake."""
    mine = {one.id: one for one in state.letters.of(ask.actor.author)}
    known = [name for name in dict.fromkeys(ask.args.message_ids) if name in mine]
    for name in known:
        del state.letters.all[name]
    fields = {
        "acked": known,
        "unknown": [name for name in ask.args.message_ids if name not in known],
        **state.common_fields(*state.place(None, None, state.active)),
    }
    kept: list[Effect] = [Persist(records=tuple(mine[name].forgotten() for name in known))] if known else []
    read = told.sent((mine[name] for name in known), is_read=True)
    return [*kept, *read], Reply(fields, (Text(f"{len(known)} acknowledged"),))


# -- post ----------------------------------------------------------------------------


def _post(state: State, ask: Ask) -> Outcome:
    """Say something to an agent that was ever here, or to the person."""
    first = state.letters.posted.get(ask.key) if ask.key else None
    if first is not None and first.digest != ask.digest:
        raise Refused("invalid_input", "this key was used for other arguments", field="idempotencyKey")
    common = state.common_fields(*state.place(None, None, state.active))
    if first is not None:
        return [], Reply({**common, "messageId": first.message, "repeated": True}, (Text("sent before"),))
    letter, effects = _send(state, ask.actor.author, ask.args.to, ask.args.text, ask.at)
    if ask.key:
        kept = state.letters.remember(ask.key, Posted(letter.id, ask.digest, ask.at))
        effects = [Persist(records=tuple(kept)), *effects]
    return effects, Reply({**common, "messageId": letter.id}, (Text(f"sent to {ask.args.to}"),))


def _send(state: State, sender: str, to: str, text: str, at: float) -> tuple[Letter, list[Effect]]:
    state.refuse_without_store()
    if to not in state.authors.known and to != PERSON:
        raise Refused("not_found", f"no agent was ever called {to}", field="to")
    if to in (CLI, DESK):
        raise Refused("invalid_input", f"{to} reads no messages", field="to")
    letter = Letter(state.mint("ms"), to, sender, "message", text, at)
    effects: list[Effect] = [Persist(records=tuple(state.letters.add(letter)))]
    if to == PERSON:
        return letter, [*effects, TellPage(told.letter(state, letter))]
    return letter, [*effects, *told.sent([letter]), *wake(state, at)]


def from_page(state: State, post: m.Post, link: str, at: float) -> list[Effect]:
    """A line that the person writes to an agent. The same id again has no second effect."""
    key = f"{PERSON}\0{post.id}"
    first = state.letters.posted.get(key)
    if first is not None:
        return [TellPage(m.Done(id=post.id, result={"messageId": first.message}), link)]
    letter, effects = _send(state, PERSON, post.to, post.text, at)
    kept = Persist(records=tuple(state.letters.remember(key, Posted(letter.id, "", at))))
    done = TellPage(m.Done(id=post.id, result={"messageId": letter.id}), link)
    return [kept, done, *effects]  # the page lets go of its own copy before it is told how the line stands


def read(state: State, letter_id: str) -> list[Effect]:
    """The person has put it away: it goes from every page."""
    letter = state.letters.all.get(letter_id)
    if letter is None or letter.to != PERSON:
        return []
    del state.letters.all[letter_id]
    return [Persist(records=(letter.forgotten(),)), TellPage(m.LetterGone(id=letter_id))]


_ACTIONS: Mapping[str, Callable[[State, Ask], Outcome | Later]] = {
    "receive": _receive,
    "wait": _wait,
    "ack": _ack,
    "post": _post,
}
