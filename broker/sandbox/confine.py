"""Taking a process's powers away, for good. What a platform cannot take is said by `levels.py`.

The child loads this file at each start, so it imports little (`signal` alone would cost 6 ms).
"""

from __future__ import annotations

import ctypes
import os
import resource
import struct
import sys

from chardesk.broker.sandbox import limits, seccomp

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38
_SECCOMP_MODE_FILTER = 2
_CAPABILITY_VERSION_3 = 0x20080522
_SIGKILL = 9
# Not there in kernels before 4.14 and in some that only imitate Linux.
_ACTIONS = "/proc/sys/kernel/seccomp/actions_avail"


class NotConfined(OSError):
    """A fence that this platform should have could not be put up. The process must end and run nothing."""


def filtered_machine() -> str | None:
    """The name of this computer's system-call table; None if its kernel or processor has no filter for us."""
    if sys.platform != "linux" or os.uname().machine not in seccomp.MACHINES:
        return None
    try:
        with open(_ACTIONS, encoding="ascii") as actions:
            return os.uname().machine if "kill_process" in actions.read().split() else None
    except OSError:
        return None


def confine(parent: int) -> None:
    """From now on this process can only compute and use open files, and dies with the thread that started it.

    `parent` is the id of the process which that thread belongs to. Raises `NotConfined` if a fence that
    `levels` promises fails. Cannot be undone; a second time ends the process.
    """
    machine = filtered_machine()
    os.nice(limits.NICENESS)
    if sys.platform == "linux":
        _die_with(parent)
    for name, most in limits.KERNEL_LIMITS.items():
        _limit(name, most)
    if sys.platform == "linux":
        _give_up_capabilities()
    if machine is not None:
        _filter(seccomp.program(machine))


def _die_with(parent: int) -> None:
    _prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    # It may have died before the line above, which then never fires.
    if os.getppid() != parent:
        raise NotConfined("the parent is gone")


def _limit(name: str, most: int) -> None:
    which = getattr(resource, f"RLIMIT_{name}", None)
    if which is None:
        return
    hard = resource.getrlimit(which)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    try:
        resource.setrlimit(which, (value, value))
    except (ValueError, OSError) as problem:
        # macOS knows some limits by name only; `levels` promises none of them there.
        if sys.platform == "linux":
            raise NotConfined(f"RLIMIT_{name}") from problem


def _give_up_capabilities() -> None:
    """Whoever started the broker, root too: no limit above can be lifted, and NPROC binds."""
    header, none = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), bytes(24)
    if ctypes.CDLL(None, use_errno=True).capset(header, none) != 0:
        raise NotConfined(ctypes.get_errno(), "capset")


class _Program(ctypes.Structure):
    _fields_ = (("steps", ctypes.c_ushort), ("code", ctypes.c_char_p))


def _filter(code: bytes) -> None:
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    handle = _Program(len(code) // 8, code)
    _prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.addressof(handle))


def _prctl(option: int, *arguments: int) -> None:
    call = ctypes.CDLL(None, use_errno=True).prctl
    call.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)
    # The kernel refuses some options unless the unused arguments are zero.
    if call(option, *(*arguments, 0, 0, 0, 0)[:4]) != 0:
        raise NotConfined(ctypes.get_errno(), "prctl")
