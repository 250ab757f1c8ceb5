"""Does what the desk decides, in the order it decides it.

Effects that follow a commit wait until it is durable: nothing is acknowledged, and no page is told, that
would not survive `kill -9`. Everything here runs on the loop; the store's and the scripts' threads and
processes report back as events.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol, assert_never

import anyio
import anyio.to_thread
from anyio.abc import TaskGroup

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.broker.desk.desk import Desk, refused
from chardesk.broker.service.ledger import Ledger
from chardesk.broker.service.outbox import Outbox, Waiting
from chardesk.broker.service.policy import PolicyFile
from chardesk.broker.service.recalling import recall
from chardesk.broker.service.scripts import Scripts
from chardesk.broker.service.workshop import Workshop
from chardesk.broker.store.store import Store
from chardesk.broker.store.writer import why
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.to_agent import ReadFile
from chardesk.tools.errors import Refused
from chardesk.tools.registry import BY_NAME

log = logging.getLogger("chardesk.runner")

HEAL_EVERY_S = 0.5
"""How often a store that refused is tried again."""

TICK_S = 1.0

TOOLS = frozenset(BY_NAME)

CHECKPOINT_EVERY = 2_000
"""Commits between checkpoints: a start replays at most about this many."""


_UNDER_POLICY = (e.Turn, e.Joined, e.Ticked)
"""Before these the policy is looked at again."""


class Sink(Protocol):
    """Where things for one link go."""

    def welcomed(self, author: str) -> None: ...

    def answer(self, call: str, reply: fx.Reply) -> None: ...

    def tell(self, message: m.Message | fx.Whole) -> None: ...

    def close(self, code: int, reason: str) -> None: ...


@dataclass(slots=True)
class Runner:
    desk: Desk
    store: Store
    scripts: Scripts
    workshop: Workshop
    ledger: Ledger
    policy: PolicyFile
    tasks: TaskGroup
    clock: Callable[[], float]
    watchers: dict[str, Callable[[fx.Effect], None]] = field(default_factory=dict)
    """By link: who wants to see every write, and every word to all pages, as it comes."""
    _sinks: dict[str, Sink] = field(default_factory=dict)
    _pages: set[str] = field(default_factory=set)
    _is_pumping: bool = False
    _is_healing: bool = False
    outbox: Outbox = field(init=False)

    def __post_init__(self) -> None:
        self.outbox = Outbox(self._send, self.clock, self.desk.state.seq)

    def start(self) -> None:
        """Begin to tick, and let the store's writer report."""
        loop = asyncio.get_running_loop()
        self.store.start(
            lambda ticket: _ignore(loop.call_soon_threadsafe(self._written, ticket)),
            lambda ticket, error: _ignore(loop.call_soon_threadsafe(self._refused, ticket, error)),
        )
        self.tasks.start_soon(self._tick, name="tick")

    def attach(self, link: str, sink: Sink, *, is_page: bool = False) -> None:
        self._sinks[link] = sink
        if is_page:
            self._pages.add(link)

    def detach(self, link: str) -> None:
        self._sinks.pop(link, None)
        self.watchers.pop(link, None)
        self.ledger.left(link)
        self._pages.discard(link)

    @property
    def links(self) -> int:
        """How many are attached."""
        return len(self._sinks)

    def feed(self, event: e.Event) -> None:
        """Hand an event to the desk and carry out what it wants. Never waits.

        What the operator's file says counts from the next turn, newcomer or second on: one stat for each.
        """
        if isinstance(event, _UNDER_POLICY) and (policy := self.policy.news()) is not None:
            self.feed(e.PolicyRead(policy))
        if isinstance(event, e.Called) and (tenant := self.desk.state.tenants.all.get(event.tenant)):
            self.ledger.called(event.tenant, event.call, tenant.author, event.tool)
        try:
            wanted = self.desk.receive(event)
        except Exception:
            log.exception("the desk failed on %s", type(event).__name__)
            self._fault(event)
            return
        for effect in wanted:
            self.carry_out(effect)
        if self.desk.has_turn and not self._is_pumping:
            self._pump()

    def _pump(self) -> None:
        """One call now; if others wait, theirs come after everybody's sockets had a chance."""
        self._is_pumping = True
        self.feed(e.Turn(self.clock()))
        self._is_pumping = self.desk.has_turn
        if self._is_pumping:
            asyncio.get_running_loop().call_soon(self._pump)

    def _fault(self, event: e.Event) -> None:
        """A fault of ours must not leave a caller waiting: its call is answered with an id and no more."""
        fault = f"ft-{int(self.clock() * 1000):x}"
        log.error("fault %s", fault)
        refusal = Refused("internal", f"a fault of ours, noted as {fault}")
        for tenant in self.desk.state.tenants.all.values():
            if (
                isinstance(event, e.Turn)
                and tenant.running is not None
                and not self._runs_elsewhere(tenant.id)
            ):
                call, tenant.running = tenant.running.called.call, None
                self.carry_out(fx.Answer(tenant.id, call, refused(refusal), 0))

    def _runs_elsewhere(self, tenant: str) -> bool:
        return any(job.tenant == tenant for job in self.desk.state.jobs.values())

    # -- effects -----------------------------------------------------------------

    def carry_out(self, effect: fx.Effect) -> None:
        match effect:
            case fx.Persist():
                self._show(effect)
                self.store.submit(self.outbox.wrote(effect), effect)
            case fx.TellPage():
                self._show(effect)
                self.outbox.put(effect)
            case fx.Answer() | fx.Welcomed():
                self.outbox.put(effect)
            case fx.Disconnect(link, code, reason):
                if (sink := self._sinks.get(link)) is not None:
                    sink.close(code, reason)
            case fx.RunScript():
                self.scripts.run(effect, self.feed)
            case fx.StopScript(job):
                self.scripts.stop(job)
            case fx.Alarm(after_s):
                _ignore(asyncio.get_running_loop().call_later(after_s, self._ring))
            case fx.Work():
                self.workshop.run(effect, self.feed)
            case fx.Fetch() | fx.Past():
                self.tasks.start_soon(recall, effect, self.store, self.clock, self.feed, name="recall")
            case fx.ReadSource(job, tenant, path, max_bytes):
                if (sink := self._sinks.get(tenant)) is not None:
                    sink.tell(ReadFile(id=job, path=path, max_bytes=max_bytes))
            case _:
                assert_never(effect)

    def _show(self, effect: fx.Effect) -> None:
        for watch in list(self.watchers.values()):
            watch(effect)

    def _send(self, effect: Waiting) -> None:
        match effect:
            case fx.Welcomed(tenant, author):
                if (sink := self._sinks.get(tenant)) is not None:
                    sink.welcomed(author)
            case fx.Answer(tenant, call, reply, _):
                self.ledger.answered(tenant, call, reply, TOOLS)
                if (sink := self._sinks.get(tenant)) is not None:
                    sink.answer(call, reply)
            case fx.TellPage(message, link):
                for name in [link] if link is not None else list(self._pages):
                    if (sink := self._sinks.get(name)) is not None:
                        sink.tell(message)
            case _:
                assert_never(effect)

    # -- the store's reports -------------------------------------------------------

    def _written(self, ticket: int) -> None:
        if self.outbox.written(ticket):
            self.feed(e.Durable(self.outbox.durable_seq))
        self.outbox.release()
        if self._is_healing:
            self._is_healing = False
            self.feed(e.StoreHealed(self.clock()))
        if self.store.tail >= CHECKPOINT_EVERY:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Store what changed since the last checkpoint, so that a start replays only the tail."""
        self.store.checkpoint(self.desk.state.contents, self.desk.state.seq)

    def _refused(self, ticket: int, error: Exception) -> None:
        """The disk said no: whoever waited for it is told, and the desk goes back."""
        log.error("the store refused a write: %s", why(error))
        self.outbox.refused()
        self.feed(e.StoreRefused(self.clock()))
        _ignore(asyncio.get_running_loop().call_later(HEAL_EVERY_S, self._heal))

    def _heal(self) -> None:
        self._is_healing = True
        self.store.resume()
        self.carry_out(fx.Persist(records=(fx.Record("desk", "probe", {"at": self.clock()}),)))

    # -- things that take time -------------------------------------------------------

    async def _tick(self) -> None:
        while True:
            await anyio.sleep(TICK_S)
            self._ring()

    def _ring(self) -> None:
        self.outbox.overdue()
        self.feed(e.Ticked(self.clock()))


def _ignore(handle: asyncio.Handle) -> None:
    """The loop's handle is of no use to who only wants something done."""
