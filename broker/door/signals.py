"""SIGINT and SIGTERM as an orderly end.

`_signal` is what `signal` wraps in enums for 4 ms and 0.8 MB; it is compiled into every CPython.
"""

from __future__ import annotations

try:
    import _signal  # type: ignore[import-not-found]  # not in the stubs
except ImportError:  # another interpreter
    import signal as _signal


class Quit(BaseException):
    """Raised in the main thread by the first SIGINT or SIGTERM. No `Exception`, so that nothing on its way
    handles it.
    """


def _quit(_number: int, _frame: object) -> None:
    ignore()
    raise Quit


def quit_quietly() -> None:
    """From now on the first of the two signals raises `Quit`; more of them are ignored."""
    _signal.signal(_signal.SIGINT, _quit)
    _signal.signal(_signal.SIGTERM, _quit)


def ignore() -> None:
    """The end is near: a signal during it would only print a traceback."""
    _signal.signal(_signal.SIGINT, _signal.SIG_IGN)
    _signal.signal(_signal.SIGTERM, _signal.SIG_IGN)
