"""`make figures`: runs every bench, the long crash test and the long fuzz, and writes `docs/figures.md`.

    python tests/figures.py [--only NAME ...] [--kills N]

A run with `--only` prints its figures and writes nothing: the page is of one run of everything.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

sys.path.insert(0, str(Path(__file__).resolve().parent))

from measured import FIGURES, Figure, figures_of

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "figures.md"
KILLS = 200
MARK = "BENCH_MARK"
OVERALL_S = 35 * 60.0
"""No bench is begun after this."""

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


def run_all(wanted: Sequence[Bench], overall_s: float = OVERALL_S) -> Iterator[Ran]:
    """Each in turn, told as it ends; those that have not begun when the time is over are not run."""
    until = time.monotonic() + overall_s
    for bench in wanted:
        if time.monotonic() < until:
            yield run(bench)
        else:
            yield Ran(bench, (), "", 0.0, f"it was not run: {overall_s / 60:.0f} minutes were over")


def run(bench: Bench) -> Ran:
    """Run one in a process of its own; what it prints is printed here too when it is done."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figures"
        file.touch()
        said, problem = _watched(bench, {**os.environ, **dict(bench.env), FIGURES: str(file)})
        return Ran(bench, tuple(figures_of(file.read_text())), said, time.monotonic() - begun, problem)


def _watched(bench: Bench, env: Mapping[str, str]) -> tuple[str, str]:
    """What it said, and what went wrong. However it ends, nothing that it has started is left."""
    with tempfile.TemporaryFile("w+") as said, tempfile.TemporaryFile("w+") as complained:
        with _alone(bench, env, said, complained) as process:
            try:
                status = process.wait(5 * bench.about_s)
            except subprocess.TimeoutExpired:
                return "", f"it was ended after {5 * bench.about_s} s"
        words, complaints = _read(said), _read(complained)
    return words, "" if status == 0 else f"it failed: {last_line(words + complaints, status)}"


def _read(file: TextIO) -> str:
    file.seek(0)
    return file.read()


@contextmanager
def _alone(
    bench: Bench, env: Mapping[str, str], said: TextIO, complained: TextIO
) -> Iterator[subprocess.Popen[bytes]]:
    """In a process group of its own, with a mark that all which it starts inherits: brokers in the background
    leave the group. What it says goes into files: a pipe would be open as long as any of them lives."""
    mark = f"figures-{os.getpid()}-{time.monotonic_ns()}"
    process = subprocess.Popen(
        bench.command,
        cwd=ROOT,
        env={**env, MARK: mark},
        stdout=said,
        stderr=complained,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        while left := marked(mark):
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def marked(mark: str) -> list[int]:
    """The live processes whose environment has this mark; none where the system does not tell."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for file in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in file.read_bytes().split(b"\0"):
                found.append(int(file.parent.name))
    return found


def last_line(said: str, status: int) -> str:
    lines = said.strip().splitlines()
    return lines[-1][:200] if lines else f"exit code {status}"


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
    for ran in run_all(wanted):
        sys.stdout.write(f"== {ran.bench.name}: {ran.bench.about} ({ran.took_s:.0f} s)\n{ran.said}")
        sys.stdout.write(f"!! {ran.problem}\n" if ran.problem else "")
        sys.stdout.flush()
        runs.append(ran)
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
