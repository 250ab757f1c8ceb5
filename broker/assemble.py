"""Building the house and running it: one broker for one desk."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from websockets.asyncio.server import Server, ServerConnection, serve

from chardesk.broker.desk import events as e
from chardesk.broker.desk.desk import Desk
from chardesk.broker.desk.effects import Persist, Record
from chardesk.broker.door import discovery, snippets
from chardesk.broker.door.build import fingerprint
from chardesk.broker.door.key import DamagedKey, desk_key
from chardesk.broker.door.lock import Lock, hold
from chardesk.broker.door.place import Place
from chardesk.broker.faces import agent_socket, http, models, page_socket, sdk
from chardesk.broker.faces.house import House
from chardesk.broker.faces.listen import PortTaken, listening, no_delay, quiet_logger
from chardesk.broker.sandbox.backends import Backend, chosen
from chardesk.broker.service import logs, reporting
from chardesk.broker.service.calm import Calm
from chardesk.broker.service.idle import Idle
from chardesk.broker.service.ledger import Ledger
from chardesk.broker.service.loading import first_canvas, keep_pass, load, mint
from chardesk.broker.service.passes import Passes
from chardesk.broker.service.policy import PolicyFile
from chardesk.broker.service.runner import Runner
from chardesk.broker.service.scripts import Scripts
from chardesk.broker.service.workshop import Workshop
from chardesk.broker.store.store import Store
from chardesk.broker.wire import messages as m
from chardesk.broker.wire.codes import RESTARTING
from chardesk.tools.errors import Refused
from chardesk.tools.model.moment import iso

IDLE_CHECK_S = 60.0

MAX_TRANSPORT_BYTES = 4 * 1024 * 1024
"""Frames between the product's limit (1 MiB) and this fail one call; beyond it the link closes."""

log = logging.getLogger("chardesk")


class CannotServe(Exception):
    """The broker can't start. The text says why and what to do, in one line."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How the broker was asked to run. `port` None: the default one, or the next that is free."""

    place: Place
    port: int | None
    version: str
    announce: Callable[[str, str], None]
    """Called once, when ready, with the page's address and the address that opens it."""


def serve_desk(wish: Wish) -> None:
    """Run a broker until it is stopped. Raises CannotServe; returns after a graceful stop."""
    with _locked(wish.place), logs.logging_into(Path(wish.place.log)):
        with _writing(wish.place):
            wish.place.clear_stop()
            discovery.remove(wish.place)
            key = _key(wish.place)
        try:
            anyio.run(_Broker(wish, key, _backend()).run)
        except* PortTaken as taken:
            raise CannotServe(str(taken.exceptions[0])) from None
        except* (Refused, CannotServe) as refused:
            raise CannotServe(str(refused.exceptions[0])) from None


def _locked(place: Place) -> Lock:
    """The desk's lock. Raises CannotServe when another broker has it, or the folder takes no file."""
    with _writing(place):
        place.make()
        lock = hold(place.broker_lock, wait_s=1.0)
    if lock is None:
        running = discovery.read(place)
        where = f" at http://{running.address}/" if running else ""
        raise CannotServe(f"a broker runs for this desk already{where}")
    return lock


@contextlib.contextmanager
def _writing(place: Place) -> Iterator[None]:
    """A file that the system refuses in here ends the start, with what to do about it."""
    try:
        yield
    except OSError as problem:
        raise CannotServe(place.unwritable(problem)) from None


def _key(place: Place) -> str:
    try:
        return desk_key(place)
    except DamagedKey as damage:
        raise CannotServe(str(damage)) from None


def _backend() -> Backend:
    try:
        return chosen(os.environ)
    except ValueError as problem:
        raise CannotServe(str(problem)) from None


class _Broker:
    """One run, from listening to the last byte written."""

    def __init__(self, wish: Wish, key: str, backend: Backend) -> None:
        self._wish, self._key, self._backend = wish, key, backend
        self._place = wish.place
        self._build = fingerprint()
        self._started = time.time()  # noqa: TID251  the clock starts here and is handed to everybody else
        self._stop = anyio.Event()
        self._port = 0
        self._last_port: int | None = None

    async def run(self) -> None:
        store = Store.open(Path(self._place.root))
        sandbox = self._backend
        try:
            async with anyio.create_task_group() as tasks:
                self._house = self._build_house(store, sandbox, tasks)
                await self._serve(sandbox, tasks)
                tasks.cancel_scope.cancel()
        finally:
            store.close()
            log.info("stopped")

    def _clock(self) -> float:
        return time.time()  # noqa: TID251  the one clock

    def _build_house(self, store: Store, sandbox: Backend, tasks: Any) -> House:
        state, records = load(store, self._wish.version, self._clock())
        self._last_port = records.get("desk", {}).get("port", {}).get("port")
        desk = Desk(state)
        policy, calm = PolicyFile(self._place.policy), Calm()
        scripts, workshop = Scripts(sandbox, tasks, calm, self._clock), Workshop(tasks, calm, self._clock)
        runner = Runner(desk, store, scripts, workshop, Ledger(self._clock), policy, tasks, self._clock)
        runner.start()
        if not state.contents.canvases:
            first_canvas(runner, self._clock())
        passes = Passes(self._clock, records.get("pass", {}), lambda digest: keep_pass(runner, digest))
        return House(
            runner=runner,
            passes=passes,
            desk_key=self._key,
            version=self._wish.version,
            build=self._build,
            clock=self._clock,
            mint=mint,
            mcp_loaded=anyio.Event(),
            asked=self._asked,
            snippets=lambda: snippets.lines(self._place),
        )

    async def _serve(self, sandbox: Backend, tasks: Any) -> None:
        sock = listening(self._wish.port, self._last_port)
        self._port = self._house.port = sock.getsockname()[1]
        self._house.runner.carry_out(Persist(records=(Record("desk", "port", {"port": self._port}),)))
        gate = http.gate(lambda: self._port, self._build)
        async with serve(
            self._accept,
            sock=sock,
            process_request=gate,
            compression=None,
            max_size=MAX_TRANSPORT_BYTES,
            ping_interval=15,
            ping_timeout=15,
            close_timeout=2,
            server_header=None,
            logger=quiet_logger(),
        ) as server:
            self._publish()
            log.info("serving on port %d, version %s, build %s", self._port, self._wish.version, self._build)
            tasks.start_soon(self._load_mcp, name="load the SDK")
            await sandbox.start(tasks)
            tasks.start_soon(self._watch_signals, name="signals")
            tasks.start_soon(self._watch_idle, server, name="idle")
            await self._stop.wait()
            self._house.runner.feed(e.Stopping(self._clock()))
            discovery.remove(self._place)
            server.close(code=RESTARTING, reason="the broker is stopping")
            await server.wait_closed()
        await sandbox.close()
        self._house.runner.checkpoint()

    async def _accept(self, connection: ServerConnection) -> None:
        no_delay(connection)
        path = (connection.request.path if connection.request else "").partition("?")[0]
        face = agent_socket.serve if path == "/agent" else page_socket.serve
        await face(connection, self._house)

    async def _load_mcp(self) -> None:
        await anyio.to_thread.run_sync(sdk.load)
        gc.freeze()  # what was loaded stays; collections need not look at it again
        gc.enable()
        self._house.mcp_loaded.set()
        await models.compile_ahead()

    def _publish(self) -> None:
        found = discovery.Discovery(
            address=f"127.0.0.1:{self._port}",
            pid=os.getpid(),
            started_at=iso(self._started),
            protocol=m.PROTOCOL,
            version=self._wish.version,
            build=self._build,
        )
        with _writing(self._place):
            discovery.write(self._place, found)
        self._wish.announce(f"http://127.0.0.1:{self._port}/", self._way_in())

    def _way_in(self) -> str:
        return f"http://127.0.0.1:{self._port}/#code={self._house.passes.new_code()}"

    # -- what the command line asks ------------------------------------------------

    def _asked(self, what: str) -> dict[str, Any]:
        match what:
            case "status":
                return self._status()
            case "agents":
                return {"agents": reporting.agents(self._house.runner.desk.state)}
            case "open":
                return {"address": self._way_in()}
            case "stop":
                self._stop.set()
                return {"stopping": True}
            case _:
                return {"error": f"unknown question {what[:40]}"}

    def _status(self) -> dict[str, Any]:
        runner = self._house.runner
        return {
            "running": True,
            "pid": os.getpid(),
            "startedAt": iso(self._started),
            "address": f"http://127.0.0.1:{self._port}/",
            "protocol": m.PROTOCOL,
            "version": self._wish.version,
            "build": self._build,
            "desk": self._place.root,
            **reporting.figures(runner.desk.state),
            "tasks": len(asyncio.all_tasks()),
            "links": runner.links,
            "watchers": len(runner.watchers),
            "calls": {**runner.ledger.fields(), "late": runner.outbox.late},
        }

    # -- the end ---------------------------------------------------------------------

    async def _watch_signals(self) -> None:
        with _signals() as received:
            async for _ in received:
                self._stop.set()
                return

    async def _watch_idle(self, server: Server) -> None:
        """End after half an hour in which nobody was connected."""
        idle = Idle(self._clock())
        is_over = False
        while not is_over:
            with anyio.move_on_after(IDLE_CHECK_S):
                await self._stop.wait()
            is_over = idle.is_over(self._clock(), is_anyone_here=bool(server.connections))
        log.info("nobody was here for a long time; ending")
        self._stop.set()


@contextlib.contextmanager
def _signals() -> Iterator[AsyncIterator[signal.Signals]]:
    wanted = [signal.SIGTERM, signal.SIGINT]
    try:
        with anyio.open_signal_receiver(*wanted) as received:
            yield received
    except NotImplementedError:  # Windows' event loop has no signal handlers; Ctrl+C ends the process there
        yield _never()


async def _never() -> AsyncIterator[signal.Signals]:
    await anyio.sleep_forever()
    yield signal.SIGTERM
