"""`policy.json`: what the operator decides for all agents, read anew when it changes; a file that can't be
followed leaves agents looking only."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest
from brokers import RunningBroker
from parties import Caller, Person

from chardesk.broker.desk.rules.policy import FEATURES, Limits, Policy
from chardesk.broker.desk.rules.scope import Area
from chardesk.broker.service.policy import MAX_BYTES, PolicyFile, read
from chardesk.broker.wire.parts import Feature
from chardesk.tools.model.region import Rect

EXAMPLE = {
    "newcomers": {
        "grant": "propose",
        "scope": [{"canvas": "Plans"}, {"canvas": "Canvas 1", "sheet": "Sheet 1", "rect": [0, 0, 10, 4]}],
    },
    "features": {"code": False},
    "limits": {"callsPerMinute": 600, "scriptSecondsPerMinute": 10},
}


def written(folder: Path, text: str | dict[str, Any]) -> str:
    path = folder / "policy.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    return str(path)


# -- reading it --------------------------------------------------------------------


def test_without_a_file_the_defaults_count(tmp_path: Path) -> None:
    assert (
        read(str(tmp_path / "policy.json"))
        == Policy()
        == Policy("apply", (), FEATURES, Limits(None, None, 60), None)
    )


def test_what_a_file_does_not_say_is_the_default(tmp_path: Path) -> None:
    found = read(written(tmp_path, EXAMPLE))
    assert (found.grant, found.problem) == ("propose", None)
    assert found.scope == (Area("Plans"), Area("Canvas 1", "Sheet 1", Rect(0, 0, 10, 4)))
    assert found.features == {**FEATURES, "code": False}
    assert found.limits == Limits(600, None, 10)
    assert read(written(tmp_path, {})) == Policy()


def test_the_example_in_the_docs_says_what_counts_without_it(tmp_path: Path) -> None:
    docs = Path(__file__).parents[1] / "docs" / "operating.md"
    (example,) = re.findall(r"```json\n(.*?)```", docs.read_text(encoding="utf-8"), re.DOTALL)
    assert read(written(tmp_path, example)) == Policy()


def test_every_feature_has_a_default() -> None:
    assert tuple(FEATURES) == get_args(Feature)
    assert all(FEATURES.values()) and "features" in {one.name for one in fields(Policy)}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "line 1, column 2 is no JSON"),
        ("", "no JSON"),
        ("[]", "one JSON object"),
        ('{"newcomer": {}}', "unknown key newcomer; did you mean newcomers?"),
        ('{"features": {"cod": false}}', "unknown key cod; did you mean code?"),
        ('{"features": {"code": "false"}}', "features.code"),
        ('{"limits": {"callsPerMinute": 0}}', "limits.callsPerMinute must be greater"),
        ('{"limits": {"callsPerHour": 9}}', "did you mean callsPerMinute?"),
        ('{"features": {"code": null}}', "features.code must not be null"),
        ('{"newcomers": {"grant": "aply"}}', "did you mean apply?"),
        ('{"newcomers": {"scope": [{"canvas": "A", "rect": [0, 0, 1, 1]}]}}', "name its sheet"),
        ('{"newcomers": {"scope": [{"canvas": "A", "sheet": "B", "rect": [0, 0, 0, 1]}]}}', "positive"),
        ('{"features": {"code": false}, "features": {}}', "features stands there twice"),
        ("[" * 50_000, "no JSON"),
        ("1" * 5_000, "no JSON"),
        ('"\ud83d"', "JSON"),
        (json.dumps({"x": "y" * MAX_BYTES}), f"more than {MAX_BYTES} bytes"),
    ],
)
def test_a_file_that_cant_be_followed_has_a_problem_and_allows_no_more_than_before(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "policy.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    found = read(str(path))
    assert found.problem is not None and words in found.problem
    assert found == Policy(problem=found.problem)


def test_a_file_that_is_none_has_a_problem_and_holds_up_nobody(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    assert [read(str(tmp_path / name)).problem for name in ("pipe", "folder")] == ["it is no file"] * 2


# -- watching it ---------------------------------------------------------------------


def test_news_come_once_for_each_change_and_a_file_taken_away_is_one(tmp_path: Path) -> None:
    file = PolicyFile(str(tmp_path / "policy.json"))
    assert file.news() is None
    written(tmp_path, EXAMPLE)
    assert (file.news(), file.news()) == (read(str(tmp_path / "policy.json")), None)
    written(tmp_path, "{")
    broken = file.news()
    assert broken is not None and broken.problem
    (tmp_path / "policy.json").unlink()
    assert (file.news(), file.news()) == (Policy(), None)


def test_while_it_is_the_same_it_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = PolicyFile(written(tmp_path, EXAMPLE))
    file.news()
    monkeypatch.setattr("builtins.open", None)
    assert [file.news() for _ in range(3)] == [None] * 3


def test_the_log_says_that_it_is_followed_and_that_it_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "chardesk.policy")
    file = PolicyFile(written(tmp_path, "{"))
    file.news()
    written(tmp_path, EXAMPLE)
    file.news()
    assert [one.levelname for one in caplog.records] == ["WARNING", "INFO"]
    assert "agents only look: line 1, column 2" in caplog.messages[0]


# -- a broker that follows it --------------------------------------------------------


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("policy") / "desk") as running:
        yield running


@pytest.fixture(autouse=True)
def no_policy(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "broker" in request.fixturenames:
        Path(request.getfixturevalue("broker").place.policy).unlink(missing_ok=True)


def write(agent: Caller, x: int = 0) -> str | None:
    told = agent.tool("canvas_write", at=[x, 0], content="x", mode="apply", expectedRevision="any")
    return told.fields.get("code") if told.refused else None


def test_an_edit_of_the_file_counts_for_the_next_call(broker: RunningBroker) -> None:
    folder = Path(broker.place.root)
    with Caller(broker.place.root, "ada") as ada:
        assert not ada.tool("canvas_code", script="return 1").refused
        written(folder, {"features": {"code": False}})
        denied = ada.tool("canvas_code", script="return 1")
        assert (denied.fields["code"], denied.fields["details"]) == ("permission_denied", {"feature": "code"})
        assert write(ada) is None
        written(folder, "{ code: off }")
        assert write(ada) == "permission_denied"
        assert not ada.tool("canvas_read").refused
        assert "column 3" in broker.call("status")["policyProblem"]
        doctor = broker.cli("doctor")
        assert doctor.returncode == 1 and "FAULT   policy: line 1, column 3" in doctor.stdout
        Path(broker.place.policy).unlink()
        assert write(ada) is None


def test_newcomers_get_what_the_file_says_canvases_by_name(broker: RunningBroker) -> None:
    scope = [{"canvas": "Canvas 1", "sheet": "Sheet 1", "rect": [0, 0, 10, 4]}]
    written(Path(broker.place.root), {"newcomers": {"scope": scope}})
    with Caller(broker.place.root, "newcomer") as new:
        you = new.ok("canvas_read", view="context")["context"]["you"]
        assert [one["bounds"] for one in you["scope"]] == [[0, 0, 10, 4]]
        assert (write(new, 5), write(new, 50)) == (None, "permission_denied")
    assert "apply, in part" in broker.cli("agents").stdout


def test_started_with_a_broken_file_agents_look_only_and_pages_say_why(tmp_path: Path) -> None:
    desk = tmp_path / "desk"
    desk.mkdir()
    written(desk, '{"newcomers": {"grant": "observ"}}')
    with RunningBroker(desk) as broker, Caller(broker.place.root, "ada") as ada:
        assert write(ada) == "permission_denied"
        with Person(broker) as page:
            governed = page.until(lambda told: told["type"] == "governed")
            assert "did you mean observe?" in governed["policyProblem"]
            written(desk, {})
            page.until(lambda told: told["type"] == "governed" and told.get("policyProblem") is None)
        assert write(ada) is None
        assert "policy.json can't be followed" in Path(broker.place.log, "broker.log").read_text()
