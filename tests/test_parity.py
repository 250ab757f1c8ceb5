"""One corpus of calls on every surface: in process, over chardesk-mcp, on the command line, as batch steps.

What a call answers must not depend on the way it came in. Declared volatile fields are left out, ids are
numbered by their first appearance, and an author's own name is "me"; all else is compared, refusals too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import freeze
import pytest
from brokers import RunningBroker
from parties import Caller, faultless
from playbook import Agent, Playbook

from chardesk.broker import cli
from chardesk.broker.desk import effects as fx
from chardesk.broker.verbs.tools import flag
from chardesk.tools.operation import Text
from chardesk.tools.registry import BY_NAME, OPERATIONS
from chardesk.tools.run.batch import Verb

CALLS = json.loads((Path(__file__).parent / "vectors" / "calls.json").read_text(encoding="utf-8"))
EVERYONE, AGENTS = CALLS["everyone"], CALLS["agents"]

Call = dict[str, Any]
Fields = dict[str, Any]
Surface = Callable[[Call, Fields], Fields]
"""Carries a call out, with its references filled in; gives the fields and the text as `content`."""

VOLATILE = {"expiresAt", "time", "updatedAt", "durationMs", "inbox"}
_ID = re.compile(r"\b(cv|pg|pv|op|ch)-[a-z0-9]+\b")
_ME = re.compile(r"\b(ada|cli)\b")


# -- a session on a surface ------------------------------------------------------------------


def session(calls: list[Call], surface: Surface) -> list[Fields]:
    """The answers to all calls, in order, as they can be compared."""
    told: list[Fields] = []
    for call in calls:
        told.append(surface(call, filled(call["args"], told)))
    numbers: dict[str, str] = {}
    return [comparable(one, numbers) for one in told]


def filled(node: Any, told: list[Fields]) -> Any:
    """The arguments with `@n.field` as call n answered it."""
    match node:
        case str() if found := re.fullmatch(r"@(\d+)\.(\w+)", node):
            return told[int(found[1])][found[2]]
        case list():
            return [filled(item, told) for item in node]
        case dict():
            return {name: filled(item, told) for name, item in node.items()}
        case _:
            return node


def comparable(fields: Fields, numbers: dict[str, str]) -> Fields:
    """Without what is volatile, ids numbered, and the author's own name "me"."""

    def number(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"{found[1]}#{len(numbers)}")

    def plain(node: Any) -> Any:
        match node:
            case dict():
                return {name: plain(node[name]) for name in sorted(node) if name not in VOLATILE}
            case list() | tuple():
                return [plain(item) for item in node]
            case str():
                return _ME.sub("me", _ID.sub(number, node))
            case _:
                return node

    compared: Fields = plain(fields)
    return compared


# -- the surfaces ---------------------------------------------------------------------------------


def in_process(agents: dict[str, Agent]) -> Surface:
    def carry_out(call: Call, args: Fields) -> Fields:
        got = agents[call.get("by", "ada")].calls(call["tool"], **args)
        return {**got.fields, "content": "\n".join(block.text for block in got.reply.blocks)}

    return carry_out


def over_mcp(agents: dict[str, Caller]) -> Surface:
    def carry_out(call: Call, args: Fields) -> Fields:
        told = agents[call.get("by", "ada")].tool(call["tool"], **args)
        return {**told.fields, "content": told.text}

    return carry_out


def on_the_command_line(broker: RunningBroker, capsys: pytest.CaptureFixture[str]) -> Surface:
    def carry_out(call: Call, args: Fields) -> Fields:
        words = [f"{flag(name)}={_word(value)}" for name, value in args.items()]
        verb = BY_NAME[call["tool"]].verb
        code = cli.main([verb, "--desk", broker.place.root, "--json", *words])
        told: Fields = json.loads(capsys.readouterr().out)
        assert code == (1 if told.get("ok") is False else 0)
        return told

    return carry_out


def _word(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case list() if value and all(not isinstance(item, dict) for item in value):
            return ",".join(map(str, value))
        case list() | dict():
            return json.dumps(value)
        case _:
            return str(value)


def playing(*names: str) -> dict[str, Agent]:
    play = Playbook()
    return {name: play.agent(name) for name in names}


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[RunningBroker]:
    with faultless(tmp_path / "desk") as running:
        yield running


def differences(ours: list[Fields], theirs: list[Fields], calls: list[Call]) -> list[str]:
    return [
        f"{number}: {call['tool']} {call['args']}\n  {one}\n  {other}"
        for number, (one, other, call) in enumerate(zip(ours, theirs, calls, strict=True))
        if one != other
    ]


# -- parity -------------------------------------------------------------------------------------------


def test_the_corpus_is_large_and_full_of_refusals() -> None:
    told = session(EVERYONE, in_process(playing("ada")))
    refusals = [one["code"] for one in told if one.get("ok") is False]
    assert len(EVERYONE) >= 150 and len(refusals) >= 50
    assert len(set(refusals)) >= 11, sorted(set(refusals))
    assert {call["tool"] for call in EVERYONE} >= {one.name for one in OPERATIONS} - NOT_IN_THE_CORPUS


NOT_IN_THE_CORPUS = {"canvas_inbox", "canvas_review", "canvas_coordinate"}
"""What waits for others has tests of its own; there is nothing to compare in a session of one."""


def test_an_agents_process_answers_as_the_desk_does(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "ada") as ada:
        theirs = session(EVERYONE, over_mcp({"ada": ada}))
    ours = session(EVERYONE, in_process(playing("ada")))
    assert differences(ours, theirs, EVERYONE) == []


def test_two_agents_are_answered_as_the_desk_answers_them(broker: RunningBroker) -> None:
    with Caller(broker.place.root, "ada") as ada, Caller(broker.place.root, "bob") as bob:
        theirs = session(AGENTS, over_mcp({"ada": ada, "bob": bob}))
    ours = session(AGENTS, in_process(playing("ada", "bob")))
    assert differences(ours, theirs, AGENTS) == []
    assert "conflict" in {one.get("code") for one in ours}


def test_the_command_line_answers_as_the_desk_does(
    broker: RunningBroker, capsys: pytest.CaptureFixture[str]
) -> None:
    """Calls that the shell's own parser refuses never get to the desk: they are left out on both sides."""
    calls = [call if call.get("cli", True) else _HARMLESS for call in EVERYONE]
    play = Playbook()
    ours = session(calls, in_process({"ada": play.tenant("cli", "cli")}))
    theirs = session(calls, on_the_command_line(broker, capsys))
    assert differences(ours, theirs, calls) == []


_HARMLESS: Call = {"tool": "canvas_manage", "args": {"action": "list_pages"}}
"""Keeps the numbers of the calls as they are."""


def test_a_batch_of_one_step_gives_what_the_call_gives() -> None:
    plain, stepped = playing("ada"), playing("ada")
    one_by_one = in_process(plain)

    def as_step(call: Call, args: Fields) -> Fields:
        verb = call["tool"].removeprefix("canvas_")
        own = {name: value for name, value in args.items() if name in OF_THE_WHOLE}
        if verb not in get_args(Verb) or not _is_a_step(args):
            return in_process(stepped)(call, args)
        step = {"op": verb, "args": {name: value for name, value in args.items() if name not in own}}
        told = in_process(stepped)({"tool": "canvas_batch"}, {"ops": [step], **own})
        if told.get("ok") is False:
            return told
        return {**told["results"][0], "_batch": True, **{name: told[name] for name in KEPT if name in told}}

    ours, theirs = session(EVERYONE, one_by_one), session(EVERYONE, as_step)
    compared = 0
    for call, one, other in zip(EVERYONE, ours, theirs, strict=True):
        if other.pop("_batch", False):
            shared = {name: value for name, value in one.items() if name in other}
            assert other == shared, call
            compared += 1
        else:
            assert one.get("code") == other.get("code"), call
    assert compared >= 50


OF_THE_WHOLE = {"mode", "expectedRevision", "why", "previewId", "altGroup", "canvasId", "pageId"}
KEPT = ("previewId", "operationId", "revision", "canvasId", "pageId")
"""What later calls of the corpus refer to."""


def _is_a_step(args: Fields) -> bool:
    """Not what only a call by itself can do: turn the desk, point, happen at once though others preview."""
    return "action" not in args and "idempotencyKey" not in args


# -- reads ----------------------------------------------------------------------------------------------


def test_whatever_only_looks_leaves_the_journal_alone() -> None:
    """R47. Records are the journal's neighbours: a look keeps none of those either."""
    agents = playing("ada")
    play = agents["ada"].play
    looked: set[str] = set()

    def watched(call: Call, args: Fields) -> Fields:
        before = play.state.seq
        told = in_process(agents)(call, args)
        if is_look(call):
            kept = [one for one in play.heard if isinstance(one, fx.Persist)]
            assert (kept, play.state.seq) == ([], before), call
            looked.add(f"{call['tool']} {call['args'].get('action', '')}".strip())
        return told

    session(EVERYONE, watched)
    assert looked >= {
        "canvas_read",
        "canvas_search",
        "chardesk_read_materials",
        *(f"canvas_manage {action}" for action in ("list", "list_pages", "status")),
        *(f"canvas_history {action}" for action in ("log", "show", "diff", "list_tags")),
    }


LOOKS = {"list", "list_pages", "status", "show", "log", "diff", "list_tags"}


def is_look(call: Call) -> bool:
    return BY_NAME[call["tool"]].effect == "read" or call["args"].get("action") in LOOKS


# -- the list of tools ------------------------------------------------------------------------------------


def test_the_list_of_tools_is_as_it_was_frozen() -> None:
    """Every session pays for it, and agents and saved prompts depend on it: changing it is deliberate.
    `python tests/freeze.py` writes it anew."""
    assert freeze.tools() == json.loads(freeze.FILE.read_text(encoding="utf-8"))


def test_tools_keep_within_their_budget() -> None:
    sizes = {name: tool["bytes"] for name, tool in freeze.tools().items()}
    assert max(sizes.values()) < 3_200 and sum(sizes.values()) < 36_000, sizes


# -- what agents must never get ------------------------------------------------------------------------------


def properties() -> set[str]:
    return {field for tool in freeze.tools().values() for field in tool["takes"]}


def test_nothing_takes_a_whole_sheet() -> None:
    """R7: a replacement loses every edit that its author has not seen. What is written is placed: it has an
    `at`, or it is a step of a batch that has one."""
    for operation in OPERATIONS:
        takes = freeze.tools()[operation.name]["takes"]
        if operation.effect == "change" and operation.name not in ("canvas_code", "canvas_batch"):
            assert "at" in takes, operation.name
    assert not properties() & {"cells", "scene", "rows", "replace", "document", "snapshot"}


def test_no_list_is_reconciled() -> None:
    """R8: what is left out of a list stays. There are actions to add and to take away, and no `set`."""
    actions = {
        action for operation in OPERATIONS for action in freeze.tools()[operation.name].get("actions", ())
    }
    assert not {word for word in actions if word.startswith(("set", "sync", "replace", "update_all"))}
    assert not properties() & {"pages", "canvases", "tags"}


def test_no_tool_runs_code_in_the_page() -> None:
    """The page holds the person's seat: whoever runs code there decides for the person. Scripts run in a
    sandbox that has no page."""
    assert not properties() & {"javascript", "eval", "html", "url", "selector"}
    assert [name for name, tool in freeze.tools().items() if "script" in tool["takes"]] == ["canvas_code"]


def test_no_tool_moves_the_persons_view() -> None:
    """R82: only the person moves camera, cursor and selection. `show` raises a chip, `create` may ask to be
    shown; nothing else comes near."""
    assert not properties() & {"camera", "zoom", "scroll", "cursor", "selection", "select", "focus"}
    assert [name for name, tool in freeze.tools().items() if "activate" in tool["takes"]] == ["canvas_manage"]
    agents = playing("ada")
    play = agents["ada"].play
    person = play.person()
    before = (play.state.active, play.state.pages.all[person.link].sheet)
    session([call for call in EVERYONE if not call["args"].get("activate")][1:40], in_process(agents))
    assert (play.state.active, play.state.pages.all[person.link].sheet) == before


def test_nobody_says_who_they_are_or_what_they_may() -> None:
    """R68: identity is the token, and grants are the person's gestures. `author` only filters a log."""
    assert not properties() & {"agent", "as", "grant", "token", "tenant", "user", "role"}
    for name, tool in freeze.tools().items():
        assert "author" not in tool["takes"] or name == "canvas_history"


def test_no_tool_rewrites_the_journal() -> None:
    """R17: the journal is the truth. Undo and restore are commits on top of it."""
    play = Playbook()
    ada = play.agent("ada")
    ada.writes(0, 0, "x")
    first = list(play.journal)
    ada.undoes()
    ada.history("restore", to=2, mode="apply")
    assert play.journal[: len(first)] == first and len(play.journal) == len(first) + 2
    actions = freeze.tools()["canvas_history"]["actions"]
    assert not set(actions) & {"delete", "edit", "purge", "squash", "rewrite"}


def test_blocks_that_are_compared_are_texts() -> None:
    got = Playbook().agent("ada").reads(0, 0, 2)
    assert all(isinstance(block, Text) for block in got.reply.blocks)
