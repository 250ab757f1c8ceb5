"""Reading a file for the broker: `sourceRef` names a file on the agent's side, which only the agent's
process may open.

Reach is the agent's own: its working folder, what `CHARDESK_ROOTS` adds, and the roots that the client
grants. Programs of the same user are trusted not to swap folders under us between the check and the open (see
the threat model).
"""

from __future__ import annotations

import os
import stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Unreadable(Exception):
    """The file is not handed out; the text says why, without naming anything outside what was asked for.
    `code` is what the call that wanted it is refused with."""

    def __init__(self, why: str, code: str = "invalid_input") -> None:
        super().__init__(why)
        self.code = code


def roots(env: Mapping[str, str], cwd: str) -> tuple[str, ...]:
    """The folders an agent may read from, links resolved: `cwd` first, then those in `CHARDESK_ROOTS`."""
    named = (root for root in env.get("CHARDESK_ROOTS", "").split(os.pathsep) if root)
    return tuple(os.path.realpath(os.path.join(cwd, root)) for root in ("", *named))


def _is_inside(path: str, root: str) -> bool:
    try:
        return os.path.commonpath((path, root)) == root
    except ValueError:  # two drives
        return False


def read_text(path: str, allowed: tuple[str, ...], max_bytes: int) -> str:
    """The text of `path` (relative to the first of `allowed`), exactly as stored.

    `Unreadable` for: a NUL in the name, a place outside the roots (also through a link), what isn't a plain
    file, more than `max_bytes`, and what isn't UTF-8.
    """
    if "\0" in path:
        raise Unreadable("the path contains a NUL character")
    real = os.path.realpath(os.path.join(allowed[0], path))
    if not any(_is_inside(real, root) for root in allowed):
        why = "the path is outside the agent's folders; CHARDESK_ROOTS or a root of the client can add one"
        raise Unreadable(why, "permission_denied")
    data = _bytes(real, max_bytes)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Unreadable("the file is not UTF-8 text") from None


def _bytes(real: str, max_bytes: int) -> bytes:
    # Without waiting: opening a pipe would block until somebody writes to it.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        fd = os.open(real, flags)
        try:
            return _content(fd, max_bytes)
        finally:
            os.close(fd)
    except OSError as problem:
        code = "not_found" if isinstance(problem, FileNotFoundError) else "permission_denied"
        raise Unreadable(problem.strerror or "it cannot be read", code) from None


def _content(fd: int, max_bytes: int) -> bytes:
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise Unreadable("it is not a plain file")
    data = b""
    while len(data) <= max_bytes and (piece := os.read(fd, max_bytes + 1 - len(data))):
        data += piece
    if len(data) > max_bytes:
        raise Unreadable(f"the file has more than {max_bytes} bytes", "too_large")
    return data
