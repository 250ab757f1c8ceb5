"""The broker's log: JSON lines in the desk's log folder, rotated, written on a thread of its own.

A line says when, how serious, where from and what; a call's line has `tenant`, `tool`, `ms` and `code`. What
callers wrote is never in it: of an exception it has the kind and the places, not the text.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from threading import Event, Thread
from typing import Any, TextIO

import orjson

from chardesk.broker.service.discreet import message, places

NAME = "broker.log"
MAX_BYTES = 4 * 1024 * 1024
KEPT = 4
"""Older files beside the current one: with it 20 MiB at most, a few hundred thousand calls."""

GATHER_S = 0.2
"""How long lines wait for others."""


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "at": at,
            "level": record.levelname.lower(),
            "from": record.name,
            "what": message(record),
        }
        line |= getattr(record, "said", {})
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"fault": record.exc_info[0].__name__, "where": places(record.exc_info[2])}
        return orjson.dumps(line, default=str).decode()


class _Private(RotatingFileHandler):
    """Open to this user only. A disk that is full loses lines, and nothing else."""

    def _open(self) -> Any:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
        return super()._open()

    def write(self, records: Iterable[logging.LogRecord]) -> None:
        """All of them by one write, into one file."""
        lines = "".join(f"{self.format(record)}\n" for record in records)
        try:
            self._opened(len(lines)).write(lines)
            self.flush()
        except OSError:
            self._give_up()

    def _opened(self, more: int) -> TextIO:
        """The file that takes so many characters more; a new one where they would be too many."""
        self.stream = self.stream or self._open()
        if self.stream.tell() + more > self.maxBytes:
            self.doRollover()
        self.stream = self.stream or self._open()
        return self.stream

    def _give_up(self) -> None:
        """Forget the stream with what it could not write; the next lines open it anew."""
        stream, self.stream = self.stream, None
        if stream is not None:
            with suppress(OSError):
                stream.close()


class _Gathering(logging.Handler):
    """Gives records to `file` in batches, on a thread of its own; warnings and worse without a wait.

    Waking the thread for every line costs a call a fifth of a millisecond, more than the line itself.
    """

    def __init__(self, file: _Private) -> None:
        super().__init__()
        self._file = file
        self._records: deque[logging.LogRecord] = deque()
        self._has_some, self._is_urgent = Event(), Event()
        self._is_ending = False
        self._thread = Thread(target=self._run, name="log", daemon=True)
        self._thread.start()

    def emit(self, record: logging.LogRecord) -> None:
        """The record as it is: the formatter wants the exception itself."""
        self._records.append(record)
        if record.levelno >= logging.WARNING:
            self._is_urgent.set()
        if not self._has_some.is_set():
            self._has_some.set()

    def close(self) -> None:
        """Returns when everything said is written."""
        self._is_ending = True
        self._is_urgent.set()
        self._has_some.set()
        self._thread.join()
        super().close()

    def _run(self) -> None:
        while not self._is_ending:
            self._has_some.wait()
            self._is_urgent.wait(GATHER_S)
            self._has_some.clear()
            self._is_urgent.clear()
            self._write()
        self._write()

    def _write(self) -> None:
        gathered = [self._records.popleft() for _ in range(len(self._records))]
        if gathered:
            self._file.write(gathered)


@contextmanager
def logging_into(folder: Path) -> Iterator[None]:
    """Log into `folder` inside; everything said is written before it ends."""
    file = _Private(folder / NAME, maxBytes=MAX_BYTES, backupCount=KEPT, encoding="utf-8", delay=True)
    file.setFormatter(_Lines())
    handler = _Gathering(file)
    ours = logging.getLogger("chardesk")
    ours.addHandler(handler)
    try:
        yield
    finally:
        ours.removeHandler(handler)
        handler.close()
        file.close()
