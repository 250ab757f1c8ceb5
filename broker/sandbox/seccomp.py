"""The system calls a confined child may make, as a filter program for the Linux kernel.

The child computes, allocates memory, and reads and writes the one socket it already holds. Everything else
(open, socket, clone, execve, kill, ioctl, close …) ends the process on the spot, with SIGSYS. Memory may not
be made executable: the engine is an interpreter, so only an exploit would ask. Nor may pages be given up as
broken, which the kernel lets root do.

No `dataclasses` or `typing` here: they cost a starting child more than all the rest.
"""

from __future__ import annotations

import struct

# linux/filter.h: load a word of seccomp_data; jump if equal; jump if a bit is set; return.
_LOAD, _JUMP_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x45, 0x06
# linux/seccomp.h: offsets in struct seccomp_data. Both machines put the low word of an argument first.
_AT_NUMBER, _AT_MACHINE, _AT_ARGUMENT_2 = 0, 4, 32
_KILL_PROCESS, _ALLOW = 0x8000_0000, 0x7FFF_0000
_PROT_EXEC = 4
# MADV_HWPOISON (100) and MADV_SOFT_OFFLINE (101): all of that kind have one of these bits, no other has.
_BREAKING_ADVICE = 0x60

# `uname -m`, and linux/audit.h's number for it.
MACHINES = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}

# Name, and number on each of MACHINES in its order.
PLAIN_CALLS = (
    ("read", 0, 63),
    ("write", 1, 64),
    ("brk", 12, 214),
    ("munmap", 11, 215),
    ("mremap", 25, 216),
    ("futex", 202, 98),
    ("sched_yield", 24, 124),
    ("rt_sigaction", 13, 134),
    ("rt_sigprocmask", 14, 135),
    ("rt_sigreturn", 15, 139),
    ("sigaltstack", 131, 132),
    ("clock_gettime", 228, 113),
    ("gettimeofday", 96, 169),
    ("getrandom", 318, 278),
    ("exit", 60, 93),
    ("exit_group", 231, 94),
)
# Allowed unless the third argument has one of these bits.
MEMORY_CALLS = (("mmap", 9, 222), ("mprotect", 10, 226))
ADVISING_CALLS = (("madvise", 28, 233),)
_FORBIDDEN_BITS = ((MEMORY_CALLS, _PROT_EXEC), (ADVISING_CALLS, _BREAKING_ADVICE))


def program(machine: str) -> bytes:
    """The filter for one of `MACHINES`, as an array of `struct sock_filter`.

    Calls by another machine's rules (32-bit, x32) are killed too: the number of the machine differs, or the
    call's number has a bit that none in the tables has.
    """
    column = list(MACHINES).index(machine) + 1
    # Where a comparison that holds jumps to, counted from just after the last comparison: see `tail`.
    kill, allow = 1 + 2 * len(_FORBIDDEN_BITS), 2 + 2 * len(_FORBIDDEN_BITS)
    goals = [(call[column], allow) for call in PLAIN_CALLS]
    looks: list[tuple[int, int, int, int]] = []
    for calls, bits in _FORBIDDEN_BITS:
        look = 1 + len(looks)
        goals += [(call[column], look) for call in calls]
        looks += [
            (_LOAD, 0, 0, _AT_ARGUMENT_2),
            (_JUMP_SET, kill - look - 2, allow - look - 2, bits),
        ]
    last = len(goals) - 1
    head = [
        (_LOAD, 0, 0, _AT_MACHINE),
        (_JUMP_EQUAL, 1, 0, MACHINES[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _AT_NUMBER),
    ]
    comparisons = [(_JUMP_EQUAL, last - at + goal, 0, number) for at, (number, goal) in enumerate(goals)]
    tail = [(_RETURN, 0, 0, _KILL_PROCESS), *looks, (_RETURN, 0, 0, _KILL_PROCESS), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *step) for step in head + comparisons + tail)
