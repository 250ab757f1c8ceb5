"""What a script printed, within its 8 KiB."""

from __future__ import annotations

from chardesk.broker.sandbox.frames import Malformed
from chardesk.broker.sandbox.legible import legible
from chardesk.broker.sandbox.limits import CONSOLE_BYTES

_CUT = f"\n[console cut at {CONSOLE_BYTES} bytes]"


class Console:
    """Lines in the order they were printed. Over the limit the text is cut, and says so in its last line."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._sent = 0

    def add(self, line: str) -> None:
        """Take one line. `Malformed` past the limit: the prelude stops one character beyond it."""
        if self._sent > CONSOLE_BYTES:
            raise Malformed("console lines past the limit")
        # Counted as the prelude does, in UTF-16 units and a line end: more bytes than units is no fault of
        # the child.
        self._sent += len(line.encode("utf-16-le")) // 2 + 1
        self._lines.append(legible(line))

    def text(self) -> str:
        """All of it, at most `CONSOLE_BYTES` of UTF-8, never ending in half a character."""
        whole = "\n".join(self._lines)
        encoded = whole.encode()
        if len(encoded) <= CONSOLE_BYTES and self._sent <= CONSOLE_BYTES:
            return whole
        return encoded[: CONSOLE_BYTES - len(_CUT)].decode(errors="ignore") + _CUT
