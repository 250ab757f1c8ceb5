"""The system calls a confined child may make, as a filter program for the Linux kernel.

The child computes, allocates memory, and reads and writes the one socket it already holds. Everything else
(open, socket, clone, execve, kill, ioctl, close …) ends the process on the spot, with SIGSYS. Memory may not
be made executable: the engine is an interpreter, so only an exploit would ask.

No `dataclasses` or `typing` here: the child loads this file at each start, and those two cost more than all
the rest.
"""

from __future__ import annotations

import struct

# linux/filter.h: load a word of seccomp_data; jump if equal; jump if a bit is set; return.
_LOAD, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
# linux/seccomp.h: offsets in struct seccomp_data (both machines are little-endian, so the low word of an
# argument is first).
_AT_NUMBER, _AT_MACHINE, _AT_ARGUMENT_2 = 0, 4, 32
_KILL_PROCESS, _ALLOW = 0x8000_0000, 0x7FFF_0000
_PROT_EXEC = 4


class Machine:
    """A processor family: its audit number (linux/audit.h) and its numbers of the calls we let through."""

    __slots__ = ("audit", "memory", "plain")

    def __init__(self, audit: int, plain: tuple[int, ...], memory: tuple[int, ...]) -> None:
        self.audit = audit
        self.plain = plain
        self.memory = memory


# plain: read write munmap brk rt_sigaction rt_sigprocmask rt_sigreturn mremap madvise sched_yield futex
# sigaltstack exit exit_group clock_gettime gettimeofday getrandom. memory (refused with PROT_EXEC): mmap
# mprotect.
MACHINES = {
    "x86_64": Machine(
        audit=0xC000_003E,
        plain=(0, 1, 11, 12, 13, 14, 15, 25, 28, 24, 202, 131, 60, 231, 228, 96, 318),
        memory=(9, 10),
    ),
    "aarch64": Machine(
        audit=0xC000_00B7,
        plain=(63, 64, 215, 214, 134, 135, 139, 216, 233, 124, 98, 132, 93, 94, 113, 169, 278),
        memory=(222, 226),
    ),
}


def program(machine: Machine) -> bytes:
    """The filter as an array of `struct sock_filter`.

    Calls of another machine or ABI (32-bit, x32) are killed too: their numbers mean something else or carry a
    bit that no number in the table has.
    """
    calls = [(number, False) for number in machine.plain] + [(number, True) for number in machine.memory]
    head = [(_LOAD, 0, 0, _AT_MACHINE), (_JUMP_EQUAL, 1, 0, machine.audit), (_RETURN, 0, 0, _KILL_PROCESS)]
    # After the last comparison: kill, look at the argument (2 steps), kill, allow.
    to_look, to_allow = 1, 4
    tests = [
        (_JUMP_EQUAL, (to_look if guarded else to_allow) + left, 0, number)
        for left, (number, guarded) in zip(range(len(calls) - 1, -1, -1), calls, strict=True)
    ]
    tail = [
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _AT_ARGUMENT_2),
        (_JUMP_SET, 0, 1, _PROT_EXEC),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_RETURN, 0, 0, _ALLOW),
    ]
    steps = [*head, (_LOAD, 0, 0, _AT_NUMBER), *tests, *tail]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
