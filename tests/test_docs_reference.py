"""The reference is what the code says, and what it says is so: every example is called on a real desk."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from brokers import RunningBroker

from chardesk.broker import cli, reference
from chardesk.broker.door import discovery, snippets
from chardesk.broker.link.client import Client
from chardesk.broker.verbs import parser, service, tools
from chardesk.tools.errors import CODES
from chardesk.tools.operation import Operation
from chardesk.tools.registry import BY_NAME, BY_VERB, OPERATIONS
from chardesk.tools.schema import json_schema, parse

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "reference"
TEXTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "materials").glob("*.md")])
EXAMPLES = [(operation, example) for operation in OPERATIONS for example in operation.examples]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NUMBERS = dict(enumerate(["nine", "ten", "eleven", "twelve", "thirteen", "fourteen"], 9))
SOURCES = [path for room in ("broker", "tools", "materials") for path in (ROOT / room).rglob("*.py")]


def page(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    """The part of a page under a heading of the second level."""
    return page(name).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def first_cells(text: str) -> set[str]:
    return set(re.findall(r"^\| `([^`]+)`", text, re.MULTILINE))


# -- it is fresh ---------------------------------------------------------------


def test_the_reference_is_fresh() -> None:
    assert reference.main([str(FOLDER), "--check"]) == 0, "run make docs"


def test_a_stale_page_is_named_and_a_missing_one_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert reference.main([str(tmp_path)]) == 0
    (tmp_path / "codes.md").write_text("old", encoding="utf-8")
    (tmp_path / "cli.md").unlink()
    assert reference.main([str(tmp_path), "--check"]) == 1
    assert {line.split()[0] for line in capsys.readouterr().err.splitlines()} == {"codes.md", "cli.md"}


# -- it is whole ---------------------------------------------------------------


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_tool_has_its_summary_its_fields_and_an_example(operation: Operation) -> None:
    text = section("tools.md", operation.name)
    assert operation.summary in text
    assert operation.examples, f"{operation.name} has no example"
    for model in (operation.args, operation.result):
        assert json_schema(model)["properties"].keys() <= first_cells(text)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_field_says_what_it_means(operation: Operation) -> None:
    silent = [name for name, _, _, says in reference.fields(operation.args) if not says]
    assert not silent


def test_every_code_has_its_line() -> None:
    assert first_cells(page("codes.md")) == set(CODES)


@pytest.mark.parametrize("verb", [*cli.SERVICE, *cli.TOOLS])
def test_every_verb_has_its_options(verb: str) -> None:
    made = service.parser_of(verb) if verb in cli.SERVICE else tools.parser_of(BY_VERB[verb])
    text = section("cli.md", f"chardesk {verb}").replace("\\|", "|")
    assert {typed for typed, _ in made.words()} == first_cells(text)


def test_every_variable_that_the_code_reads_is_explained() -> None:
    read = {
        name
        for path in SOURCES
        for name in re.findall(r"\"(CHARDESK_[A-Z]+)\"", path.read_text(encoding="utf-8"))
    }
    assert read == set(parser.ENVIRONMENT)


# -- it is true ----------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_tool_that_a_text_names_exists(text: Path) -> None:
    named = set(re.findall(r"`((?:canvas|chardesk)_[a-z_]+)\b", text.read_text(encoding="utf-8")))
    assert named <= BY_NAME.keys() | CODES.keys()


@pytest.mark.parametrize(("operation", "example"), EXAMPLES, ids=lambda value: getattr(value, "name", None))
def test_every_example_is_valid(operation: Operation, example: dict[str, Any]) -> None:
    parse(operation.args, example)
    assert json.dumps(example, ensure_ascii=False) in section("tools.md", operation.name)


def test_the_commands_in_the_readme_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("# Notes"))
    blocks = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("chardesk ")]
    assert len(lines) >= 6
    for line in lines:
        verb, *words = shlex.split(line.partition("#")[0].partition("<")[0])[1:]
        made = service.parser_of(verb) if verb in cli.SERVICE else tools.parser_of(BY_VERB[verb])
        asked = made.read(words)
        if verb in BY_VERB:
            parse(BY_VERB[verb].args, tools.arguments(BY_VERB[verb], asked))


@pytest.mark.parametrize("host", snippets.HOSTS)
def test_the_readme_shows_what_connect_prints(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snippets, "command", lambda: "/path/to/chardesk-mcp")
    assert f"\n{snippets.snippet(host, None)}\n```" in README
    assert f"(`{host}`)" in README


def test_the_readme_counts_the_tools() -> None:
    assert f"the {NUMBERS[len(OPERATIONS)]} tools" in README


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with RunningBroker(tmp_path_factory.mktemp("reference") / "desk") as broker:
        found = discovery.running(broker.place)
        assert found is not None
        with Client(broker.place, found) as joined:
            yield joined


@pytest.mark.parametrize(("operation", "example"), EXAMPLES, ids=lambda value: getattr(value, "name", None))
def test_a_reply_has_only_fields_that_are_explained(
    client: Client, operation: Operation, example: dict[str, Any]
) -> None:
    own = json_schema(operation.result)["properties"].keys()
    modes = [{}] if "mode" not in json_schema(operation.args)["properties"] else [{}, {"mode": "preview"}]
    for mode in modes:
        said = client.call(operation.name, {**example, **mode})
        fields = said["structuredContent"].keys()
        if said.get("isError"):
            assert fields <= reference.REFUSAL.keys()
            continue
        known = {*own, *reference.REPLY, *(reference.CHANGE if operation.effect != "read" else ())}
        assert {each for each in fields if not each.endswith("Bounds")} <= known
        assert operation.owner == "materials" or reference.REPLY.keys() <= fields
