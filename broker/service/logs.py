"""The broker's log: JSON lines in the desk's log folder, rotated, written on a thread of its own.

A line says when, how serious, where from and what; a call's line has `tenant`, `tool`, `ms` and `code`. What
callers wrote is never in it: of an exception it has the kind and the places, not the text.
"""

from __future__ import annotations

import json
import logging
import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from logging.handlers import QueueHandler, QueueListener, RotatingFileHandler
from pathlib import Path
from queue import SimpleQueue
from typing import Any

NAME = "broker.log"
MAX_BYTES = 4 * 1024 * 1024
KEPT = 4
"""Older files beside the current one: with it 20 MiB at most, a few hundred thousand calls."""


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "at": at,
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        line |= getattr(record, "said", {})
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"fault": record.exc_info[0].__name__, "where": _places(record)}
        return json.dumps(line, ensure_ascii=False)


def _places(record: logging.LogRecord) -> list[str]:
    frames = traceback.extract_tb(record.exc_info[2]) if record.exc_info else []
    return [f"{Path(one.filename).name}:{one.lineno} {one.name}" for one in frames]


class _Keep(QueueHandler):
    """Hands records on as they are: the formatter wants the exception itself."""

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        return record


class _Private(RotatingFileHandler):
    """Open to this user only. A disk that is full loses lines, and nothing else."""

    def _open(self) -> object:  # type: ignore[override]
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:
        """What the disk does not take is not said again elsewhere."""


@contextmanager
def logging_into(folder: Path) -> Iterator[None]:
    """Log into `folder` inside; everything said is written before it ends."""
    file = _Private(folder / NAME, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8", delay=True)
    file.setFormatter(_Lines())
    queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
    handler = _Keep(queue)
    ours = logging.getLogger("chardesk")
    ours.addHandler(handler)
    listener = QueueListener(queue, file)
    listener.start()
    try:
        yield
    finally:
        ours.removeHandler(handler)
        listener.stop()
        file.close()
