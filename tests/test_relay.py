"""`chardesk-mcp` as a process: its stdio, its end, its imports, and calls through a stand-in broker."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_broker import PATIENCE_S, FakeBroker
from relay_process import INITIALIZE, RELAY, Agent, Message, line

from chardesk.broker.door.place import Place

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def desk(tmp_path: Path) -> str:
    return str(tmp_path / "desk")


@pytest.fixture
def broker(desk: str) -> Iterator[FakeBroker]:
    with FakeBroker(Place(desk)) as running:
        yield running


def test_a_session_goes_through_and_the_client_names_the_agent(desk: str, broker: FakeBroker) -> None:
    with Agent(desk) as agent:
        assert agent.initialize()["result"]["serverInfo"]["name"] == "fake"
        assert broker.hello()["name"] == "ada"
        agent.call("hi")
        assert agent.hear()["result"]["content"][0]["text"] == "hi"
        call = broker.peer().next("tools/call")
        assert call["params"]["_meta"]["chardesk/call"].partition(":")[2].startswith("2")


def test_the_persons_name_for_an_agent_goes_before_the_clients(desk: str, broker: FakeBroker) -> None:
    with Agent(desk, env={"CHARDESK_AGENT": "scribe"}) as agent:
        agent.initialize()
        hello = broker.hello()
        assert (hello["name"], hello["fixed"]) == ("scribe", True)


def test_text_survives_any_locale(desk: str, broker: FakeBroker) -> None:
    env = {"PYTHONIOENCODING": "ascii", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"}
    with Agent(desk, env=env) as agent:
        agent.initialize()
        agent.call("漢é→😀")
        assert agent.hear()["result"]["content"][0]["text"] == "漢é→😀"


def test_noise_in_the_process_goes_to_stderr(desk: str, broker: FakeBroker, tmp_path: Path) -> None:
    """A plugin that prints as it is imported and during calls, and writes to descriptor 1 itself."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\n"
        "print('noise at import')\n"
        "read = os.read\n"
        "def noisy(fd, size):\n"
        "    print('noise during a call'); os.write(1, b'raw\\n'); return read(fd, size)\n"
        "os.read = noisy\n"
    )
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT / "tests" / "importroot")])}
    with Agent(desk, env={**env, "PYTHONUNBUFFERED": ""}) as agent:
        agent.initialize()
        agent.call("hi")
        agent.hear()
        status, _, errors = agent.end()
        assert agent.lines.empty()
        assert status == 0
        assert b"noise at import" in errors and b"noise during a call" in errors and b"raw" in errors


def test_a_stderr_that_nobody_reads_blocks_nothing(desk: str, broker: FakeBroker) -> None:
    with Agent(desk) as agent:
        agent.initialize()
        for number in range(2000):
            agent.call(f"{number}")
            agent.write(b"not json\n")
        agent.call("x" * 200_000)
        heard = [agent.hear() for _ in range(4001)]
        answers = [message["result"]["content"][0]["text"] for message in heard if message["id"] is not None]
        assert answers[:-1] == [f"{number}" for number in range(2000)]
        assert len(answers[-1]) == 200_000


def test_a_client_that_writes_much_before_it_reads_does_not_lock_up(desk: str, broker: FakeBroker) -> None:
    calls = [
        {"id": i, "method": "tools/call", "params": {"arguments": {"text": "y" * 50_000}}} for i in range(100)
    ]
    relay = subprocess.Popen([*RELAY, "--desk", desk], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with relay:
        assert relay.stdin and relay.stdout
        relay.stdin.write(line({"id": "i", "method": "initialize", "params": INITIALIZE}))
        relay.stdin.writelines(line(call) for call in calls)  # 5 MB, more than all pipes hold
        relay.stdin.flush()
        ids = [json.loads(relay.stdout.readline())["id"] for _ in range(101)]
        assert ids == ["i", *range(100)]
        relay.stdin.close()
        assert relay.wait(PATIENCE_S) == 0


def test_a_line_that_is_too_long_to_keep_is_skipped_and_the_session_goes_on(
    desk: str, broker: FakeBroker
) -> None:
    with Agent(desk) as agent:
        agent.initialize()
        for _ in range(17):
            agent.write(b"x" * 1024 * 1024)
        agent.write(b"\n")
        assert agent.hear()["error"]["code"] == -32600
        assert agent.refusal("x" * 1024 * 1024)["code"] == "too_large"
        agent.call("still here")
        assert agent.hear()["result"]["content"][0]["text"] == "still here"


@pytest.mark.parametrize(
    "broken",
    [
        b'{"id":1,"method":"ping"',
        b'{"id":1',
        b'{"id":',
        b"{",
        b"[1,",
        b'"half',
        b"nul",
        b'{"a" 1}',
        b"\xff\xfe",
    ],
)
def test_a_broken_line_ends_no_process(desk: str, broker: FakeBroker, broken: bytes) -> None:
    """In a process of its own: there the compiled scanner meets malformed JSON without `json.decoder`."""
    with Agent(desk) as agent:
        agent.initialize()
        agent.write(broken + b"\n")
        error = agent.hear()
        assert (error["error"]["code"], error["id"]) == (-32700, None)
        agent.call("still here")
        assert agent.hear()["result"]["content"][0]["text"] == "still here"


# -- the end


def test_no_input_is_the_end_and_starts_no_broker(desk: str) -> None:
    with open(os.devnull, "rb") as nothing:
        done = subprocess.run(
            [*RELAY, "--desk", desk], stdin=nothing, capture_output=True, timeout=PATIENCE_S
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not os.path.exists(desk)


def test_no_input_is_the_end_with_a_broker_too(desk: str, broker: FakeBroker) -> None:
    with open(os.devnull, "rb") as nothing:
        done = subprocess.run(
            [*RELAY, "--desk", desk], stdin=nothing, capture_output=True, timeout=PATIENCE_S
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_what_was_asked_before_the_end_of_input_is_answered(desk: str, broker: FakeBroker) -> None:
    lines: list[Message] = [
        {"id": 0, "method": "initialize", "params": INITIALIZE},
        {"method": "notifications/initialized"},
    ]
    lines += [{"id": 1, "method": "tools/call", "params": {"arguments": {"text": "hi"}}}]
    spoken = b"".join(line(message) for message in lines).rstrip(b"\n")  # not even the last line's end
    done = subprocess.run([*RELAY, "--desk", desk], input=spoken, capture_output=True, timeout=PATIENCE_S)
    assert [json.loads(each)["id"] for each in done.stdout.splitlines()] == [0, 1]
    assert done.returncode == 0


def test_the_process_is_gone_soon_after_its_stdin(desk: str, broker: FakeBroker) -> None:
    with Agent(desk) as agent:
        agent.initialize()
        status, took_s, errors = agent.end()
        assert (status, errors) == (0, b"")
        assert took_s < 0.5


def test_an_unanswered_call_delays_the_end_by_less_than_half_a_second(desk: str, broker: FakeBroker) -> None:
    with Agent(desk) as agent:
        agent.initialize()
        broker.answer = lambda message: None
        agent.call("never answered")
        broker.peer().next("tools/call")
        status, took_s, errors = agent.end()
        assert status == 0 and took_s < 0.5
        assert b"1 request(s) unanswered" in errors


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("in_flight", [False, True])
def test_a_signal_is_a_quiet_end(
    desk: str, broker: FakeBroker, number: signal.Signals, in_flight: bool
) -> None:
    with Agent(desk) as agent:
        agent.initialize()
        if in_flight:
            broker.answer = lambda message: None
            agent.call("never answered")
            broker.peer().next("tools/call")
        agent.process.send_signal(number)
        assert agent.process.wait(3) == 0
        assert agent.process.stderr is not None
        assert agent.process.stderr.read() == b""


def test_a_stdout_that_nobody_reads_any_more_is_the_end_even_when_idle(desk: str, broker: FakeBroker) -> None:
    relay = subprocess.Popen([*RELAY, "--desk", desk], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with relay:
        assert relay.stdin and relay.stdout
        relay.stdin.write(line({"id": 0, "method": "initialize", "params": INITIALIZE}))
        relay.stdin.flush()
        relay.stdout.readline()
        relay.stdout.close()
        assert relay.wait(3) == 0


def test_closed_ends_from_the_start_are_the_end(desk: str, broker: FakeBroker) -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *RELAY, "--desk", desk], timeout=PATIENCE_S
    )
    assert done.returncode == 0


def test_an_idle_relay_uses_no_time(desk: str, broker: FakeBroker) -> None:
    with Agent(desk) as agent:
        agent.initialize()
        before = os.times()
        agent.answer("tools/list")
        status, _, _ = agent.end()
        after = os.times()
        assert status == 0
        assert after.children_user - before.children_user < 1.0


# -- the command line


@pytest.mark.parametrize(
    ("words", "status"), [(["--help"], 0), (["--version"], 0), (["--nope"], 2), (["--desk"], 2)]
)
def test_the_command_line_is_understood_or_refused(words: list[str], status: int) -> None:
    done = subprocess.run([*RELAY, *words], capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == status
    assert "chardesk-mcp" in (done.stdout if status == 0 else done.stderr)


# -- what it imports

MODULES = """
import sys
chardesk = type(sys)("chardesk")
chardesk.__path__ = [sys.argv.pop(1)]
sys.modules["chardesk"] = chardesk
from chardesk.broker import relay
status = relay.main()
sys.stderr.write("\\n".join(sys.modules))
sys.exit(status)
"""
COSTLY = {
    *("asyncio", "base64", "collections", "dataclasses", "enum", "hashlib", "json", "logging", "pathlib"),
    *("random", "re", "selectors", "signal", "socket", "ssl", "subprocess", "tempfile", "threading"),
    *("typing", "urllib"),
}


def test_a_whole_session_imports_the_door_and_the_lean_part_of_the_standard_library(
    desk: str, broker: FakeBroker
) -> None:
    command = [sys.executable, "-I", "-S", "-c", MODULES, str(ROOT), "--desk", desk]
    spoken = line({"id": 0, "method": "initialize", "params": INITIALIZE})
    spoken += line({"id": 1, "method": "tools/call", "params": {"arguments": {"text": "hi"}}})
    done = subprocess.run(command, input=spoken, capture_output=True, timeout=PATIENCE_S, text=False)
    assert len(done.stdout.splitlines()) == 2
    loaded = set(done.stderr.decode().splitlines())
    ours = {name for name in loaded if name.startswith("chardesk.broker.")}
    assert ours
    known = {*sys.stdlib_module_names, "chardesk", "__main__"}
    strangers = {name for name in loaded if name.partition(".")[0] not in known}
    assert strangers == set()
    assert not {name for name in ours if not name.startswith("chardesk.broker.door")} - {
        "chardesk.broker.relay"
    }
    assert loaded & COSTLY == set()
