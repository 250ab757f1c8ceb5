"""How long `chardesk-mcp` takes to answer `initialize`, and what memory it holds, against a bare interpreter.

Run `python tests/bench/relay_start.py [script]`; `script` is the installed `chardesk-mcp` (default: the one
beside this interpreter). Targets: answered within 3 times the wall time of `python -c pass`, at most 4 MB
more resident memory. Compile first what is measured (`python -m compileall`), or the compiler is measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import IO

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fake_broker import FakeBroker

from chardesk.broker.door.place import Place

ROUNDS = 20
CALLS = 500
BARE = "import sys; sys.stdout.write('up\\n'); sys.stdout.flush(); sys.stdin.read()"


def resident_kb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def asked(command: list[str], question: bytes) -> tuple[float, int, list[float]]:
    """Seconds until the first line, resident kB then, and seconds of each of `CALLS` calls after it."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(question)
        process.stdin.flush()
        process.stdout.readline()
        took_s = time.perf_counter() - started
        memory_kb = resident_kb(process.pid)
        trips_s = trips(process.stdin, process.stdout) if question else []
        process.stdin.close()
    return took_s, memory_kb, trips_s


def trips(stdin: IO[bytes], stdout: IO[bytes]) -> list[float]:
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"arguments": {"text": "hi"}}}
    spoken = json.dumps(call).encode() + b"\n"
    took_s = []
    for _ in range(CALLS):
        started = time.perf_counter()
        stdin.write(spoken)
        stdin.flush()
        stdout.readline()
        took_s.append(time.perf_counter() - started)
    return took_s


def passed() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started


def main() -> None:
    script = sys.argv[1] if len(sys.argv) > 1 else str(Path(sys.executable).with_name("chardesk-mcp"))
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    }
    question = (
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode() + b"\n"
    )
    with tempfile.TemporaryDirectory() as folder, FakeBroker(Place(folder)):
        command = [script, "--desk", folder]
        asked(command, question)  # the first one warms the disk
        pass_s = median(passed() for _ in range(ROUNDS))
        relays = [asked(command, question) for _ in range(ROUNDS)]
        bare_kb = median(asked([sys.executable, "-c", BARE], b"")[1] for _ in range(ROUNDS))
    start_s = median(took_s for took_s, _, _ in relays)
    relay_kb = median(memory_kb for _, memory_kb, _ in relays)
    trip_s = median(trip for _, _, all_trips in relays for trip in all_trips)
    print(f"python -c pass  {pass_s * 1000:6.1f} ms   {bare_kb / 1024:6.1f} MB")
    print(f"initialize      {start_s * 1000:6.1f} ms   {relay_kb / 1024:6.1f} MB")
    print(f"ratio           {start_s / pass_s:6.2f}      {(relay_kb - bare_kb) / 1024:+6.1f} MB")
    print(f"one call        {trip_s * 1000:6.3f} ms   (to the stand-in broker and back)")


if __name__ == "__main__":
    main()
