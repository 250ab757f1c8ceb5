"""A day at a desk on which secrets were planted everywhere; then all that others could read is searched."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import over_http
import pytest
from brokers import CLI, RunningBroker
from parties import PATIENCE_S, Caller, Person, RawAgent, eventually, way_in
from planted import planted
from raw_http import ask, upgrade
from relay_process import line
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from chardesk.broker.door import discovery
from chardesk.broker.door.key import read_key
from chardesk.broker.door.place import Place

PATHS = ("/", "/health", "/desk", "/read/cv-2345abcdef", "/nothing", "/agent", "/page", "/read")

FAULT = "FAULT"
FAULTS = f"""
from chardesk.tools.draw import render, write

def faulty(body, field):
    plan = body.plan
    def planned(draft, size, args):
        if {FAULT!r} in (getattr(args, field) or ""):
            raise ValueError(getattr(args, field))
        return plan(draft, size, args)
    object.__setattr__(body, "plan", planned)

faulty(write.OPERATION.body, "content")
faulty(render.OPERATION.body, "source")
"""
"""Faults of ours whose words quote what the caller sent: one on the loop, one on a thread."""


def said(what: str) -> str:
    """A text that stands nowhere else."""
    return f"{what}-{os.urandom(8).hex()}"


@dataclass
class Day:
    """What was planted, by name, and what others can read, by place."""

    opening: dict[str, str] = field(default_factory=dict)
    """What opens the desk, or something else: keys, tokens, codes, and variables of the environment."""
    words: dict[str, str] = field(default_factory=dict)
    """What callers and the person wrote. It belongs on the canvas, not into logs."""
    places: dict[str, bytes] = field(default_factory=dict)

    def found(self, where: str, data: bytes | str) -> None:
        self.places[where] = (
            self.places.get(where, b"") + (data.encode() if isinstance(data, str) else data) + b"\n"
        )

    def word(self, what: str) -> str:
        return self.words.setdefault(what, said(what.replace(" ", "-")))

    def leaks(self, secrets: dict[str, str], *places: str) -> list[str]:
        assert all(self.places[where].strip() for where in places), "nothing was looked at"
        return [
            f"{what} in {where}"
            for what, secret in secrets.items()
            for where in places
            if secret.encode() in self.places[where]
        ]


# -- the processes -------------------------------------------------------------------


def descendants(root: int) -> set[int]:
    """The processes that this one and its children have started, as far as they live."""
    parents: dict[int, list[int]] = {}
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        parents.setdefault(_parent(pid), []).append(pid)
    found: set[int] = set()
    new = {root}
    while new:
        new = {child for pid in new for child in parents.get(pid, [])} - found
        found |= new
    return found


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def look_at_processes(day: Day, *more: int) -> None:
    for pid in descendants(os.getpid()) | set(more):
        for what in ("cmdline", "environ"):
            try:
                day.found(what, Path(f"/proc/{pid}/{what}").read_bytes())
            except OSError:
                continue


# -- the day -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Day]:
    home = tmp_path_factory.mktemp("leaks")
    found = Day()
    faults = planted(home / "faults", FAULTS)
    with RunningBroker(home / "desk", CHARDESK_LOG="debug", **faults) as broker:
        with ExitStack() as stack:
            person = stack.enter_context(Person(broker))
            ada = stack.enter_context(_agent(broker.place, home, faults))
            raw = stack.enter_context(RawAgent(broker, "raw"))
            _plant_keys(found, broker, person, raw)
            _write(found, ada, home)
            _refuse(found, ada, raw)
            _talk(found, ada, person)
            _script(found, ada, broker)
            _shell(found, broker)
            _strangers(found, broker)
            _over_http(found, broker)
            _ask_the_command_line(found, broker)
            found.found("what another agent hears", json.dumps(raw.frames))
            broker.kill()
            _with_an_heir(found, ada, broker)
            found.found("stderr", ada.end()[2] + b"the relay's ended here")
        _read_files(found, broker)
    yield found


@contextmanager
def _agent(place: Place, home: Path, faults: dict[str, str]) -> Iterator[Caller]:
    """One that was trusted with a key of its own."""
    (home / "roots").mkdir()
    own = {"ADA_API_KEY": VARIABLES["ADA_API_KEY"], "DB_PASSWORD": VARIABLES["DB_PASSWORD"]}
    with Caller(place.root, "ada", {"CHARDESK_ROOTS": str(home / "roots"), **own, **faults}) as ada:
        yield ada


VARIABLES = {name: said(name.lower()) for name in ("ADA_API_KEY", "DB_PASSWORD")}


def _plant_keys(day: Day, broker: RunningBroker, person: Person, raw: RawAgent) -> None:
    day.opening |= {
        "the desk's key": read_key(broker.place),
        "the printed code": broker.way_in.partition("#code=")[2],
        "a fresh code": way_in(broker),
        "the page's token": person.token,
        "an agent's token": raw.welcome["token"],
        "a wrong key": said("wrong-key"),
        "a wrong token": said("wrong-token"),
        **VARIABLES,
    }


def _write(day: Day, ada: Caller, home: Path) -> None:
    ada.put(0, 0, day.word("cells"), why=day.word("a reason"))
    (home / "roots" / "notes.txt").write_text(day.word("a file"))
    (home / "outside.txt").write_text(day.word("a file outside"))
    ada.ok("canvas_write", at=[0, 2], sourceRef=str(home / "roots" / "notes.txt"), mode="apply")
    assert ada.tool("canvas_write", at=[0, 3], sourceRef=str(home / "outside.txt")).refused
    assert ada.ok("canvas_search", query=day.word("a query"))["matches"] == []
    ada.ok("canvas_render", at=[0, 4], source=f"# {day.word('material')}")


def _refuse(day: Day, ada: Caller, raw: RawAgent) -> None:
    assert ada.tool("canvas_write", at=[0, 5], content=f"{day.word('refused')}\t").refused
    assert ada.tool("canvas_write", at=[0, 5], **{day.word("a key nobody knows"): 1}).refused
    assert ada.tool(day.word("no such tool")[:60]).refused
    for tool, text in (("canvas_write", "content"), ("canvas_render", "source")):
        filling = "x\n" * 30_000 if text == "source" else ""
        fault = ada.tool(tool, at=[0, 6], **{text: f"{FAULT} {day.word(f'a fault in {tool}')} {filling}"})
        assert fault.code == "internal", fault.text
        day.found("what a fault tells", json.dumps(fault.fields) + fault.text)
    raw.say('{"jsonrpc":"2.0","id":1,"method":"' + day.word("no such method") + '"}')
    raw.say('{"jsonrpc":"2.0","id":2,' + day.word("no json"))


def _talk(day: Day, ada: Caller, person: Person) -> None:
    ada.ok("canvas_inbox", action="post", to="person", text=day.word("a letter"))
    preview = ada.ok("canvas_write", at=[0, 8], content=day.word("a preview"))["previewId"]
    person.until(lambda told: told["type"] == "preview" and told["id"] == preview)
    person.say(
        "decide", epoch=person.epoch, preview=preview, version=1, verdict="veto", note=day.word("a note")
    )
    person.until(lambda told: told["type"] == "preview_gone" and told["id"] == preview)
    person.type(0, 10, day.word("typed"))
    person.say(
        "web_mcp_call", id="w", tool="canvas_search", arguments={"query": day.word("a call of WebMCP")}
    )
    person.until(lambda told: told["type"] == "web_mcp_result")


def _script(day: Day, ada: Caller, broker: RunningBroker) -> None:
    """Looked at while it runs, and ended by an error whose words are its own."""
    asked = ada.send("canvas_code", script=f"for (;;); // {day.word('a script')}", timeoutMs=10_000)
    eventually(lambda: broker.call("status")["jobs"] == 1)
    look_at_processes(day)
    ada.write(line({"method": "notifications/cancelled", "params": {"requestId": asked}}))
    eventually(lambda: broker.call("status")["jobs"] == 0)
    assert ada.tool("canvas_code", script=f"throw new Error('{day.word('an error')}')").refused


def _shell(day: Day, broker: RunningBroker) -> None:
    """Text on stdin is in no process list: looked at while the verb waits for it."""
    words = ["write", "--desk", broker.place.root, "--at", "0,12", "--content", "-", "--mode", "apply"]
    with subprocess.Popen(
        [*CLI, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as shell:
        look_at_processes(day)
        _, errors = shell.communicate(day.word("from a shell"), timeout=PATIENCE_S)
    assert shell.returncode == 0, errors
    day.found("stderr", errors)


def _strangers(day: Day, broker: RunningBroker) -> None:
    """Who has what does not belong there, or belongs elsewhere, and says it at every door."""
    secrets = [*day.opening.values(), *day.words.values()]
    for secret in secrets:
        for path in ("/", "/agent", "/page"):
            query = f"{path}?code={secret}&token={secret}"
            bearer = ("Authorization", f"Bearer {secret}")
            for host in (broker.address, "evil.example"):
                day.found("HTTP", ask(broker.address, query, ("Host", host), bearer).whole)
                day.found("HTTP", upgrade(broker.address, path, ("Host", host), bearer).whole)
    for path in PATHS:
        for method in ("GET", "POST"):
            day.found("HTTP", ask(broker.address, path, ("Host", broker.address), method=method).whole)
    day.found("HTTP", ask(broker.address, "/", ("Host", broker.address), ("Origin", "null")).whole)
    for wrong in (day.opening["a wrong key"], day.opening["an agent's token"]):
        hello = {"chardesk": "hello", "protocol": 1, "key": wrong, "name": wrong, "resume": wrong}
        day.found("what strangers hear", _turned_away(broker, "/agent", json.dumps(hello)))
    for wrong in (day.opening["a wrong token"], day.opening["the desk's key"]):
        look = {"type": "hello", "protocol": 1, "kind": "reader", "token": wrong, "code": wrong}
        day.found("what strangers hear", _turned_away(broker, "/page", json.dumps(look)))
    day.found("what strangers hear", _turned_away(broker, "/agent", day.words["no json"]))


def _turned_away(broker: RunningBroker, path: str, frame: str) -> str:
    with connect(f"ws://{broker.address}{path}", compression=None, proxy=None) as socket:
        socket.send(frame)
        try:
            return str(socket.recv(timeout=PATIENCE_S))
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return f"{closed.rcvd.code} {closed.rcvd.reason}"


def _over_http(day: Day, broker: RunningBroker) -> None:
    with over_http.serving(broker) as address:
        day.opening["the token for HTTP"] = over_http.token(broker)
        host = address.removeprefix("http://").removesuffix("/mcp")
        for shown in (day.opening["the token for HTTP"], day.opening["a wrong token"]):
            told = ask(host, f"/mcp?token={shown}", ("Host", host), ("Authorization", f"Bearer {shown}"))
            day.found("HTTP", told.whole)
        look_at_processes(day)


ASKED = (
    *(("status",), ("status", "--json"), ("logs", "--lines", "9999"), ("logs", "--lines", "9999", "--json")),
    *(("agents",), ("agents", "--json"), ("doctor",), ("doctor", "--report"), ("doctor", "--json")),
    *(("backend",), ("log", "verify"), ("connect", "claude-code"), ("nonsense",), ("write", "--at", "x")),
)


def _ask_the_command_line(day: Day, broker: RunningBroker) -> None:
    for words in ASKED:
        done = broker.cli(*words)
        day.found("the command line", done.stdout + done.stderr)


def _with_an_heir(day: Day, ada: Caller, broker: RunningBroker) -> None:
    """The broker that ada's process starts after a kill. Its stderr is a file of the desk."""
    fault = ada.tool("canvas_write", at=[0, 6], content=f"{FAULT} {day.word('a later fault')}")
    assert fault.code == "internal", fault.text
    heir = discovery.running(broker.place)
    assert heir is not None
    day.found("the heir's environment", Path(f"/proc/{heir.pid}/environ").read_bytes())
    look_at_processes(day, heir.pid)
    eventually(lambda: "ValueError" in Path(broker.place.log, "broker.err").read_text())


def _read_files(day: Day, broker: RunningBroker) -> None:
    root = Path(broker.place.root)
    day.found("stderr", broker.log)
    for file in sorted(one for one in root.rglob("*") if one.is_file()):
        if file.parent.name == "log":
            day.found("log files", file.read_bytes())
        elif file.name.startswith("desk.sqlite"):
            day.found("the database", file.read_bytes())
        elif file.name not in ("key", "http-token"):
            day.found("other files", file.read_bytes())
    for one in (root, *root.rglob("*")):
        if one.stat().st_mode & 0o077:
            day.found("open to others", f"{one.relative_to(root)} {one.stat().st_mode:o}")


# -- the search ----------------------------------------------------------------------

EVERYWHERE = (
    *("log files", "stderr", "cmdline", "HTTP", "the command line", "what strangers hear"),
    *("what a fault tells", "other files"),
)


def test_what_opens_something_is_found_nowhere(day: Day) -> None:
    assert all(len(secret) >= 12 for secret in day.opening.values())
    places = (*EVERYWHERE, "the database", "what another agent hears")
    assert day.leaks(day.opening, *places) == []


def test_what_was_written_is_found_on_the_canvas_only(day: Day) -> None:
    heard = {what: word for what, word in day.words.items() if what not in SENT_BY_RAW}
    assert len(heard) > 15
    assert day.leaks(heard, *EVERYWHERE, "environ", "what another agent hears") == []


SENT_BY_RAW = {"no such method", "no json"}
"""The other agent hears of its own mistakes. Nobody else does: see the next test."""


def test_an_agents_mistakes_are_its_own(day: Day) -> None:
    assert day.leaks({what: day.words[what] for what in SENT_BY_RAW}, *EVERYWHERE, "environ") == []


def test_what_opens_the_desk_is_in_no_environment(day: Day) -> None:
    doors = {what: secret for what, secret in day.opening.items() if what not in VARIABLES}
    assert len(doors) >= 8
    assert day.leaks(doors, "environ") == []


def test_a_broker_that_an_agent_started_has_nothing_of_what_the_agent_was_trusted_with(day: Day) -> None:
    assert day.leaks(VARIABLES, "the heir's environment") == []
    assert b"PATH=" in day.places["the heir's environment"], "and the rest"
    assert day.leaks(VARIABLES, "environ"), "the search finds what is there: in the agent's own process"


def test_no_file_of_the_desk_is_open_to_others(day: Day) -> None:
    assert day.places.get("open to others") is None


def test_a_fault_tells_its_caller_an_id_and_no_place(day: Day) -> None:
    told = day.places["what a fault tells"]
    assert b"noted as" in told
    for one in (b"ValueError", b"Traceback", b".py", str(Path.home()).encode(), b"site-packages"):
        assert one not in told


def test_the_day_was_a_full_one(day: Day) -> None:
    """Every place holds what it must hold, so that an empty search is no proof of anything."""
    expected: dict[str, tuple[str, ...]] = {
        "log files": ("canvas_write", "canvas_code", '"fault":"ValueError"', "permission_denied", "at "),
        "stderr": ("ValueError", "chardesk.runner"),
        "cmdline": (
            "serve",
            "chardesk.broker.relay",
            "chardesk.broker.sandbox.worker",
            "chardesk.broker.http_mode",
            "--content",
        ),
        "environ": ("CHARDESK_AGENT=ada",),
        "HTTP": ("not the address of this desk", "another site", "www-authenticate: Bearer"),
        "the command line": ("ada", "canvas_write", "desk", "rows checked"),
        "what strangers hear": ("4401",),
        "the database": (day.words["a reason"][:5],),
    }
    missing = [
        f"{word} in {where}"
        for where, words in expected.items()
        for word in words
        if word.encode() not in day.places[where]
    ]
    assert missing == []
