"""Which modules a page needs, so that its document can ask for all of them at once.

Without that a browser finds them level by level, a round trip each.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from functools import cache

_IMPORT = re.compile(rb'^(?:import|export)\b[^"\';]*["\'](\.{1,2}/[^"\']+)["\'];', re.MULTILINE)

Read = Callable[[str], bytes | None]
"""A file of the page by its path below `page/`; None when there is none."""


@cache
def needed(entry: str, read: Read) -> tuple[str, ...]:
    """The modules that `entry` imports, itself first, each once, nearest first."""
    found = [entry]
    for name in found:
        folder = posixpath.dirname(name)
        imports = (target.decode() for target in _IMPORT.findall(read(name) or b""))
        paths = (posixpath.normpath(posixpath.join(folder, target)) for target in imports)
        found += dict.fromkeys(path for path in paths if path not in found)
    return tuple(found)


def preloads(entry: str, build: str, read: Read) -> bytes:
    """Links for the document's head: what the browser should fetch before it has read the first module."""
    return "".join(
        f'<link rel="modulepreload" href="/page/{build}/{name}" />' for name in needed(entry, read)
    ).encode()
