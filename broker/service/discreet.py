"""What stderr is told of a fault: its kind and its places, never its words. An exception's text may quote
what callers wrote, and stderr ends up in a file, a terminal or somebody's journal."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

OURS = "chardesk"

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

log = logging.getLogger(OURS)


def places(trace: TracebackType | None) -> list[str]:
    """Where an exception went through, from the outside in."""
    return [f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in traceback.extract_tb(trace)]


def message(record: logging.LogRecord) -> str:
    """What a record says. Other people's loggers quote what they were busy with beside an exception (asyncio
    the arguments of a callback), so of those nothing is kept but that there was one."""
    if record.exc_info and record.name.partition(".")[0] != OURS:
        return "an exception that nobody caught"
    return record.getMessage()


class Words(logging.Formatter):
    """A line; below it, of an exception, its kind and a line for each place."""

    def __init__(self) -> None:
        super().__init__(FORMAT)

    def format(self, record: logging.LogRecord) -> str:
        said = logging.makeLogRecord({**record.__dict__, "msg": message(record), "args": None})
        said.exc_info = said.exc_text = said.stack_info = None
        lines = [super().format(said)]
        if record.exc_info and record.exc_info[0] is not None:
            lines += [f"  {record.exc_info[0].__name__}"]
            lines += [f"    at {place}" for place in places(record.exc_info[2])]
        return "\n".join(lines)


def speak_discreetly() -> None:
    """Everything this process says of exceptions goes through the log: also of those that end it, a thread,
    or an object's last breath."""
    handler = logging.StreamHandler()
    handler.setFormatter(Words())
    logging.getLogger().addHandler(handler)
    sys.excepthook = lambda kind, error, trace: _unhandled((kind, error, trace))
    threading.excepthook = lambda told: _unhandled((told.exc_type, told.exc_value, told.exc_traceback))
    sys.unraisablehook = lambda told: _unhandled((told.exc_type, told.exc_value, told.exc_traceback))


def _unhandled(exception: Any) -> None:
    if issubclass(exception[0], KeyboardInterrupt):
        return  # who pressed the keys knows
    log.error("an exception that nobody caught", exc_info=exception)
