"""How long `chardesk-mcp` takes to its first answers, and what memory it holds, against a bare interpreter.

Run `python tests/bench/relay_start.py [script]`; `script` is the installed `chardesk-mcp` (default: the one
beside this interpreter). Goals: with a broker up, `initialize` within 3 times the wall time of `python -c
pass`, the first `canvas_read` within 4 times, at most 4 MB more resident memory; without a broker, the first
call answered within a second. Compile first what is measured (`python -m compileall`), or the compiler is.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from brokers import RunningBroker
from parties import swept

from chardesk.broker.door.place import Place

ROUNDS = 20
COLD_ROUNDS = 5
BARE = "import sys; sys.stdout.write('up\\n'); sys.stdout.flush(); sys.stdin.read()"
CLIENT = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def line(method: str, **more: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "method": method, **more}).encode() + b"\n"


INITIALIZE = line("initialize", id=1, params=CLIENT)
FIRST_READ = line("notifications/initialized") + line(
    "tools/call", id=2, params={"name": "canvas_read", "arguments": {}}
)


def resident_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def asked(command: list[str], *questions: bytes) -> tuple[list[float], int]:
    """Seconds from the start until the first line and until the answer to each question; resident kB then."""
    started = time.perf_counter()
    took_s = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        for question in questions:
            process.stdin.write(question)
            process.stdin.flush()
            answer = process.stdout.readline()
            assert b'"isError":true' not in answer, answer
            took_s.append(time.perf_counter() - started)
        memory_kb = resident_kb(process.pid)
        process.stdin.close()
    return took_s, memory_kb


def bare() -> tuple[float, int]:
    """Seconds of `python -c pass`, and the resident kB of an interpreter that waits for its input."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    took_s = time.perf_counter() - started
    return took_s, asked([sys.executable, "-c", BARE], b"")[1]


def cold(script: str) -> float:
    """Seconds until the first read is answered where no broker runs."""
    with tempfile.TemporaryDirectory() as folder, swept(Place(folder)):
        return asked([script, "--desk", folder], INITIALIZE, FIRST_READ)[0][1]


def main() -> None:
    script = sys.argv[1] if len(sys.argv) > 1 else str(Path(sys.executable).with_name("chardesk-mcp"))
    os.environ["CHARDESK_PORT"] = "0"
    with tempfile.TemporaryDirectory() as folder, RunningBroker(Path(folder) / "desk") as broker:
        command = [script, "--desk", broker.place.root]
        asked(command, INITIALIZE, FIRST_READ)  # the first one warms the disk, and the broker imports its SDK
        floors = [bare() for _ in range(ROUNDS)]
        relays = [asked(command, INITIALIZE, FIRST_READ) for _ in range(ROUNDS)]
    cold_s = median(cold(script) for _ in range(COLD_ROUNDS))
    pass_s = median(took_s for took_s, _ in floors)
    more_kb = median(kb for _, kb in relays) - median(kb for _, kb in floors)
    for what, n, goal in (("initialize", 0, 3), ("first read", 1, 4)):
        took_s = median(took_s[n] for took_s, _ in relays)
        print(f"{what}  {took_s * 1000:6.1f} ms = {took_s / pass_s:.2f} x python -c pass (goal {goal})")
    print(f"python -c pass {pass_s * 1000:.1f} ms; resident {more_kb / 1024:+.1f} MB beside it (goal +4)")
    print(f"no broker running: first read after {cold_s * 1000:.0f} ms (goal 1000)")


if __name__ == "__main__":
    main()
