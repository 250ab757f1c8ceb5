"""Why a picture is not drawn."""

from __future__ import annotations


class NotDrawn(Exception):
    """The source is no picture that can be drawn. The message says why; `line` counts from 1 in the source,
    None if no single line is the cause."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line
