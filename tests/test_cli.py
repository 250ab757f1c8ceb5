"""The command line against a real broker: what it prints, how it ends, and that mistakes change nothing."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from brokers import CLI, PATIENCE_S, RunningBroker, cli

from chardesk.broker import cli as commands
from chardesk.broker.door import discovery, snippets
from chardesk.broker.verbs import asking, exits, service
from chardesk.broker.verbs.showing import counted
from chardesk.broker.verbs.tools import flag
from chardesk.tools.registry import BY_VERB


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("cli") / "desk") as running:
        yield running


def seq(broker: RunningBroker) -> int:
    """How many commits the desk holds."""
    found = discovery.running(broker.place)
    assert found is not None
    return int(asking.ask(broker.place, found, "status")["seq"])


def test_every_tool_and_every_service_word_is_a_verb() -> None:
    assert set(commands.TOOLS) == BY_VERB.keys()
    assert set(commands.SERVICE) == service.VERBS.keys()
    help_text = cli("--help").stdout
    assert all(verb in help_text for verb in (*commands.TOOLS, *commands.SERVICE))


def test_help_is_printed_without_importing_what_verbs_need() -> None:
    code = "import sys; from chardesk.broker import cli; cli.main(['--help']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    slow = {"asyncio", "pydantic", "mcp", "sqlite3", "argparse", "json"}
    assert not slow & set(done.stdout.split())


def test_status_names_the_desk_and_where_it_is_reached(broker: RunningBroker) -> None:
    told = broker.call("status")
    assert told["running"] is True
    assert told["desk"] == broker.place.root
    assert told["address"] == f"http://{broker.address}/"
    assert told["pid"] == broker.pid
    assert told["tenants"] == []
    assert "code=" not in json.dumps(told), "status must print nothing that opens the desk"
    assert broker.cli("status").stdout.startswith(f"running at http://{broker.address}/")


def test_a_written_text_is_read_and_undone(broker: RunningBroker) -> None:
    written = broker.call("write", "--at", "-3,-2", "--content", "- 世界 👋", "--mode", "apply")
    assert written["applied"] is True
    assert written["bounds"] == [-3, -2, 9, 1]
    assert broker.cli("read", "--viewport", "-3,-2,9,1").stdout.endswith("│- 世界 👋\n")
    undone = broker.call("history", "--action", "undo")
    assert undone["undone"] == written["operationId"]
    assert "世界" not in broker.cli("read", "--viewport", "-3,-2,9,1").stdout


def test_without_a_mode_a_change_is_a_preview(broker: RunningBroker) -> None:
    before = seq(broker)
    shown = broker.call("write", "--at", "0,0", "--content", "maybe")
    assert shown["applied"] is False
    assert seq(broker) == before
    applied = broker.call("history", "--action", "apply_preview", "--preview-id", shown["previewId"])
    assert applied["applied"] is True
    assert seq(broker) == before + 1


def test_a_dash_reads_text_from_stdin(broker: RunningBroker) -> None:
    done = broker.cli("write", "--at", "0,9", "--content", "-", "--mode", "apply", stdin="from a pipe\n")
    assert done.returncode == exits.OK
    assert "from a pipe" in broker.cli("read", "--viewport", "0,9,20,1").stdout


def test_json_objects_are_given_as_json(broker: RunningBroker) -> None:
    style = json.dumps({"color": "danger", "attrs": {"bold": True}})
    broker.call("write", "--at", "0,12", "--content", "red", "--style", style, "--mode", "apply")
    read = broker.call("read", "--viewport", "0,12,3,1", "--representation", "cells")
    assert read["cells"][0] == {"x": 0, "y": 12, "char": "r", "color": "danger", "attrs": {"bold": True}}


def test_what_a_call_is_made_for_is_shown_without_json_too(broker: RunningBroker) -> None:
    assert '"active": true' in broker.cli("manage", "--action", "list").stdout
    ran = broker.cli("code", "--script", "return {sum: 1 + 1}").stdout
    assert ran.splitlines()[-2:] == ["result:", '  {"sum": 2}']


def test_a_refusal_is_exit_code_1_and_says_what_to_do(broker: RunningBroker) -> None:
    done = broker.cli("write", "--at", "0,0", "--content", "a\tb", "--mode", "apply")
    assert (done.returncode, done.stdout) == (exits.REFUSED, "")
    assert done.stderr.startswith("invalid_input: ")
    assert "Next: " in done.stderr
    as_json = broker.cli("write", "--at", "0,0", "--content", "a\tb", "--json")
    assert as_json.returncode == exits.REFUSED
    assert json.loads(as_json.stdout)["code"] == "invalid_input"


MISTAKES = {
    "unknown option": ["write", "--at", "0,0", "--content", "x", "--mode", "apply", "--shiny", "yes"],
    "abbreviated option": ["write", "--at", "0,0", "--cont", "x", "--mode", "apply"],
    "bad enum": ["write", "--at", "0,0", "--content", "x", "--mode", "now"],
    "bad point": ["write", "--at", "0;0", "--content", "x", "--mode", "apply"],
    "bad JSON": ["write", "--at", "0,0", "--content", "x", "--mode", "apply", "--style", "{color: red}"],
    "missing option": ["write", "--at", "0,0", "--mode", "apply"],
    "missing value": ["write", "--content", "x", "--mode", "apply", "--at"],
    "stray word": ["write", "--at", "0,0", "--content", "x", "y", "--mode", "apply"],
    "bad number": ["history", "--action", "log", "--limit", "many"],
    "option of another verb": ["read", "--at", "0,0"],
    "bad port": ["serve", "--port", "http"],
    "unknown host": ["connect", "emacs"],
    "unknown verb": ["wriet", "--at", "0,0"],
    "no verb": [],
}


@pytest.mark.parametrize("words", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_exit_code_2_and_changes_nothing(broker: RunningBroker, words: list[str]) -> None:
    before = seq(broker)
    done = broker.cli(*words) if len(words) > 1 else cli(*words)
    assert done.returncode == exits.USAGE, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) <= 1, done.stderr
    assert seq(broker) == before


def test_a_mistaken_verb_is_told_the_nearest_one() -> None:
    assert "did you mean write?" in cli("wriet").stderr


@pytest.mark.parametrize(("number", "said"), [(0, "0 commits"), (1, "1 commit"), (2, "2 commits")])
def test_one_is_not_many(number: int, said: str) -> None:
    assert counted(number, "commit") == said


def test_without_a_broker_status_is_exit_code_3_and_starts_none(tmp_path: Path) -> None:
    done = cli("status", "--desk", str(tmp_path / "desk"), "--json")
    assert done.returncode == exits.NO_BROKER
    assert json.loads(done.stdout) == {"running": False, "desk": str(tmp_path / "desk")}
    assert not (tmp_path / "desk").exists()


def test_a_broker_that_can_not_start_is_exit_code_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHARDESK_PORT", "none")
    done = cli("read", "--desk", str(tmp_path / "desk"))
    assert done.returncode == exits.NO_BROKER
    assert "none is no port" in done.stderr


def test_a_folder_that_can_not_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "desk"
    for words, code in ((["serve", "--no-open"], exits.REFUSED), (["read"], exits.NO_BROKER)):
        done = cli(words[0], "--desk", str(folder), *words[1:])
        assert done.returncode == code
        assert f"the desk's folder {folder} can't be written (Not a directory). Free space" in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_tool_verb_starts_the_broker_and_stop_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHARDESK_PORT", "0")
    desk = str(tmp_path / "desk")
    try:
        assert (
            cli("write", "--desk", desk, "--at", "0,0", "--content", "hi", "--mode", "apply").returncode == 0
        )
        assert json.loads(cli("status", "--desk", desk, "--json").stdout)["running"] is True
    finally:
        assert cli("stop", "--desk", desk).stdout == "stopped\n"
    assert cli("status", "--desk", desk).returncode == exits.NO_BROKER
    assert cli("stop", "--desk", desk).stdout == "not running\n"
    assert cli("log", "verify", "--desk", desk).stdout.endswith("rows checked: sound\n")


def test_open_prints_an_address_with_a_code_of_its_own(broker: RunningBroker) -> None:
    first, second = (broker.cli("open", "--print").stdout.strip() for _ in range(2))
    assert first.startswith(f"http://{broker.address}/#code=")
    assert first != second


def test_a_second_broker_for_the_same_desk_is_refused(broker: RunningBroker) -> None:
    done = broker.cli("serve", "--port", "0", "--no-open")
    assert done.returncode == exits.REFUSED
    assert "runs for this desk already" in done.stderr


def test_output_is_utf8_whatever_the_locale_says(
    broker: RunningBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    assert "camera=100×40" in broker.cli("read", "--viewport", "0,0,4,1").stdout


def test_a_reader_that_goes_away_is_no_error(broker: RunningBroker) -> None:
    command = [*CLI, "read-materials", "--desk", broker.place.root]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stderr
    process.stdout.close()
    with process.stderr as stderr:
        assert process.wait(PATIENCE_S) == exits.OK
        assert stderr.read() == b""


# -- connect -------------------------------------------------------------------


def server(host: str, snippet: str) -> tuple[str, list[str]]:
    """The command and arguments that a host reads from its snippet."""
    if host == "claude-code":
        words = shlex.split(snippet)
        return words[words.index("--") + 1], words[words.index("--") + 2 :]
    told: dict[str, Any] = tomllib.loads(snippet) if host == "codex" else json.loads(snippet)
    ((_, servers),) = told.items()
    return servers["chardesk"]["command"], servers["chardesk"]["args"]


@pytest.mark.parametrize("host", snippets.HOSTS)
def test_a_snippet_points_to_the_relay_and_names_the_desk(host: str, tmp_path: Path) -> None:
    done = cli("connect", host, "--desk", str(tmp_path))
    command, arguments = server(host, done.stdout)
    assert done.returncode == exits.OK
    assert os.path.isabs(command) and Path(command).name.startswith("chardesk-mcp")
    assert os.access(command, os.X_OK)
    assert arguments == ["--desk", str(tmp_path)]


@pytest.mark.parametrize("host", snippets.HOSTS)
def test_the_users_own_desk_needs_no_name(host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert server(host, cli("connect", host).stdout)[1] == []


def test_a_desk_from_the_environment_is_named_since_the_host_will_not_have_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHARDESK_DESK", str(tmp_path / "desk"))
    assert server("cursor", cli("connect", "cursor").stdout)[1] == ["--desk", str(tmp_path / "desk")]


def test_flags_are_the_arguments_in_kebab_case() -> None:
    assert flag("canvasId") == "--canvas-id"
    assert flag("at") == "--at"
