"""`make figures`: what it makes of what benches say, and that the page it wrote last is of every bench."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path

import figures
import pytest
from figures import Bench, Ran
from measured import FIGURES, Figure, figure, figures_of, share

FLOORED = Figure("a call's p99", 30.0, "ms", floor=10.0, at_most=3.5, goal_of="ratio")
MISSED = Figure("pages", 1.0, "", at_least=2.0)
BENCH = Bench("one", "What one is about.", 1)
BENCHES = figures.benches(figures.KILLS)
PAGE = figures.PAGE.read_text(encoding="utf-8") if figures.PAGE.exists() else ""


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (FLOORED, "a call's p99: 30 ms = 3.00 × the floor of 10  (goal ≤ 3.5 × the floor: met)"),
        (MISSED, "pages: 1  (goal ≥ 2: MISSED)"),
        (Figure("size", 66.64, "KiB"), "size: 66.64 KiB"),
    ],
)
def test_a_figure_is_said_in_one_line(found: Figure, words: str) -> None:
    assert str(found) == words


def test_what_a_bench_says_is_kept_for_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(FIGURES, str(tmp_path / "kept"))
    figure("a call's p99", 30.0, "ms", floor=10.0, at_most=3.5, goal_of="ratio")
    figure("pages", 1.0, "", at_least=2.0)
    assert figures_of((tmp_path / "kept").read_text()) == [FLOORED, MISSED]
    assert capsys.readouterr().out == f"{FLOORED}\n{MISSED}\n"


def test_a_share_of_times_is_the_time_below_which_they_stayed() -> None:
    assert share([float(n) for n in range(100)], 0.99) == 99.0
    assert share([3.0, 1.0, 2.0], 0.5) == 2.0


def test_the_page_has_a_table_for_each_bench_and_says_how_many_goals_are_met() -> None:
    said = f"machine words\n{FLOORED}\n"
    text = figures.page([Ran(BENCH, (FLOORED, MISSED), said, 61.0)], datetime(2026, 1, 2, tzinfo=UTC))
    assert "2026-01-02" in text and "it took 1 minutes. Goals met: 1 of 2." in text
    assert "| a call's p99 | 30 ms | 10 | 3.00 | ≤ 3.5 × the floor | met |" in text
    assert "| pages | 1 |  |  | ≥ 2 | **missed** |" in text
    assert "```text\nmachine words\n```" in text, "and what else it said"


def test_a_bench_that_fails_or_hangs_is_named_on_the_page() -> None:
    failing = Bench("failing", "", 1, (sys.executable, "-c", "raise SystemExit('no luck')"))
    hanging = Bench("hanging", "", 1, (sys.executable, "-c", "import signal; signal.pause()"))
    runs = [figures.run(failing), figures.run(hanging)]
    assert [ran.problem for ran in runs] == ["it failed: no luck", "it was ended after 5 s"]
    text = figures.page(runs, datetime.now(UTC))
    assert "- **failing**: it failed: no luck" in text and "- **hanging**" in text


LEAVING = """
import signal, subprocess, sys
idle = [sys.executable, "-c", "import signal; signal.pause()"]
with open(sys.argv[1], "w") as file:
    for alone in (False, True):
        print(subprocess.Popen(idle, start_new_session=alone).pid, file=file)
if sys.argv[2] == "hang":
    signal.pause()
"""


@pytest.mark.parametrize("ending", ["hang", "end"])
def test_what_a_bench_has_started_ends_with_it(tmp_path: Path, ending: str) -> None:
    """In its process group or not: a broker in the background has one of its own."""
    pids = tmp_path / "pids"
    bench = Bench("leaving", "", 1, (sys.executable, "-c", LEAVING, str(pids), ending))
    assert figures.run(bench).problem == ("it was ended after 5 s" if ending == "hang" else "")
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == 2
    assert not [pid for pid in started if _is_alive(pid)]


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_what_has_not_begun_when_the_time_is_over_is_named_as_not_run() -> None:
    quick = Bench("quick", "", 1, (sys.executable, "-c", "print('done')"))
    late = Bench("late", "", 1, (sys.executable, "-c", "raise SystemExit('never')"))
    runs = list(figures.run_all([quick], 60.0)) + list(figures.run_all([late], 0.0))
    assert [(ran.said, ran.problem) for ran in runs] == [
        ("done\n", ""),
        ("", "it was not run: 0 minutes were over"),
    ]
    assert "- **late**: it was not run" in figures.page(runs, datetime.now(UTC))


def test_every_bench_is_run_and_there_for_every_name() -> None:
    scripts = {one.name for one in BENCHES if "tests/bench/" in one.command[-1]}
    assert scripts == {file.stem for file in (figures.ROOT / "tests" / "bench").glob("*.py")}


# -- the page as it was written last ---------------------------------------------------


def test_the_page_is_of_one_run_of_everything() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE) == [one.name for one in BENCHES]
    assert re.search(r"^\d{4}-\d\d-\d\d, \d+ processors, .+ Goals met: \d+ of \d+\.$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(
    "name",
    [
        *(f"a call's p99, {count} agent" for count in (1, 4, 16, 64)),
        *(f"calls a second, {count} agent" for count in (1, 4, 16, 64)),
        "a quiet agent's p99 beside a flood",
        "a broker's memory for each tenant",
        "an agent is served again after a kill",
        "the page is live again after a kill",
        "durable commits a second",
        "kills of the broker under load",
        "a ping's p99",
    ],
)
def test_a_figure_that_is_promised_is_there(name: str) -> None:
    assert f"| {name}" in PAGE


def test_every_ratio_is_the_value_to_its_floor() -> None:
    rows = re.findall(r"^\| [^|]+ \| ([\d.e+-]+) ?[^|]*\| ([\d.e+-]+) \| ([\d.]+) \|", PAGE, re.MULTILINE)
    assert len(rows) > 10
    for value, floor, ratio in rows:
        assert float(value) / float(floor) == pytest.approx(float(ratio), rel=0.02, abs=0.01)
