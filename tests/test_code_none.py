"""A desk without scripts: the refusal says what to use instead, and everything else works (R67)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from brokers import CLI, PATIENCE_S, RunningBroker
from parties import Caller, sheet_of

from chardesk.broker.verbs import exits
from chardesk.tools.registry import BY_NAME


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningBroker]:
    with RunningBroker(tmp_path_factory.mktemp("none") / "desk", CHARDESK_BACKEND="none") as running:
        yield running


def test_a_script_is_refused_before_anything_starts_and_told_what_draws_instead(
    broker: RunningBroker,
) -> None:
    with Caller(broker.place.root) as agent:
        told = agent.tool("canvas_code", script="return 1", **sheet_of(agent))
    assert told.code == "runtime_unavailable"
    details = told.fields["details"]
    assert details["phase"] == "load" and told.fields["retryable"] is False
    assert details["fallbackTools"][0] == "canvas_batch"
    assert set(details["fallbackTools"]) <= BY_NAME.keys()


def test_a_batch_draws_without_an_engine(broker: RunningBroker) -> None:
    with Caller(broker.place.root) as agent:
        where = sheet_of(agent)
        ops = [{"op": "write", "args": {"at": [0, 0], "content": "hi"}}]
        assert agent.ok("canvas_batch", ops=ops, mode="apply", **where)["applied"] is True
        assert agent.rows((0, 0, 2, 1), **where) == ["hi"]


@pytest.mark.parametrize("name", ["CHARDESK_BACKEND", "CHARDESK_POLICY"])
def test_a_broker_does_not_start_with_a_misspelt_backend_or_policy(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "enforcd")
    command = [*CLI, "serve", "--desk", str(tmp_path / "desk"), "--port", "0", "--no-open"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert done.returncode == exits.REFUSED
    assert "enforcd is unknown; there are" in done.stderr
