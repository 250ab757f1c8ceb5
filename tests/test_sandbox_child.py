"""The script's process can do nothing but compute, and dies with its host."""

from __future__ import annotations

import json
import mmap
import os
import re
import select
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from sandboxes import (
    BOUND_S,
    SANDBOX,
    ask_while_running,
    sandbox,
)

from chardesk.broker.sandbox import confine, limits, seccomp
from chardesk.broker.sandbox.levels import levels


async def test_the_kernel_holds_the_limits_of_a_running_child() -> None:
    async with sandbox(warm=0) as box:
        (table,) = await ask_while_running(box, lambda pid: Path(f"/proc/{pid}/limits").read_text())
    held = {
        "Max address space": limits.KERNEL_LIMITS["AS"],
        "Max cpu time": limits.KERNEL_LIMITS["CPU"],
        "Max stack size": limits.KERNEL_LIMITS["STACK"],
        "Max open files": 0,
        "Max processes": 0,
        "Max file size": 0,
        "Max core file size": 0,
    }
    for name, most in held.items():
        assert re.search(rf"^{name} +{most} +{most} ", table, re.MULTILINE), name


async def test_a_child_is_one_thread_without_capabilities_that_gains_no_privileges() -> None:
    """Whoever runs the broker, root too. A filter binds the thread that puts it up: there is no other."""
    async with sandbox(warm=0) as box:
        (status,) = await ask_while_running(box, lambda pid: Path(f"/proc/{pid}/status").read_text())
    told = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {int(told[name], 16) for name in ("CapEff", "CapPrm", "CapInh", "CapAmb")} == {0}
    assert (told["Threads"], told["NoNewPrivs"], told["Seccomp"]) == ("1", "1", "2")


async def test_a_child_has_no_environment_no_folder_and_one_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHARDESK_SECRET", "hunter2")

    def look(pid: int) -> tuple[bytes, str, list[str]]:
        place = Path("/proc", str(pid))
        numbers = sorted(int(file.name) for file in (place / "fd").iterdir())
        files = [os.readlink(place / "fd" / str(number)) for number in numbers]
        return (place / "environ").read_bytes(), os.readlink(place / "cwd"), files

    async with sandbox(warm=0) as box:
        ((environment, folder, files),) = await ask_while_running(box, look)
    assert (environment, folder) == (b"", "/")
    assert files[:3] == ["/dev/null"] * 3
    assert [file.partition(":")[0] for file in files[3:]] == ["socket"]


BOOT = f"""
import sys
for name in ("chardesk", "chardesk.broker", "chardesk.broker.sandbox"):
    sys.modules[name] = package = type(sys)(name)
    package.__path__ = [{str(SANDBOX)!r}]
from chardesk.broker.sandbox.confine import confine
import ctypes, mmap, os, socket, time
ours = socket.socketpair()[0]
"""
CONFINED = BOOT + "confine(os.getppid())\n"


def ended(code: str) -> int:
    command = [sys.executable, "-I", "-S", "-B", "-c", code]
    quiet = subprocess.DEVNULL
    return subprocess.run(command, timeout=BOUND_S, stdout=quiet, stderr=quiet, check=False).returncode


FORBIDDEN = {
    "read a file": "os.open('/etc/passwd', os.O_RDONLY)",
    "write a file": "os.open('/dev/null', os.O_WRONLY)",
    "list a folder": "os.listdir('/')",
    "look for a file": "os.stat('/')",
    "open a socket": "socket.socket()",
    "fork": "os.fork() or os._exit(0)",
    "start a program": "os.execv('/bin/true', ['true'])",
    "send a signal": "os.kill(os.getppid(), 0)",
    "use a socket for more than reading and writing": "ours.getsockname()",
    "make memory executable": "mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)",
    "read another process": "ctypes.CDLL(None).process_vm_readv(os.getppid(), 0, 0, 0, 0, 0)",
    "wait": "time.sleep(0.001)",
    "lift a limit": "import resource; resource.getrlimit(resource.RLIMIT_AS)",
}


@pytest.mark.parametrize("code", FORBIDDEN.values(), ids=FORBIDDEN)
def test_a_confined_process_is_killed_when_it_tries_to(code: str) -> None:
    assert levels()["command"] == "enforce"
    setup = "import resource\n"
    assert ended(BOOT + setup + code) == 0
    assert ended(CONFINED.replace("import ctypes", "import resource, ctypes") + code) == -signal.SIGSYS


def test_a_confined_process_can_compute_and_use_its_memory() -> None:
    assert ended(CONFINED + "x = bytearray(10 ** 7); y = [str(i) for i in range(10 ** 5)]; os._exit(5)") == 5


def test_a_confined_process_cannot_grow_past_its_memory() -> None:
    assert ended(CONFINED + "try:\n bytearray(10 ** 8)\nexcept MemoryError:\n os._exit(6)") == 6


def test_a_process_whose_parent_is_not_the_expected_one_is_not_confined_but_refused() -> None:
    code = "try:\n confine(1)\nexcept OSError as refused:\n os._exit(7 if 'parent' in str(refused) else 8)"
    assert ended(BOOT + code) == 7


def verdict(code: bytes, machine: int, call: int, argument_2: int) -> str:
    """What the kernel would do with a call: the filter, interpreted."""
    data = struct.pack("=IIQ6Q", call, machine, 0, 0, 0, argument_2, 0, 0, 0)
    steps, at, word = list(struct.iter_unpack("=HBBI", code)), 0, 0
    while True:
        kind, if_so, if_not, value = steps[at]
        at += 1
        match kind:
            case 0x20:
                word = int.from_bytes(data[value : value + 4], "little")
            case 0x15:
                at += if_so if word == value else if_not
            case 0x45:
                at += if_so if word & value else if_not
            case _:
                return {0x8000_0000: "kill", 0x7FFF_0000: "allow"}[value]


def on(machine: str, table: tuple[tuple[str, int, int], ...]) -> set[int]:
    return {dict(zip(seccomp.MACHINES, numbers, strict=True))[machine] for _, *numbers in table}


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_numbers_of_calls_are_those_of_the_kernels_headers(machine: str) -> None:
    kernel = json.loads((Path(__file__).parent / "vectors" / "syscalls.json").read_text("utf-8"))[machine]
    column = list(seccomp.MACHINES).index(machine)
    calls = (*seccomp.PLAIN_CALLS, *seccomp.MEMORY_CALLS, *seccomp.ADVISING_CALLS)
    table = {name: numbers[column] for name, *numbers in calls}
    assert table == {name: kernel[name] for name in table}
    assert len(table) == len(calls)


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_filter_allows_exactly_the_calls_in_its_table(machine: str) -> None:
    code, audit = seccomp.program(machine), seccomp.MACHINES[machine]
    plain, memory, advising = (
        on(machine, table) for table in (seccomp.PLAIN_CALLS, seccomp.MEMORY_CALLS, seccomp.ADVISING_CALLS)
    )
    readable, executable, hw_poison, soft_offline = mmap.PROT_READ | mmap.PROT_WRITE, mmap.PROT_EXEC, 100, 101

    def allowed(argument_2: int) -> set[int]:
        return {call for call in range(600) if verdict(code, audit, call, argument_2) == "allow"}

    assert allowed(readable) == plain | memory | advising
    assert allowed(executable) == plain | advising
    assert allowed(mmap.MADV_DONTNEED) >= advising and allowed(mmap.MADV_HUGEPAGE) >= advising
    assert not (allowed(hw_poison) | allowed(soft_offline)) & advising
    x32 = 0x4000_0000
    assert {verdict(code, audit, call | x32, 0) for call in plain | memory} == {"kill"}
    assert {verdict(code, audit ^ 1, call, 0) for call in plain | memory} == {"kill"}


def test_without_a_filter_the_levels_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confine, "_ACTIONS", "/nonexistent")
    found = levels()
    assert {found[name] for name in ("read", "write", "command", "network")} == {"attest"}
    assert {found[name] for name in ("env", "cpu", "memory", "stack", "output")} == {"enforce"}


def test_every_dimension_has_a_level() -> None:
    names = {"read", "write", "command", "network", "env", "cpu", "memory", "stack", "output"}
    assert levels().keys() == names
    assert set(levels().values()) <= {"enforce", "attest", "unsupported"}


HOST = """
import asyncio, os, sys
import anyio
from chardesk.broker.sandbox.host import Sandbox

async def main():
    async with anyio.create_task_group() as tasks:
        box = Sandbox(warm=0)
        await box.start(tasks)
        def answer(operation, args):
            pid = next(iter(box._children)).process.pid
            os.write(1, f"{pid}\\n".encode())
            return {}
        await box.run("canvas.read({}); while (1) {}", 10_000, 1, answer)

asyncio.run(main())
"""


def test_a_child_dies_with_a_host_that_is_killed(tmp_path: Path) -> None:
    root = str(Path(__file__).parent / "importroot")
    host = subprocess.Popen(
        [sys.executable, "-c", HOST], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": root}
    )
    with host:
        assert host.stdout is not None
        orphan = os.pidfd_open(int(host.stdout.readline()))
        host.kill()
        try:
            gone, _, _ = select.select([orphan], [], [], BOUND_S)
        finally:
            os.close(orphan)
    assert gone
