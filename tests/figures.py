"""`make figures`: runs every bench, the long crash test and the long fuzz, and writes `docs/figures.md`.

    python tests/figures.py [--only NAME ...] [--kills N]

A run with `--only` prints its figures and writes nothing: the page is of one run of everything.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measured import FIGURES, Figure, figures_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "figures.md"
KILLS = 200
FUZZ = 10
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


@dataclass(frozen=True, slots=True)
class Bench:
    """`about_s`: how long it takes on two processors; after five times as long it is ended."""

    name: str
    about: str
    about_s: int
    command: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()


def script(name: str, about: str, about_s: int) -> Bench:
    return Bench(name, about, about_s, (sys.executable, f"tests/bench/{name}.py"))


def benches(kills: int) -> tuple[Bench, ...]:
    crash = (*PYTEST, "-s", "tests/test_crash.py")
    return (
        script("agents", "Many agents at once, beside a stub that answers with one fixed line.", 60),
        script("flood", "A quiet agent beside one that floods, and what a tenant costs in memory.", 20),
        script("again", "After a `kill -9`: when agents and the page are served again.", 80),
        script("ping", "Does the loop ever block? Pings beside the heaviest things there are.", 25),
        script("roundtrip", "One call through stdio, relay and broker.", 10),
        script("store", "What durability costs.", 30),
        script("relay_start", "What starting `chardesk-mcp` costs.", 30),
        script("desk_write", "A small change inside the desk: no socket, no disk.", 10),
        script("scene", "A million cells.", 20),
        script("render", "Material to cells.", 20),
        script("sandbox", "Scripts.", 40),
        script("page", "The page in Chromium, painted in software.", 20),
        Bench(
            "crash",
            f"The broker is killed {kills} times under load.",
            2 * kills,
            crash,
            (("CRASH_KILLS", str(kills)),),
        ),
        Bench(
            "fuzz",
            "Twenty thousand documents made by chance through the text renderers.",
            300,
            (*PYTEST, "tests/test_text_fuzz.py"),
            (("CHARDESK_FUZZ", str(FUZZ)),),
        ),
    )


@dataclass(frozen=True, slots=True)
class Ran:
    """`problem` is empty when it came to its end."""

    bench: Bench
    figures: tuple[Figure, ...]
    said: str
    took_s: float
    problem: str = ""


def run(bench: Bench) -> Ran:
    """Run one in a process of its own; what it prints is printed here too when it is done."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures"
        file.touch()
        env = {**os.environ, **dict(bench.env), FIGURES: str(file)}
        try:
            done = subprocess.run(
                bench.command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=5 * bench.about_s
            )
            said, problem = done.stdout, "" if done.returncode == 0 else f"it failed: {last_line(done)}"
        except subprocess.TimeoutExpired:
            said, problem = "", f"it was ended after {5 * bench.about_s} s"
        return Ran(bench, tuple(figures_of(file.read_text())), said, time.monotonic() - begun, problem)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[-1][:200] if lines else f"exit code {done.returncode}"


# -- the page --------------------------------------------------------------------


def page(runs: Sequence[Ran], at: datetime) -> str:
    """`docs/figures.md`, whole."""
    took = sum(one.took_s for one in runs)
    goals = [one for ran in runs for one in ran.figures if one.is_met is not None]
    met = sum(bool(one.is_met) for one in goals)
    problems = [f"- **{ran.bench.name}**: {ran.problem}" for ran in runs if ran.problem]
    head = [
        "# Figures",
        "",
        "Written by `make figures`; not by hand. What counts are ratios: a figure's floor is what cannot be",
        "avoided, measured in the same run on the same machine, so ratios mean the same elsewhere. Absolute",
        "times do not.",
        "",
        f"{at:%Y-%m-%d}, {os.cpu_count()} processors, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}; it took {took / 60:.0f} minutes. "
        f"Goals met: {met} of {len(goals)}.",
    ]
    if problems:
        head += ["", "What did not come to its end:", "", *problems]
    return "\n".join([*head, *(line for ran in runs for line in section(ran))]) + "\n"


def section(ran: Ran) -> list[str]:
    lines = ["", f"## {ran.bench.name}", "", ran.bench.about]
    if ran.figures:
        lines += ["", "| figure | value | floor | ratio | goal | |", "|---|--:|--:|--:|---|---|"]
        lines += [row(one) for one in ran.figures]
    if rest := other_lines(ran):
        lines += ["", "```text", *rest, "```"]
    return lines


def row(one: Figure) -> str:
    floor = "" if one.floor is None else f"{one.floor:.4g}"
    ratio = "" if one.ratio is None else f"{one.ratio:.2f}"
    met = {None: "", True: "met", False: "**missed**"}[one.is_met]
    value = f"{one.value:.4g} {one.unit}".rstrip()
    return f"| {one.name} | {value} | {floor} | {ratio} | {one.goal} | {met} |"


def other_lines(ran: Ran) -> list[str]:
    """What it printed besides its figures."""
    known = {str(one) for one in ran.figures}
    return [line.rstrip() for line in ran.said.splitlines() if line.strip() and line not in known]


# -- the command -----------------------------------------------------------------


def main() -> int:
    asked = arguments()
    wanted = [one for one in benches(asked.kills) if not asked.only or one.name in asked.only]
    about = sum(one.about_s for one in wanted)
    sys.stdout.write(f"{len(wanted)} benches: about {about / 60:.0f} minutes on an idle machine\n")
    runs = []
    for bench in wanted:
        sys.stdout.write(f"== {bench.name}: {bench.about}\n")
        sys.stdout.flush()
        runs.append(run(bench))
        sys.stdout.write(runs[-1].said + (f"!! {runs[-1].problem}\n" if runs[-1].problem else ""))
    if not asked.only:
        PAGE.write_text(page(runs, datetime.now(UTC)), encoding="utf-8")
        sys.stdout.write(f"written: {PAGE.relative_to(ROOT)}\n")
    return int(any(ran.problem for ran in runs))


def arguments() -> argparse.Namespace:
    names = [one.name for one in benches(KILLS)]
    parser = argparse.ArgumentParser(description="Measure, and write docs/figures.md.")
    parser.add_argument("--only", nargs="+", choices=names, default=[], metavar="NAME", help=", ".join(names))
    parser.add_argument("--kills", type=int, default=KILLS, help="how often the crash test kills the broker")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
