"""`sourceRef`: text from a file in the agent's own folders, read by its own process and by nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker
from parties import Caller, faultless
from playbook import Agent, Got, Playbook

from chardesk.broker.desk import effects as fx
from chardesk.broker.desk import events as e
from chardesk.tools.draw.sourced import MAX_SOURCE_BYTES, TEXT_OF
from chardesk.tools.registry import BY_VERB
from chardesk.tools.run.references import literal, resolved

# -- at the desk ---------------------------------------------------------------------------


def asks(agent: Agent, tool: str, **arguments: Any) -> tuple[str, list[fx.ReadSource]]:
    call = agent.asks(tool, **{"at": [0, 0], "mode": "apply", **arguments})
    agent.play.turn()
    return call, [one for one in agent.play.heard if isinstance(one, fx.ReadSource)]


def answers(agent: Agent, call: str, job: str, text: str | None, **more: str) -> Got:
    said = {"tenant": agent.link, "error": "", "code": "invalid_input", **more}
    agent.play.feed(e.SourceRead(job=job, text=text, at=agent.play.at, **said))
    got = agent.answer(call)
    assert got is not None
    return got


def test_the_agents_own_process_is_asked_and_its_text_is_written() -> None:
    play = Playbook()
    ada = play.agent("ada")
    call, (wanted,) = asks(ada, "canvas_write", sourceRef="notes.txt")
    assert (wanted.tenant, wanted.path, wanted.max_bytes) == (ada.link, "notes.txt", MAX_SOURCE_BYTES)
    assert answers(ada, call, wanted.job, "from\nafile")["applied"]
    assert play.drawn() == "\nfrom\nafile"


def test_a_file_is_rendered_like_any_material() -> None:
    play = Playbook()
    ada = play.agent("ada")
    call, (wanted,) = asks(ada, "canvas_render", sourceRef="README.md")
    assert answers(ada, call, wanted.job, "**bold**\n\n- x")["format"] == "markdown"
    assert play.drawn() == "\nbold\n\n- x"


@pytest.mark.parametrize("tool", ["canvas_write", "canvas_render"])
def test_exactly_one_of_text_and_file_is_given(tool: str) -> None:
    ada = Playbook().agent("ada")
    text = TEXT_OF[tool.removeprefix("canvas_")]
    assert ada.calls(tool, at=[0, 0])["field"] == text
    got = ada.calls(tool, at=[0, 0], sourceRef="x", **{text: "x"})
    assert (got.code, got["field"]) == ("invalid_input", "sourceRef")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("not_found", "not_found"),
        ("too_large", "too_large"),
        ("permission_denied", "permission_denied"),
        ("internal", "invalid_input"),
        ("made up", "invalid_input"),
    ],
)
def test_why_a_file_is_not_handed_out_is_the_calls_refusal(code: str, told: str) -> None:
    play = Playbook()
    ada = play.agent("ada")
    call, (wanted,) = asks(ada, "canvas_write", sourceRef="x")
    got = answers(ada, call, wanted.job, None, error="because " * 99, code=code)
    assert (got.code, got["field"]) == (told, "sourceRef") and len(got["message"]) < 250
    assert play.state.seq == 1


def test_a_text_over_the_limit_is_refused_whatever_the_process_says() -> None:
    ada = Playbook().agent("ada")
    call, (wanted,) = asks(ada, "canvas_write", sourceRef="x")
    assert answers(ada, call, wanted.job, "é" * (MAX_SOURCE_BYTES // 2 + 1)).code == "too_large"


def test_only_who_was_asked_can_answer() -> None:
    play = Playbook()
    ada, bob = play.agent("ada"), play.agent("bob")
    call, (wanted,) = asks(ada, "canvas_write", sourceRef="x")
    play.feed(e.SourceRead(bob.link, wanted.job, "stolen", "", "", play.at))
    assert play.heard == [] and ada.answer(call) is None
    play.feed(e.SourceRead(ada.link, "jb-99", "unasked", "", "", play.at))
    assert play.heard == []
    assert answers(ada, call, wanted.job, "mine")["applied"]


def test_a_file_is_asked_for_only_when_the_call_may_change_anything() -> None:
    play = Playbook()
    ada = play.agent("ada", "observe")
    call, wanted = asks(ada, "canvas_write", sourceRef="x")
    got = ada.answer(call)
    assert wanted == [] and got is not None and got.code == "permission_denied"


def test_a_repeated_call_needs_no_file() -> None:
    play = Playbook()
    ada = play.agent("ada")
    call, (wanted,) = asks(ada, "canvas_write", sourceRef="x", idempotencyKey="k")
    answers(ada, call, wanted.job, "once")
    again, more = asks(ada, "canvas_write", sourceRef="x", idempotencyKey="k")
    got = ada.answer(again)
    assert more == [] and got is not None and got["repeated"] is True and play.state.seq == 2


@pytest.mark.parametrize("door", ["cli", "browser"])
def test_who_has_no_process_of_its_own_sends_the_text(door: Any) -> None:
    got = Playbook().tenant(door, door).calls("canvas_write", at=[0, 0], sourceRef="x")
    assert (got.code, got["field"]) == ("unsupported_action", "sourceRef")
    assert "content" in got["message"]


def test_a_page_has_no_files_and_neither_has_a_script() -> None:
    play = Playbook()
    heard = play.person().calls("canvas_write", at=[0, 0], sourceRef="x")
    assert heard.refusal == "unsupported_action"
    script = play.agent("ada").starts_script()
    assert script.does("write", at=[0, 0], sourceRef="x")["code"] == "unsupported_action"


def test_a_batch_reads_its_files_first_and_all_of_them_within_one_limit() -> None:
    play = Playbook()
    ada = play.agent("ada")
    ops = [
        {"op": "write", "args": {"at": [0, 0], "sourceRef": "a"}},
        {"op": "search", "args": {"query": "$0.x"}},
        {"op": "render", "args": {"at": [0, 3], "sourceRef": "b", "format": "raw"}},
    ]
    call = ada.asks("canvas_batch", ops=ops, mode="apply")
    play.turn()
    (first,) = [one for one in play.heard if isinstance(one, fx.ReadSource)]
    play.feed(e.SourceRead(ada.link, first.job, "$0.bounds", "", "", play.at))
    (second,) = [one for one in play.heard if isinstance(one, fx.ReadSource)]
    assert (second.path, second.max_bytes) == ("b", MAX_SOURCE_BYTES - len("$0.bounds"))
    got = answers(ada, call, second.job, "b")
    assert got.code == "invalid_input", "the search of step 1 refers to a field that is not there"
    assert got["field"] == "ops.1.args.query" and play.state.seq == 1


def test_a_files_text_is_never_a_reference() -> None:
    for text in ("$0.bounds", "$$0.bounds", "$$$12.a.b", "$1.50", "plain", "$", "$$"):
        assert resolved(literal(text), [{"bounds": 1}]) == text


def test_every_tool_with_a_text_field_takes_a_file() -> None:
    takes = {verb for verb, one in BY_VERB.items() if "source_ref" in one.args.model_fields}
    assert takes == TEXT_OF.keys()


# -- through chardesk-mcp and the command line --------------------------------------------------


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with faultless(tmp_path_factory.mktemp("sources") / "desk") as running:
        yield running


def test_a_relay_reads_within_its_folders_and_nowhere_else(broker: RunningBroker, tmp_path: Path) -> None:
    inside, outside = tmp_path / "roots", tmp_path / "outside.txt"
    inside.mkdir()
    (inside / "notes.txt").write_text("世界\nok", encoding="utf-8")
    (inside / "big.txt").write_text("x" * (MAX_SOURCE_BYTES + 1), encoding="utf-8")
    (inside / "binary").write_bytes(b"\xff\xfe\x00")
    outside.write_text("secret", encoding="utf-8")
    (inside / "link.txt").symlink_to(outside)
    with Caller(broker.place.root, "ada", env={"CHARDESK_ROOTS": str(inside)}) as ada:
        where = {"canvasId": ada.ok("canvas_manage", action="create", kind="freeform")["canvasId"]}

        def write(name: str) -> Any:
            return ada.tool("canvas_write", at=[0, 0], sourceRef=str(inside / name), mode="apply", **where)

        assert write("notes.txt").fields["applied"]
        assert ada.rows((0, 0, 4, 2), **where) == ["世界", "ok"]
        refusals = {
            "gone.txt": "not_found",
            "big.txt": "too_large",
            "binary": "invalid_input",
            "link.txt": "permission_denied",
            "../outside.txt": "permission_denied",
        }
        for name, code in refusals.items():
            told = write(name)
            assert told.code == code, name
            assert str(tmp_path) not in told.text and "secret" not in told.text


def test_the_command_line_reads_its_own_files(broker: RunningBroker, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("of the shell", encoding="utf-8")
    done = broker.cli("write", "--at", "0,0", "--source-ref", str(notes), "--mode", "apply", "--json")
    assert done.returncode == 0, done.stderr
    missing = broker.cli("write", "--at", "0,0", "--source-ref", str(tmp_path / "none"))
    assert missing.returncode == 2 and "--source-ref" in missing.stderr
