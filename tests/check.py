"""The one check of a checkout.

    python tests/check.py                # every step, in the order below
    python tests/check.py lint types     # some of them
    python tests/check.py --write        # write the generated files anew, check nothing

A step is a few gates; a gate is one command and a way to count what it looked at. A gate that looked at
nothing has failed: it would pass whatever is broken. All steps run even after one has failed; the exit
code is 1 if any did, and the last line names them. `make test` installs what the gates need.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL, STDOUT

ROOT = Path(__file__).resolve().parents[1]
GATE_TIMEOUT_S = 900  # three times the slowest gate on two cores: it ends a hang, never a slow machine
UNSTEADY_LIMIT = 3  # failures that are looked at again; more of them are no accident
FOR_COUNTING = re.compile(r"\[DEBUG\]|^/\S+\.(?:js|d\.ts)$")  # what ruff and tsc say only for us to count

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Gate:
    """One command of a step.

    `count` reads from the command's output how many things it looked at, named by `unit`. `files` are added
    to the command; None leaves the choice to it, and an empty tuple is a failure, since most tools then take
    everything. Without the files in `needs` it cannot run. `closes` shows the last line of a good run too.
    `again`: what to add to the command to look again at what failed, if that was little (see `steadied`).
    """

    argv: tuple[str, ...]
    count: Count
    unit: str
    files: tuple[str, ...] | None = None
    needs: tuple[str, ...] = ()
    closes: bool = False
    again: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passed:
    checked: int
    unit: str
    closing: str | None


@dataclass(frozen=True, slots=True)
class Failed:
    why: str
    output: str


@dataclass(frozen=True, slots=True)
class Writer:
    """A module that writes generated files to `target`, and compares them instead when given `--check`."""

    module: str
    target: str

    @property
    def source(self) -> str:
        return self.module.removeprefix("chardesk.").replace(".", "/") + ".py"

    def argv(self, *options: str) -> tuple[str, ...]:
        return (sys.executable, "-m", self.module, self.target, *options)

    def gate(self) -> Gate:
        written = files_under(ROOT / self.target)
        return Gate(self.argv("--check"), lambda _: written, f"in {self.target}", needs=(self.source,))


WIRE_WRITERS = (
    Writer("chardesk.broker.wire.typescript", "page/wire/messages.d.ts"),
    Writer("chardesk.tools.text.widthtable", "page/model/widths.js"),
)
DOCS_WRITERS = (
    Writer("chardesk.broker.reference", "docs/reference"),
    Writer("chardesk.broker.sandbox.typings", "materials/canvas.d.ts.md"),
    Writer("chardesk.tools.text.gallery", "docs/gallery.md"),
    Writer("chardesk.tools.look.gallery", "docs/images/gallery"),
)


def stated(pattern: str) -> Count:
    """Counts what the tool itself says it looked at: the number in the last match, 0 if it says nothing."""
    return lambda output: int((re.findall(pattern, output) or ["0"])[-1])


def matching(pattern: str) -> Count:
    """Counts the lines that match."""
    return lambda output: len(re.findall(pattern, output, re.MULTILINE))


def files_under(target: Path) -> int:
    """How many files are at `target`: 1 for a file, the files of a folder, 0 if it is not there."""
    return sum(path.is_file() for path in (target, *target.rglob("*")))


def found(pattern: str) -> tuple[str, ...]:
    """The files of the checkout that match, as paths from its root, in order."""
    return tuple(str(path.relative_to(ROOT)) for path in sorted(ROOT.glob(pattern)))


def lint() -> list[Gate]:
    ruff = (sys.executable, "-m", "ruff")
    return [
        Gate((*ruff, "format", "--check", "."), stated(r"(\d+) files? already formatted"), "files in format"),
        Gate((*ruff, "check", "--verbose", "."), stated(r"Checked (\d+) files?"), "files linted"),
    ]


def types() -> list[Gate]:
    link_for_mypy()
    mypy = (sys.executable, "-m", "mypy", "--strict")
    rooms = ("-p", "chardesk.tools", "-p", "chardesk.broker", "-p", "chardesk.materials")
    tests = found("tests/*.py") + found("tests/bench/*.py")
    count = stated(r"no issues found in (\d+) source files?")
    return [Gate((*mypy, *rooms), count, "modules"), Gate(mypy, count, "test modules", tests)]


def link_for_mypy() -> None:
    """Makes build/types/chardesk, which shows the checkout to type checkers as the package it becomes."""
    link = ROOT / "build" / "types" / "chardesk"
    if not link.is_symlink():
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(Path("..", ".."), target_is_directory=True)


def page() -> list[Gate]:
    tsc = "tests/node_modules/.bin/tsc"
    node = ("node", "--test", "--test-reporter=./tests/page_reporter.mjs")
    seen = matching(r"^(?!.*node_modules).*/page/.+\.js$")
    return [
        Gate((tsc, "--listFiles", "-p", "page/tsconfig.json"), seen, "modules typed", needs=(tsc,)),
        Gate((tsc, "--listFiles", "-p", "page/tsconfig.pure.json"), seen, "typed without DOM", needs=(tsc,)),
        Gate(node, stated(r"\bpass (\d+)"), "page tests", found("tests/page*/**/*.test.js"), closes=True),
    ]


def py() -> list[Gate]:
    engines = Gate(
        (sys.executable, "tests/engines.py"), matching("^engine: "), "engines to compare", closes=True
    )
    # Each processor has a process of its own; the tests of a file stay together and share what they start.
    apart = ("-n", "auto", "--dist", "loadfile")
    return [engines, pytest(*apart, "-m", "not e2e", "--ignore-glob=*/test_docs*.py")]


def wire() -> list[Gate]:
    return [writer.gate() for writer in WIRE_WRITERS]


def docs() -> list[Gate]:
    return [*(writer.gate() for writer in DOCS_WRITERS), pytest(files=found("tests/test_docs*.py"))]


def e2e() -> list[Gate]:
    return [pytest("-m", "e2e")]


def pytest(*options: str, files: tuple[str, ...] | None = None) -> Gate:
    argv = (sys.executable, "-m", "pytest", "-q", *options)
    lf = ("-n0", "--last-failed", "--last-failed-no-failures=none")
    return Gate(argv, stated(r"(\d+) passed"), "tests", files, closes=True, again=lf)


STEPS: dict[str, Callable[[], list[Gate]]] = {
    step.__name__: step for step in (lint, types, py, page, wire, docs, e2e)
}


def run(gate: Gate) -> Passed | Failed:
    """Runs the command from the checkout's root. Whatever it does, or its absence, is a verdict."""
    if gate.files == ():
        return Failed(f"looked at nothing: no files for {gate.unit}", "")
    missing = [need for need in gate.needs if not (ROOT / need).exists()]
    if missing:
        return Failed(f"{', '.join(missing)} is missing", "")
    try:
        exit_code, output = in_checkout(gate.argv + (gate.files or ()))
    except FileNotFoundError:
        return Failed(f"{gate.argv[0]} is not installed", "")
    if exit_code == 1 and gate.again and (unsteady := steadied(gate, output)):
        print(unsteady, flush=True)
    elif exit_code:
        return Failed(f"exit code {exit_code}" if exit_code > 0 else f"ended by signal {-exit_code}", output)
    checked = gate.count(output)
    if not checked:
        return Failed(f"looked at nothing: 0 {gate.unit}", output)
    return Passed(checked, gate.unit, output.rpartition("\n")[2] if gate.closes else None)


def steadied(gate: Gate, output: str) -> str | None:
    """What to say of a run whose few failures pass when they are looked at again, alone; None if they don't.

    A browser on a busy machine is late now and then. Such a test is named each time, since it may be right.
    """
    names = re.findall(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    if not 0 < len(names) <= UNSTEADY_LIMIT or in_checkout(gate.argv + gate.again + (gate.files or ()))[0]:
        return None
    return "\n".join([output, f"unsteady, passed at the second look: {', '.join(names)}"])


def in_checkout(argv: tuple[str, ...]) -> tuple[int, str]:
    """Returns the exit code (negative: the signal) and all output; kills the command after `GATE_TIMEOUT_S`.

    It runs in a session of its own and writes to a file, so that no process it left behind can hold us up.
    """
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            argv,
            cwd=ROOT,
            stdin=DEVNULL,
            stdout=output,
            stderr=STDOUT,
            env=environment,
            start_new_session=True,
        )
        try:
            process.wait(GATE_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            output.write(f"\nnot done after {GATE_TIMEOUT_S} s".encode())
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        exit_code = process.wait()
        output.seek(0)
        return exit_code, output.read().decode("utf-8", "replace").rstrip()


def shown(gate: Gate, failed: Failed) -> str:
    """The failure as a person wants to see it: the command, its output less what is for counting, and why."""
    command = " ".join(gate.argv).replace(sys.executable, "python")
    lines = [line for line in failed.output.splitlines() if not FOR_COUNTING.search(line)]
    return "\n".join([f"$ {command}", *lines, f"^ {failed.why}"])


def step_passes(name: str, gates: Iterable[Gate]) -> bool:
    """Runs the gates of a step and prints what failed, the closing lines, and the step's one-line verdict."""
    started = time.monotonic()
    looked_at, whys = [], []
    for gate in gates:
        match run(gate):
            case Passed(checked, unit, closing):
                looked_at.append(f"{checked} {unit}")
                if closing:
                    print(closing, flush=True)
            case Failed(why) as failed:
                whys.append(why)
                print(shown(gate, failed), flush=True)
    verdict = "FAILED: " + "; ".join(whys) if whys else "ok: " + ", ".join(looked_at)
    print(f"{name:<5} {time.monotonic() - started:6.1f} s  {verdict}", flush=True)
    return bool(looked_at) and not whys


def write() -> int:
    """Writes all generated files anew. Returns 1 if a writer is missing or failed."""
    done = [in_checkout(writer.argv()) for writer in (*WIRE_WRITERS, *DOCS_WRITERS)]
    for exit_code, output in done:
        if exit_code:
            print(output)
    return int(any(exit_code for exit_code, _ in done))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="The one check of a checkout.")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    parser.add_argument("--write", action="store_true", help="write the generated files anew, check nothing")
    asked = parser.parse_args(arguments)
    if asked.write:
        return write()
    if unknown := set(asked.steps) - set(STEPS):
        parser.error(f"no step {', '.join(sorted(unknown))}; there are {', '.join(STEPS)}")
    names = asked.steps or list(STEPS)
    failed = [name for name in names if not step_passes(name, STEPS[name]())]
    print(f"FAILED: {', '.join(failed)}" if failed else f"all {len(names)} steps passed")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
