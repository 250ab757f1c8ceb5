"""The check can fail: faults planted in its gates are seen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import check
import pytest
from check import Failed, Gate, Passed, Writer, run


def saying(text: str, exit_code: int = 0) -> Gate:
    """A gate whose command prints `text`, counted as pytest's output is."""
    script = f"import sys; print({text!r}); sys.exit({exit_code})"
    return Gate((sys.executable, "-c", script), check.stated(r"(\d+) passed"), "tests", closes=True)


def test_a_gate_that_looked_at_something_passes_with_its_closing_line() -> None:
    assert run(saying("....\n4 passed in 0.1s")) == Passed(4, "tests", "4 passed in 0.1s")


def test_a_gate_that_looked_at_nothing_fails() -> None:
    verdict = run(saying("0 passed"))
    assert isinstance(verdict, Failed)
    assert verdict.why == "looked at nothing: 0 tests"


def test_a_gate_without_files_fails_before_it_takes_everything() -> None:
    verdict = run(Gate((sys.executable, "-c", "print('9 passed')"), lambda _: 9, "tests", files=()))
    assert isinstance(verdict, Failed)


def test_a_command_that_fails_is_a_failure_even_if_it_counts() -> None:
    verdict = run(saying("3 passed, 1 failed", exit_code=1))
    assert isinstance(verdict, Failed)
    assert verdict.why == "exit code 1"
    assert "1 failed" in verdict.output


def unsteady(tmp_path: Path, failures: int, passes_at: int) -> Gate:
    """A gate that fails this many tests until its second look, which passes or not."""
    script = f"""
import pathlib, sys
seen = pathlib.Path({str(tmp_path / "seen")!r})
looks = len(seen.read_text()) + 1 if seen.exists() else 1
seen.write_text("x" * looks)
for number in range({failures}):
    print(f"FAILED tests/test_a.py::test_{{number}} - late")
print("{failures} failed, 7 passed")
sys.exit(looks < {passes_at})
"""
    return Gate(
        (sys.executable, "-c", script), check.stated(r"(\d+) passed"), "tests", again=("--last-failed",)
    )


def test_what_passes_at_a_second_look_passes_and_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(unsteady(tmp_path, failures=1, passes_at=2)) == Passed(7, "tests", None)
    assert "unsteady, passed at the second look: tests/test_a.py::test_0" in capsys.readouterr().out


def test_what_fails_twice_has_failed(tmp_path: Path) -> None:
    assert isinstance(run(unsteady(tmp_path, failures=1, passes_at=3)), Failed)


def test_many_failures_are_not_looked_at_again(tmp_path: Path) -> None:
    assert isinstance(run(unsteady(tmp_path, failures=4, passes_at=2)), Failed)
    assert (tmp_path / "seen").read_text() == "x"


def test_a_missing_program_and_a_missing_writer_are_named() -> None:
    absent = run(Gate(("chardesk-no-such-program",), lambda _: 1, "things"))
    unwritten = run(Writer("chardesk.broker.no_such_writer", "docs/none").gate())
    assert absent == Failed("chardesk-no-such-program is not installed", "")
    assert unwritten == Failed("broker/no_such_writer.py is missing", "")


def test_a_gate_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "GATE_TIMEOUT_S", 0.2)
    forever = "import threading; threading.Event().wait()"
    verdict = run(Gate((sys.executable, "-c", forever), lambda _: 1, "waits"))
    assert isinstance(verdict, Failed)
    assert verdict.why == "ended by signal 9"
    assert "not done after 0.2 s" in verdict.output


def test_a_step_with_no_gates_fails() -> None:
    assert not check.step_passes("empty", [])


def test_a_failed_step_is_named_at_the_end_and_the_others_still_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = {"first": lambda: [saying("0 passed")], "second": lambda: [saying("2 passed")]}
    monkeypatch.setattr(check, "STEPS", steps)
    assert check.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("second") and "ok: 2 tests" in line for line in lines)
    assert lines[-1] == "FAILED: first"


def test_an_unknown_step_is_a_usage_error() -> None:
    with pytest.raises(SystemExit) as refused:
        check.main(["lnit"])
    assert refused.value.code == 2


def test_a_badly_formatted_file_fails_the_format_gate(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("x  =  1\n")
    format_gate = check.lint()[0]
    done = subprocess.run(
        [*format_gate.argv[:-1], "--isolated", str(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert format_gate.count(done.stdout) == 0
