"""The demo draws what it says, through a real relay, and leaves the last word to the person."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from brokers import PATIENCE_S, RunningBroker

from chardesk.broker import demo
from chardesk.tools.model.width import cluster_width, graphemes

DEMO = [sys.executable, "-m", "chardesk.broker.demo", "--no-open"]


def columns(row: str) -> list[tuple[int, str]]:
    """Every cluster of a row with the column it begins in."""
    found, x = [], 0
    for cluster in graphemes(row):
        found.append((x, cluster))
        x += cluster_width(cluster)
    return found


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningBroker, str]]:
    """A broker whose desk the demo has drawn on, and what the demo said."""
    with RunningBroker(tmp_path_factory.mktemp("demo") / "desk") as broker:
        command = [*DEMO, "--desk", broker.place.root, "--once"]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE_S)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        yield broker, done.stdout


def test_the_picture_is_on_a_canvas_of_its_own_that_is_active(drawn: tuple[RunningBroker, str]) -> None:
    broker, _ = drawn
    first, second = broker.call("manage", "--action", "list")["canvases"]
    assert (first["cells"], first["active"]) == (0, False)
    assert second["active"]
    text = broker.call("read", "--viewport", "0,0,100,30")["content"]
    for word in ("# From click to parcel", "🧑 Customer", "東京倉庫", "PostgreSQL", "追跡", "Orders an hour"):
        assert word in text


def test_who_reads_the_picture_first_gets_it_whole_and_exact(drawn: tuple[RunningBroker, str]) -> None:
    broker, _ = drawn
    told = broker.call("read")
    assert (told["sampleSize"], told["mode"]) == (1, "text")
    assert "東京倉庫" in told["content"]


def test_every_stroke_is_the_demos_own_and_says_why(drawn: tuple[RunningBroker, str]) -> None:
    broker, said = drawn
    entries = broker.call("history", "--action", "log", "--author", "demo")["entries"]
    whys = [entry["why"] for entry in reversed(entries) if entry["tool"] != "canvas_manage"]
    assert whys == [step.says for step in demo.STEPS]
    assert all(why in said for why in whys)


def test_the_proposal_waits_and_is_not_drawn(drawn: tuple[RunningBroker, str]) -> None:
    broker, said = drawn
    assert "Cache" not in broker.call("read", "--viewport", "46,8,20,9")["content"]
    assert demo.PROPOSAL.says in said


@pytest.mark.parametrize("name", ["SHOP", "ORDERS", "QUEUE", "STORE", "CACHE"])
def test_lines_of_the_drawings_lead_somewhere(name: str) -> None:
    """A word that is a column wider than it was counted breaks the right border of its box."""
    rows = [dict(columns(row)) for row in getattr(demo, name).split("\n")]
    corners = [(upper, lower, x) for upper, lower in pairwise(rows) for x in upper if upper[x] in "╮┐┓╗┬┯"]
    assert corners
    for upper, lower, x in corners:
        assert lower.get(x, " ") in "│┃║┆├▼", f"under {upper[x]} at {x} in {name}"


def test_ctrl_c_ends_the_demo_cleanly(tmp_path: Path) -> None:
    with RunningBroker(tmp_path / "desk") as broker:
        command = [*DEMO, "--desk", broker.place.root]
        env = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", env=env
        )
        assert process.stdout is not None
        assert process.stdout.readline().startswith("The page: http://")
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        said, complained = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, complained) == (0, "")
        assert "The agent left" in said


def test_without_a_broker_the_demo_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHARDESK_PORT", "none")
    command = [*DEMO, "--desk", str(tmp_path / "desk"), "--once"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE_S)
    assert done.returncode == 3
    assert done.stderr.startswith("demo: ")
    assert "none is no port" in done.stderr
