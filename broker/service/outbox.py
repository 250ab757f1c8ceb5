"""What must not leave before what it speaks of is on disk, held until it is."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk.road.told import refused_edit
from chardesk.broker.wire import messages as m
from chardesk.tools.errors import Refused

Waiting = fx.Answer | fx.TellPage | fx.Welcomed

PATIENCE_S = 10.0
"""As long as a call may take; a disk that needs more is not waited for (contract, section 5)."""

_LOST = Refused("store_failed", "the disk refused the write; nothing was changed")


@dataclass(slots=True)
class _Held:
    """`ticket`: the write that it waits for. `since`: when it could have left."""

    ticket: int
    effect: Waiting
    since: float


@dataclass(slots=True)
class Outbox:
    """Tickets number the writes. Answers to one tenant, and all that pages are told, keep their order."""

    send: Callable[[Waiting], None]
    clock: Callable[[], float]
    durable_seq: int = 0
    ticket: int = 0
    late: int = 0
    """Answers that came from the disk after their call was told that it takes too long."""
    _held: deque[_Held] = field(default_factory=deque)
    _held_answers: Counter[str] = field(default_factory=Counter)
    _seq_of: dict[int, int] = field(default_factory=dict)
    _durable_ticket: int = 0

    def wrote(self, persist: fx.Persist) -> int:
        """A write goes to the store; its ticket."""
        self.ticket += 1
        if persist.commits:
            self._seq_of[self.ticket] = persist.commits[-1].seq
        return self.ticket

    def put(self, effect: Waiting) -> None:
        """Send it, or hold it: a welcome speaks of a token that was just kept, everything else of commits."""
        if not self._must_wait(effect):
            self.send(effect)
            return
        newest = self.ticket if isinstance(effect, fx.Welcomed) else max(self._seq_of, default=0)
        self._held.append(_Held(newest, effect, self.clock()))
        if isinstance(effect, fx.Answer):
            self._held_answers[effect.tenant] += 1

    def _must_wait(self, effect: Waiting) -> bool:
        match effect:
            case fx.TellPage():
                return bool(self._held or self._seq_of)
            case fx.Answer(tenant, _, _, after):
                return after > self.durable_seq or self._held_answers[tenant] > 0
            case fx.Welcomed():
                return self.ticket > self._durable_ticket

    def written(self, ticket: int) -> bool:
        """Everything up to this ticket is on disk. Were there commits in it? Then `durable_seq` has grown."""
        self._durable_ticket = ticket
        done = [one for one in self._seq_of if one <= ticket]
        for one in done:
            self.durable_seq = max(self.durable_seq, self._seq_of.pop(one))
        return bool(done)

    def release(self) -> None:
        """Let go what waited for no more than what is on disk."""
        while self._held and self._held[0].ticket <= self._durable_ticket:
            self._let_go(self._held.popleft().effect)

    def refused(self) -> None:
        """The disk said no: whoever waited for it is told."""
        held, self._held = self._held, deque()
        self._seq_of.clear()
        for one in held:
            match one.effect:
                case fx.Answer(tenant, call):
                    self._let_go(fx.Answer(tenant, call, fx.refused(_LOST), 0))
                case fx.Welcomed():
                    self._let_go(one.effect)
                case fx.TellPage():
                    self._tell_refused_edit(one.effect)

    def overdue(self) -> None:
        """Calls that have waited for the disk for too long are told so. What they did may still come to be;
        asking again under the same key tells."""
        limit = self.clock() - PATIENCE_S
        late = [one for one in self._held if isinstance(one.effect, fx.Answer) and one.since <= limit]
        for one in late:
            self._held.remove(one)
            assert isinstance(one.effect, fx.Answer)
            self.late += 1
            self._let_go(fx.Answer(one.effect.tenant, one.effect.call, _timed_out(one.effect.reply), 0))

    def _let_go(self, effect: Waiting) -> None:
        if isinstance(effect, fx.Answer):
            self._held_answers[effect.tenant] -= 1
            if not self._held_answers[effect.tenant]:
                del self._held_answers[effect.tenant]
        self.send(effect)

    def _tell_refused_edit(self, told: fx.TellPage) -> None:
        """The page's own edit did not land; what it would have been told besides is not true."""
        match told.message:
            case m.Change(ack=str(edit)) | m.Done(id=edit):
                self.send(fx.TellPage(refused_edit(edit, _LOST), told.link))
            case _:
                pass


def _timed_out(reply: fx.Reply) -> fx.Reply:
    """`outcomeUnknown` where it was about to be said that something was done, with the id to ask for."""
    done: dict[str, Any] = {
        name: reply.fields[name] for name in ("operationId", "previewId") if name in reply.fields
    }
    if reply.is_error or not done:
        return fx.refused(Refused("timeout", "the disk takes too long to keep what this shows"))
    asking = "; canvas_history show of details.operationId tells" if "operationId" in done else ""
    words = f"the disk takes too long; it is not known yet whether this was done{asking}"
    found = fx.refused(Refused("timeout", words, details=done))
    return fx.Reply({**found.fields, "outcomeUnknown": True}, found.blocks, True)
